/** The lines of a diff that no prose explains. */
import type { UnexplainedHunks } from '../../../protocol/patchDocument.ts';
import type { Line } from './arrange.ts';
import type { DiffDrawing } from './drawings.ts';

/** The part of a row's line in what isn't explained: `first` has the words, the others are marked with it. */
export type UnexplainedPart = 'first' | 'other';

/** Returns the part that a row has in a hunk that no prose explains; undefined where it has none. */
export function unexplainedPart(
  drawing: DiffDrawing,
  row: number,
  hunks: UnexplainedHunks | undefined,
): UnexplainedPart | undefined {
  if (!hunks || !isMarked(drawing, row, hunks)) {
    return undefined;
  }
  let before = row - 1;
  while (typeAt(drawing, before) === 'note') {
    before -= 1;
  }
  return isMarked(drawing, before, hunks) ? 'other' : 'first';
}

function typeAt({ rows, lines }: DiffDrawing, row: number): Line['type'] | undefined {
  return lines[rows[row]?.right ?? -1]?.type;
}

function isMarked(drawing: DiffDrawing, row: number, hunks: UnexplainedHunks): boolean {
  const { left, right } = drawing.rows[row] ?? {};
  return [left, right].some((index) => isUnexplained(drawing, drawing.lines[index ?? -1], hunks));
}

function isUnexplained(
  { isFromBase }: DiffDrawing,
  line: Line | undefined,
  hunks: UnexplainedHunks,
): boolean {
  if (line?.type !== 'add' && line?.type !== 'delete') {
    return false;
  }
  const { oldLine, newLine } = line;
  // In a comparison the lines before the change are those of no version.
  const before = isFromBase ? oldLine : undefined;
  if (hunks === 'all') {
    return newLine !== undefined || before !== undefined;
  }
  return hunks.some(({ old: then, new: now }) => isIn(before, then) || isIn(newLine, now));
}

function isIn(line: number | undefined, { start, count }: { start: number; count: number }): boolean {
  return line !== undefined && start <= line && line < start + count;
}
