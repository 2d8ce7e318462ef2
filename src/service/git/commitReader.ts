/** Reads commits one after the other with all that is stored of them, also where a repository lacks some of it. */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../errors.ts';
import { ByteReader } from './byteReader.ts';
import { readBody, type Commit } from './commits.ts';
import { DiffReader, patchShaOf, SizeReader, type CommitDiff, type FileDiff } from './diffs.ts';
import type { RepositoryDecoder } from './encodings.ts';
import { startGit } from './git.ts';
import { decodePath, readablePath } from './paths.ts';
import { isPartialClone, type Repository } from './repository.ts';

/** A commit that was read. */
export interface ReadCommit {
  commit: Commit;
  body: string;
  diff: CommitDiff;
  /** True when the repository lacks a part of it, which it may have later. */
  isIncomplete: boolean;
}

const submoduleMode = '160000';

/** Reads commits in the order in which they were named, with a few processes for all of them. */
export class CommitReader {
  readonly #repository: Repository;
  readonly #decoder: RepositoryDecoder;
  readonly #signal: AbortSignal | undefined;
  readonly #boundary: ReadonlySet<string>;
  #sizes: SizeReader;
  /** The files whose sizes were asked for, commit by commit. */
  #asked: Set<string>[] = [];
  /** The commits whose diffs have not been read. */
  #left: Commit[];
  #diffs: DiffReader;

  private constructor(
    repository: Repository,
    commits: readonly Commit[],
    boundary: ReadonlySet<string>,
    decoder: RepositoryDecoder,
    signal: AbortSignal | undefined,
  ) {
    this.#repository = repository;
    this.#decoder = decoder;
    this.#signal = signal;
    this.#boundary = boundary;
    this.#left = commits.filter(({ sha }) => !boundary.has(sha));
    this.#diffs = new DiffReader(repository, this.#left, decoder, signal);
    this.#sizes = new SizeReader(repository, signal);
  }

  /** Starts reading; the commits must be asked for in this order. */
  static async start(
    repository: Repository,
    commits: readonly Commit[],
    decoder: RepositoryDecoder,
    signal?: AbortSignal,
  ): Promise<CommitReader> {
    return new CommitReader(repository, commits, await readBoundary(repository), decoder, signal);
  }

  /** Reads the next commit. @param only Leaves out every file but these (paths as Latin-1 bytes). */
  async next(commit: Commit, only?: ReadonlySet<string>): Promise<ReadCommit> {
    if (this.#boundary.has(commit.sha)) {
      return this.#withoutFiles(
        commit,
        'This clone is shallow: what comes before this commit isn\'t there, so its changes can\'t be shown. Run "git fetch --unshallow", then start again.',
      );
    }
    const read = await this.#read(commit, only);
    if (typeof read === 'string') {
      return this.#withoutFiles(commit, read);
    }
    const { body, ...diff } = read;
    const blobs = blobsOf(diff);
    this.#asked.push(blobs);
    this.#sizes.ask(blobs);
    const isIncomplete = diff.files.some(({ isMissing }) => isMissing);
    return { commit, body, diff, isIncomplete };
  }

  /** The sizes in bytes, by SHA, of the files of all commits that were read since they were last asked for, as far as they are there. */
  async sizes(): Promise<ReadonlyMap<string, number>> {
    const asked = this.#asked;
    this.#asked = [];
    const whole = await this.#answers();
    if (whole) {
      return whole;
    }
    // A file that git can't read ends it: so that only those of its commit are lost.
    const sizes = new Map<string, number>();
    for (const blobs of asked) {
      this.#sizes.ask(blobs);
      (await this.#answers())?.forEach((size, sha) => sizes.set(sha, size));
    }
    return sizes;
  }

  /** Ends the reading. */
  stop(): void {
    this.#diffs.stop();
    this.#sizes.stop();
  }

  /** The sizes that were asked for; undefined where that ended git. */
  async #answers(): Promise<ReadonlyMap<string, number> | undefined> {
    try {
      return await this.#sizes.answers();
    } catch (error) {
      if (!isGitFailure(error)) {
        throw error;
      }
      this.#signal?.throwIfAborted();
      this.#sizes = new SizeReader(this.#repository, this.#signal);
      return undefined;
    }
  }

  async #withoutFiles(commit: Commit, note: string): Promise<ReadCommit> {
    const body = await readBody(this.#repository, commit, this.#decoder, this.#signal);
    return {
      commit,
      body: [body, note].filter((text) => text !== '').join('\n\n'),
      diff: { files: [], patchSha: hash('sha1', `${commit.sha} ${note}`) },
      isIncomplete: true,
    };
  }

  /** The message and diff of a commit, or a sentence where there is no diff to be had. */
  async #read(
    commit: Commit,
    only: ReadonlySet<string> | undefined,
  ): Promise<(CommitDiff & { body: string }) | string> {
    try {
      const read = await this.#diffs.next(commit, only);
      this.#left.shift();
      return read;
    } catch (error) {
      if (!isGitFailure(error)) {
        throw error;
      }
      this.#signal?.throwIfAborted();
      this.#left.shift();
      this.#diffs.stop();
      this.#diffs = new DiffReader(this.#repository, this.#left, this.#decoder, this.#signal);
      return this.#readInParts(commit, only);
    }
  }

  /** Reads a commit of which git can't read some file, as far as possible. */
  async #readInParts(
    commit: Commit,
    only: ReadonlySet<string> | undefined,
  ): Promise<(CommitDiff & { body: string }) | string> {
    let entries;
    try {
      entries = await readEntries(this.#repository, commit, this.#signal);
    } catch (error) {
      if (isGitFailure(error)) {
        return this.#advice(commit, "Git can't read which files this commit changes.");
      }
      throw error;
    }
    const wanted = entries.filter(({ path: name }) => only?.has(name.toString('latin1')) !== false);
    const lacking = await findMissing(this.#repository, commit, this.#signal);
    const isThere = ({ blobs }: Entry): boolean => !blobs.some((sha) => lacking.has(sha));
    const files = [
      ...(await this.#readSome(commit, wanted.filter(isThere))),
      ...(await Promise.all(wanted.filter((entry) => !isThere(entry)).map((entry) => this.#missing(commit, entry)))),
    ]; // prettier-ignore
    files.sort((one, other) => Buffer.compare(Buffer.from(pathOf(one)), Buffer.from(pathOf(other))));
    const body = await readBody(this.#repository, commit, this.#decoder, this.#signal);
    return { body, files, patchSha: patchShaOf(files) };
  }

  /** The diffs of the files that are there, as many at a time as fit into a command. */
  async #readSome(commit: Commit, entries: readonly Entry[]): Promise<FileDiff[]> {
    const files: FileDiff[] = [];
    for (let start = 0; start < entries.length; start += 200) {
      const paths = entries.slice(start, start + 200).map(({ path: name }) => name.toString('utf8'));
      const reader = new DiffReader(this.#repository, [commit], this.#decoder, this.#signal, paths);
      try {
        files.push(...(await reader.next(commit)).files);
      } finally {
        reader.stop();
      }
    }
    return files;
  }

  async #missing(commit: Commit, { path: name, oldMode, newMode, oldSha, newSha }: Entry): Promise<FileDiff> {
    const text = `${await this.#advice(commit, "Git doesn't have the content of this file.")}\n`;
    const shown = decodePath(name);
    const readable = readablePath(name, this.#decoder);
    const isAdded = /^0+$/.test(oldSha);
    const isDeleted = /^0+$/.test(newSha);
    return {
      oldPath: isAdded ? null : shown,
      newPath: isDeleted ? null : shown,
      oldName: isAdded ? null : readable,
      newName: isDeleted ? null : readable,
      oldMode: isAdded ? null : oldMode,
      newMode: isDeleted ? null : newMode,
      oldSha: isAdded ? null : oldSha,
      newSha: isDeleted ? null : newSha,
      hunks: 0,
      lines: 0,
      deletions: 0,
      patch: text,
      encoding: undefined,
      diffSha: hash('sha256', text),
      changeSha: hash('sha1', `${shown} ${oldSha} ${newSha}`),
      isMissing: true,
    };
  }

  async #advice(commit: Commit, what: string): Promise<string> {
    return (await isPartialClone(this.#repository, this.#signal))
      ? `${what} The clone is partial: run "git show ${commit.sha}" to download what is missing, then start again.`
      : `${what} The repository is damaged: run "git fsck" to see what is missing, and "git fetch --refetch" to download it again, then start again.`;
  }
}

/** A line of `git diff-tree --raw`, without renames. */
interface Entry {
  path: Buffer;
  oldMode: string;
  newMode: string;
  oldSha: string;
  newSha: string;
  /** Those of both sides that git would have to read. */
  blobs: string[];
}

/** The objects of a commit and its parent that are not there. */
async function findMissing(
  repository: Repository,
  { sha, parents }: Commit,
  signal: AbortSignal | undefined,
): Promise<Set<string>> {
  const options = ['--objects', '--no-walk', '--missing=print', '--end-of-options'];
  const git = startGit(repository.directory, ['rev-list', ...options, sha, ...parents.slice(0, 1)], signal);
  git.input.end();
  const missing = new Set<string>();
  try {
    const reader = new ByteReader(git.output);
    for (let line = await reader.next(0x0a); line; line = await reader.next(0x0a)) {
      if (line[0] === 0x3f) {
        missing.add(line.toString('latin1', 1));
      }
    }
    await git.ended;
  } finally {
    git.stop();
  }
  return missing;
}

async function readEntries(
  repository: Repository,
  { sha, parents }: Commit,
  signal: AbortSignal | undefined,
): Promise<Entry[]> {
  const trees = [...parents.slice(0, 1), sha];
  const options = [
    '-r',
    '-z',
    '--raw',
    '--root',
    '--no-renames',
    '--no-commit-id',
    '--ignore-submodules=none',
  ];
  const git = startGit(repository.directory, ['diff-tree', ...options, '--end-of-options', ...trees], signal);
  git.input.end();
  const entries: Entry[] = [];
  try {
    const reader = new ByteReader(git.output);
    for (;;) {
      const meta = await reader.next(0);
      const name = await reader.next(0);
      if (!meta || !name) {
        break;
      }
      const [oldMode = '', newMode = '', oldSha = '', newSha = ''] = meta
        .toString('latin1')
        .slice(1)
        .split(' ');
      const sides = [
        { mode: oldMode, id: oldSha },
        { mode: newMode, id: newSha },
      ];
      const blobs = sides
        .filter(({ mode, id }) => mode !== submoduleMode && !/^0+$/.test(id))
        .map(({ id }) => id);
      entries.push({ path: Buffer.from(name), oldMode, newMode, oldSha, newSha, blobs });
    }
    await git.ended;
  } finally {
    git.stop();
  }
  return entries;
}

/** The commits at which a shallow clone ends. */
async function readBoundary({ gitDirectory }: Repository): Promise<Set<string>> {
  const text = await readFile(path.join(gitDirectory, 'shallow'), 'latin1').catch(() => '');
  return new Set(text.split('\n').filter((line) => line !== ''));
}

function isGitFailure(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'git_failed';
}

function pathOf({ newPath, oldPath }: FileDiff): string {
  return newPath ?? oldPath ?? '';
}

/** The files whose sizes are asked for: all but submodules, which are commits of another repository. */
function blobsOf({ files }: CommitDiff): Set<string> {
  const blobs = files
    .filter(({ isMissing }) => !isMissing)
    .flatMap(({ oldSha, oldMode, newSha, newMode }) => [
      oldMode === submoduleMode ? null : oldSha,
      newMode === submoduleMode ? null : newSha,
    ]);
  return new Set(blobs.filter((sha) => sha !== null));
}
