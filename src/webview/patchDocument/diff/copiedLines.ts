/** The copied text of a diff: its code, without signs and line numbers, of one side or of both below each other. */
import { arrange, type Line } from './arrange.ts';
import { parseFileDiff } from './diff.ts';
import { withoutReturn } from './lineEnds.ts';
import { pairLines, type SideBySideRow } from './pairs.ts';

/** A side of a diff. */
export type Side = 'old' | 'new';

/** The code of some rows; a row that has none on the side is left out, as is what the page says between the lines. */
export function codeOfRows(
  {
    rows,
    lines,
    sideBySide,
  }: { rows: readonly SideBySideRow[]; lines: readonly Line[]; sideBySide: boolean },
  first: number,
  last: number,
  side: Side,
): string[] {
  return rows.slice(first, last + 1).flatMap(({ left, right }) => {
    const line = lines[(sideBySide && side === 'old' ? left : right) ?? -1];
    return line === undefined || line.type === 'gap' || line.type === 'note'
      ? []
      : [withoutReturn(line.text)];
  });
}

/** All the code that a diff would show if it were drawn. */
export function codeOfDiff(
  text: string,
  { sideBySide, ignoreWhitespace }: { sideBySide: boolean; ignoreWhitespace: boolean },
  side: Side,
): string[] {
  const lines = arrange(parseFileDiff(text)?.rows ?? [], { ignoreWhitespace, openings: new Map() });
  const rows = sideBySide
    ? pairLines(lines).rows
    : lines.map((_line, index) => ({ left: index, right: index }));
  return codeOfRows({ lines, rows, sideBySide }, 0, rows.length, side);
}
