/** Reads the patches that were only listed: a long stack can be seen before git has told what its commits change. */
import { hash } from 'node:crypto';
import type { Database } from '../storage/database.ts';
import type { PatchRow } from '../storage/patches.ts';
import { touchStack } from '../storage/stacks.ts';
import type { ListedBranch } from './branchCommits.ts';
import { CommitReader } from './commitReader.ts';
import { findManualMerges, readNamed, type Commit } from './commits.ts';
import type { RepositoryDecoder } from './encodings.ts';
import type { Repository } from './repository.ts';
import { batchCost, costOf, PatchWriter, type Content, type FileSizes } from './writePatch.ts';

/** Patches that are soon read in their turn: whoever wants one that comes later has it read before. */
const soon = 500;

/** The repository that is read from, and how. */
interface Source {
  repository: Repository;
  projectId: number;
  decoder: RepositoryDecoder;
  /** Told of each commit that was read in its turn. */
  onCommit: () => void;
  signal: AbortSignal | undefined;
}

interface Listed {
  row: PatchRow;
  commit: Commit;
  /** The files that somebody resolved by hand, of a merge. */
  only: ReadonlySet<string> | undefined;
}

interface Read {
  row: PatchRow;
  read: Content;
}

/** See the module. */
export class LaterReading {
  readonly #database: Database;
  /** Those who wait for a patch, by its id. */
  readonly #waiting = new Map<number, PromiseWithResolvers<void>>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Resolves once a patch was read; never, where nobody reads it. */
  async whenRead(patchId: number): Promise<void> {
    const waiting = this.#waiting.get(patchId) ?? Promise.withResolvers();
    this.#waiting.set(patchId, waiting);
    return waiting.promise;
  }

  /**
   * Reads patches that are unread.
   *
   * @param branches Those that were listed already: an import that was broken off has also left others.
   * @throws as `CommitReader.next`; the signal's reason.
   */
  async read(
    source: Source,
    rows: readonly PatchRow[],
    branches: readonly ListedBranch<unknown>[],
  ): Promise<void> {
    const { repository, decoder, signal } = source;
    const commits = new Map(branches.flatMap((branch) => branch.commits.map((one) => [one.sha, one])));
    const merges = new Map(branches.flatMap((branch) => [...branch.merges]));
    const unknown = rows.map(({ commit_sha }) => commit_sha).filter((sha) => !commits.has(sha));
    if (unknown.length > 0) {
      const named = await readNamed(repository, unknown, decoder, signal);
      named.forEach((commit) => commits.set(commit.sha, commit));
      (await findManualMerges(repository, named, signal)).forEach((files, sha) => merges.set(sha, files));
    }
    const listed = rows.flatMap((row): Listed[] => {
      const commit = commits.get(row.commit_sha);
      return commit ? [{ row, commit, only: merges.get(commit.sha) }] : [];
    });
    const gone = rows.filter(({ commit_sha }) => !commits.has(commit_sha));
    const without = gone.map((row) => ({ row, read: withoutChanges(row) }));
    this.#write(source, without, new Map());
    await this.#readInOrder(source, listed);
  }

  async #readInOrder(source: Source, listed: readonly Listed[]): Promise<void> {
    const { repository, decoder, onCommit, signal } = source;
    const commits = listed.map(({ commit }) => commit);
    const reader = await CommitReader.start(repository, commits, decoder, signal);
    try {
      let batch: Read[] = [];
      let cost = 0;
      for (const [index, { row, commit, only }] of listed.entries()) {
        const read = await reader.next(commit, only);
        onCommit();
        batch.push({ row, read });
        cost += costOf(read);
        if (cost < batchCost && index < listed.length - 1) {
          continue;
        }
        this.#write(source, batch, await reader.sizes());
        [batch, cost] = [[], 0];
        const wanted = listed.slice(index + soon).filter((one) => this.#waiting.has(one.row.id));
        if (wanted.length > 0) {
          await this.#readInOrder({ ...source, onCommit: () => signal?.throwIfAborted() }, wanted);
        }
      }
    } finally {
      reader.stop();
    }
  }

  #write({ projectId }: Source, batch: readonly Read[], sizes: FileSizes): void {
    const write = (): void => {
      const writer = new PatchWriter(this.#database, projectId);
      batch.forEach(({ row, read }) => writer.complete(row.id, read, sizes));
      new Set(batch.map(({ row }) => row.stack_uuid)).forEach((uuid) => touchStack(this.#database, uuid));
    };
    this.#database.transaction(write, { isRepeatable: true });
    for (const { row } of batch) {
      this.#waiting.get(row.id)?.resolve();
      this.#waiting.delete(row.id);
    }
  }
}

/** What there is to say of a commit that git has no longer: its branch has moved on since it was listed. */
function withoutChanges({ commit_sha: sha }: PatchRow): Content {
  const body = "This commit is no longer in the repository, so its changes can't be shown.";
  return { body, diff: { files: [], patchSha: hash('sha1', `${sha} ${body}`) }, isIncomplete: true };
}
