/** Packs files into a zip file on disk, as a stream: none of them is ever in memory as a whole. */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** The modes of files, in the numbers that Unix and git have for them. */
export const fileModes = { file: 0o100644, program: 0o100755, link: 0o120777 } as const;
type FileMode = (typeof fileModes)[keyof typeof fileModes];

/** A file to pack. */
export interface ZipEntry {
  /** In the zip file, with slashes. */
  path: string;
  mode: FileMode;
  /** Begins to read it; of a link that is what it says. */
  content: () => AsyncIterable<Buffer>;
}

/** The zip file would be larger than it may be. */
export class ZipTooLargeError extends Error {
  override name = 'ZipTooLargeError';
}

interface ZipOptions {
  /** The largest zip file. Bytes. */
  limit: number;
  signal: AbortSignal;
  /** Told how many bytes of the files are packed. */
  onProgress: (done: number) => void;
}

/**
 * Packs files.
 *
 * @param target where the zip file goes; only the person can read it.
 * @returns its size in bytes.
 * @throws {ZipTooLargeError}; the signal's reason; what the file system throws.
 */
export async function zipFiles(
  target: string,
  entries: readonly ZipEntry[],
  { limit, signal, onProgress }: ZipOptions,
): Promise<number> {
  const zip = new ZipFile();
  const failed = new AbortController();
  const fail = (error: unknown): void => failed.abort(error);
  zip.on('error', fail);
  let done = 0;
  const count = async function* (content: ZipEntry['content']): AsyncIterable<Buffer> {
    for await (const chunk of content()) {
      done += chunk.length;
      onProgress(done);
      yield chunk;
    }
  };
  for (const { path, content, mode } of entries) {
    // Opened when its turn comes: there may be more files than can be open at once.
    zip.addReadStreamLazy(path, { mode }, (give) => {
      const stream = Readable.from(count(content), { objectMode: false });
      stream.once('error', fail);
      give(undefined, stream);
    });
  }
  zip.end();
  const limited = async function* (source: AsyncIterable<string | Buffer>): AsyncIterable<string | Buffer> {
    let size = 0;
    for await (const chunk of source) {
      size += chunk.length;
      if (size > limit) {
        throw new ZipTooLargeError();
      }
      yield chunk;
    }
  };
  const output = createWriteStream(target, { mode: 0o600, flags: 'wx' });
  const stop = AbortSignal.any([signal, failed.signal]);
  try {
    await pipeline(zip.outputStream, limited, output, { signal: stop });
  } catch (error) {
    // Says more than that it was aborted.
    stop.throwIfAborted();
    throw error;
  } finally {
    if (!output.closed) {
      await new Promise<void>((resolve) => output.once('close', () => resolve()));
    }
  }
  return (await stat(target)).size;
}
