import { ByteReader } from './byteReader.ts';
import { startGit } from './git.ts';

/** A blob that was asked for, as far as it was read. */
interface ReadBlob {
  id: string;
  bytes: Buffer;
}

/**
 * Reads contents of files by the ids of their blobs. What the repository doesn't have, or is no blob, is left out.
 *
 * @param directory the folder that git runs in.
 * @param ids full ids, nothing else.
 * @param most bytes that all of them together may have; what is beyond that is left out.
 * @throws ServiceError `git_failed`; the signal's reason.
 */
export async function readBlobs(
  directory: string,
  ids: readonly string[],
  most: number,
  signal?: AbortSignal,
): Promise<ReadBlob[]> {
  const git = startGit(directory, ['cat-file', '--batch'], signal);
  git.input.end(ids.map((id) => `${id}\n`).join(''));
  const reader = new ByteReader(git.output);
  const found: ReadBlob[] = [];
  let left = most;
  try {
    for (const id of ids) {
      const line = (await reader.line()) ?? (await git.fail(id));
      const [, type, digits] = /^[0-9a-f]{40,64} (\w+) (\d+)$/.exec(line) ?? [];
      if (type === undefined) {
        continue;
      }
      const size = Number(digits);
      if (size > left) {
        // What follows can only be read behind it.
        return found;
      }
      const bytes = (await reader.bytes(size + 1)) ?? (await git.fail(`all of ${id}`));
      if (type === 'blob') {
        left -= size;
        found.push({ id, bytes: bytes.subarray(0, size) });
      }
    }
    return found;
  } finally {
    git.stop();
  }
}
