import type { Tab, TextDocument } from 'vscode';
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

/**
 * Waits until VS Code knows of tabs, too, that their documents are saved: it says so later, and would ask about one that is closed before.
 *
 * @param tabs finds them: those that it gives are of one moment.
 * @returns those of the last look.
 */
export async function onceSaved<T extends Pick<Tab, 'isDirty'>>(
  tabs: () => readonly T[],
): Promise<readonly T[]> {
  let found = tabs();
  for await (const turn of askAgain()) {
    found = turn === 0 ? found : tabs();
    if (!found.some(({ isDirty }) => isDirty)) {
      break;
    }
  }
  return found;
}
