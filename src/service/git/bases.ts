import {
  findBases as findBranchBases,
  UnknownBaseError,
  type Base,
  type RemoteBranches,
} from '../../util/branchBases.ts';
import { ServiceError } from '../errors.ts';
import { runGit } from './git.ts';
import type { Repository } from './repository.ts';

/**
 * Finds the base that each branch of a repository is compared with, by the branch's name.
 *
 * @param base The base that the person wants for all of them.
 * @param also Branches of a remote that have one, too.
 * @throws ServiceError `no_base` when that doesn't exist, `git_missing` or `git_failed`; the signal's reason.
 */
export async function findBases(
  { directory }: Repository,
  base?: string,
  signal?: AbortSignal,
  also?: RemoteBranches,
): Promise<Map<string, Base>> {
  try {
    return await findBranchBases((args, asked) => runGit(directory, args, asked), { base, also, signal });
  } catch (error) {
    throw error instanceof UnknownBaseError
      ? new ServiceError(
          'no_base',
          `${directory} doesn't have a branch, tag, or commit ${error.base}. Enter another base.`,
          {
            cause: error,
          },
        )
      : error;
  }
}
