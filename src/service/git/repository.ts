import { realpathSync } from 'node:fs';
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
  /** The folder that git runs in: the top of the working tree, or the bare repository. */
  directory: string;
  /** The git directory all of its working trees share: what tells one repository from another. */
  gitDirectory: string;
  /** The name of its folder. */
  name: string;
}

/** A branch and the commit it stands at. */
export interface Branch {
  name: string;
  tip: string;
  /** True for one that somebody has pushed, and that nobody has asked for here. */
  isUnasked?: boolean;
}

/**
 * Finds the repository a folder belongs to.
 *
 * @throws ServiceError `no_repository` or `empty_repository`, each with what to do.
 */
export async function openRepository(folder: string, signal?: AbortSignal): Promise<Repository> {
  let start: string;
  try {
    // At once, so that Git runs while its caller does something else.
    start = realpathSync(folder);
  } catch (error) {
    throw new ServiceError('no_repository', `Couldn't find the folder ${folder}. Name a Git repository.`, {
      cause: error,
    });
  }
  const { gitDirectory, directory, hasCommit } = await locate(folder, start, signal);
  if (!hasCommit && (await askGit(directory, ['rev-list', '--all', '--max-count=1'], signal)) === undefined) {
    throw new ServiceError(
      'empty_repository',
      `${directory} doesn't have any commits yet. Commit something there first.`,
    );
  }
  return {
    directory,
    gitDirectory: await realpath(gitDirectory),
    name: path.basename(directory).replace(/\.git$/, '') || 'repository',
  };
}

interface Place {
  gitDirectory: string;
  directory: string;
  /** True when HEAD names a commit. */
  hasCommit: boolean;
}

/** Asks git where the repository of a folder is: once, but for one without a working tree. */
async function locate(folder: string, start: string, signal: AbortSignal | undefined): Promise<Place> {
  const ask = async (...more: string[]): Promise<string> =>
    runGit(
      start,
      ['rev-parse', '--path-format=absolute', '--git-common-dir', ...more, '--revs-only', 'HEAD'],
      signal,
    );
  const isFailure = (error: unknown): error is ServiceError =>
    error instanceof ServiceError && error.code === 'git_failed';
  try {
    const answer = await ask('--show-toplevel').catch(async (error: unknown) => {
      if (!isFailure(error) || !error.message.includes('work tree')) {
        throw error;
      }
      // A bare repository, or a folder of git's own.
      const [common = start, ...head] = (await ask()).split('\n');
      return [common, start, ...head].join('\n');
    });
    if (answer.startsWith('--path-format')) {
      throw new ServiceError('git_old', 'Your Git is too old. Install version 2.31 or later.');
    }
    const [gitDirectory = start, directory = start, head = ''] = answer.trimEnd().split('\n');
    return { gitDirectory, directory, hasCommit: head !== '' };
  } catch (error) {
    if (!isFailure(error)) {
      throw error;
    }
    if (error.message.includes('dubious ownership')) {
      throw new ServiceError(
        'no_repository',
        `${folder} belongs to another user, so Git won't read it. Run "git config --global --add safe.directory ${start}".`,
        { cause: error },
      );
    }
    if (error.message.includes('not a git repository')) {
      throw new ServiceError(
        'no_repository',
        `${folder} isn't a Git repository. Name one, or run "git init" and commit something there.`,
        { cause: error },
      );
    }
    // Git itself can't do what it should, and has said why.
    throw error;
  }
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
  const printed = await askGit(
    directory,
    ['config', '-z', '--get-regexp', String.raw`^user\.(name|email)$`],
    signal,
  );
  const values = new Map(
    (printed ?? '').split('\0').map((line): [string, string] => {
      const end = line.indexOf('\n');
      return [line.slice(0, end), line.slice(end + 1).trim()];
    }),
  );
  const valueOr = (key: string, otherwise: string): string => {
    const value = values.get(key) ?? '';
    return value === '' ? otherwise : value;
  };
  return { name: valueOr('user.name', fallback.name), email: valueOr('user.email', fallback.email) };
}

/** The branch that is checked out; undefined where none is. */
export async function currentBranch(
  repository: Repository,
  signal?: AbortSignal,
): Promise<string | undefined> {
  return askGit(repository.directory, ['symbolic-ref', '--quiet', '--short', 'HEAD'], signal);
}

/** True for a clone that lacks objects which its remote has promised. */
export async function isPartialClone({ directory }: Repository, signal?: AbortSignal): Promise<boolean> {
  const settings = String.raw`^(remote\..*\.promisor|extensions\.partialclone)$`;
  return (await askGit(directory, ['config', '--get-regexp', settings], signal)) !== undefined;
}
