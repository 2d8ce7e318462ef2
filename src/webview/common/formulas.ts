/**
 * Formulas in Markdown, between dollar signs as in VS Code's own preview: `$…$` in a line, `$$…$$` by themselves. Here they are found, and
 * are their own source at first: see `drawnFormulas.ts`.
 */
import type MarkdownIt from 'markdown-it';
import { longestFormula, type Formula } from '../../util/formula.ts';

/** The class of what holds a formula, dollar signs included. */
export const formulaClass = 'formula';

type Reader = InstanceType<typeof MarkdownIt>;
type InlineState = Parameters<Parameters<Reader['inline']['ruler']['after']>[2]>[0];
type BlockState = Parameters<Parameters<Reader['block']['ruler']['after']>[2]>[0];

/** Has a renderer know formulas. */
export function useFormulas(markdown: Reader): void {
  markdown.inline.ruler.after('escape', 'formula', readInLine);
  markdown.block.ruler.after('blockquote', 'formula_block', readBlock, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
  const { escapeHtml } = markdown.utils;
  markdown.renderer.rules['formula'] = (tokens, index) =>
    `<span class="${formulaClass}">${escapeHtml(tokens[index]?.content ?? '')}</span>`;
  markdown.renderer.rules['formula_block'] = (tokens, index, _options, _environment, renderer) => {
    const token = tokens[index];
    token?.attrJoin('class', formulaClass);
    return token ? `<p${renderer.renderAttrs(token)}>${escapeHtml(token.content)}</p>\n` : '';
  };
}

/** A formula that was written between dollar signs. */
export function writtenFormula(text: string): Formula {
  const display = text.startsWith('$$');
  const source = display ? text.slice(2, -2) : text.slice(1, -1).replace(/^`([^`]*)`$/, '$1');
  return { source: source.trim(), display };
}

/** Tells sums of money and names of variables from formulas: beside a letter or a digit, a dollar sign neither begins nor ends one. */
const besideDollar = /^[^\p{L}\p{N}_$\\]?$/u;

function readInLine(state: InlineState, isLook: boolean): boolean {
  const { src, pos, posMax } = state;
  const mark = src.startsWith('$$', pos) ? '$$' : '$';
  const start = pos + mark.length;
  if (src[pos] !== '$' || !besideDollar.test(src.charAt(pos - 1)) || start >= posMax) {
    return false;
  }
  const end = endOf(src.slice(start, Math.min(posMax, start + longestFormula + mark.length)), mark);
  const content = src.slice(start, start + (end ?? 0));
  const isAtEdges = mark === '$$' ? content.trim() !== '' : content !== '' && content === content.trim();
  if (end === undefined || !isAtEdges || !isFormula(content)) {
    return false;
  }
  const after = start + end + mark.length;
  if (!besideDollar.test(src.charAt(after)) && src[after] !== '\\') {
    return false;
  }
  if (!isLook) {
    state.push('formula', 'span', 0).content = src.slice(pos, after);
  }
  state.pos = after;
  return true;
}

/** The place of the next mark that isn't escaped. */
function endOf(text: string, mark: string): number | undefined {
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
    if (!isEscaped(text, at)) {
      return at;
    }
  }
  return undefined;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') {
    first -= 1;
  }
  return (at - first) % 2 === 1;
}

/** Code is no formula; a formula between backticks is one, as on GitHub. */
function isFormula(content: string): boolean {
  return !content.replace(/^`([^`]*)`$/, '$1').includes('`');
}

function readBlock(state: BlockState, start: number, end: number, isLook: boolean): boolean {
  const line = (number: number): string =>
    state.src
      .slice((state.bMarks[number] ?? 0) + (state.tShift[number] ?? 0), state.eMarks[number])
      .trimEnd();
  const first = line(start);
  if (!first.startsWith('$$') || (state.sCount[start] ?? 0) - state.blkIndent >= 4) {
    return false;
  }
  const lines = [first.slice(2)];
  let [length, last] = [0, start];
  while (!lines.at(-1)?.endsWith('$$')) {
    last += 1;
    length += (lines.at(-1)?.length ?? 0) + 1;
    const text = line(last);
    const isOutside = text !== '' && (state.sCount[last] ?? 0) < state.blkIndent;
    if (last >= end || isOutside || length > longestFormula) {
      return false;
    }
    lines.push(text);
  }
  const content = lines.join('\n').slice(0, -2);
  if (content.trim() === '' || content.includes('$$')) {
    return false;
  }
  if (!isLook) {
    const token = state.push('formula_block', 'p', 0);
    token.content = `$$${content}$$`;
    token.block = true;
    token.map = [start, last + 1];
    state.line = last + 1;
  }
  return true;
}
