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
  const name = blobName(id);
  return name === undefined
    ? undefined
    : unlessMissing(repository.git(['cat-file', 'blob', name], signal, largest), signal);
}

/** The content of a file; its size alone where it is larger than it may be. */
interface BlobBytes {
  size: number;
  bytes?: Uint8Array;
}

/**
 * The content of a file that need not be text.
 *
 * @param name of `blobName` or `nameInCommit`.
 * @returns undefined when the repository does not have it.
 */
export async function readBytes(
  repository: OpenRepository,
  name: string,
  largest: number,
  signal: AbortSignal,
): Promise<BlobBytes | undefined> {
  const size = Number(await unlessMissing(repository.git(['cat-file', '-s', name], signal), signal));
  if (Number.isNaN(size) || size > largest) {
    return Number.isNaN(size) ? undefined : { size };
  }
  const bytes = await unlessMissing(repository.gitBytes(['cat-file', 'blob', name], { signal }), signal);
  return bytes && { size, bytes };
}

/** True when git has what a revision names, such as `HEAD:src/a.ts`. */
export async function hasObject(
  repository: OpenRepository,
  revision: string,
  signal: AbortSignal,
): Promise<boolean> {
  return repository.git(['cat-file', '-e', revision], signal).then(
    () => true,
    () => false,
  );
}

/** The id of a content as git takes it: it would take other texts for options or for names, and zeros stand for no file. */
export function blobName(id: string | undefined): string | undefined {
  return id !== undefined && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(id) && !/^0+$/.test(id) ? id : undefined;
}

/** A file as a commit leaves it, or finds it, as git takes it. */
export function nameInCommit(
  sha: string | undefined,
  path: string | undefined,
  side: 'before' | 'after' = 'after',
): string | undefined {
  return path !== undefined && sha !== undefined && /^[0-9a-f]{7,64}$/.test(sha)
    ? `${sha}${side === 'before' ? '^' : ''}:${path}`
    : undefined;
}

async function unlessMissing<T>(reading: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && 'code' in error) {
      return undefined;
    }
    throw error;
  }
}
