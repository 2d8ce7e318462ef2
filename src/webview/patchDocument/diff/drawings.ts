import type { MovedLines } from '../../../protocol/patchDocument.ts';
import type { LineRange } from '../../../util/shownComparison.ts';
import type { Line } from './arrange.ts';
import type { Colors } from './colors.ts';
import type { Range, SideBySideRow } from './pairs.ts';

/** Everything the rows of a diff are drawn from. */
export interface DiffDrawing {
  lines: readonly Line[];
  /** For each changed line the one that it became or was. */
  partners: ReadonlyMap<number, number>;
  colors: Colors;
  /** Unified, each row has one line, on both sides. */
  rows: readonly SideBySideRow[];
  sideBySide: boolean;
  /** Parts that somebody wants to see of lines that are drawn in parts, by `keyOf` the line. */
  asked: ReadonlyMap<string, readonly Range[]>;
  /** Lines before the change that are what they are because the base has changed. */
  baseLines: readonly LineRange[];
  /** Lines that were moved from one place to another. */
  moved: readonly MovedLines[];
  /** True when the lines before the change are those of the base; in a comparison they are those of no version. */
  isFromBase: boolean;
}

/** Returns true for a line that the base has changed, rather than the author. */
export function isOfBase({ baseLines }: DiffDrawing, line: Line | undefined): boolean {
  const number = line?.type === 'context' ? line.oldLine : undefined;
  return number !== undefined && baseLines.some(([first, last]) => first <= number && number <= last);
}

/** Everything that each diff of the page shows, by its element; only the rows near to the screen are elements themselves. */
export const drawings = new WeakMap<Element, DiffDrawing>();

/** For each diff of the page what draws a row of it that is not drawn, and finds it. */
export const rowDrawers = new WeakMap<Element, (row: number) => HTMLElement | undefined>();
