import { ServiceError } from '../errors.ts';
import { ByteReader } from './byteReader.ts';
import type { RepositoryDecoder } from './encodings.ts';
import { runGit, startGit } from './git.ts';
import type { Person, Repository } from './repository.ts';

/** A commit without its message's body and its diff: small enough to hold a whole branch of them. */
export interface Commit {
  sha: string;
  parents: string[];
  author: Person;
  /** When it was authored, in seconds since the epoch, as git writes it. */
  authorTime: string;
  /** The first paragraph of the message on one line; may be empty. */
  title: string;
  /** The last `Change-Id` trailer. */
  changeId: string | undefined;
}

/** Every commit of some tips that `base` has not, base to tip; a parent always comes before its children. */
export async function listCommits(
  repository: Repository,
  base: string,
  tips: readonly string[],
  decoder: RepositoryDecoder,
  signal?: AbortSignal,
): Promise<Commit[]> {
  return readLog(repository, ['--topo-order', '--reverse'], [...tips, `^${base}`], decoder, signal);
}

/** These commits in the order in which they are named, but for those that git has no longer. */
export async function readNamed(
  repository: Repository,
  shas: readonly string[],
  decoder: RepositoryDecoder,
  signal?: AbortSignal,
): Promise<Commit[]> {
  return readLog(repository, ['--no-walk=unsorted', '--ignore-missing'], shas, decoder, signal);
}

async function readLog(
  repository: Repository,
  options: readonly string[],
  revisions: readonly string[],
  decoder: RepositoryDecoder,
  signal: AbortSignal | undefined,
): Promise<Commit[]> {
  const format = ['%H', '%P', '%an', '%ae', '%at', '%s', '%(trailers:key=Change-Id,valueonly,unfold)'].join(
    '%x00',
  );
  const git = startGit(
    repository.directory,
    ['log', '-z', ...options, '--no-show-signature', `--format=${format}`, '--stdin'],
    signal,
  );
  git.input.end(revisions.map((line) => `${line}\n`).join(''));
  const commits: Commit[] = [];
  try {
    const reader = new ByteReader(git.output);
    for (;;) {
      const sha = await reader.next(0);
      if (!sha) {
        break;
      }
      const field = async () =>
        decoder.decode(reader.take(0) ?? (await reader.next(0)) ?? Buffer.alloc(0)).text;
      const parents = await field();
      const name = await field();
      const email = await field();
      const authorTime = await field();
      const title = await field();
      const changeIds = (await field()).split('\n').map((line) => line.trim());
      commits.push({
        sha: sha.toString('latin1'),
        parents: parents.split(' ').filter((parent) => parent !== ''),
        author: { name, email },
        authorTime,
        title,
        changeId: changeIds.findLast((id) => id !== ''),
      });
    }
    await git.ended;
  } finally {
    git.stop();
  }
  return commits;
}

/**
 * The commits of one branch among those of several, base to tip.
 *
 * @returns undefined where merges leave it to git in which order they are.
 */
export function chainOf(tip: string, all: ReadonlyMap<string, Commit>): Commit[] | undefined {
  const chain: Commit[] = [];
  for (let commit = all.get(tip); commit;) {
    chain.push(commit);
    const [parent, ...others] = commit.parents.filter((one) => all.has(one));
    if (others.length > 0) {
      return undefined;
    }
    commit = parent === undefined ? undefined : all.get(parent);
  }
  return chain.reverse();
}

/** The format in which git prints the id of a commit, and its message below the title. */
export const messageFormat = '%H%x00%b';

/** The message of a commit below its title, without the lines that only carry a `Change-Id`. */
export function decodeBody(bytes: Buffer, decoder: RepositoryDecoder): string {
  return decoder
    .decode(bytes)
    .text.replaceAll(/^Change-Id:[^\n]*\n?/gim, '')
    .trim();
}

/** Reads the message of one commit below its title. */
export async function readBody(
  repository: Repository,
  { sha }: Commit,
  decoder: RepositoryDecoder,
  signal?: AbortSignal,
): Promise<string> {
  const options = ['-z', '--no-walk', '--no-show-signature', `--format=${messageFormat}`];
  const git = startGit(repository.directory, ['log', ...options, '--end-of-options', sha], signal);
  git.input.end();
  try {
    const reader = new ByteReader(git.output);
    await reader.next(0);
    const body = await reader.next(0);
    return body ? decodeBody(body, decoder) : await git.fail(`the message of the commit ${sha}`);
  } finally {
    git.stop();
  }
}

/**
 * Of the merge commits of a branch, those that changed something themselves: for each its files that are like none of
 * the parents. A reviewer of the branch has seen everything else in the commits that were merged.
 */
export async function findManualMerges(
  repository: Repository,
  commits: readonly Commit[],
  signal?: AbortSignal,
): Promise<Map<string, Set<string>>> {
  const merges = commits.filter(({ parents }) => parents.length > 1);
  const files = new Map<string, Set<string>>();
  if (merges.length === 0) {
    return files;
  }
  const git = startGit(
    repository.directory,
    ['diff-tree', '--stdin', '-c', '-r', '-z', '--name-only', '--no-ext-diff', '--no-textconv'],
    signal,
  );
  git.input.end(merges.map(({ sha }) => `${sha}\n`).join(''));
  try {
    const reader = new ByteReader(git.output);
    const shas = new Set(merges.map(({ sha }) => sha));
    let current = new Set<string>();
    for (;;) {
      const piece = await reader.next(0);
      if (!piece) {
        break;
      }
      const text = piece.toString('latin1');
      if (shas.has(text)) {
        current = new Set();
        files.set(text, current);
      } else {
        current.add(text);
      }
    }
    await git.ended;
  } finally {
    git.stop();
  }
  for (const [sha, paths] of files) {
    if (paths.size === 0) {
      files.delete(sha);
    }
  }
  return files;
}

/** The commit a revision names, if it is in the history of `tip`. */
export async function commitOnBranch(
  repository: Repository,
  revision: string,
  tip: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (!/^[0-9a-f]{7,64}$/i.test(revision)) {
    return undefined;
  }
  try {
    const sha = await runGit(
      repository.directory,
      ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`],
      signal,
    );
    await runGit(repository.directory, ['merge-base', '--is-ancestor', sha.trim(), tip], signal);
    return sha.trim();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'git_failed') {
      return undefined;
    }
    throw error;
  }
}
