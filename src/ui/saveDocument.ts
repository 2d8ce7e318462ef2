import type { TextDocument } from 'vscode';

/**
 * Saves a document. VS Code says of a save that meets another one, of the text before, that it has failed, as while it saves by
 * itself: it is asked once more.
 *
 * @returns whether it is saved.
 */
export async function saveDocument(document: Pick<TextDocument, 'save'>): Promise<boolean> {
  return (await document.save()) || document.save();
}
