import * as vscode from 'vscode';
import { setContext } from '../contributions.ts';
import type { DocumentFocus } from '../protocol/patchDocument.ts';
import type { PagePanel } from '../ui/pagePanel.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { inBackground } from '../util/inBackground.ts';

/**
 * Keeps the context keys on which the keys of the patch document depend. A document that is the active tab need not have the
 * focus: only its page knows. What the page said last counts while its tab is active and the window has the focus.
 */
export class FocusKeys implements Disposable {
  readonly #said = new Map<PagePanel, DocumentFocus>();
  readonly #disposables = new DisposableStore();
  #shown: DocumentFocus | undefined;

  constructor() {
    this.#disposables.add(vscode.window.onDidChangeWindowState(() => inBackground(this.update())));
    inBackground(this.update());
  }

  /** Takes in what of a page has the focus; nothing of one that is hidden or closed. Ends when VS Code knows. */
  async note(panel: PagePanel, focus: DocumentFocus): Promise<void> {
    if (focus === 'none') {
      this.#said.delete(panel);
    } else {
      this.#said.set(panel, focus);
    }
    await this.update();
  }

  /** Sets the keys again, as they are now. */
  async update(): Promise<void> {
    const [focus = 'none'] = vscode.window.state.focused
      ? [...this.#said].flatMap(([panel, said]) => (panel.active ? [said] : []))
      : [];
    if (focus !== this.#shown) {
      this.#shown = focus;
      await Promise.all([
        setContext('documentFocus', focus !== 'none'),
        setContext('sectionFocus', focus === 'section'),
        setContext('typingFocus', focus === 'typing'),
      ]);
    }
  }

  dispose(): void {
    this.#said.clear();
    inBackground(this.update());
    this.#disposables.dispose();
  }
}
