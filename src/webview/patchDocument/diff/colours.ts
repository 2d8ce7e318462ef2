import { highlightLines, type Token } from '../../common/highlight.ts';
import type { Line } from './arrange.ts';

/** The most lines that are coloured as a whole: more at once would be noticed while scrolling. */
const blockSize = 1_000;

/** Lines at the start of a block that are coloured at first, until one after them is asked for: what the first screen shows. */
const firstLines = 60;

/**
 * Syntax colours for the lines of a diff. Each side of what lies between two gaps is coloured as a whole, so that a comment
 * or a string over several lines is coloured on all of them; and only when one of its lines is asked for.
 */
export class Colours {
  readonly #lines: readonly Line[];
  readonly #language: string | undefined;
  readonly #tokens: (Token[] | undefined)[] = [];
  readonly #done = new Set<number>();

  constructor(lines: readonly Line[], language: string | undefined) {
    this.#lines = lines;
    this.#language = language;
  }

  /** The tokens of a line; undefined when it is to be shown as plain text. */
  of(index: number): Token[] | undefined {
    if (this.#language !== undefined && !this.#done.has(index)) {
      this.#colourAround(index);
    }
    return this.#tokens[index];
  }

  #colourAround(index: number): void {
    let start = index;
    while (start > 0 && start % blockSize !== 0 && this.#lines[start - 1]?.type !== 'gap') {
      start--;
    }
    let end = index + 1;
    const limit = Math.min(this.#lines.length, start + (index - start < firstLines ? firstLines : blockSize));
    while (end < limit && end % blockSize !== 0 && this.#lines[end]?.type !== 'gap') {
      end++;
    }
    for (let line = start; line < end; line++) {
      this.#done.add(line);
    }
    const block = this.#lines.slice(start, end);
    const sides = (['delete', 'add'] as const).filter((side) => block.some(({ type }) => type === side));
    // Unchanged lines look on both sides the same: those of the new side are shown.
    for (const side of sides.length === 0 ? (['add'] as const) : sides) {
      const indices: number[] = [];
      const code: string[] = [];
      for (let at = start; at < end; at++) {
        const line = this.#lines[at];
        if (line?.type === side || line?.type === 'context') {
          indices.push(at);
          code.push(line.text.replace(/\r$/, ''));
        }
      }
      const tokens = highlightLines(code.join('\n'), this.#language);
      indices.forEach((at, position) => (this.#tokens[at] = tokens?.[position]));
    }
  }
}
