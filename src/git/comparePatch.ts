/** Compares two versions of a patch that the service has, with the contents that git has of their files. */
import { mayBeRebased, type GitMerge } from '../model/reading/compareFile.ts';
import { compareFiles, type ComparedFile } from '../model/reading/compareFiles.ts';
import { comparePatches, type PatchComparison } from '../model/reading/comparePatches.ts';
import type { FileState } from '../model/reading/fileChange.ts';
import type { PatchVersion } from '../model/reading/patchVersion.ts';
import { showComparison } from '../model/reading/showComparison.ts';
import type { ShownComparison } from '../util/shownComparison.ts';
import { compareWithGit } from './compareWithGit.ts';
import { blobName } from './blobs.ts';
import { mergeBlobs, type BlobMove } from './mergedTree.ts';
import { mergeFile } from './mergeFile.ts';
import { withContents } from './patchContents.ts';
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
  versions: readonly [older: PatchVersion, newer: PatchVersion],
  scratch: string,
  signal?: AbortSignal,
): Promise<ShownComparison> {
  const { older, newer, comparison } = await compareContents(repositories, versions, scratch, signal);
  return showComparison(older, newer, comparison);
}

/** The same, with all that was found. */
export async function compareContents(
  repositories: readonly OpenRepository[],
  versions: readonly [older: PatchVersion, newer: PatchVersion],
  scratch: string,
  signal?: AbortSignal,
): Promise<{ older: PatchVersion; newer: PatchVersion; comparison: PatchComparison }> {
  const [older, newer] = await withContents(repositories, versions, signal);
  const renames = await renamesInBase(repositories, [older, newer], signal);
  const files: ComparedFile[] = [];
  const compared = compareFiles(older.files, newer.files, renames);
  const [repository] = repositories;
  const merges = repository && (await mergesOf(compared, repository, scratch, signal));
  for (const file of compared) {
    const gitMerge = merges?.get(file);
    files.push(repository && gitMerge ? await compareWithGit(repository, file, { gitMerge }, signal) : file);
  }
  return { older, newer, comparison: comparePatches(older, newer, files) };
}

/** Files that git merges one by one: more are merged at once, which takes as long as a few. */
const mostByOne = 6;

/** Git's merges of files, where those may say more than was found without them. */
async function mergesOf(
  files: readonly ComparedFile[],
  repository: OpenRepository,
  scratch: string,
  signal: AbortSignal | undefined,
): Promise<Map<ComparedFile, GitMerge>> {
  const unclear = files.filter(
    ({ older, newer, comparison }) => older && newer && comparison && mayBeRebased(older, newer, comparison),
  );
  const merges = new Map<ComparedFile, GitMerge>();
  if (unclear.length > mostByOne) {
    const moves = unclear.flatMap((file): { file: ComparedFile; move: BlobMove }[] => {
      const { older, newer } = file;
      const [base, changed, onto] = [older?.before, older?.after, newer?.before].map((one) =>
        blobName(one?.id),
      );
      return base === undefined || changed === undefined || onto === undefined
        ? []
        : [{ file, move: { base, changed, onto } }];
    });
    const found = await mergeBlobs(
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
  }
  for (const file of unclear) {
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
