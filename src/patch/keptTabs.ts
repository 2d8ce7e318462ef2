/**
 * The patch documents that stay open. VS Code has no preview tabs for pages of extensions, so this does what it does for files: a
 * click on a row opens a document in a tab that the next click reuses, until the person keeps it open.
 */
import * as vscode from 'vscode';
import { patchDocumentViewType } from '../contributions.ts';
import { isTabOf, type PagePanel } from '../ui/pagePanel.ts';
import { inBackground } from '../util/inBackground.ts';
import { patchKey, type SectionRef } from '../util/patchRef.ts';

const memoryKey = 'previewDocuments';

/** More tabs than groups of editors have one each is a rare thing, and those that were closed unseen are forgotten so. */
const mostRemembered = 20;

/** Remembers, over a reload of the window, which documents are not kept open. */
export class KeptTabs {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  isPreview(patch: SectionRef): boolean {
    return this.#previews.includes(patchKey(patch, patch.serverUrl));
  }

  /** Notes that the tab of a document is to be reused, or no longer. */
  note(patch: SectionRef, isPreview: boolean): void {
    const key = patchKey(patch, patch.serverUrl);
    const others = this.#previews.filter((other) => other !== key);
    inBackground(
      this.#memory.update(memoryKey, isPreview ? [...others, key].slice(-mostRemembered) : others),
    );
  }

  get #previews(): string[] {
    return this.#memory.get<string[]>(memoryKey, []);
  }
}

/** Follows VS Code's own setting for files. */
export function reusesTabs(): boolean {
  return vscode.workspace.getConfiguration('workbench.editor').get<boolean>('enablePreview', true);
}

/** Returns true when the person has pinned the tab of a panel, as VS Code's own tabs can be. */
export function isPinned({ title, viewColumn }: Pick<PagePanel, 'title' | 'viewColumn'>): boolean {
  return vscode.window.tabGroups.all.some(
    (group) =>
      group.viewColumn === viewColumn &&
      group.tabs.some((tab) => tab.isPinned && tab.label === title && isTabOf(patchDocumentViewType, tab)),
  );
}
