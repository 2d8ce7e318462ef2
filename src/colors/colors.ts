import path from 'node:path';
import * as vscode from 'vscode';
import type { CodeToColor, ColoredCode } from '../util/coloring.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { Emitter } from '../util/event.ts';
import type { Formula } from '../util/formula.ts';
import { isObject } from '../util/isObject.ts';
import { ColoringThread } from './coloringThread.ts';
import type { FileIcons, FilesWithIcons } from '../util/fileIcon.ts';
import { readContributed, type Contributed } from './contributed.ts';
import type { Formulas } from './formulas.ts';
import type { Associations } from './languages.ts';
import type { Customizations } from './theme.ts';

/** Settings that colors depend on. The theme is named by the page that asks. */
const settingsInvolved = [
  'editor.tokenColorCustomizations',
  'workbench.colorCustomizations',
  'files.associations',
  'workbench.iconTheme',
];

/** Code with the colors that VS Code's editor gives it, by the person's own theme and extensions. */
export class Colors implements Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<undefined>());
  #thread: ColoringThread | undefined;
  #formulas: Promise<Formulas> | undefined;

  /** Told that everything is to be colored anew, for another reason than a new theme. */
  readonly onDidChange = this.#changed.event;

  constructor(extensionUri: vscode.Uri) {
    this.#extensionUri = extensionUri;
    this.#disposables.add(vscode.extensions.onDidChange(() => this.#beginAnew()));
    this.#disposables.add(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (settingsInvolved.some((name) => change.affectsConfiguration(name))) {
          this.#beginAnew();
        }
      }),
    );
  }

  /** The code with its colors; null when no extension knows its language, or it would take too long. */
  color(code: CodeToColor, signal?: AbortSignal): Promise<ColoredCode | null> {
    this.#thread ??= this.#begin({
      tokens: setting('editor', 'tokenColorCustomizations'),
      colors: setting('workbench', 'colorCustomizations'),
    });
    return this.#thread.color(code, signal);
  }

  /** A thread for files that others read, in which nothing counts that the person has changed in a theme. To be disposed of. */
  beginForOthers(): ColoringThread {
    return this.#begin({ tokens: {}, colors: {} });
  }

  /** The icons of files in the person's icon theme; null when they have none, or its files are on another computer. */
  async icons(wanted: FilesWithIcons): Promise<FileIcons | null> {
    const id = vscode.workspace.getConfiguration('workbench').get('iconTheme');
    const { iconThemes, languages } = contributed();
    const theme = iconThemes.findLast((one) => one.id === id);
    const { fileIcons } = await import('./fileIcons.ts');
    return theme ? fileIcons(theme.file, languages, wanted).catch(() => null) : null;
  }

  /** Formulas as HTML with a `math` element each; null for those that can't be drawn, or when VS Code's own preview draws none. */
  async formulas(formulas: readonly Formula[]): Promise<(string | null)[]> {
    this.#formulas ??= import('./formulas.ts').then(({ Formulas }) =>
      this.#disposables.add(new Formulas(this.#file('formulaWorker.cjs'))),
    );
    return (await this.#formulas).draw(formulas);
  }

  dispose(): void {
    this.#thread?.dispose();
    this.#disposables.dispose();
  }

  #begin(customizations: Customizations): ColoringThread {
    return new ColoringThread(this.#file('coloringWorker.cjs'), {
      contributed: contributed(),
      settings: { ...customizations, associations: associationsIn(setting('files', 'associations')) },
      engine: this.#file('onig.wasm.br'),
    });
  }

  #file(name: string): string {
    return vscode.Uri.joinPath(this.#extensionUri, 'dist', name).fsPath;
  }

  #beginAnew(): void {
    this.#thread?.dispose();
    this.#thread = undefined;
    this.#changed.fire(undefined);
  }
}

/** A setting as a value that can be handed to a thread, which those that VS Code gives can't. */
function setting(section: string, name: string): unknown {
  const text = JSON.stringify(vscode.workspace.getConfiguration(section).get(name) ?? {});
  return JSON.parse(text);
}

/** The person writes the setting as they like. */
function associationsIn(value: unknown): Associations {
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      )
    : {};
}

function contributed(): Contributed {
  return readContributed(
    vscode.extensions.all.map(({ id, extensionPath, packageJSON }) => ({
      id,
      folder: extensionPath,
      manifest: packageJSON as unknown,
    })),
    (folder, name) => path.join(folder, name),
  );
}
