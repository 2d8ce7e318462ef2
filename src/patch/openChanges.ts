/** What a patch changes, in VS Code's own diff editors. */
import * as vscode from 'vscode';
import type { DiffSection, Patch } from '../api/types/patches.ts';
import { findCommit, type LocalCommit } from '../git/commits.ts';
import type { PatchAddress } from '../model/patchAddress.ts';
import { patchLabel } from '../ui/labels.ts';
import { diffDocumentUri } from './diffDocuments.ts';

/** A file with its two sides, of which one that is created or deleted has but one. */
interface Change {
  resource: vscode.Uri;
  original: vscode.Uri | undefined;
  modified: vscode.Uri | undefined;
}

/**
 * Opens the changes of one file, or of all files at once: from the workspace's git when it has the commit, else as far as the
 * diffs tell.
 *
 * @throws {Error} with a sentence for the person, when there is nothing to open.
 */
export async function openChanges(address: PatchAddress, patch: Patch, code?: string): Promise<void> {
  const files = (patch.sections ?? []).filter((section) => section.sectionType === 'diff');
  const commit = await findCommit(patch.commitSha);
  if (code === undefined) {
    if (files.length === 0) {
      throw new Error(vscode.l10n.t("This patch doesn't change any files."));
    }
    const changes = files.map((file) => changeOf(address, file, commit));
    await vscode.commands.executeCommand(
      'vscode.changes',
      patchLabel(patch),
      changes.map(({ resource, original, modified }) => [resource, original, modified]),
    );
    return;
  }
  const file = files.find((candidate) => candidate.code === code);
  if (!file) {
    throw new Error(vscode.l10n.t('This section no longer exists.'));
  }
  const empty = diffDocumentUri(address, code, pathOf(file), 'empty');
  const { original = empty, modified = empty } = changeOf(address, file, commit);
  const name = pathOf(file).slice(pathOf(file).lastIndexOf('/') + 1);
  const title = vscode.l10n.t('{0} ({1})', name, patchLabel(patch));
  await vscode.commands.executeCommand('vscode.diff', original, modified, title);
}

/** Opens the whole commit, as the workspace's git has it. */
export async function openCommit(address: PatchAddress, patch: Patch): Promise<void> {
  const commit = await findCommit(patch.commitSha);
  if (!commit) {
    throw new Error(
      vscode.workspace.isTrusted
        ? vscode.l10n.t('No open repository contains the commit {0}.', patch.commitSha ?? '')
        : vscode.l10n.t("Git isn't run in untrusted folders. Trust the folder first."),
    );
  }
  await openChanges(address, patch);
}

function changeOf(address: PatchAddress, file: DiffSection, commit: LocalCommit | undefined): Change {
  const path = pathOf(file);
  const before = file.oldPath ?? path;
  const { created, deleted } = kindOf(file);
  const virtual = (name: string, side: 'before' | 'after'): vscode.Uri =>
    diffDocumentUri(address, file.code, name, side);
  const original = created ? undefined : commit?.before(before);
  const modified = deleted ? undefined : commit?.after(path);
  // A mixture of both would compare whole files with parts of them.
  const fromGit = commit !== undefined && (created || original) && (deleted || modified);
  return {
    resource: commit?.file(path) ?? virtual(path, 'after'),
    original: created || fromGit ? original : virtual(before, 'before'),
    modified: deleted || fromGit ? modified : virtual(path, 'after'),
  };
}

function kindOf({ diffPatch = '' }: DiffSection): { created: boolean; deleted: boolean } {
  const head = diffPatch.slice(0, 2_000).split('\n@@', 1)[0] ?? '';
  return {
    created: /^(new file mode|--- \/dev\/null)/m.test(head),
    deleted: /^(deleted file mode|\+\+\+ \/dev\/null)/m.test(head),
  };
}

/** A file's path as the patch leaves it. */
export function pathOf({ newPath, oldPath, identifier }: DiffSection): string {
  return newPath ?? oldPath ?? identifier;
}
