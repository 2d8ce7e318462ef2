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

  /**
   * Shows a text in an editor of its own, with the cursor at the start of a line.
   *
   * @param at `line` is zero-based; `language` is one that VS Code knows: lines of markdown are wrapped.
   * @returns closes it again.
   */
  async show(
    text: string,
    at: { title: string; line: number; language?: string },
  ): Promise<() => Promise<void>> {
    const uri = this.#add(text, at.title);
    const place = new vscode.Position(at.line, 0);
    const { document } = await vscode.window.showTextDocument(uri, {
      preview: true,
      selection: new vscode.Range(place, place),
    });
    if (at.language !== undefined) {
      await vscode.languages.setTextDocumentLanguage(document, at.language);
    }
    return async () => {
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      await vscode.window.tabGroups.close(
        tabs.filter(
          ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
        ),
      );
    };
  }

  dispose(): void {
    this.#registrations.dispose();
  }

  /** @param name what its tab is called. */
  #add(text: string, name?: string): vscode.Uri {
    const number = ++this.#count;
    const path = name === undefined ? `/${number}.md` : `/${number}/${name.replaceAll('/', '∕')}`;
    this.#texts.set(path, text);
    return vscode.Uri.from({ scheme, path });
  }
}
