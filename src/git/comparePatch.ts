/** Compares two versions of a patch that the service has, with the contents that git has of their files. */
import { mayBeRebased, type GitMerge } from '../model/reading/compareFile.ts';
import { compareFiles, type ComparedFile } from '../model/reading/compareFiles.ts';
import { comparePatches, type PatchComparison } from '../model/reading/comparePatches.ts';
import type { FileState } from '../model/reading/fileChange.ts';
import type { PatchVersion } from '../model/reading/patchVersion.ts';
import { showComparison } from '../model/reading/showComparison.ts';
import type { ShownComparison } from '../util/shownComparison.ts';
import { compareWithGit } from './compareWithGit.ts';
import { mergeFile } from './mergeFile.ts';
import { withContents } from './patchContents.ts';
import { renamesInBase } from './renamesInBase.ts';
import type { OpenRepository } from './repository.ts';

/**
 * See the module.
 *
 * @param repositories without any, the diffs are compared.
 * @param scratch a folder for what git writes meanwhile; nothing stays in it.
 * @throws the signal's reason.
 */
export async function comparePatch(
  repositories: readonly OpenRepository[],
  versions: readonly [older: PatchVersion, newer: PatchVersion],
  scratch: string,
  signal?: AbortSignal,
): Promise<ShownComparison> {
  const { older, newer, comparison } = await compareContents(repositories, versions, scratch, signal);
  return showComparison(older, newer, comparison);
}

/** The same, with all that was found. */
export async function compareContents(
  repositories: readonly OpenRepository[],
  versions: readonly [older: PatchVersion, newer: PatchVersion],
  scratch: string,
  signal?: AbortSignal,
): Promise<{ older: PatchVersion; newer: PatchVersion; comparison: PatchComparison }> {
  const [older, newer] = await withContents(repositories, versions, signal);
  const files: ComparedFile[] = [];
  const renames = await renamesInBase(repositories, [older, newer], signal);
  for (const file of compareFiles(older.files, newer.files, renames)) {
    const [repository] = repositories;
    const gitMerge = await mergeOf(file, repository, scratch, signal);
    files.push(repository && gitMerge ? await compareWithGit(repository, file, { gitMerge }, signal) : file);
  }
  return { older, newer, comparison: comparePatches(older, newer, files) };
}

/** Git's merge of a file, where that may say more than was found without it. */
async function mergeOf(
  { older, newer, comparison }: ComparedFile,
  repository: OpenRepository | undefined,
  scratch: string,
  signal: AbortSignal | undefined,
): Promise<GitMerge | undefined> {
  if (!repository || !older || !newer || !comparison || !mayBeRebased(older, newer, comparison)) {
    return undefined;
  }
  const [base, changed, onto] = [older.before, older.after, newer.before].map(textOf);
  return base === undefined || changed === undefined || onto === undefined
    ? undefined
    : mergeFile(repository, { base, changed, onto }, scratch, signal);
}

function textOf(state: FileState | undefined): string | undefined {
  return state?.content.kind === 'text' ? state.content.text : undefined;
}
