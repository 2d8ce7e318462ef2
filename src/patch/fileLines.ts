/** The files of a patch as the workspace's git has them. */
import type { DiffSection, Patch } from '../api/types/patches.ts';
import { readBlob } from '../git/blobs.ts';
import { findCommit } from '../git/commits.ts';
import { openRepositories } from '../git/repositories.ts';
import type { FileLines } from '../protocol/patchDocument.ts';
import { Turns } from '../util/turns.ts';
import { pathOf } from './openChanges.ts';

/** Bytes up to which a file is read: the page colors none that is larger. */
const largestFile = 4 * 1024 * 1024;

/** A patch can have hundreds of files, and each is read by a git of its own. */
const turns = new Turns(4);

/**
 * Every line of a file, as the patch leaves or finds it: by the ids of its contents, which outlive rewritten commits, else by
 * the commit.
 *
 * @returns null when no open repository has it.
 */
export async function fileLines(
  { commitSha }: Patch,
  file: DiffSection,
  signal: AbortSignal,
): Promise<FileLines | null> {
  if (Math.max(file.oldSize ?? 0, file.newSize ?? 0) > largestFile) {
    return null;
  }
  return turns.take(async () => {
    for (const repository of await openRepositories()) {
      for (const [side, id] of [
        ['new', file.newFileSha],
        ['old', file.baseFileSha],
      ] as const) {
        signal.throwIfAborted();
        const text = await readBlob(repository, id, largestFile, signal);
        if (text !== undefined) {
          return { side, lines: linesOf(text) };
        }
      }
    }
    const commit = await findCommit(commitSha);
    const text = await commit?.text(pathOf(file));
    return text === undefined ? null : { side: 'new', lines: linesOf(text) };
  });
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
