import { mkdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { SignOffOutcome, SignOffQuestion } from './decideWithContents.ts';
import type { PatchVersion } from '../model/reading/patchVersion.ts';
import type { ShownComparison } from '../util/shownComparison.ts';

/** Compares two versions of a patch. */
export type CompareVersions = (
  versions: readonly [older: PatchVersion, newer: PatchVersion],
) => Promise<ShownComparison>;

/** Decides which patches of a stack may be signed off again. */
export type DecideSignOffs = (question: SignOffQuestion) => Promise<SignOffOutcome[]>;

/** Compares in the background, with the contents that the repositories of the workspace have. */
export function versionComparison(context: vscode.ExtensionContext): {
  compareVersions: CompareVersions;
  decideSignOffs: DecideSignOffs;
} {
  const { extensionUri, globalStorageUri } = context;
  const worker = vscode.Uri.joinPath(extensionUri, 'dist', 'comparisonWorker.cjs').fsPath;
  const scratch = globalStorageUri.fsPath;
  return {
    compareVersions: async (versions) => {
      const { compareInBackground } = await import('./compareInBackground.ts');
      const job = { kind: 'patch' as const, ...(await whereGitIs()), versions, scratch };
      await mkdir(scratch, { recursive: true });
      return (await compareInBackground(worker, job)).shown;
    },
    decideSignOffs: async (question) => {
      const { compareInBackground } = await import('./compareInBackground.ts');
      const job = { kind: 'signOffs' as const, ...(await whereGitIs()), ...question, scratch };
      await mkdir(scratch, { recursive: true });
      return (await compareInBackground(worker, job)).decisions;
    },
  };
}

/** Git, and the folders of the repositories that are open in the window; there are none where it may not run. */
async function whereGitIs(): Promise<{ git: string; roots: string[] }> {
  const { activeGit } = await import('./gitExtension.ts');
  const git = await activeGit();
  return {
    git: git?.git.path ?? 'git',
    roots: (git?.repositories ?? []).map(({ rootUri }) => rootUri.fsPath),
  };
}
