/** Formulas in Markdown, as they are asked for and answered. */

/** A formula, as its author wrote it between the dollar signs. */
export interface Formula {
  source: string;
  /** True for one that stands by itself, and not in a line of text. */
  display: boolean;
}

/** Characters of a formula, and of what becomes of it, beyond which it is shown as it was written. */
export const longestFormula = 2_000;
export const longestDrawnFormula = 100_000;

/** Formulas that are asked for at a time. */
export const mostFormulas = 200;
