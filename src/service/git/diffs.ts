import { createHash, type Hash } from 'node:crypto';
import { ByteReader } from './byteReader.ts';
import type { Commit } from './commits.ts';
import type { DecodedText, RepositoryDecoder } from './encodings.ts';
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
const newlineBytes = Buffer.from('\n');

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

/** Reads the diffs of commits one after the other; of a merge commit, the diff against its first parent. */
export class DiffReader {
  readonly #git;
  readonly #reader: ByteReader;
  readonly #decoder: RepositoryDecoder;

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
        '--no-ext-diff',
        '--no-textconv',
        '--no-color',
        '--src-prefix=a/',
        '--dst-prefix=b/',
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

  /** The diff of the next commit. @param only Leaves out every file but these (paths as Latin-1 bytes). */
  async next(commit: Commit, only?: ReadonlySet<string>): Promise<CommitDiff> {
    const sha = await this.#reader.next(0);
    if (sha?.toString('latin1') !== commit.sha) {
      return this.#unexpected(commit);
    }
    const entries: RawEntry[] = [];
    while ((await this.#reader.peek(1)) === ':') {
      entries.push(await this.#readEntry(commit));
    }
    if (entries.length > 0) {
      await this.#reader.next(0);
    }
    const files: FileDiff[] = [];
    const whole = createHash('sha1');
    for (const entry of entries) {
      const changes = createHash('sha1');
      const file = await this.#readFile(commit, entry, changes);
      if (only?.has(entry.newPath.toString('latin1')) === false) {
        continue;
      }
      const digest = changes.digest();
      file.changeSha = digest.toString('hex');
      files.push(file);
      whole.update(digest);
    }
    return { files, patchSha: whole.digest('hex') };
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

  async #readFile(commit: Commit, entry: RawEntry, changes: Hash): Promise<FileDiff> {
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
    changes.update(
      JSON.stringify([entry.status.charAt(0), file.oldPath, file.newPath, file.oldMode, file.newMode]),
    );
    const text = new DiffText();
    // Git prints a deletion and an addition for a file that turns into a symbolic link or the like.
    const blocks = entry.status.startsWith('T') ? 2 : 1;
    for (let block = 0; block < blocks; block++) {
      const first = await this.#line(commit);
      if (!first.subarray(0, 11).equals(Buffer.from('diff --git '))) {
        return this.#unexpected(commit);
      }
      text.add(first);
      await this.#readBlock(commit, file, text, entry, changes);
    }
    const decoded = text.decode(this.#decoder, file.newPath ?? file.oldPath ?? '');
    file.patch = decoded?.text;
    file.encoding = decoded?.encoding;
    file.diffSha = text.sha();
    return file;
  }

  /** Reads what follows a `diff --git` line: header lines, then hunks or the word that the file is binary. */
  async #readBlock(
    commit: Commit,
    file: FileDiff,
    text: DiffText,
    entry: RawEntry,
    changes: Hash,
  ): Promise<void> {
    for (;;) {
      const next = await this.#reader.peek(3);
      // The next commit's SHA (no header line starts with three hex digits), the next file, or the end.
      if (next === '' || next === 'dif' || /^[0-9a-f]{3}$/.test(next)) {
        return;
      }
      const line = await this.#line(commit);
      text.add(line);
      if (next === '@@ ') {
        file.hunks++;
        await this.#readHunk(commit, line, file, text, changes);
      } else if (next === 'Bin') {
        changes.update(`${entry.oldSha} ${entry.newSha}`);
      }
    }
  }

  async #readHunk(
    commit: Commit,
    header: Buffer,
    file: FileDiff,
    text: DiffText,
    changes: Hash,
  ): Promise<void> {
    const counts = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(header.toString('latin1', 0, 100));
    if (!counts) {
      return this.#unexpected(commit);
    }
    let oldLeft = Number(counts[1] ?? 1);
    let newLeft = Number(counts[2] ?? 1);
    while (oldLeft > 0 || newLeft > 0) {
      const line = this.#reader.take(newline) ?? (await this.#line(commit));
      text.add(line);
      changes.update(line).update(newlineBytes);
      switch (line[0]) {
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
    }
    if ((await this.#reader.peek(1)) === '\\') {
      text.add(await this.#line(commit));
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

/** Collects the lines of one file's diff, as long as they are not too many. */
class DiffText {
  readonly #hash = createHash('sha256');
  /** Grows by doubling: a Buffer for each of millions of lines would take many times the memory of their bytes. */
  #bytes = Buffer.allocUnsafe(4096);
  #size = 0;

  add(line: Buffer): void {
    this.#hash.update(line).update(newlineBytes);
    const start = this.#size;
    this.#size += line.length + 1;
    if (this.#size > largestDiff) {
      return;
    }
    if (this.#size > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#size, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, start);
      this.#bytes = larger;
    }
    line.copy(this.#bytes, start);
    this.#bytes[this.#size - 1] = newline;
  }

  /** The text, undefined when it is too large. */
  decode(decoder: RepositoryDecoder, file: string): DecodedText | undefined {
    return this.#size > largestDiff
      ? undefined
      : decoder.decodeDiff(this.#bytes.subarray(0, this.#size), file);
  }

  sha(): string {
    return this.#hash.digest('hex');
  }
}

/** Asks git for the sizes of files. */
export class SizeReader {
  readonly #git;
  readonly #reader: ByteReader;

  /** Starts one git for all the questions. */
  constructor(repository: Repository, signal?: AbortSignal) {
    this.#git = startGit(repository.directory, ['cat-file', '--batch-check=%(objectsize)'], signal);
    this.#reader = new ByteReader(this.#git.output);
  }

  /** The sizes of blobs in bytes, by SHA; a submodule's commit or a blob that is not there has none. */
  async sizes(shas: ReadonlySet<string>): Promise<Map<string, number>> {
    const asked = [...shas];
    const sizes = new Map<string, number>();
    if (asked.length === 0) {
      return sizes;
    }
    this.#git.input.write(asked.map((sha) => `${sha}\n`).join(''));
    for (const sha of asked) {
      const answer = await this.#reader.next(newline);
      if (!answer) {
        return this.#git.fail('the sizes of files');
      }
      const text = answer.toString('latin1');
      if (/^\d+$/.test(text)) {
        sizes.set(sha, Number(text));
      }
    }
    return sizes;
  }

  /** Ends git. */
  stop(): void {
    this.#git.stop();
  }
}
