import type { Line } from './arrange.ts';
import type { Colours } from './colours.ts';
import type { SideBySideRow } from './pairs.ts';

/** Everything the rows of a diff are drawn from. */
export interface DiffDrawing {
  lines: readonly Line[];
  /** For each changed line the one that it became or was. */
  partners: ReadonlyMap<number, number>;
  colours: Colours;
  /** Unified, each row has one line, on both sides. */
  rows: readonly SideBySideRow[];
  sideBySide: boolean;
}

/** Everything that each diff of the page shows, by its element; only the rows near to the screen are elements themselves. */
export const drawings = new WeakMap<Element, DiffDrawing>();
