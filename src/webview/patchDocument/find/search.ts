/** Looking for text in what the document holds, whether it is drawn or not. */
import type { DiffRow } from '../diff/diff.ts';

/** Where a text was found: a line of a file, or a place in rendered prose. `occurrence` counts from 0 within it. */
export type Match =
  | { kind: 'line'; code: string; side: 'old' | 'new'; line: number; occurrence: number }
  | { kind: 'prose'; code: string; occurrence: number };

/** What is looked for. */
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
      : occurrences(text, query).map((_at, occurrence): Match => ({
          kind: 'line',
          code,
          side,
          line,
          occurrence,
        }));
  });
}

/** The places of a text in rendered prose. */
export function searchProse(code: string, text: string, query: Query): Match[] {
  return occurrences(text, query).map((_at, occurrence): Match => ({ kind: 'prose', code, occurrence }));
}
