import { existsSync } from 'node:fs';
import {
  findBases,
  readBranches,
  UnknownBaseError,
  withNewer,
  withOthers,
  type Base,
  type BranchList,
} from '../../util/branchBases.ts';
import { ServiceError } from '../errors.ts';
import { lendObjects, runGit } from './git.ts';
import { findRecent, findShared, type OthersBranches } from './othersBranches.ts';
import { currentBranch, type Branch, type Repository } from './repository.ts';

/** The branches of a repository, and what each is compared with. */
export interface ComparedBranches {
  /** The local branches, and those of remotes that are treated like them. */
  branches: Branch[];
  /** By the names of the branches. */
  bases: Map<string, Base>;
  /** The branch that is checked out; undefined where none is. */
  current: string | undefined;
  /** The address of the remote that the repository was cloned from. */
  origin: string | undefined;
}

/** Asks git for all that it knows of the branches of a repository. @param directory A folder of it. */
export async function readBranchesOf(directory: string, signal?: AbortSignal): Promise<BranchList> {
  return readBranches(async (args, asked) => runGit(directory, args, asked), signal);
}

/**
 * Lists the branches of a repository with the base that each is compared with.
 *
 * @param base The base that the person wants for all of them.
 * @param others Which branches of remotes have one, too.
 * @param read The branches, where somebody is reading them already.
 * @throws ServiceError `no_base` when that doesn't exist, `git_missing` or `git_failed`; the signal's reason.
 */
export async function listBranches(
  repository: Repository,
  base?: string,
  signal?: AbortSignal,
  others?: OthersBranches,
  read?: Promise<BranchList>,
): Promise<ComparedBranches> {
  const { directory } = repository;
  const git = async (args: readonly string[], asked?: AbortSignal) => runGit(directory, args, asked);
  const { newer } = others?.shared ?? {};
  // Where somebody has deleted them, branches are what they are in the repository, until newer ones come again.
  const hasNewer = newer !== undefined && existsSync(newer.objects);
  if (hasNewer) {
    lendObjects(repository, newer.objects);
  }
  const here = await (read ?? readBranchesOf(directory, signal));
  const listed = hasNewer && others?.shared ? withNewer(here, others.shared) : here;
  const shared = findShared(listed, others?.shared);
  const recent = others ? findRecent(listed, others.now) : [];
  const also = new Set([...shared, ...recent]);
  try {
    return {
      branches: withOthers(listed, also).locals.map(({ name, tip, reference, remote }) => ({
        ...{ name, tip },
        isUnasked: remote !== undefined && !shared.includes(reference),
      })),
      bases: await findBases(git, { base, also, branches: listed, signal }),
      // A branch without commits isn't listed.
      current: listed.current ?? (await currentBranch(repository, signal)),
      origin: listed.settings.remotes.get('origin'),
    };
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
