import type { FileChange, FileState } from '../model/reading/fileChange.ts';
import { linesOf } from '../model/reading/mergeLines.ts';
import type { ChangedLines } from '../model/reading/compareFile.ts';
import { blobName } from './blobs.ts';
import type { OpenRepository } from './repository.ts';

/**
 * Counts the lines that a change removes from a file and adds to it, by git: for one of so many lines that our own comparison gives
 * up. Undefined where git does not have what is before and after it.
 *
 * @throws the signal's reason.
 */
export async function changedLines(
  repository: OpenRepository,
  { before, after }: FileChange,
  signal?: AbortSignal,
): Promise<ChangedLines | undefined> {
  if (!before || !after) {
    return { removed: countOf(before), added: countOf(after) };
  }
  const [one, other] = [blobName(before.id), blobName(after.id)];
  if (one === undefined || other === undefined) {
    return undefined;
  }
  try {
    const printed = await repository.git(
      ['diff', '--no-ext-diff', '--no-textconv', '--numstat', one, other, '--'],
      signal,
    );
    const [, added, removed] = /^(\d+)\t(\d+)\t/.exec(printed) ?? [];
    return added === undefined ? undefined : { removed: Number(removed), added: Number(added) };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof Error && 'code' in error) {
      return undefined;
    }
    throw error;
  }
}

function countOf(state: FileState | undefined): number {
  return state?.content.kind === 'text' ? linesOf(state.content.text).length : 0;
}
