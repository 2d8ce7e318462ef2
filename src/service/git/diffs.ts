import { createHash, hash, type Hash } from 'node:crypto';
import { ByteReader } from './byteReader.ts';
import { decodeBody, messageFormat, type Commit } from './commits.ts';
import type { RepositoryDecoder } from './encodings.ts';
import { startGit } from './git.ts';
import { decodePath, readablePath } from './paths.ts';
import type { Repository } from './repository.ts';

/** The difference of one file between a commit and its (first) parent. */
export interface FileDiff {
  /** Null for an added file. Without loss, as `decodePath` writes it. */
  oldPath: string | null;
  /** Null for a deleted file. */
  newPath: string | null;
  /** The paths as people read them. */
  oldName: string | null;
  newName: string | null;
  /** Six octal digits, as git writes them. */
  oldMode: string | null;
  newMode: string | null;
  oldSha: string | null;
  newSha: string | null;
  hunks: number;
  /** Lines added. */
  lines: number;
  deletions: number;
  /** The unified diff as git prints it; undefined when it is larger than `MAX_DIFF_BYTES`. */
  patch: string | undefined;
  /** The encoding of the file, when that isn't UTF-8. */
  encoding: string | undefined;
  /** SHA-256 of the unified diff. */
  diffSha: string;
  /** The hash of the changed lines, without their places. */
  changeSha: string;
  /** True when git lacks its content: `patch` then says so. */
  isMissing?: boolean;
}

export interface CommitDiff {
  files: FileDiff[];
  /** SHA-1 of what is changed, without where: a rebase without conflicts keeps it. */
  patchSha: string;
}

/** The largest diff of one file that is kept, in bytes: a larger one is counted, but no one could read it. */
export const largestDiff = 32 * 1024 * 1024;

const newline = 0x0a;
const lineFeed = Buffer.from([newline]);

/** Bytes that most diffs of a file fit into. */
const usualSize = 64 * 1024;

/** One line of `git diff-tree --raw`. */
interface RawEntry {
  status: string;
  oldMode: string;
  newMode: string;
  oldSha: string;
  newSha: string;
  oldPath: Buffer;
  newPath: Buffer;
}

/** Reads commits one after the other: messages, and diffs; of a merge commit, the diff against its first parent. */
export class DiffReader {
  readonly #git;
  readonly #reader: ByteReader;
  readonly #decoder: RepositoryDecoder;
  readonly #text = new HashedBytes('sha256', largestDiff);
  readonly #changes = new HashedBytes('sha1', 64 * 1024);

  /**
   * Starts one git for all of the commits, which must be asked for in this order.
   *
   * @param paths Reads only the diffs of these files; left out, of all.
   */
  constructor(
    repository: Repository,
    commits: readonly Commit[],
    decoder: RepositoryDecoder,
    signal?: AbortSignal,
    paths: readonly string[] = [],
  ) {
    this.#decoder = decoder;
    this.#git = startGit(
      repository.directory,
      [
        'diff-tree',
        '--stdin',
        '-z',
        '-r',
        '--raw',
        '--patch',
        '--unified=3',
        '--find-renames',
        '--full-index',
        '--root',
        '--always',
        '--no-show-signature',
        `--format=${messageFormat}`,
        '--no-ext-diff',
        '--no-textconv',
        '--no-color',
        '--src-prefix=a/',
        '--dst-prefix=b/',
        '--diff-algorithm=myers',
        '--indent-heuristic',
        '--submodule=short',
        '--ignore-submodules=none',
        ...(paths.length === 0 ? [] : ['--', ...paths.map((one) => `:(top,literal)${one}`)]),
      ],
      signal,
    );
    this.#reader = new ByteReader(this.#git.output);
    // Naming the first parent makes diff-tree treat a merge like any other commit.
    this.#git.input.end(
      commits.map(({ sha, parents }) => `${[sha, ...parents.slice(0, 1)].join(' ')}\n`).join(''),
    );
  }

  /**
   * The body of the next commit's message, and its diff.
   *
   * @param only Leaves out every file but these (paths as Latin-1 bytes).
   */
  async next(commit: Commit, only?: ReadonlySet<string>): Promise<CommitDiff & { body: string }> {
    const sha = await this.#reader.next(0);
    const body = await this.#reader.next(0);
    if (sha?.toString('latin1') !== commit.sha || !body) {
      return this.#unexpected(commit);
    }
    const message = decodeBody(body, this.#decoder);
    if ((await this.#reader.peek(1)) === '\n') {
      // It sets the message apart from the files, where there are any.
      await this.#reader.next(newline);
    }
    const entries: RawEntry[] = [];
    while ((await this.#reader.peek(1)) === ':') {
      entries.push(await this.#readEntry(commit));
    }
    if (entries.length > 0) {
      await this.#reader.next(0);
    }
    const files: FileDiff[] = [];
    for (const entry of entries) {
      const file = await this.#readFile(commit, entry);
      if (only?.has(entry.newPath.toString('latin1')) === false) {
        continue;
      }
      files.push(file);
    }
    return { body: message, files, patchSha: patchShaOf(files) };
  }

  /** Ends the reading. */
  stop(): void {
    this.#git.stop();
  }

  async #unexpected(commit: Commit): Promise<never> {
    return this.#git.fail(`the diff of the commit ${commit.sha} as expected`);
  }

  async #readEntry(commit: Commit): Promise<RawEntry> {
    const meta = (await this.#reader.next(0))?.toString('latin1') ?? '';
    const match = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([A-Z]\d*)$/.exec(meta);
    const oldPath = await this.#reader.next(0);
    if (!match || !oldPath) {
      return this.#unexpected(commit);
    }
    const [, oldMode = '', newMode = '', oldSha = '', newSha = '', status = ''] = match;
    const moved = status.startsWith('R') || status.startsWith('C');
    const newPath = moved ? await this.#reader.next(0) : oldPath;
    if (!newPath) {
      return this.#unexpected(commit);
    }
    return {
      status,
      oldMode,
      newMode,
      oldSha,
      newSha,
      oldPath: Buffer.from(oldPath),
      newPath: Buffer.from(newPath),
    };
  }

  async #readFile(commit: Commit, entry: RawEntry): Promise<FileDiff> {
    const added = entry.status === 'A';
    const deleted = entry.status === 'D';
    const file: FileDiff = {
      oldPath: added ? null : decodePath(entry.oldPath),
      newPath: deleted ? null : decodePath(entry.newPath),
      oldName: added ? null : readablePath(entry.oldPath, this.#decoder),
      newName: deleted ? null : readablePath(entry.newPath, this.#decoder),
      oldMode: added ? null : entry.oldMode,
      newMode: deleted ? null : entry.newMode,
      oldSha: added ? null : entry.oldSha,
      newSha: deleted ? null : entry.newSha,
      hunks: 0,
      lines: 0,
      deletions: 0,
      patch: undefined,
      encoding: undefined,
      diffSha: '',
      changeSha: '',
    };
    this.#text.clear();
    this.#changes.clear();
    this.#changes.addText(
      JSON.stringify([entry.status.charAt(0), file.oldPath, file.newPath, file.oldMode, file.newMode]),
    );
    // Git prints a deletion and an addition for a file that turns into a symbolic link or the like.
    const blocks = entry.status.startsWith('T') ? 2 : 1;
    for (let block = 0; block < blocks; block++) {
      const first = await this.#line(commit);
      if (!first.subarray(0, 11).equals(Buffer.from('diff --git '))) {
        return this.#unexpected(commit);
      }
      this.#text.addLine(first);
      await this.#readBlock(commit, file, entry);
    }
    const { bytes } = this.#text;
    const decoded = bytes && this.#decoder.decodeDiff(bytes, file.newPath ?? file.oldPath ?? '');
    file.patch = decoded?.text;
    file.encoding = decoded?.encoding;
    file.diffSha = this.#text.sha();
    file.changeSha = this.#changes.sha();
    return file;
  }

  /** Reads what follows a `diff --git` line: header lines, then hunks or the word that the file is binary. */
  async #readBlock(commit: Commit, file: FileDiff, { oldSha, newSha }: RawEntry): Promise<void> {
    for (;;) {
      const next = await this.#reader.peek(3);
      // The next commit's SHA (no header line starts with three hex digits), the next file, or the end.
      if (next === '' || next === 'dif' || /^[0-9a-f]{3}$/.test(next)) {
        return;
      }
      const line = await this.#line(commit);
      this.#text.addLine(line);
      if (next === '@@ ') {
        file.hunks++;
        await this.#readHunk(commit, line, file);
      } else if (next === 'Bin') {
        this.#changes.addText(`${oldSha} ${newSha}`);
      }
    }
  }

  async #readHunk(commit: Commit, header: Buffer, file: FileDiff): Promise<void> {
    const counts = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(header.toString('latin1', 0, 100));
    if (!counts) {
      return this.#unexpected(commit);
    }
    let oldLeft = Number(counts[1] ?? 1);
    let newLeft = Number(counts[2] ?? 1);
    const count = (first: number | undefined): boolean => {
      if (oldLeft <= 0 && newLeft <= 0) {
        return false;
      }
      switch (first) {
        case 0x2b: // +
          newLeft--;
          file.lines++;
          break;
        case 0x2d: // -
          oldLeft--;
          file.deletions++;
          break;
        case 0x5c: // \ No newline at end of file
          break;
        default:
          oldLeft--;
          newLeft--;
      }
      return true;
    };
    while (oldLeft > 0 || newLeft > 0) {
      const lines = this.#reader.takeWhile(newline, count);
      this.#text.add(lines);
      this.#changes.add(lines);
      if (oldLeft > 0 || newLeft > 0) {
        const line = await this.#line(commit);
        count(line[0]);
        this.#text.addLine(line);
        this.#changes.addLine(line);
      }
    }
    if ((await this.#reader.peek(1)) === '\\') {
      this.#text.addLine(await this.#line(commit));
    }
  }

  async #line(commit: Commit): Promise<Buffer> {
    const line = await this.#reader.next(newline);
    if (!line) {
      return this.#unexpected(commit);
    }
    return line;
  }
}

/** What a commit is called that changes these files. */
export function patchShaOf(files: readonly FileDiff[]): string {
  return hash('sha1', Buffer.from(files.map(({ changeSha }) => changeSha).join(''), 'hex'));
}

/**
 * Bytes that come in small pieces, and their hash: they are gathered, since each call of the hash costs as much as hashing some lines. Used
 * for one file after the other, since room for each of them costs more than what is done with it.
 */
class HashedBytes {
  readonly #algorithm: 'sha1' | 'sha256';
  readonly #most: number;
  #gathered = Buffer.allocUnsafe(usualSize);
  #size = 0;
  /** The hash of what there was no room for. */
  #hash: Hash | undefined;

  /** @param most As many bytes are kept. */
  constructor(algorithm: 'sha1' | 'sha256', most: number) {
    this.#algorithm = algorithm;
    this.#most = most;
  }

  /** Begins again, without any. */
  clear(): void {
    this.#size = 0;
    this.#hash = undefined;
    if (this.#gathered.length > usualSize) {
      this.#gathered = Buffer.allocUnsafe(usualSize);
    }
  }

  add(bytes: Buffer): void {
    if (this.#makeRoom(bytes.length)) {
      this.#gathered.set(bytes, this.#size);
      this.#size += bytes.length;
    } else {
      this.#hash?.update(bytes);
    }
  }

  /** Adds a line, and the line feed after it. */
  addLine(line: Buffer): void {
    this.add(line);
    this.add(lineFeed);
  }

  addText(text: string): void {
    this.add(Buffer.from(text));
  }

  /** All of them, until the next one is added; undefined when they are more than are kept. */
  get bytes(): Buffer | undefined {
    return this.#hash ? undefined : this.#gathered.subarray(0, this.#size);
  }

  /** Their hash in hexadecimal digits. */
  sha(): string {
    const rest = this.#gathered.subarray(0, this.#size);
    return this.#hash ? this.#hash.update(rest).digest('hex') : hash(this.#algorithm, rest);
  }

  /** @returns False when there is none for so many: all that came before is hashed then. */
  #makeRoom(length: number): boolean {
    if (this.#size + length > this.#most) {
      this.#hash ??= createHash(this.#algorithm);
      this.#hash.update(this.#gathered.subarray(0, this.#size));
      this.#size = 0;
    }
    const size = this.#size + length;
    if (size > this.#most) {
      return false;
    }
    if (size > this.#gathered.length) {
      const larger = Buffer.allocUnsafe(Math.max(size, this.#gathered.length * 2));
      this.#gathered.copy(larger, 0, 0, this.#size);
      this.#gathered = larger;
    }
    return true;
  }
}

/** Characters of questions that are asked at once: each time wakes git, which takes longer than to answer some. */
const questionsAtOnce = 32 * 1024;

/** As many sizes are remembered, in case they are asked for again. */
const mostKnown = 20_000;

/** Asks git for the sizes of files. */
export class SizeReader {
  readonly #git;
  readonly #reader: ByteReader;
  /** In the order in which they are asked for. */
  #asked = new Set<string>();
  /** Those that git was not asked yet, one a line. */
  #questions = '';
  /** A file that a commit changes is one that another commit made, as a rule. */
  #known = new Map<string, number>();

  /** Starts one git for all the questions. */
  constructor(repository: Repository, signal?: AbortSignal) {
    this.#git = startGit(repository.directory, ['cat-file', '--batch-check=%(objectsize)'], signal);
    this.#reader = new ByteReader(this.#git.output);
  }

  /** Asks for the sizes of blobs, which git finds out while something else is done. */
  ask(shas: Iterable<string>): void {
    for (const sha of shas) {
      if (!this.#asked.has(sha) && !this.#known.has(sha)) {
        this.#asked.add(sha);
        this.#questions += `${sha}\n`;
      }
    }
    if (this.#questions.length >= questionsAtOnce) {
      this.#send();
    }
  }

  /** The sizes in bytes, by SHA, of all that was asked for; a submodule's commit or a blob that is not there has none. */
  async answers(): Promise<ReadonlyMap<string, number>> {
    this.#send();
    const asked = this.#asked;
    this.#asked = new Set();
    const sizes = this.#known;
    for (const sha of asked) {
      const answer = this.#reader.take(newline) ?? (await this.#reader.next(newline));
      if (!answer) {
        return this.#git.fail('the sizes of files');
      }
      const text = answer.toString('latin1');
      if (/^\d+$/.test(text)) {
        sizes.set(sha, Number(text));
      }
    }
    if (sizes.size > mostKnown) {
      this.#known = new Map();
    }
    return sizes;
  }

  /** Ends git. */
  stop(): void {
    this.#git.stop();
  }

  #send(): void {
    if (this.#questions !== '') {
      this.#git.input.write(this.#questions);
      this.#questions = '';
    }
  }
}
