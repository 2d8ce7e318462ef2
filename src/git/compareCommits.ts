/** Compares two versions of commits that git has: what the author changed between them, file by file. */
import { compareFiles, type ComparedFile } from '../model/reading/compareFiles.ts';
import type { FileChange, FileState } from '../model/reading/fileChange.ts';
import { unpairedPaths } from '../model/reading/pairFiles.ts';
import { readChanges, readContents, readRenames, type CommitChanges } from './commitChanges.ts';
import { compareWithGit, isAncestor, isUnclear } from './compareWithGit.ts';
import { mergeWithGit } from './mergedTree.ts';
import type { OpenRepository } from './repository.ts';
import { lazy } from '../util/lazy.ts';

/** Two versions of a commit, by their ids. */
export interface CommitPair {
  older: string;
  newer: string;
}

/**
 * Compares each pair of commits.
 *
 * @param scratch a folder for what git writes meanwhile; nothing stays in it.
 * @returns the files of each pair, in the order of the pairs.
 * @throws what `OpenRepository.git` throws; the signal's reason.
 */
export async function compareCommits(
  repository: OpenRepository,
  pairs: readonly CommitPair[],
  scratch: string,
  signal?: AbortSignal,
): Promise<ComparedFile[][]> {
  const commits = await readChanges(
    repository,
    pairs.flatMap(({ older, newer }) => [older, newer]),
    signal,
  );
  const both = pairs.flatMap((pair) => {
    const [older, newer] = [commits.get(pair.older), commits.get(pair.newer)];
    return older && newer ? [{ older, newer }] : [];
  });
  const ids = new Set<string>();
  for (const { older, newer } of both) {
    idsToRead(older.files, newer.files).forEach((id) => ids.add(id));
  }
  const contents = await readContents(repository, ids, signal);
  const fill = (changes: CommitChanges): CommitChanges => ({
    ...changes,
    files: changes.files.map((change) => withContents(change, contents)),
  });
  const compared: ComparedFile[][] = [];
  for (const { older, newer } of both) {
    compared.push(await compareCommit(repository, fill(older), fill(newer), scratch, signal));
  }
  return compared;
}

async function compareCommit(
  repository: OpenRepository,
  older: CommitChanges,
  newer: CommitChanges,
  scratch: string,
  signal: AbortSignal | undefined,
): Promise<ComparedFile[]> {
  const unpaired = unpairedPaths(older.files, newer.files);
  const renames =
    older.parent !== undefined && newer.parent !== undefined
      ? await readRenames(repository, [older.parent, newer.parent], unpaired.older, unpaired.newer, signal)
      : undefined;
  const files = compareFiles(older.files, newer.files, renames);
  const unclear = files.flatMap((file) => (isUnclear(file) ? (file.newer?.path ?? []) : []));
  if (unclear.length === 0) {
    return files;
  }
  const isBaseOlder = lazy(() => isAncestor(repository, newer.parent, older.parent, signal));
  const move = { base: older.parent, changed: older.sha, onto: newer.parent };
  const merged = await mergeWithGit(repository, move, unclear, scratch, signal);
  const compared: ComparedFile[] = [];
  for (const file of files) {
    const gitMerge = merged.get(file.newer?.path ?? '');
    compared.push(
      isUnclear(file) ? await compareWithGit(repository, file, gitMerge, isBaseOlder, signal) : file,
    );
  }
  return compared;
}

/** The blobs that have to be read: not those of files that both versions change alike. */
function idsToRead(older: readonly FileChange[], newer: readonly FileChange[]): string[] {
  const keyOf = ({ oldPath, path, before, after }: FileChange): string =>
    JSON.stringify([oldPath, path, before?.mode, before?.id, after?.mode, after?.id]);
  const [left, right] = [new Set(older.map(keyOf)), new Set(newer.map(keyOf))];
  const unlike = [
    ...older.filter((change) => !right.has(keyOf(change))),
    ...newer.filter((change) => !left.has(keyOf(change))),
  ];
  return unlike
    .flatMap(({ before, after }) => [before, after])
    .flatMap((state) => (state?.content.kind === 'missing' ? (state.id ?? []) : []));
}

function withContents(change: FileChange, contents: ReadonlyMap<string, FileState['content']>): FileChange {
  const fill = (state: FileState | undefined): FileState | undefined =>
    state?.content.kind === 'missing'
      ? { ...state, content: contents.get(state.id ?? '') ?? state.content }
      : state;
  return { ...change, before: fill(change.before), after: fill(change.after) };
}
