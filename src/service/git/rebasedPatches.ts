/**
 * Tells which commits put the change of an earlier version on another base, and do nothing else. Diffs that look alike don't tell that:
 * the same lines may have been put at another place, where the lines around them are alike, too.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Database } from '../storage/database.ts';
import { findAlike, type PatchRow } from '../storage/patches.ts';
import { listSections } from '../storage/sections.ts';
import { hasOtherStacks } from '../storage/stacks.ts';
import { authorKeyOf } from './changeIds.ts';
import type { Commit } from './commits.ts';
import type { CommitDiff } from './diffs.ts';
import { lentObjects, startGit } from './git.ts';
import type { Repository } from './repository.ts';

/** The ids of a file's content before and after a patch; null where it isn't there. */
interface FileIds {
  /** The path that names the file in both versions. */
  path: string;
  before: string | null;
  after: string | null;
}

/** A file of an earlier version, to be put on another base: git's merge of it has to be what the later version has. */
interface Move {
  base: string;
  changed: string;
  onto: string;
  expected: string;
}

/** See the module. Told the commits of a branch one after the other, it decides on all of them at once. */
export class RebasedPatches {
  readonly #database: Database;
  readonly #projectId: number;
  /** The patches of the version before, by what they change. */
  readonly #before: ReadonlyMap<string, readonly PatchRow[]>;
  readonly #hasEarlier: boolean;
  readonly #unclear: { name: string; moves: readonly Move[] }[] = [];
  readonly #found = new Set<string>();

  constructor(database: Database, projectId: number, before: readonly PatchRow[]) {
    this.#database = database;
    this.#projectId = projectId;
    this.#hasEarlier = hasOtherStacks(database, projectId);
    this.#before = Map.groupBy(before, ({ patch_sha }) => patch_sha);
  }

  /** Notes the earlier patches that a commit which was read may be a rebased one of. */
  noteRead(commit: Commit, { patchSha, files }: CommitDiff): void {
    this.#note(commit, patchSha, () =>
      files.map(({ oldPath, newPath, oldSha, newSha }) => ({
        path: newPath ?? oldPath ?? '',
        before: oldSha,
        after: newSha,
      })),
    );
  }

  /** The same for one that is stored, of another branch. */
  noteStored(commit: Commit, row: PatchRow | undefined): void {
    if (row) {
      this.#note(commit, row.patch_sha, () => idsOf(this.#database, row));
    }
  }

  #note(commit: Commit, patchSha: string, files: () => readonly FileIds[]): void {
    if (!this.#hasEarlier) {
      return;
    }
    const alike =
      this.#before.get(patchSha) ??
      findAlike(this.#database, this.#projectId, authorKeyOf(commit), commit.title, patchSha);
    for (const row of alike.filter(({ commit_sha }) => commit_sha !== commit.sha)) {
      const moves = movesOf(idsOf(this.#database, row), files());
      if (moves?.length === 0) {
        this.#found.add(nameOf(row, commit));
      } else if (moves) {
        this.#unclear.push({ name: nameOf(row, commit), moves });
      }
    }
  }

  /** Decides on what was noted. @throws the signal's reason. */
  async decide(repository: Repository, signal?: AbortSignal): Promise<void> {
    const unclear = this.#unclear.splice(0);
    const merged = await mergeAll(
      repository,
      unclear.flatMap(({ moves }) => moves),
      signal,
    );
    for (const { name, moves } of unclear) {
      if (moves.every((move) => merged.get(move) === move.expected)) {
        this.#found.add(name);
      }
    }
  }

  /** True where a commit is that patch on another base; false where nobody knows. */
  has(previous: PatchRow, commit: Commit): boolean {
    return previous.commit_sha === commit.sha || this.#found.has(nameOf(previous, commit));
  }
}

function nameOf({ id }: PatchRow, { sha }: Commit): string {
  return `${id} ${sha}`;
}

/** The ids of the files of a patch that is stored. */
function idsOf(database: Database, { id }: PatchRow): FileIds[] {
  return listSections(database, id)
    .filter(({ section_type }) => section_type === 'diff')
    .map(({ identifier, base_file_sha, new_file_sha }) => ({
      path: identifier,
      before: base_file_sha,
      after: new_file_sha,
    }));
}

/** The files for git to merge; undefined where one of them is another one for sure. */
function movesOf(older: readonly FileIds[], newer: readonly FileIds[]): Move[] | undefined {
  if (older.length !== newer.length) {
    return undefined;
  }
  const moves: Move[] = [];
  const byPath = new Map(newer.map((file) => [file.path, file]));
  for (const { path: name, before: base, after: changed } of older) {
    const { before: onto = null, after: expected = null } = byPath.get(name) ?? {};
    if (base === onto && changed === expected) {
      continue;
    }
    if (base === onto || base === null || changed === null || onto === null || expected === null) {
      return undefined;
    }
    moves.push({ base, changed, onto, expected });
  }
  return moves;
}

/**
 * The ids of git's merges, in a repository of its own that has the other's objects: what the other configures runs nothing, and
 * nothing is written into it. Those of which git lacks a content are left out, and all of them where git is older than 2.38.
 */
async function mergeAll(
  { gitDirectory }: Repository,
  moves: readonly Move[],
  signal: AbortSignal | undefined,
): Promise<Map<Move, string>> {
  const [first] = moves;
  if (!first) {
    return new Map();
  }
  const own = await mkdtemp(path.join(tmpdir(), 'patch-stacks-merge-'));
  try {
    await mkdir(path.join(own, 'objects'));
    await mkdir(path.join(own, 'refs'));
    await writeFile(path.join(own, 'HEAD'), 'ref: refs/heads/none\n');
    const format = first.base.length > 40 ? '1\n[extensions]\n\tobjectFormat = sha256' : '0';
    await writeFile(
      path.join(own, 'config'),
      `[core]\n\tbare = true\n\trepositoryFormatVersion = ${format}\n`,
    );
    const objects = lentObjects(gitDirectory, path.join(gitDirectory, 'objects'));
    const git = (args: readonly string[], input = ''): Promise<string> =>
      printedBy(own, objects, args, input, signal);
    const ids = [...new Set(moves.flatMap(({ base, changed, onto }) => [base, changed, onto]))];
    const listed = await git(['cat-file', '--batch-check=%(objectname) %(objecttype)'], lines(ids));
    const blobs = new Set(listed.split('\n').flatMap((line) => /^(\S+) blob$/.exec(line)?.[1] ?? []));
    const there = moves.filter(({ base, changed, onto }) =>
      [base, changed, onto].every((id) => blobs.has(id)),
    );
    const tree = (side: 'base' | 'changed' | 'onto'): string =>
      lines(there.map((move, index) => `100644 blob ${move[side]}\t${index}`));
    const trees = await git(['mktree', '--batch'], [tree('base'), tree('onto'), tree('changed')].join('\n'));
    const [base = '', onto = '', changed = ''] = trees.split('\n');
    const commit = async (of: string, ...parents: string[]): Promise<string> =>
      (await git(['commit-tree', '-m', 'merge', ...parents.flatMap((one) => ['-p', one]), of])).trim();
    const root = await commit(base);
    const sides = [await commit(onto, root), await commit(changed, root)];
    // Files with conflicts are in the tree, too: with the marks of these, and so with another id.
    const [merged = ''] = (await git(['merge-tree', '--write-tree', '--no-messages', ...sides])).split('\n');
    const found = new Map<Move, string>();
    for (const line of merged === '' ? [] : (await git(['ls-tree', merged])).split('\n')) {
      const [, id = '', index = ''] = /^\d+ blob (\S+)\t(\d+)$/.exec(line) ?? [];
      const move = there[Number(index)];
      if (move && id !== '') {
        found.set(move, id);
      }
    }
    return found;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** What git prints, also where it ends with a code that says something; nothing where it fails. @throws the signal's reason. */
async function printedBy(
  directory: string,
  objects: string | undefined,
  args: readonly string[],
  input: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  signal?.throwIfAborted();
  const nobody = { NAME: 'merge', EMAIL: 'merge@localhost', DATE: '1000000000 +0000' };
  const people = ['AUTHOR', 'COMMITTER'].flatMap((role) =>
    Object.entries(nobody).map(([what, value]): [string, string] => [`GIT_${role}_${what}`, value]),
  );
  const git = startGit(directory, ['-c', 'core.attributesFile=/dev/null', ...args], signal, {
    ...Object.fromEntries(people),
    GIT_DIR: directory,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: objects,
  });
  git.input.end(input);
  const chunks: Buffer[] = [];
  for await (const chunk of git.output) {
    chunks.push(chunk);
  }
  await git.ended.catch(() => signal?.throwIfAborted());
  return Buffer.concat(chunks).toString('latin1');
}

function lines(of: readonly string[]): string {
  return of.map((line) => `${line}\n`).join('');
}
