import { basesRenames } from '../model/reading/pairFiles.ts';
import type { PatchVersion } from '../model/reading/patchVersion.ts';
import { blobName } from './blobs.ts';
import type { OpenRepository } from './repository.ts';

/**
 * Finds the files that the base has moved between two versions: those that are alike, of which the one is gone from the newer base
 * and the other was not in the older. Where git doesn't have the commits nobody knows that, and none is found: the author may as well
 * have moved their change to another file that looks alike.
 *
 * @throws the signal's reason.
 */
export async function renamesInBase(
  repositories: readonly OpenRepository[],
  [older, newer]: readonly [older: PatchVersion, newer: PatchVersion],
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  const renames = new Map<string, string>();
  for (const [from, to] of basesRenames(older.files, newer.files)) {
    if (
      (await isMissingInBase(repositories, newer, from, signal)) &&
      (await isMissingInBase(repositories, older, to, signal))
    ) {
      renames.set(from, to);
    }
  }
  return renames;
}

/** True when what a version is based on is known, and doesn't have a file. */
async function isMissingInBase(
  repositories: readonly OpenRepository[],
  { commitSha }: PatchVersion,
  file: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const commit = blobName(commitSha);
  if (commit === undefined) {
    return false;
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
  return false;
}
