/** Colors code by the grammars of a window's extensions and the rules of a theme, a little at a time. */
import textmate, {
  type IGrammar,
  type IOnigLib,
  type ITokenizeLineResult2,
  type StateStack,
} from 'vscode-textmate';
import type { CodeToColor, ColoredCode, TokenStyle } from '../util/coloring.ts';
import type { Contributed, ContributedGrammar } from './contributed.ts';
import { languagesOf, type Associations } from './languages.ts';
import { readTheme, type Customizations } from './theme.ts';

const { INITIAL, parseRawGrammar, Registry } = textmate;

/** The person's settings that colors depend on. */
export interface ColorSettings extends Customizations {
  associations: Associations;
}

interface Surroundings {
  contributed: Contributed;
  onigLib: Promise<IOnigLib>;
  read: (file: string) => Promise<string>;
}

/** Characters of a line up to which it is colored, as in VS Code's editor. */
const longestLine = 20_000;

/**
 * Milliseconds that a line may take, twice: the first that needs an expression waits until that is compiled. And those of all that is
 * asked at a time.
 */
const lineLimitMs = 1_000;
const limitMs = 10_000;

/** See the module. */
export class Colorer {
  readonly #contributed: Contributed;
  readonly #settings: ColorSettings;
  readonly #read: Surroundings['read'];
  readonly #engine: Promise<IOnigLib>;
  readonly #registry: InstanceType<typeof Registry>;
  /** The theme that there was last, once its colors are those of the grammars. */
  #theme: { key: string; ready: Promise<void> } | undefined;

  constructor({ contributed, onigLib, read }: Surroundings, settings: ColorSettings) {
    this.#contributed = contributed;
    this.#settings = settings;
    this.#read = read;
    this.#engine = onigLib;
    this.#registry = new Registry({
      onigLib,
      loadGrammar: async (scopeName) => {
        const file = contributed.grammars.findLast((one) => one.scopeName === scopeName)?.file;
        return file === undefined ? null : parseRawGrammar(await read(file), file);
      },
      getInjections: (scopeName) => injectionsInto(scopeName, contributed),
    });
  }

  /** Makes ready to color some code; undefined when no extension knows its language. */
  async begin(code: CodeToColor): Promise<Coloring | undefined> {
    const key = JSON.stringify(code.theme);
    if (this.#theme?.key !== key) {
      this.#theme = { key, ready: this.#takeTheme(code) };
    }
    await this.#theme.ready;
    const { languages, grammars } = this.#contributed;
    for (const language of languagesOf(code, languages, this.#settings.associations, await this.#engine)) {
      const known = grammars.findLast((one) => one.language === language);
      const grammar = known && (await this.#grammar(known));
      if (grammar) {
        return new Coloring(code, grammar, this.#registry.getColorMap());
      }
    }
    return undefined;
  }

  async #takeTheme({ theme }: CodeToColor): Promise<void> {
    this.#registry.setTheme(await readTheme(theme, this.#contributed, this.#settings, this.#read));
  }

  #grammar({ scopeName, tokenTypes: named }: ContributedGrammar): Promise<IGrammar | null> {
    const types = Object.entries(named).flatMap(([scope, type]) => {
      const number = tokenTypes[type];
      return number === undefined ? [] : [[scope, number] as const];
    });
    return this.#registry.loadGrammarWithConfiguration(scopeName, 1, {
      tokenTypes: Object.fromEntries(types),
    });
  }
}

/** Grammars that stand in others: in `text.html.php`, also those for `text.html`. */
function injectionsInto(scopeName: string, { grammars }: Contributed): string[] {
  const parts = scopeName.split('.');
  const names = parts.map((_part, index) => parts.slice(0, index + 1).join('.'));
  return grammars
    .filter(({ injectTo }) => injectTo.some((name) => names.includes(name)))
    .map((one) => one.scopeName);
}

const tokenTypes: Readonly<Record<string, number>> = { other: 0, comment: 1, string: 2, regex: 3 };

/** The kind of what goes on from one line to the next. */
type Ongoing = 'comment' | 'string' | undefined;

/** One piece of code while it is colored. */
export class Coloring {
  readonly #code: CodeToColor;
  readonly #grammar: IGrammar;
  readonly #styles: Styles;
  readonly #lines: number[][] = [];
  /** The surroundings in which each line begins, and those of what follows the last. */
  readonly #ongoing: Ongoing[] = [undefined];
  #state: StateStack = INITIAL;
  #spentMs = 0;

  constructor(code: CodeToColor, grammar: IGrammar, colors: readonly string[]) {
    this.#code = code;
    this.#grammar = grammar;
    this.#styles = new Styles(colors);
  }

  /** Goes on for some milliseconds, at least by a line. @returns true when nothing more is to be done. */
  goOn(forMs: number): boolean {
    const start = performance.now();
    const { lines, isStart } = this.#code;
    let now = start;
    // A line in any case: whoever gives no time is not to be asked for ever.
    while (this.#lines.length < lines.length) {
      this.#colorNext(lines[this.#lines.length] ?? '');
      now = performance.now();
      if (now - start >= forMs || this.#spentMs + now - start >= limitMs) {
        break;
      }
    }
    this.#spentMs += now - start;
    const isDone = this.#lines.length === lines.length;
    if (isDone && !isStart) {
      this.#doubtStrings();
    }
    return isDone || this.#spentMs >= limitMs;
  }

  get result(): ColoredCode {
    return { styles: this.#styles.list, lines: this.#lines };
  }

  #colorNext(line: string): void {
    const { lineTokens, state } = this.#color(line, this.#state);
    this.#lines.push(lineTokens);
    this.#state = state;
    if (!this.#code.isStart) {
      this.#ongoing.push(this.#kindOf(state));
    }
  }

  #color(line: string, from: StateStack): { lineTokens: number[]; state: StateStack } {
    const text = line.length > longestLine ? '' : line;
    const attempt = (): ITokenizeLineResult2 => this.#grammar.tokenizeLine2(text, from, lineLimitMs);
    const first = attempt();
    const { tokens, ruleStack } = first.stoppedEarly ? attempt() : first;
    const lineTokens: number[] = [];
    for (let index = 0; index < tokens.length; index += 2) {
      const length = (tokens[index + 2] ?? text.length) - (tokens[index] ?? 0);
      const style = this.#styles.numberOf(tokens[index + 1] ?? 0);
      const last = lineTokens.length - 2;
      if (last >= 0 && lineTokens[last + 1] === style) {
        lineTokens[last] = (lineTokens[last] ?? 0) + length;
      } else if (length > 0) {
        lineTokens.push(length, style);
      }
    }
    return { lineTokens, state: ruleStack };
  }

  /** The kind of what a line is in that begins in a state. */
  #kindOf(state: StateStack): Ongoing {
    const [, attributes = 0] = this.#grammar.tokenizeLine2('', state).tokens;
    const type = (attributes >>> 8) & 3;
    return type === tokenTypes['comment'] ? 'comment' : type === 0 ? undefined : 'string';
  }

  /**
   * Code from the middle of a file may begin in the middle of a string, which would turn all that follows inside out: nothing is
   * taken for a string of several lines, nor for a comment that does not end. One that ends was one: what begins it is not what
   * ends it.
   */
  #doubtStrings(): void {
    const { length } = this.#lines;
    for (let first = 0; first < length;) {
      let next = first + 1;
      while (next < length && this.#ongoing[next] !== undefined) {
        next += 1;
      }
      const joined = this.#ongoing.slice(first + 1, next);
      const goesOn = next === length && this.#ongoing[length] !== undefined;
      if (goesOn || joined.includes('string')) {
        for (let line = first; line < next; line++) {
          this.#lines[line] = this.#color(this.#code.lines[line] ?? '', INITIAL).lineTokens;
        }
      }
      first = next;
    }
  }
}

/** The looks of tokens, each with a number. */
class Styles {
  readonly #colors: readonly string[];
  readonly #numbers = new Map<number, number>();
  readonly list: TokenStyle[] = [];

  constructor(colors: readonly string[]) {
    this.#colors = colors;
  }

  /** The number of the looks that the attributes of a token have in bits; 0 for those of the text. */
  numberOf(attributes: number): number {
    const looks = (attributes >>> 11) & 0x1fff;
    const known = this.#numbers.get(looks);
    if (known !== undefined) {
      return known;
    }
    const [font, color] = [looks & 15, looks >>> 4];
    const found = this.#colors[color];
    const style: TokenStyle = {
      // The first is that of the text.
      ...(color > 1 && found !== undefined && { color: found }),
      ...((font & 1) !== 0 && { italic: true }),
      ...((font & 2) !== 0 && { bold: true }),
      ...((font & 4) !== 0 && { underline: true }),
      ...((font & 8) !== 0 && { strikethrough: true }),
    };
    const number = Object.keys(style).length === 0 ? 0 : this.list.push(style);
    this.#numbers.set(looks, number);
    return number;
  }
}
