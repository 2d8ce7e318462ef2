import type { DiffDrawing } from './DiffRows.tsx';

/** Everything that each diff of the page shows, by its element; only the rows near to the screen are elements themselves. */
export const drawings = new WeakMap<Element, DiffDrawing>();
