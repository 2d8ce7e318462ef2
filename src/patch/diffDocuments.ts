/** Read-only documents for VS Code's diff editor, built from what the service says of a file. */
import * as vscode from 'vscode';
import { diffScheme } from '../contributions.ts';
import type { Model } from '../model/model.ts';
import type { PatchAddress } from '../model/patchAddress.ts';
import { diffSides } from './diffSides.ts';

type Side = 'before' | 'after' | 'empty';

interface Source extends PatchAddress {
  code: string;
  side: Side;
}

/** The address of a document; its path ends in the file's name, by which the editor knows the language. */
export function diffDocumentUri(patch: PatchAddress, code: string, path: string, side: Side): vscode.Uri {
  const { stackUuid, changeId } = patch;
  const source: Source = { stackUuid, changeId, code, side };
  return vscode.Uri.from({ scheme: diffScheme, path: `/${path}`, query: JSON.stringify(source) });
}

/**
 * The text of a document.
 *
 * @throws {Error} with a sentence for the person, when the patch no longer tells it.
 */
export async function diffDocumentText(model: Model, uri: vscode.Uri): Promise<string> {
  const { code, side, ...patch } = JSON.parse(uri.query) as Source;
  if (side === 'empty') {
    return '';
  }
  const { sections } = (await model.patch(patch)).value;
  const section = sections?.find((candidate) => candidate.code === code);
  if (section?.sectionType !== 'diff') {
    throw new Error(vscode.l10n.t('This section no longer exists.'));
  }
  return diffSides(section.diffPatch ?? '')?.[side] ?? '';
}
