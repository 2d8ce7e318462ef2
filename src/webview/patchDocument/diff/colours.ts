import { highlightBlock, highlightLines, type Token } from '../../common/highlight.ts';
import type { CodeLine, Line } from './arrange.ts';
import { withoutReturn } from './lineEnds.ts';
import { isLong } from './longLines.ts';
import type { WholeFile } from './wholeFile.ts';

/** The most lines that are colored at once: more would be noticed while scrolling. */
export const blockSize = 1_000;

/** Lines at the start of a block that are colored at first, until one after them is asked for: what the first screen shows. */
const firstLines = 60;

/** Characters of a file up to which all of it is colored, and milliseconds after which that begins at the latest. */
const largestWhole = 400_000;
const patienceMs = 2_000;

type Tokens = readonly (Token[] | undefined)[] | undefined;

/** The colors of a whole file, on both sides of a change; undefined for a side that is too large. */
export interface WholeColours {
  old: Tokens;
  new: Tokens;
}

/**
 * Colors a whole file while there is nothing else to do. Only then it is known of each line whether it stands in a comment or
 * in a string.
 *
 * @throws the signal's reason.
 */
export async function colourWhole(
  file: WholeFile,
  language: string,
  signal: AbortSignal,
): Promise<WholeColours> {
  const colour = async (lines: readonly string[]): Promise<Tokens> => {
    const code = lines.map(coloured).join('\n');
    if (code.length === 0 || code.length > largestWhole) {
      return undefined;
    }
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: patienceMs }));
    signal.throwIfAborted();
    return highlightLines(code, language);
  };
  return { old: await colour(file.old), new: await colour(file.new) };
}

/**
 * Syntax colors for the lines of a diff: those of the whole file where they are known. Until then, each side of what lies
 * between two gaps is colored as a whole, so that a comment or a string over several lines is colored on all of them; and
 * only when one of its lines is asked for. What begins in the middle of a file may begin in the middle of a string, which
 * would turn all that follows inside out: there, nothing is taken for a string of several lines.
 */
export class Colours {
  readonly #lines: readonly Line[];
  readonly #language: string | undefined;
  readonly #whole: WholeColours | undefined;
  readonly #tokens: (Token[] | undefined)[] = [];
  readonly #done = new Set<number>();

  constructor(lines: readonly Line[], language: string | undefined, whole?: WholeColours) {
    this.#lines = lines;
    this.#language = language;
    this.#whole = whole;
  }

  /** The tokens of a line; undefined when it is to be shown as plain text. */
  of(index: number): Token[] | undefined {
    if (this.#language === undefined) {
      return undefined;
    }
    const line = this.#lines[index];
    if (line && 'text' in line && isLong(line.text)) {
      return undefined;
    }
    const known = this.#inWhole(line);
    if (known) {
      return known;
    }
    if (!this.#done.has(index)) {
      this.#colourAround(index, this.#language);
    }
    return this.#tokens[index];
  }

  #inWhole(line: Line | undefined): Token[] | undefined {
    switch (line?.type) {
      case 'delete':
        return this.#whole?.old?.[(line.oldLine ?? 0) - 1];
      case 'add':
      case 'context':
        return this.#whole?.new?.[(line.newLine ?? 0) - 1];
      default:
        return undefined;
    }
  }

  #colourAround(index: number, language: string): void {
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
      const code: CodeLine[] = [];
      for (let at = start; at < end; at++) {
        const line = this.#lines[at];
        if (line?.type === side || line?.type === 'context') {
          indices.push(at);
          code.push(line);
        }
      }
      const first = side === 'delete' ? code[0]?.oldLine : code[0]?.newLine;
      const texts = code.map(({ text }) => coloured(text));
      const tokens =
        first === 1 ? highlightLines(texts.join('\n'), language) : colourFromTheMiddle(texts, language);
      indices.forEach((at, position) => (this.#tokens[at] = tokens?.[position]));
    }
  }
}

/** The text of a line that is colored: nothing of one that is drawn in parts. */
function coloured(text: string): string {
  return isLong(text) ? '' : withoutReturn(text);
}

/** Colors lines of which it is not known what they begin in: what would be a string of several lines, each by itself. */
function colourFromTheMiddle(texts: readonly string[], language: string): Tokens {
  // With a line more, which shows what goes on at the end.
  const block = highlightBlock([...texts, ''].join('\n'), language);
  if (!block) {
    return undefined;
  }
  const { lines, ongoing } = block;
  const tokens: (Token[] | undefined)[] = [...lines];
  const ends = ongoing.at(-1) === undefined;
  for (let first = 0; first < texts.length;) {
    let next = first + 1;
    while (next < lines.length && ongoing[next] !== undefined) {
      next++;
    }
    const joined = ongoing.slice(first + 1, next);
    // A comment that ends was one: what begins it is not what ends it.
    if (joined.length > 0 && ((next === lines.length && !ends) || joined.includes('string'))) {
      for (let line = first; line < next; line++) {
        tokens[line] = highlightLines(texts[line] ?? '', language)?.[0];
      }
    }
    first = next;
  }
  return tokens;
}
