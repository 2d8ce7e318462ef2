/** A file as a whole, around the hunks of its diff. */
import { hunkStart } from './arrange.ts';
import type { DiffRow } from './diff.ts';

/** Every line of a file on both sides of a change. */
export interface WholeFile {
  old: readonly string[];
  new: readonly string[];
}

/**
 * Both sides of a file of which one is known: the other is made by the diff.
 *
 * @returns undefined when the diff is not of this file.
 */
export function bothSides(
  rows: readonly DiffRow[],
  side: keyof WholeFile,
  lines: readonly string[],
): WholeFile | undefined {
  const other: string[] = [];
  let at = 0;
  const copyUntil = (end: number): void => {
    while (at < end) {
      other.push(lines[at++] ?? '');
    }
  };
  for (const { type, text } of rows) {
    if (type === 'hunk') {
      const start = hunkStart(text);
      const first = (side === 'old' ? start?.oldLine : start?.newLine) ?? 0;
      if (first - 1 < at || first - 1 > lines.length) {
        return undefined;
      }
      copyUntil(first - 1);
    } else if (type !== 'note') {
      const isOn = { old: type !== 'add', new: type !== 'delete' };
      if (isOn[side] && lines[at++] !== text) {
        return undefined;
      }
      if (isOn[side === 'old' ? 'new' : 'old']) {
        other.push(text);
      }
    }
  }
  copyUntil(lines.length);
  return side === 'old' ? { old: lines, new: other } : { old: other, new: lines };
}

/** The file of a diff that has all of it, because it creates or deletes it; undefined for any other. */
export function wholeFileIn(rows: readonly DiffRow[], change: string): WholeFile | undefined {
  const textsOf = (wanted: DiffRow['type']): string[] =>
    rows.flatMap(({ type, text }) => (type === wanted ? [text] : []));
  switch (change) {
    case 'created':
      return { old: [], new: textsOf('add') };
    case 'deleted':
      return { old: textsOf('delete'), new: [] };
    default:
      return undefined;
  }
}
