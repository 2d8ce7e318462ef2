/** Syntax colors for a page that is read in the light and in the dark, by whoever has it. */
import type { ColorForOthers } from '../../protocol/stackExport.ts';
import type { CodeToColor, ColoredCode, TokenStyle } from '../../util/coloring.ts';
import { readableOn, readColor } from '../common/contrast.ts';
import type { Token } from '../common/tokens.ts';

/** The backgrounds of code in each theme: of the page, of a block in a text, of added and of deleted lines. */
export const codeBackgrounds = {
  light: { page: '#ffffff', raised: '#f6f6f6', added: '#dff5e1', deleted: '#fde3e1' },
  dark: { page: '#1f1f1f', raised: '#282828', added: '#17361f', deleted: '#472022' },
} as const;

type Theme = keyof typeof codeBackgrounds;

/** A part of a line, up to where it ends, and how it looks. */
interface Run {
  end: number;
  style: TokenStyle | undefined;
}

/** See the module. The same code, asked for in the same order, gets the same classes. */
export class Palette {
  readonly #color: ColorForOthers;
  /** Classes by the looks in both themes. */
  readonly #classes = new Map<string, string>();
  readonly #rules: Record<Theme, string[]> = { light: [], dark: [] };
  /** Ends when all that was asked so far has its classes. */
  #before: Promise<unknown> = Promise.resolve();

  constructor(color: ColorForOthers) {
    this.#color = color;
  }

  /** The rules of the style sheet for all that was colored so far. */
  get rules(): string {
    const { light, dark } = this.#rules;
    return light.length === 0
      ? ''
      : `${light.join('\n')}\n@media (prefers-color-scheme: dark) {\n${dark.join('\n')}\n}\n`;
  }

  /** The tokens of lines of code; undefined when nothing is known of their colors. */
  colorLines(name: CodeToColor['name'], lines: string[], isStart: boolean): Promise<Token[][] | undefined> {
    const code = { name, lines, isStart };
    const asked = Promise.all([this.#color('light', code), this.#color('dark', code)]);
    // In the order of the questions, whichever is answered first.
    const tokens = Promise.all([asked, this.#before]).then(([[light, dark]]) =>
      light && dark
        ? lines.map((line, index) => this.#tokensOf(line, runsOf(light, index), runsOf(dark, index)))
        : undefined,
    );
    this.#before = tokens.catch(() => undefined);
    return tokens;
  }

  /** A theme may tell things apart that look the same in the other. */
  #tokensOf(line: string, light: readonly Run[], dark: readonly Run[]): Token[] {
    const ends = new Set(
      [...light, ...dark].map(({ end }) => Math.min(end, line.length)).concat(line.length),
    );
    const tokens: Token[] = [];
    let start = 0;
    for (const end of [...ends].sort((one, other) => one - other)) {
      if (end > start) {
        const styleIn = (runs: readonly Run[]): TokenStyle => runs.find((run) => run.end >= end)?.style ?? {};
        const className = this.#classOf(styleIn(light), styleIn(dark));
        tokens.push({ text: line.slice(start, end), ...(className !== undefined && { className }) });
        start = end;
      }
    }
    return tokens;
  }

  #classOf(light: TokenStyle, dark: TokenStyle): string | undefined {
    const [inLight, inDark] = [rulesOf(light, 'light'), rulesOf(dark, 'dark')];
    if (inLight === plain && inDark === plain) {
      return undefined;
    }
    const key = `${inLight}\n${inDark}`;
    let name = this.#classes.get(key);
    if (name === undefined) {
      name = `c${this.#classes.size}`;
      this.#classes.set(key, name);
      this.#rules.light.push(`.${name} { ${inLight} }`);
      this.#rules.dark.push(`.${name} { ${inDark} }`);
    }
    return name;
  }
}

function runsOf({ styles, lines }: ColoredCode, index: number): Run[] {
  const lengthsAndStyles = lines[index] ?? [];
  const runs: Run[] = [];
  let end = 0;
  for (let at = 0; at < lengthsAndStyles.length; at += 2) {
    end += lengthsAndStyles[at] ?? 0;
    runs.push({ end, style: styles[(lengthsAndStyles[at + 1] ?? 0) - 1] });
  }
  return runs;
}

function rulesOf({ color, italic, bold, underline, strikethrough }: TokenStyle, theme: Theme): string {
  const lines = [underline && 'underline', strikethrough && 'line-through'].filter(Boolean);
  return [
    `color: ${color === undefined ? 'inherit' : readable(color, theme)}`,
    `font-style: ${italic ? 'italic' : 'normal'}`,
    `font-weight: ${bold ? 'bold' : 'normal'}`,
    `text-decoration: ${lines.join(' ') || 'none'}`,
  ].join('; ');
}

/** Looks like the text around it. */
const plain = rulesOf({}, 'light');

/** A theme may be written for one background: here its colors stand on four. Whatever else it says is no color. */
function readable(color: string, theme: Theme): string {
  const own = readColor(color);
  if (!own) {
    return 'inherit';
  }
  const backgrounds = Object.values(codeBackgrounds[theme])
    .map(readColor)
    .filter((background) => background !== undefined);
  const [red, green, blue, alpha] = readableOn(own, backgrounds);
  return `rgb(${[red, green, blue].map(Math.round).join(' ')} / ${alpha})`;
}
