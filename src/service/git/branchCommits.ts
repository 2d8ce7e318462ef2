/** The commits of many branches, listed by a few runs of git. */
import type { Base } from '../../util/branchBases.ts';
import { ServiceError } from '../errors.ts';
import { chainOf, findManualMerges, listCommits, type Commit } from './commits.ts';
import type { RepositoryDecoder } from './encodings.ts';
import type { Branch, Repository } from './repository.ts';

interface BranchAndBase {
  branch: Branch;
  base: Base | undefined;
}

/** A branch as git lists it. */
export interface ListedBranch<Job> {
  job: Job;
  /** Base to tip, without merges that changed nothing themselves. */
  commits: readonly Commit[];
  /** The other merges, with the files that somebody resolved by hand. */
  merges: ReadonlyMap<string, Set<string>>;
}

/** The commits that each branch has and its base has not, in the order of the branches; none where it has no base. */
export async function listBranchCommits<Job extends BranchAndBase>(
  repository: Repository,
  jobs: readonly Job[],
  decoder: RepositoryDecoder,
  signal?: AbortSignal,
): Promise<{ listed: ListedBranch<Job>[]; unreadable: { branch: string; reason: string }[] }> {
  const found = new Map<Job, ListedBranch<Job>>();
  const unreadable: { branch: string; reason: string }[] = [];
  const list = async (tip: string, some: readonly Job[]): Promise<void> => {
    const tips = some.map(({ branch }) => branch.tip);
    const all = await listCommits(repository, tip, tips, decoder, signal);
    const merges = await findManualMerges(repository, all, signal);
    const bySha = new Map(all.map((commit) => [commit.sha, commit]));
    for (const job of some) {
      const own =
        some.length === 1
          ? all
          : (chainOf(job.branch.tip, bySha) ??
            (await listCommits(repository, tip, [job.branch.tip], decoder, signal)));
      const commits = own.filter(({ sha, parents }) => parents.length < 2 || merges.has(sha));
      found.set(job, { job, commits, merges });
    }
  };
  for (const [tip, some] of Map.groupBy(jobs, ({ base }) => base?.tip)) {
    if (tip === undefined) {
      some.forEach((job) => found.set(job, { job, commits: [], merges: new Map() }));
      continue;
    }
    try {
      await list(tip, some);
    } catch (error) {
      // A commit that git lacks keeps only those branches from being listed that have it.
      for (const job of isGitFailure(error) ? some : []) {
        await list(tip, [job]).catch((reason: unknown) => {
          if (!isGitFailure(reason)) {
            throw reason;
          }
          unreadable.push({ branch: job.branch.name, reason: reason.message });
        });
      }
      if (!isGitFailure(error)) {
        throw error;
      }
    }
  }
  return { listed: jobs.flatMap((job) => found.get(job) ?? []), unreadable };
}

function isGitFailure(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'git_failed';
}
