/** Opens the changes of a patch in VS Code's own diff editors. */
import * as vscode from 'vscode';
import type { DiffSection, Patch } from '../api/types/patches.ts';
import { findCommit, type LocalCommit } from '../git/commits.ts';
import { choose } from '../ui/choose.ts';
import { patchLabel } from '../ui/labels.ts';
import { diffDocumentUri } from './diffDocuments.ts';
import { partsOf } from '../util/partsOf.ts';
import type { PatchRef } from '../util/patchRef.ts';
import { plainText } from '../util/visibleText.ts';

/** A file with its two sides, of which one that is created or deleted has but one. */
interface Change {
  resource: vscode.Uri;
  original: vscode.Uri | undefined;
  modified: vscode.Uri | undefined;
}

/** Files that VS Code shows at once: it opens a document for each, also for those that nobody scrolls to. */
const mostAtOnce = 200;

interface FilesPart {
  title: string;
  files: readonly DiffSection[];
}

/**
 * Opens the changes of one file, or of all files at once: from the workspace's git when it has the commit, else as far as the
 * diffs tell.
 *
 * @throws {Error} with a sentence for the person, when there is nothing to open.
 */
export async function openChanges(ref: PatchRef, patch: Patch, code?: string): Promise<void> {
  const files = (patch.sections ?? []).filter((section) => section.sectionType === 'diff');
  const commit = await findCommit(patch.commitSha);
  if (code === undefined) {
    if (files.length === 0) {
      throw new Error(vscode.l10n.t("This patch doesn't change any files."));
    }
    const part = await choosePart(patchLabel(patch), files);
    const changes = part.files.map((file) => changeOf(ref, file, commit));
    await vscode.commands.executeCommand(
      'vscode.changes',
      part.title,
      changes.map(({ resource, original, modified }) => [resource, original, modified]),
    );
    return;
  }
  const file = files.find((candidate) => candidate.code === code);
  if (!file) {
    throw new Error(vscode.l10n.t('This section no longer exists.'));
  }
  const empty = diffDocumentUri(ref, code, pathOf(file), 'empty');
  const { original = empty, modified = empty } = changeOf(ref, file, commit);
  const name = pathOf(file).slice(pathOf(file).lastIndexOf('/') + 1);
  const title = vscode.l10n.t('{0} ({1})', name, patchLabel(patch));
  await vscode.commands.executeCommand('vscode.diff', original, modified, title);
}

/** Has the person choose which files to open, where there are more than VS Code shows in a reasonable time. */
async function choosePart(title: string, files: readonly DiffSection[]): Promise<FilesPart> {
  const parts = partsOf(files, mostAtOnce);
  if (parts.length <= 1) {
    return { title, files };
  }
  return choose<FilesPart>({
    title: vscode.l10n.t('Open Changes: {0}', title),
    placeholder: vscode.l10n.t('Select the files to open; VS Code is slow with more than {0}', mostAtOnce),
    load: async () =>
      parts.map(({ from, items: some }) => {
        const label = vscode.l10n.t('Files {0} to {1}', from, from + some.length - 1);
        const ends = [some[0], some.at(-1)].flatMap((file) => (file ? [pathOf(file)] : []));
        return {
          label,
          detail: ends.map(plainText).join(' … '),
          choice: { value: { title: vscode.l10n.t('{0} ({1})', title, label), files: some } },
        };
      }),
  });
}

/** Opens the whole commit, as the workspace's git has it. */
export async function openCommit(ref: PatchRef, patch: Patch): Promise<void> {
  await localCommit(patch.commitSha);
  await openChanges(ref, patch);
}

/** The commit of an open repository. @throws {Error} with a sentence for the person, when there is none. */
export async function localCommit(sha: string | undefined): Promise<LocalCommit> {
  const commit = await findCommit(sha);
  if (!commit) {
    throw new Error(
      vscode.workspace.isTrusted
        ? vscode.l10n.t('No open repository contains the commit {0}.', sha ?? '')
        : vscode.l10n.t("Git isn't run in untrusted folders. Trust the folder first."),
    );
  }
  return commit;
}

function changeOf(ref: PatchRef, file: DiffSection, commit: LocalCommit | undefined): Change {
  const path = pathOf(file);
  const before = file.oldPath ?? path;
  const { created, deleted } = kindOf(file);
  const virtual = (name: string, side: 'before' | 'after'): vscode.Uri =>
    diffDocumentUri(ref, file.code, name, side);
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
