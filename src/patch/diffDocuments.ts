/** Read-only documents for VS Code's diff editor, built from what the service says of a file. */
import * as v from 'valibot';
import * as vscode from 'vscode';
import { diffScheme } from '../contributions.ts';
import type { Model } from '../model/model.ts';
import { diffSides } from './diffSides.ts';
import type { PatchRef } from '../util/patchRef.ts';

const sides = ['before', 'after', 'empty'] as const;
type Side = (typeof sides)[number];

/** The source of a document's text, as its address says it. */
const sourceSchema = v.object({
  stackUuid: v.string(),
  changeId: v.string(),
  code: v.string(),
  side: v.picklist(sides),
});

/** The address of a document; its path ends in the file's name, by which the editor knows the language. */
export function diffDocumentUri(patch: PatchRef, code: string, path: string, side: Side): vscode.Uri {
  const { stackUuid, changeId } = patch;
  const source: v.InferOutput<typeof sourceSchema> = { stackUuid, changeId, code, side };
  return vscode.Uri.from({ scheme: diffScheme, path: `/${path}`, query: JSON.stringify(source) });
}

/**
 * The text of a document.
 *
 * @throws {Error} with a sentence for the person, when the patch no longer tells it.
 */
export async function diffDocumentText(model: Model, uri: vscode.Uri): Promise<string> {
  const { code, side, ...patch } = v.parse(sourceSchema, JSON.parse(uri.query));
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
