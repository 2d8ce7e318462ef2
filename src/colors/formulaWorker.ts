/**
 * The thread that makes MathML of formulas, with what VS Code's own preview of Markdown makes its formulas of: an extension that comes
 * with VS Code, and in it KaTeX. In a thread, a formula that takes too long can be stopped.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { longestDrawnFormula, type Formula } from '../util/formula.ts';

/** The file of the extension's code. */
export interface FormulaStart {
  file: string;
}

export interface FormulaQuestion {
  formula: Formula;
  /** Those that the person has in their settings, by name. */
  macros: Record<string, string>;
}

export interface FormulaAnswer {
  /** HTML with a `math` element in it; null for a formula with a mistake in it. */
  drawn: string | null;
}

type Render = (tokens: { content: string }[], index: number) => string;

/** As much of a reader of Markdown as the extension uses of the one that it extends. */
class Reader {
  readonly renderer: { rules: Record<string, Render | undefined> } = { rules: {} };
  readonly core = { ruler: rules };
  readonly inline = { ruler: rules };
  readonly block = { ruler: rules };
  /** Those that formulas are drawn with. */
  options: Record<string, unknown> = {};

  use(plugin: (reader: Reader, options: object) => void, options: object): this {
    this.options = {
      ...options,
      // Browsers draw that by themselves, without styles and fonts.
      output: 'mathml',
      maxSize: 20,
      strict: 'ignore',
      trust: false,
      globalGroup: false,
    };
    plugin(this, this.options);
    return this;
  }
}

const nothing = (): void => undefined;
const rules = { after: nothing, before: nothing, push: nothing };

/** As much of VS Code's API as the extension uses when it is asked for what it extends. */
const api = {
  workspace: {
    getConfiguration: () => ({ get: (_name: string, byDefault: unknown) => byDefault }),
    onDidChangeConfiguration: () => ({ dispose: nothing }),
  },
  commands: { executeCommand: nothing },
};

interface Extension {
  activate: (context: { subscriptions: unknown[] }) => { extendMarkdownIt: (reader: Reader) => unknown };
}

/** Has the extension draw formulas. */
function readerOf(file: string): Reader {
  const name = createRequire(file).resolve(file);
  const module = { exports: {} as Extension };
  const require = (wanted: string): unknown => {
    if (wanted !== 'vscode') {
      throw new Error(`The extension needs ${wanted}, too.`);
    }
    return api;
  };
  const load = compileFunction(readFileSync(name, 'utf8'), ['require', 'module', 'exports'], {
    filename: name,
  }) as (...parts: unknown[]) => void;
  load(require, module, module.exports);
  const reader = new Reader();
  module.exports.activate({ subscriptions: [] }).extendMarkdownIt(reader);
  return reader;
}

const { file } = workerData as FormulaStart;
let reader: Reader | undefined;

function draw({ formula, macros }: FormulaQuestion): string | null {
  reader ??= readerOf(file);
  // A formula defines macros for itself: one text is none of another's business.
  reader.options['macros'] = { ...macros };
  const render = reader.renderer.rules[formula.display ? 'math_block' : 'math_inline'];
  const drawn = render?.([{ content: formula.source }], 0) ?? '';
  const isDrawn = drawn.includes('<math') && drawn.length <= longestDrawnFormula;
  return isDrawn && !drawn.includes('katex-error') ? drawn : null;
}

parentPort?.on('message', (question: FormulaQuestion) => {
  let drawn: string | null = null;
  try {
    drawn = draw(question);
  } catch {
    // The extension is another one than was expected.
  }
  parentPort?.postMessage({ drawn } satisfies FormulaAnswer);
});
