import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../errors.ts';
import { countCommits } from './commits.ts';
import { askGit, runGit } from './git.ts';
import { withoutEnd } from '../../util/budget.ts';

/** Somebody git knows by name and address. */
export interface Person {
  name: string;
  email: string;
}

/** A git repository that can be imported. */
export interface Repository {
  /** Where git runs: the top of the working tree, or the bare repository. */
  directory: string;
  /** The git directory all of its working trees share: what tells one repository from another. */
  gitDirectory: string;
  /** The name of its folder. */
  name: string;
  /** Owner and slug of the remote it was cloned from. */
  remote: { owner: string; slug: string } | undefined;
}

/** A local branch and the commit it stands at. */
export interface Branch {
  name: string;
  tip: string;
}

/** What the branches are compared with. */
export interface DefaultBranch {
  /** How it is called, such as `main` or `origin/main`. */
  name: string;
  /** The full name of the reference. */
  reference: string;
  tip: string;
}

/**
 * Finds the repository a folder belongs to.
 *
 * @throws ServiceError `no_repository` or `empty_repository`, each with what to do.
 */
export async function openRepository(folder: string, signal?: AbortSignal): Promise<Repository> {
  let start: string;
  try {
    start = await realpath(folder);
  } catch (error) {
    throw new ServiceError('no_repository', `There is no folder ${folder}: name a git repository.`, {
      cause: error,
    });
  }
  let answer: string;
  try {
    answer = await runGit(
      start,
      ['rev-parse', '--path-format=absolute', '--git-common-dir', '--is-bare-repository'],
      signal,
    );
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'git_failed') {
      throw error;
    }
    const reason = error.message.includes('dubious ownership')
      ? `${folder} belongs to another user, and git refuses to read it: run “git config --global --add safe.directory ${start}”.`
      : `${folder} is no git repository: name one, or run “git init” and commit there.`;
    throw new ServiceError('no_repository', reason, { cause: error });
  }
  const [gitDirectory = start, bare] = answer.trimEnd().split('\n');
  const top = bare === 'true' ? undefined : await askGit(start, ['rev-parse', '--show-toplevel'], signal);
  const directory = top ?? start;
  if (
    (await askGit(directory, ['rev-list', '--all', '--max-count=1'], signal)) === undefined &&
    (await askGit(directory, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], signal)) === undefined
  ) {
    throw new ServiceError(
      'empty_repository',
      `${directory} has no commits yet: commit something there first.`,
    );
  }
  const url = await askGit(directory, ['config', '--get', 'remote.origin.url'], signal);
  return {
    directory,
    gitDirectory: await realpath(gitDirectory),
    name: path.basename(directory).replace(/\.git$/, '') || 'repository',
    remote: url === undefined ? undefined : parseRemote(url),
  };
}

/** Owner and slug in the address of a remote; undefined for one on this machine or of another form. */
export function parseRemote(url: string): { owner: string; slug: string } | undefined {
  const hostAndPath =
    /^(?:https?|ssh|git):\/\/[^/]+\/(.+)$/i.exec(url)?.[1] ??
    // The short form of ssh, host:path; a single letter before the colon is a drive.
    /^[^/\\:]{2,}:(?!\/\/)(.+)$/.exec(url)?.[1];
  const parts = (hostAndPath === undefined ? undefined : withoutEnd(hostAndPath, '/'))
    ?.replace(/\.git$/, '')
    .split('/')
    .filter((part) => part !== '');
  const slug = parts?.at(-1);
  const owner = parts?.at(-2);
  return slug !== undefined && owner !== undefined ? { owner, slug } : undefined;
}

/** Who commits in this repository; the fallback is used for what git does not know. */
export async function readIdentity(
  directory: string,
  fallback: Person,
  signal?: AbortSignal,
): Promise<Person> {
  return {
    name: (await askGit(directory, ['config', '--get', 'user.name'], signal)) ?? fallback.name,
    email: (await askGit(directory, ['config', '--get', 'user.email'], signal)) ?? fallback.email,
  };
}

/** The local branches by name. */
export async function listBranches(repository: Repository, signal?: AbortSignal): Promise<Branch[]> {
  const output = await runGit(
    repository.directory,
    ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/'],
    signal,
  );
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const blank = line.indexOf(' ');
      return { tip: line.slice(0, blank), name: line.slice(blank + 1 + 'refs/heads/'.length) };
    });
}

/** Whether no branch is checked out. */
export async function isHeadDetached(repository: Repository, signal?: AbortSignal): Promise<boolean> {
  return (await askGit(repository.directory, ['symbolic-ref', '--quiet', 'HEAD'], signal)) === undefined;
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
