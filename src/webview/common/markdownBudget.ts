/**
 * Bounds what markdown of strangers may ask of the page at a time. It is counted in the blocks, which take as long as the text is
 * long, and before what can take longer: words, HTML, the sanitizer, layout.
 */
import type MarkdownIt from 'markdown-it';
import { keysOf } from '../../util/fields.ts';

/** Thrown in the middle of rendering a text that is over the budget. */
export class OverBudget extends Error {
  override name = 'OverBudget';
}

const limits = {
  /** Characters of a text, of a line, and of a paragraph. */
  length: 100_000,
  line: 20_000,
  paragraph: 20_000,
  /** Lines that are not code. */
  lines: 8_000,
  /** Elements in each other, and all of them. */
  depth: 50,
  tags: 2_000,
  /** Elements that are never closed are repeated in each block after them. */
  openInBlocks: 10_000,
  columns: 200,
  cells: 8_000,
  footnotes: 500,
  references: 1_000,
  /** Links and pictures; addresses that become links by themselves; marks of emphasis, of code, of formulas and of entities, in a paragraph. */
  brackets: 1_000,
  addresses: 500,
  marks: 4_000,
};

/** Elements that have no end, or whose end is often left out. */
const unclosed = new Set(
  'area base br col dd dt hr img input li link meta option p source td th tr wbr'.split(' '),
);

/** Characters that a name of an element is told by. */
const longestName = 20;

/** Refuses a text by what can be seen before it is read at all. */
export function checkSource(source: string): void {
  demand(source.length <= limits.length);
  for (const line of source.split('\n')) {
    demand(line.length <= limits.line && countOf(line, '|') <= limits.columns * 5);
  }
}

/** Has a renderer refuse what is over the budget. */
export function useBudget(markdown: InstanceType<typeof MarkdownIt>): void {
  markdown.core.ruler.after('block', 'budget', ({ tokens }) => {
    const html = new OpenElements();
    const total = { lines: 0, columns: 0, cells: 0, footnotes: 0, references: 0, brackets: 0, addresses: 0 };
    for (const { type, content, map, nesting } of tokens) {
      if (type === 'table_open') {
        total.columns = 0;
      } else if (type === 'th_open' || type === 'td_open') {
        total.cells += 1;
        total.columns += type === 'th_open' ? 1 : 0;
      } else if (type === 'footnote_reference_open') {
        total.footnotes += 1;
      }
      if (nesting > 0) {
        html.repeat();
      }
      if (type === 'html_block' || type === 'inline') {
        demand(content.length <= limits.paragraph || type === 'html_block');
        total.lines += map ? map[1] - map[0] : 0;
        total.footnotes += countOf(content, '[^') + countOf(content, '^[');
        total.references += countOf(content, '#L');
        total.brackets += countOf(content, '[');
        total.addresses += countOf(content, '@') + countOf(content, '://');
        const marks = ['*', '_', '~', '`', '&', '\\', '<', '$'].map((mark) => countOf(content, mark));
        demand(type === 'html_block' || marks.reduce((sum, count) => sum + count) <= limits.marks);
        html.read(content);
      }
      for (const name of keysOf(total)) {
        demand(total[name] <= limits[name]);
      }
    }
  });
}

/** Counts elements that stand in each other, whether or not they are ever closed. */
class OpenElements {
  #depth = 0;
  #tags = 0;
  #inBlocks = 0;

  /** A block begins: what is open is open in it too. */
  repeat(): void {
    this.#inBlocks += this.#depth;
    demand(this.#inBlocks <= limits.openInBlocks);
  }

  read(html: string): void {
    for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
      this.#tags += 1;
      const closes = html[at + 1] === '/';
      const name = /^[a-z][a-z0-9]*/i
        .exec(html.slice(at + (closes ? 2 : 1), at + longestName))?.[0]
        .toLowerCase();
      if (name !== undefined && !unclosed.has(name)) {
        this.#depth = Math.max(0, this.#depth + (closes ? -1 : 1));
      }
      demand(this.#tags <= limits.tags && this.#depth <= limits.depth);
    }
  }
}

function demand(isWithin: boolean): void {
  if (!isWithin) {
    throw new OverBudget();
  }
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    count += 1;
  }
  return count;
}

/** A part of a text that is rendered by itself. */
export interface MarkdownPiece {
  source: string;
  /** The line of the text with which it begins, counted from 0. */
  firstLine: number;
}

/** Characters up to which a text is rendered at once, and at which a part ends at the next good place, or at any. */
const wholeLength = 20_000;
const goodLength = 6_000;
const mostLength = 18_000;

/** Characters of all definitions of links that each part gets. */
const definitionsLength = 4_000;

/**
 * Splits a long text into parts that are rendered one after the other, between frames. One with footnotes, which stand at
 * the end of the whole, is left whole, unless it has to be split.
 */
export function piecesOf(source: string, mustSplit: boolean): MarkdownPiece[] {
  const isShort = source.length <= wholeLength || (source.length <= limits.length && source.includes('[^'));
  if (isShort && !mustSplit) {
    return [{ source, firstLine: 0 }];
  }
  const pieces: MarkdownPiece[] = [];
  const definitions: string[] = [];
  let [start, startLine, line, fence] = [0, 0, 0, ''];
  const end = (at: number): void => {
    pieces.push({ source: source.slice(start, at), firstLine: startLine });
    [start, startLine] = [at, line];
  };
  for (let at = 0; at < source.length; line++) {
    const newline = source.indexOf('\n', at);
    const next = newline < 0 ? source.length : newline + 1;
    const text = source.slice(at, Math.min(next, at + 200));
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1];
    if (mark !== undefined && (fence === '' || mark.startsWith(fence))) {
      fence = fence === '' ? mark : '';
    } else if (fence === '') {
      const isStart = /^[^\s]/.test(text) && /\n[ \t\r]*\n$/.test(source.slice(Math.max(start, at - 80), at));
      if (isStart && at - start >= goodLength) {
        end(at);
      }
      if (/^ {0,3}\[[^\]^]+\]:\s/.test(text) && definitions.join('').length < definitionsLength) {
        definitions.push(text.trimEnd());
      }
    }
    // A line of its own length still has to end somewhere.
    while (next - start > mostLength) {
      end(at > start ? at : start + mostLength);
    }
    at = next;
  }
  end(source.length);
  const shared = definitions.length === 0 ? '' : `\n\n${definitions.join('\n')}`;
  return pieces
    .filter((piece) => piece.source !== '')
    .map((piece) => ({ ...piece, source: piece.source + shared }));
}
