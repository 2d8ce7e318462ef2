import { countCommits } from './commits.ts';
import { askGit } from './git.ts';
import type { Branch, Repository } from './repository.ts';

/** What the branches are compared with. */
export interface DefaultBranch {
  /** How it is called, such as `main` or `origin/main`. */
  name: string;
  /** The full name of the reference. */
  reference: string;
  tip: string;
}

/**
 * Finds the branch that the others are compared with. The first that exists of: the remote's own default
 * (`origin/HEAD`), `main`, `master`, what `init.defaultBranch` names, else the branch that most others forked from: the
 * one with the most fork points, and of those the shortest, because a branch from the trunk's tip has them all too.
 */
export async function findDefaultBranch(
  repository: Repository,
  branches: readonly Branch[],
  signal?: AbortSignal,
): Promise<DefaultBranch | undefined> {
  const { directory } = repository;
  const remoteHead = await askGit(directory, ['symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD'], signal);
  const configured = await askGit(directory, ['config', '--get', 'init.defaultBranch'], signal);
  const candidates = [
    remoteHead,
    'refs/heads/main',
    'refs/heads/master',
    configured && `refs/heads/${configured}`,
  ];
  for (const reference of candidates) {
    if (reference === undefined) {
      continue;
    }
    const tip = await askGit(
      directory,
      ['rev-parse', '--verify', '--quiet', `${reference}^{commit}`],
      signal,
    );
    if (tip !== undefined) {
      return { name: reference.replace(/^refs\/(heads|remotes)\//, ''), reference, tip };
    }
  }
  const trunk = await mostForkedBranch(directory, branches, signal);
  return trunk && { name: trunk.name, reference: `refs/heads/${trunk.name}`, tip: trunk.tip };
}

/** At most this many branches are compared with one another: the comparisons grow with the square. */
const MAX_COMPARED = 20;

async function mostForkedBranch(
  directory: string,
  branches: readonly Branch[],
  signal?: AbortSignal,
): Promise<Branch | undefined> {
  const compared = branches.slice(0, MAX_COMPARED);
  let best: { branch: Branch; forks: number; length: number } | undefined;
  for (const branch of compared) {
    const forkPoints = new Set<string>();
    for (const other of compared) {
      if (other === branch) {
        continue;
      }
      const forkPoint = await askGit(directory, ['merge-base', branch.tip, other.tip], signal);
      if (forkPoint !== undefined) {
        forkPoints.add(forkPoint);
      }
    }
    const length = await countCommits({ directory }, undefined, branch.tip, signal);
    if (!best || forkPoints.size > best.forks || (forkPoints.size === best.forks && length < best.length)) {
      best = { branch, forks: forkPoints.size, length };
    }
  }
  return best?.branch;
}
