import type { Token } from '../../common/tokens.ts';
import type { CodeLine, Line } from './arrange.ts';
import { withoutReturn } from './lineEnds.ts';
import { isLong, keyOf } from './longLines.ts';
import type { WholeFile } from './wholeFile.ts';
import { inBackground } from '../../../util/inBackground.ts';

/** The most lines that are colored at once: more would be waited for. */
export const blockSize = 1_000;

/** Lines at the start of a block that are colored at first, until one after them is asked for: what the first screen shows. */
const firstLines = 60;

/** Characters of a file up to which all of it is colored. */
const largestWhole = 400_000;

/** Colors lines of a file; `isStart` where they begin with it. Undefined when nothing is known of their colors. */
export type ColorLines = (lines: string[], isStart: boolean) => Promise<Token[][] | undefined>;

type Tokens = readonly (Token[] | undefined)[] | undefined;

/** The colors of a whole file, on both sides of a change; undefined for a side that is too large. */
export interface WholeColors {
  old: Tokens;
  new: Tokens;
}

/** Colors a whole file. Only then it is known of each line whether it stands in a comment or in a string. */
export async function colorWhole(file: WholeFile, color: ColorLines): Promise<WholeColors> {
  const colorSide = async (lines: readonly string[]): Promise<Tokens> => {
    const texts = lines.map(textToColor);
    const length = texts.reduce((sum, text) => sum + text.length + 1, 0);
    return texts.length === 0 || length > largestWhole ? undefined : color(texts, true);
  };
  const [before, after] = await Promise.all([colorSide(file.old), colorSide(file.new)]);
  return { old: before, new: after };
}

/** The colors of lines that were guessed, however the lines are arranged; undefined for a line that has none. */
export type GuessedColors = Map<string, Token[] | undefined>;

interface ColorsParts {
  /** Undefined when the file is not colored. */
  color: ColorLines | undefined;
  whole?: WholeColors | undefined;
  guessed: GuessedColors;
  /** Told that lines have colors that had none, or other ones. */
  onNews: () => void;
}

/**
 * Syntax colors for the lines of a diff: those of the whole file where they are known. Until then, each side of what lies
 * between two gaps is colored as a whole, so that a comment or a string over several lines is colored on all of them; and
 * only when one of its lines is asked for. What begins in the middle of a file may begin in the middle of a string: of that, the
 * colors are a guess.
 */
export class Colors {
  readonly #lines: readonly Line[];
  readonly #parts: ColorsParts;
  readonly #asked = new Set<number>();

  constructor(lines: readonly Line[], parts: ColorsParts) {
    this.#lines = lines;
    this.#parts = parts;
  }

  /** The tokens of a line, as far as they are known now; undefined when it is to be shown as plain text. */
  of(index: number): Token[] | undefined {
    const { color, guessed } = this.#parts;
    const line = this.#lines[index];
    if (!color || !isCode(line) || isLong(line.text)) {
      return undefined;
    }
    const known = this.#inWhole(line);
    if (known) {
      return known;
    }
    if (!guessed.has(keyOf(line)) && !this.#asked.has(index)) {
      inBackground(this.#colorAround(index, color));
    }
    return guessed.get(keyOf(line));
  }

  #inWhole(line: CodeLine): Token[] | undefined {
    const { whole } = this.#parts;
    return line.type === 'delete'
      ? whole?.old?.[(line.oldLine ?? 0) - 1]
      : whole?.new?.[(line.newLine ?? 0) - 1];
  }

  async #colorAround(index: number, color: ColorLines): Promise<void> {
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
      this.#asked.add(line);
    }
    const colored = await colorBlock(this.#lines.slice(start, end), color);
    for (const [line, tokens] of colored) {
      this.#parts.guessed.set(keyOf(line), tokens);
    }
    if (colored.some(([, tokens]) => tokens !== undefined)) {
      this.#parts.onNews();
    }
  }
}

/** Colors lines between two gaps, each side of them as a whole. Unchanged lines come twice: last as they look on the new side. */
export async function colorBlock(
  lines: readonly Line[],
  color: ColorLines,
): Promise<(readonly [CodeLine, Token[] | undefined])[]> {
  const block = lines.filter(isCode);
  const sides = (['delete', 'add'] as const).filter((side) => block.some(({ type }) => type === side));
  const colored = await Promise.all(
    (sides.length === 0 ? (['add'] as const) : sides).map(async (side) => {
      const code = block.filter(({ type }) => type === side || type === 'context');
      const first = side === 'delete' ? code[0]?.oldLine : code[0]?.newLine;
      const tokens = await color(
        code.map(({ text }) => textToColor(text)),
        first === 1,
      );
      return code.map(
        (line, position) => [line, isLong(line.text) ? undefined : tokens?.[position]] as const,
      );
    }),
  );
  return colored.flat();
}

function isCode(line: Line | undefined): line is CodeLine {
  return line !== undefined && line.type !== 'gap' && line.type !== 'note';
}

/** The text of a line that is colored: nothing of one that is drawn in parts. */
function textToColor(text: string): string {
  return isLong(text) ? '' : withoutReturn(text);
}
