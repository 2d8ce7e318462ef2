import { highlightCode, splitHighlightedLines } from '../../common/highlight.ts';
import type { DiffRow } from './diff.ts';

/**
 * Syntax colours for the rows of a diff. Each side of a hunk is highlighted as a whole, so that a comment or a string
 * over several lines is coloured on all of them.
 *
 * @returns for each row its escaped HTML; undefined where the row is to be shown as plain text.
 */
export function highlightRows(rows: DiffRow[], language: string | undefined): (string | undefined)[] {
  const result = new Array<string | undefined>(rows.length).fill(undefined);
  if (!language) {
    return result;
  }
  let start = 0;
  while (start < rows.length) {
    let end = start + 1;
    while (end < rows.length && rows[end]?.type !== 'hunk') {
      end++;
    }
    for (const side of ['delete', 'add'] as const) {
      const indices: number[] = [];
      for (let index = start; index < end; index++) {
        const type = rows[index]?.type;
        if (type === side || type === 'context') {
          indices.push(index);
        }
      }
      const code = indices.map((index) => rows[index]?.text.replace(/\r$/, '') ?? '').join('\n');
      const lines = splitHighlightedLines(highlightCode(code, language) ?? '');
      indices.forEach((index, position) => (result[index] = lines[position]));
    }
    start = end;
  }
  return result;
}
