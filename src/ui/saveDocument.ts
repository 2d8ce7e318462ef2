import type { TextDocument } from 'vscode';
import { askAgain } from '../util/askAgain.ts';

/**
 * Saves a document. VS Code says of a save that meets another one, of the text before, that it has failed, as while it saves by
 * itself: it is asked once more.
 *
 * @returns whether it is saved.
 */
export async function saveDocument(document: Pick<TextDocument, 'save'>): Promise<boolean> {
  return (await document.save()) || document.save();
}

/**
 * Waits until a document is saved. Of one that is being saved, VS Code says that it is not, and that one more save has failed.
 *
 * @param unsaved undefined once VS Code says that it is saved.
 * @returns false where it isn't in the end.
 */
export async function savedSoon(unsaved: () => Pick<TextDocument, 'save'> | undefined): Promise<boolean> {
  for await (const turn of askAgain()) {
    if (turn > 0) {
      await unsaved()?.save();
    }
    if (!unsaved()) {
      return true;
    }
  }
  return false;
}
