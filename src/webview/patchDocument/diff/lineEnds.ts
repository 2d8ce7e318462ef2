/** Changes of nothing but the end of lines, which look like the same line twice. */
import type { DiffRow } from './diff.ts';
import { equalPairs } from './equalPairs.ts';

/** A change of line endings; several ways at once when some went one way and some the other. */
export type LineEndChange = 'toCrlf' | 'toLf' | 'several';

/** The change of line endings in lines that differ in nothing else; undefined when there is no such line. */
export function lineEndChange(rows: readonly DiffRow[]): LineEndChange | undefined {
  const changes = new Set<LineEndChange>();
  let deleted: string[] = [];
  let added: string[] = [];
  const compare = (): void => {
    // Without a CR anywhere, no line ending can have changed.
    if ([...deleted, ...added].some((text) => text.endsWith('\r'))) {
      for (const [before, after] of equalPairs(deleted.map(withoutReturn), added.map(withoutReturn))) {
        if (deleted[before] !== added[after]) {
          changes.add(added[after]?.endsWith('\r') ? 'toCrlf' : 'toLf');
        }
      }
    }
    deleted = [];
    added = [];
  };
  for (const { type, text } of rows) {
    if (type === 'delete') {
      deleted.push(text);
    } else if (type === 'add') {
      added.push(text);
    } else if (type !== 'note') {
      compare();
    }
  }
  compare();
  const [change, another] = changes;
  return another ? 'several' : change;
}

/** A line without the part of its end that a diff shows as text. */
export function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}
