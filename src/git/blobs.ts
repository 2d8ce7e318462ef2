/** Contents of files by their ids: a rebase gives commits other ids, not the files that it leaves as they were. */
import type { OpenRepository } from './repository.ts';

/**
 * The text of a file's content.
 *
 * @param id where it comes from the service; undefined when that did not say.
 * @returns undefined when the repository does not have it, or when it is larger.
 */
export async function readBlob(
  repository: OpenRepository,
  id: string | undefined,
  largest: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  // Git would take other texts for options or for names, and zeros stand for no file.
  if (id === undefined || !/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(id) || /^0+$/.test(id)) {
    return undefined;
  }
  try {
    return await repository.git(['cat-file', 'blob', id], signal, largest);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && 'code' in error) {
      return undefined;
    }
    throw error;
  }
}
