import { mayBeOfOlderBase, mayBeRebased, type GitMerge } from '../model/reading/compareFile.ts';
import { comparePair, type ComparedFile } from '../model/reading/compareFiles.ts';
import { isObject } from '../util/isObject.ts';
import { changedLines } from './changedLines.ts';
import type { OpenRepository } from './repository.ts';

/** True for a file of which git's merge, and what is known of the bases, may say more than was found without them. */
export function isUnclear({ older, newer, comparison }: ComparedFile): boolean {
  return (
    older !== undefined &&
    newer !== undefined &&
    comparison !== undefined &&
    mayBeRebased(older, newer, comparison)
  );
}

/**
 * True when a commit is one of those that another one is based on; false where git doesn't have them.
 *
 * @throws the signal's reason.
 */
export async function isAncestor(
  repository: OpenRepository,
  one: string | undefined,
  other: string | undefined,
  signal?: AbortSignal,
): Promise<boolean> {
  if (one === undefined || other === undefined) {
    return false;
  }
  try {
    await repository.git(['merge-base', '--is-ancestor', one, other], signal);
    return true;
  } catch (error) {
    signal?.throwIfAborted();
    if (isObject(error) && 'code' in error) {
      return false;
    }
    throw error;
  }
}

/**
 * Compares a file by git's merge of the older change onto the newer base, and by the number of lines that git counts where our own
 * comparison gives up.
 *
 * @param isBaseOlder whether the newer base is older than the other one; asked only where that decides.
 * @throws the signal's reason.
 */
export async function compareWithGit(
  repository: OpenRepository,
  file: ComparedFile,
  gitMerge: GitMerge | undefined,
  isBaseOlder: () => Promise<boolean>,
  signal?: AbortSignal,
): Promise<ComparedFile> {
  const alone = comparePair(file, { gitMerge });
  if (!mayBeOfOlderBase(alone.comparison) || !file.older || !file.newer) {
    return alone;
  }
  const context = { gitMerge, isBaseOlder: await isBaseOlder() };
  const compared = context.isBaseOlder ? comparePair(file, context) : alone;
  if (compared.comparison?.isSizeUnknown !== true) {
    return compared;
  }
  const older = await changedLines(repository, file.older, signal);
  const newer = await changedLines(repository, file.newer, signal);
  return older && newer ? comparePair(file, { ...context, changedLines: { older, newer } }) : compared;
}
