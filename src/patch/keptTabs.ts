/**
 * Which patch documents stay open. VS Code has no preview tabs for pages of extensions, so this does what it does for files: a
 * click on a row opens a document in a tab that the next click reuses, until the person keeps it open.
 */
import * as vscode from 'vscode';
import { patchDocumentViewType, type PatchReference } from '../contributions.ts';

const memoryKey = 'previewDocuments';

/** More tabs than groups of editors have one each is a rare thing, and those that were closed unseen are forgotten so. */
const mostRemembered = 20;

/** Remembers, over a reload of the window, which documents are not kept open. */
export class KeptTabs {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** Whether the document of a patch was left in a tab that is to be reused. */
  isPreview(patch: PatchReference): boolean {
    return this.#previews.includes(keyOf(patch));
  }

  /** Notes that the tab of a document is to be reused, or no longer. */
  note(patch: PatchReference, isPreview: boolean): void {
    const key = keyOf(patch);
    const others = this.#previews.filter((other) => other !== key);
    void this.#memory.update(memoryKey, isPreview ? [...others, key].slice(-mostRemembered) : others);
  }

  get #previews(): string[] {
    return this.#memory.get<string[]>(memoryKey, []);
  }
}

/** Whether the person wants tabs to be reused at all. */
export function reusesTabs(): boolean {
  return vscode.workspace.getConfiguration('workbench.editor').get<boolean>('enablePreview', true);
}

/** Whether the person has pinned the tab of a panel, as VS Code's own tabs can be. */
export function isPinned({ title, viewColumn }: vscode.WebviewPanel): boolean {
  return vscode.window.tabGroups.all.some(
    (group) =>
      group.viewColumn === viewColumn &&
      group.tabs.some(
        ({ isPinned, label, input }) =>
          isPinned &&
          label === title &&
          input instanceof vscode.TabInputWebview &&
          input.viewType.endsWith(patchDocumentViewType),
      ),
  );
}

function keyOf({ serverUrl, stackUuid, changeId }: PatchReference): string {
  return JSON.stringify([serverUrl, stackUuid, changeId]);
}
