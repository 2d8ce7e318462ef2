/** Formulas in Markdown, drawn as VS Code's own preview has them: by an extension that comes with VS Code. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../util/disposable.ts';
import { longestFormula, mostFormulas, type Formula } from '../util/formula.ts';
import { isObject } from '../util/isObject.ts';
import { FormulaThread } from './formulaThread.ts';

/** See the module. */
export class Formulas implements Disposable {
  readonly #worker: string;
  #thread: { file: string; thread: FormulaThread } | undefined;

  /** @param worker the file with the code of `formulaWorker.ts`. */
  constructor(worker: string) {
    this.#worker = worker;
  }

  /** HTML with a `math` element for each; null for those that can't be drawn, and for all where the person wants none, or VS Code has none. */
  async draw(formulas: readonly Formula[]): Promise<(string | null)[]> {
    const settings = vscode.workspace.getConfiguration('markdown.math');
    const extension = vscode.extensions.getExtension('vscode.markdown-math');
    const main = isObject(extension?.packageJSON) ? extension.packageJSON['main'] : undefined;
    if (extension === undefined || typeof main !== 'string' || settings.get('enabled') === false) {
      return formulas.map(() => null);
    }
    const file = path.join(extension.extensionPath, main);
    if (this.#thread?.file !== file) {
      this.#thread?.thread.dispose();
      this.#thread = { file, thread: new FormulaThread(this.#worker, { file }) };
    }
    const macros = macrosIn(settings.get('macros'));
    const wanted = formulas
      .slice(0, mostFormulas)
      .map((formula) => (formula.source.length <= longestFormula ? { formula, macros } : undefined));
    const drawn = await this.#thread.thread.draw(wanted.filter((one) => one !== undefined));
    return formulas.map((_formula, index) => (wanted[index] ? (drawn.shift() ?? null) : null));
  }

  dispose(): void {
    this.#thread?.thread.dispose();
  }
}

/** The person writes the setting as they like. */
function macrosIn(value: unknown): Record<string, string> {
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      )
    : {};
}
