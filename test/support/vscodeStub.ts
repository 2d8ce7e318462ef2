/**
 * As much of VS Code's interface as rows of a tree need, for measurements without an editor:
 *
 *   registerVscodeStub();
 *   const { StacksTree } = await import('../../src/tree/stacksTree.ts');
 */
import { registerHooks } from 'node:module';

/** Has `import … from 'vscode'` give this module from now on. */
export function registerVscodeStub(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'vscode' ? { url: import.meta.url, shortCircuit: true } : next(specifier, context),
  });
}

export class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => void>();
  readonly event = (listener: (value: T) => void) => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };
  fire(value: T): void {
    this.#listeners.forEach((listener) => listener(value));
  }
  dispose(): void {
    this.#listeners.clear();
  }
}

export class TreeItem {
  readonly label: string;
  readonly collapsibleState: number;
  constructor(label: string, collapsibleState = 0) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };

export class ThemeColor {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeIcon {
  static readonly File = new ThemeIcon('file');
  readonly id: string;
  readonly color: ThemeColor | undefined;
  constructor(id: string, color?: ThemeColor) {
    this.id = id;
    this.color = color;
  }
}

export const Uri = { from: (parts: object) => ({ ...parts }) };
export const env = { language: 'en' };
export const l10n = {
  t: (text: string, ...values: unknown[]) =>
    text.replaceAll(/\{(\d)\}/g, (_match, index: string) => String(values[Number(index)])),
};
