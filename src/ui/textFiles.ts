import * as vscode from 'vscode';
import type { Disposable } from '../util/disposable.ts';

const scheme = 'patch-stacks-text';

/** Texts that VS Code shows as files that cannot be changed, and that lie nowhere. */
export class TextFiles implements Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registrations: vscode.Disposable;
  #count = 0;

  constructor() {
    this.#registrations = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        provideTextDocumentContent: (uri) => this.#texts.get(uri.path) ?? '',
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === scheme) {
          this.#texts.delete(uri.path);
        }
      }),
    );
  }

  /** Shows two texts beside each other in VS Code's diff editor. */
  async compare(before: string, after: string, title: string): Promise<void> {
    await vscode.commands.executeCommand('vscode.diff', this.#add(before), this.#add(after), title, {
      preview: true,
    });
  }

  dispose(): void {
    this.#registrations.dispose();
  }

  #add(text: string): vscode.Uri {
    const path = `/${++this.#count}.md`;
    this.#texts.set(path, text);
    return vscode.Uri.from({ scheme, path });
  }
}
