import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../errors.ts';
import { askGit, runGit } from './git.ts';
import type { RemoteBranches } from '../../util/branchBases.ts';
import { withoutEnd } from '../../util/budget.ts';

/** Somebody git knows by name and address. */
export interface Person {
  name: string;
  email: string;
}

/** A git repository that can be imported. */
export interface Repository {
  /** The folder that git runs in: the top of the working tree, or the bare repository. */
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
    throw new ServiceError('no_repository', `Couldn't find the folder ${folder}. Name a Git repository.`, {
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
      ? `${folder} belongs to another user, so Git won't read it. Run "git config --global --add safe.directory ${start}".`
      : `${folder} isn't a Git repository. Name one, or run "git init" and commit something there.`;
    throw new ServiceError('no_repository', reason, { cause: error });
  }
  if (answer.startsWith('--path-format')) {
    throw new ServiceError('git_old', 'Your Git is too old. Install version 2.31 or later.');
  }
  const [gitDirectory = start, bare] = answer.trimEnd().split('\n');
  const [top, commit, url] = await Promise.all([
    bare === 'true' ? undefined : askGit(start, ['rev-parse', '--show-toplevel'], signal),
    askGit(start, ['rev-list', '--all', '--max-count=1'], signal),
    askGit(start, ['config', '--get', 'remote.origin.url'], signal),
  ]);
  const directory = top ?? start;
  if (
    commit === undefined &&
    (await askGit(directory, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], signal)) === undefined
  ) {
    throw new ServiceError(
      'empty_repository',
      `${directory} doesn't have any commits yet. Commit something there first.`,
    );
  }
  return {
    directory,
    gitDirectory: await realpath(gitDirectory),
    name: path.basename(directory).replace(/\.git$/, '') || 'repository',
    remote: url === undefined ? undefined : parseRemote(url),
  };
}

/** Owner and slug in the address of a remote; undefined for one on this computer or of another form. */
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
  const ask = async (key: string) => askGit(directory, ['config', '--get', key], signal);
  const [name, email] = await Promise.all([ask('user.name'), ask('user.email')]);
  return { name: name ?? fallback.name, email: email ?? fallback.email };
}

/** The branch that is checked out; undefined where none is. */
export async function currentBranch(
  repository: Repository,
  signal?: AbortSignal,
): Promise<string | undefined> {
  return askGit(repository.directory, ['symbolic-ref', '--quiet', '--short', 'HEAD'], signal);
}

/** The local branches by name, and some of a remote of whose names there are no local ones. */
export async function listBranches(
  repository: Repository,
  signal?: AbortSignal,
  also?: RemoteBranches,
): Promise<Branch[]> {
  const locals = await listReferences(repository, 'refs/heads/', signal);
  if (!also) {
    return locals;
  }
  const names = new Set(locals.map(({ name }) => name));
  const remote = await remoteBranches(repository, also.remote, signal);
  return [...locals, ...remote.filter(({ name }) => also.branches.has(name) && !names.has(name))];
}

/** The branches of a remote, as they were when somebody last fetched. */
export async function remoteBranches(
  repository: Repository,
  remote: string,
  signal?: AbortSignal,
): Promise<Branch[]> {
  return listReferences(repository, `refs/remotes/${remote}/`, signal);
}

async function listReferences(
  repository: Repository,
  prefix: string,
  signal?: AbortSignal,
): Promise<Branch[]> {
  const output = await runGit(
    repository.directory,
    ['for-each-ref', '--format=%(objectname) %(refname)', prefix],
    signal,
  );
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const blank = line.indexOf(' ');
      return { tip: line.slice(0, blank), name: line.slice(blank + 1 + prefix.length) };
    });
}
