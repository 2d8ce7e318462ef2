/** Looking for text in what the document holds, whether it is drawn or not. */
import type { DiffRow } from '../diff/diff.ts';

/**
 * A place where a text was found: `at` characters into a line of a file, or in rendered prose, where `occurrence` counts from 0.
 */
export type Match =
  | { kind: 'line'; code: string; side: 'old' | 'new'; line: number; at: number }
  | { kind: 'prose'; code: string; occurrence: number };

export interface Query {
  text: string;
  matchCase: boolean;
}

/** The places of a text in another: where each begins. */
export function occurrences(text: string, query: Query): number[] {
  const [hay, needle] = query.matchCase ? [text, query.text] : [text.toLowerCase(), query.text.toLowerCase()];
  const found: number[] = [];
  if (needle === '') {
    return found;
  }
  for (let at = hay.indexOf(needle); at >= 0; at = hay.indexOf(needle, at + needle.length)) {
    found.push(at);
  }
  return found;
}

/** The places of a text in a file's diff. */
export function searchRows(code: string, rows: readonly DiffRow[], query: Query): Match[] {
  return rows.flatMap(({ type, oldLine, newLine, text }) => {
    const side = type === 'delete' ? 'old' : 'new';
    const line = side === 'old' ? oldLine : newLine;
    return line === undefined
      ? []
      : occurrences(text, query).map((at): Match => ({ kind: 'line', code, side, line, at }));
  });
}

/** The places of a text in rendered prose. */
export function searchProse(code: string, text: string, query: Query): Match[] {
  return occurrences(text, query).map((_at, occurrence): Match => ({ kind: 'prose', code, occurrence }));
}
