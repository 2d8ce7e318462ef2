/** Compares two versions of a patch that the service has, with the contents that git has of their files. */
import type { GitMerge } from '../model/reading/compareFile.ts';
import { compareFiles, type ComparedFile } from '../model/reading/compareFiles.ts';
import { comparePatches, type PatchComparison } from '../model/reading/comparePatches.ts';
import type { FileState } from '../model/reading/fileChange.ts';
import type { VersionPair } from '../model/reading/outcome.ts';
import type { PatchVersion } from '../model/reading/patchVersion.ts';
import { showComparison } from '../model/reading/showComparison.ts';
import { lazy } from '../util/lazy.ts';
import type { ShownComparison } from '../util/shownComparison.ts';
import { compareWithGit, isAncestor, isUnclear } from './compareWithGit.ts';
import { blobName } from './blobs.ts';
import { mergeBlobs, type BlobMove } from './mergedTree.ts';
import { mergeFile } from './mergeFile.ts';
import { unlikeIds, withContents } from './patchContents.ts';
import { renamesInBase } from './renamesInBase.ts';
import type { OpenRepository } from './repository.ts';

/**
 * See the module.
 *
 * @param repositories without any, the diffs are compared.
 * @param scratch a folder for what git writes meanwhile; nothing stays in it.
 * @throws the signal's reason.
 */
export async function comparePatch(
  repositories: readonly OpenRepository[],
  versions: VersionPair,
  scratch: string,
  signal?: AbortSignal,
): Promise<ShownComparison> {
  const { older, newer, comparison } = await compareContents(repositories, versions, scratch, signal);
  return showComparison(older, newer, comparison);
}

/** Two versions with the contents of their files, and what became of them. */
export interface ComparedContents {
  older: PatchVersion;
  newer: PatchVersion;
  comparison: PatchComparison;
}

/** The same, with all that was found. */
export async function compareContents(
  repositories: readonly OpenRepository[],
  versions: VersionPair,
  scratch: string,
  signal?: AbortSignal,
): Promise<ComparedContents> {
  for await (const compared of compareAllContents(repositories, [versions], scratch, signal)) {
    return compared;
  }
  throw new Error('Nothing was compared.');
}

/** The same for many pairs, in their order, with few runs of git however many there are. */
export async function* compareAllContents(
  repositories: readonly OpenRepository[],
  pairs: readonly VersionPair[],
  scratch: string,
  signal?: AbortSignal,
): AsyncGenerator<ComparedContents> {
  for (const some of inParts(pairs)) {
    const filled = await withContents(repositories, some, signal);
    const compared: { pair: VersionPair; isKnown: boolean; files: ComparedFile[] }[] = [];
    for (const pair of filled) {
      const { renames, isKnown } = await renamesInBase(repositories, pair, signal);
      compared.push({ pair, isKnown, files: compareFiles(pair[0].files, pair[1].files, renames) });
    }
    const [repository] = repositories;
    const unclear = compared.flatMap(({ files }) => files.filter(isUnclear));
    const merges = repository && (await mergesOf(unclear, repository, scratch, signal));
    for (const { pair, isKnown, files } of compared) {
      const [older, newer] = pair;
      const isBaseOlder = lazy(
        async () => repository !== undefined && isAncestor(repository, baseOf(newer), baseOf(older), signal),
      );
      const found: ComparedFile[] = [];
      for (const file of files) {
        found.push(
          repository && isUnclear(file)
            ? await compareWithGit(repository, file, merges?.get(file), isBaseOlder, signal)
            : file,
        );
      }
      const comparison = comparePatches(older, newer, found);
      yield { older, newer, comparison: { ...comparison, isBaseKnown: isKnown } };
    }
  }
}

/** The commit that a version is based on, as git takes it. */
function baseOf({ commitSha }: PatchVersion): string | undefined {
  const commit = blobName(commitSha);
  return commit === undefined ? undefined : `${commit}^`;
}

/** Contents that are read at once, unless those of one pair are more. */
const mostContents = 1000;

/** Pairs that are compared at once: their contents must not be too many. */
function inParts(pairs: readonly VersionPair[]): VersionPair[][] {
  const parts: VersionPair[][] = [];
  let left = 0;
  for (const pair of pairs) {
    const { size } = unlikeIds(pair);
    if (parts.length === 0 || size > left) {
      parts.push([]);
      left = mostContents;
    }
    parts.at(-1)?.push(pair);
    left -= size;
  }
  return parts;
}

/** Git's merges of files: as it rebases commits where it has their contents, however many there are. */
async function mergesOf(
  files: readonly ComparedFile[],
  repository: OpenRepository,
  scratch: string,
  signal: AbortSignal | undefined,
): Promise<Map<ComparedFile, GitMerge>> {
  const merges = new Map<ComparedFile, GitMerge>();
  const moves = files.flatMap((file): { file: ComparedFile; move: BlobMove }[] => {
    const { older, newer } = file;
    const [base, changed, onto] = [older?.before, older?.after, newer?.before].map((one) =>
      blobName(one?.id),
    );
    return base === undefined || changed === undefined || onto === undefined
      ? []
      : [{ file, move: { base, changed, onto } }];
  });
  const found =
    moves.length === 0
      ? []
      : await mergeBlobs(
          repository,
          moves.map(({ move }) => move),
          scratch,
          signal,
        );
  moves.forEach(({ file }, index) => {
    const merge = found[index];
    if (merge) {
      merges.set(file, merge);
    }
  });
  for (const file of files) {
    const merge = merges.has(file) ? undefined : await mergeOf(file, repository, scratch, signal);
    if (merge) {
      merges.set(file, merge);
    }
  }
  return merges;
}

/** Git's merge of a file by its texts: those of an object that git lacks, too. */
async function mergeOf(
  { older, newer }: ComparedFile,
  repository: OpenRepository,
  scratch: string,
  signal: AbortSignal | undefined,
): Promise<GitMerge | undefined> {
  const [base, changed, onto] = [older?.before, older?.after, newer?.before].map(textOf);
  return base === undefined || changed === undefined || onto === undefined
    ? undefined
    : mergeFile(repository, { base, changed, onto }, scratch, signal);
}

function textOf(state: FileState | undefined): string | undefined {
  return state?.content.kind === 'text' ? state.content.text : undefined;
}
