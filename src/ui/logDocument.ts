import * as vscode from 'vscode';
import type { Disposable } from '../util/disposable.ts';
import { Soon } from '../util/soon.ts';

const scheme = 'patch-stacks-log';

/** Milliseconds that lines are gathered before the document is drawn again. */
const pauseMs = 250;

/**
 * The log as a document of our own, which follows what is written: for editors whose log channels stay empty, because the
 * library that writes them is missing there.
 */
export class LogDocument implements Disposable {
  readonly #uri = vscode.Uri.from({ scheme, path: '/Patch Stacks.log' });
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;
  readonly #updatingSoon = new Soon(pauseMs, () => this.#changed.fire(this.#uri));

  /** @param text everything that the document shows, at any time. */
  constructor(text: () => string) {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: () =>
        [
          vscode.l10n.t(
            "This editor doesn't write log channels because its log library is missing. These are the last lines of this window's log.",
          ),
          text(),
        ].join('\n\n'),
    });
  }

  /** Shows the document, at its end. */
  async show(): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.#uri);
    await vscode.languages.setTextDocumentLanguage(document, 'log');
    const editor = await vscode.window.showTextDocument(document, { preview: true });
    const end = document.lineAt(document.lineCount - 1).range;
    editor.revealRange(end);
  }

  /** Has an open document show what was written since. */
  update(): void {
    this.#updatingSoon.ask();
  }

  dispose(): void {
    this.#updatingSoon.dispose();
    this.#registration.dispose();
    this.#changed.dispose();
  }
}
