import type { FileChange } from '../model/reading/fileChange.ts';
import { basesRenames, unpairedPaths } from '../model/reading/pairFiles.ts';
import type { PatchVersion } from '../model/reading/patchVersion.ts';
import { blobName } from './blobs.ts';
import type { OpenRepository } from './repository.ts';

/**
 * Finds the files that the base has moved between two versions: those that are alike, of which the one is gone from the newer base
 * and the other was not in the older. Where git doesn't have the commits nobody knows that, and none is found: the author may as well
 * have moved their change to another file that looks alike.
 *
 * @returns them by where they were, and whether all is known that tells them.
 * @throws the signal's reason.
 */
export async function renamesInBase(
  repositories: readonly OpenRepository[],
  [older, newer]: readonly [older: PatchVersion, newer: PatchVersion],
  signal?: AbortSignal,
): Promise<{ renames: Map<string, string>; isKnown: boolean }> {
  const renames = new Map<string, string>();
  const unpaired = unpairedPaths(older.files, newer.files);
  const hasContent = (paths: readonly string[]) => {
    const wanted = new Set(paths);
    return ({ oldPath, before }: FileChange): boolean =>
      before?.content.kind !== 'missing' || !wanted.has(oldPath);
  };
  let isKnown =
    older.files.every(hasContent(unpaired.older)) && newer.files.every(hasContent(unpaired.newer));
  for (const [from, to] of basesRenames(older.files, newer.files)) {
    const isGone = await isMissingInBase(repositories, newer, from, signal);
    const isNew = await isMissingInBase(repositories, older, to, signal);
    isKnown &&= isGone !== undefined && isNew !== undefined;
    if (isGone && isNew) {
      renames.set(from, to);
    }
  }
  return { renames, isKnown };
}

/** True when what a version is based on doesn't have a file; undefined where that isn't known. */
async function isMissingInBase(
  repositories: readonly OpenRepository[],
  { commitSha }: PatchVersion,
  file: string,
  signal: AbortSignal | undefined,
): Promise<boolean | undefined> {
  const commit = blobName(commitSha);
  if (commit === undefined) {
    return undefined;
  }
  for (const repository of repositories) {
    try {
      return (await repository.git(['ls-tree', '--name-only', `${commit}^`, '--', file], signal)) === '';
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof Error && 'code' in error)) {
        throw error;
      }
      // This one doesn't have the commit.
    }
  }
  return undefined;
}
