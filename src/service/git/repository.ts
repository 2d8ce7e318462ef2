import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../errors.ts';
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
