/** Makes the attachments of feedback: files on disk that are read as they are sent, and gone afterwards. */
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { FeedbackAttachment } from '../api/types/feedback.ts';
import type { OpenRepository } from '../git/repository.ts';
import { LeftBehindError, repositoryFiles, type RepositoryFile } from './repositoryFiles.ts';
import { fileModes, zipFiles, ZipTooLargeError, type ZipEntry } from './zip.ts';

/** Thrown for an attachment that is larger than it may be. */
export class AttachmentTooLargeError extends Error {
  override name = 'AttachmentTooLargeError';
  readonly attachment: 'repository' | 'data';

  constructor(attachment: 'repository' | 'data') {
    super(attachment);
    this.attachment = attachment;
  }
}

interface AttachmentOptions {
  /** The folder that they are packed in, until they are disposed of. */
  folder: string;
  /** The largest one. Bytes. */
  limit: number;
  signal: AbortSignal;
  /** Told how much is packed. Bytes. */
  onProgress: (done: number, total: number) => void;
}

/** A folder for the attachments of one piece of feedback. Dispose of it when that was sent, or not. */
export class Attachments implements AsyncDisposable {
  readonly #folder: string;
  readonly #options: AttachmentOptions;

  private constructor(folder: string, options: AttachmentOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  static async begin(options: AttachmentOptions): Promise<Attachments> {
    return new Attachments(await mkdtemp(path.join(options.folder, 'packed-')), options);
  }

  /** A repository as it is in the working tree. @throws {AttachmentTooLargeError}; what git and the file system throw. */
  async repository(repository: OpenRepository, ignored: string): Promise<FeedbackAttachment> {
    const { files } = await repositoryFiles(repository, ignored, this.#options.signal);
    let going: readonly RepositoryFile[] = files;
    for (;;) {
      const total = going.reduce((sum, { size }) => sum + size, 0);
      try {
        return await this.#zip('repository', `${repository.name}.zip`, going, total);
      } catch (error) {
        if (!(error instanceof LeftBehindError)) {
          throw error;
        }
        // A file that has begun to be written can't be taken back out of a zip file.
        going = going.filter(({ path: name }) => name !== error.file);
      }
    }
  }

  /** Files that the person chose; one that is a zip file goes as it is. @throws as `repository`. */
  async data(locations: readonly string[]): Promise<FeedbackAttachment> {
    const [first = '', ...others] = locations;
    const sizes = await Promise.all(locations.map(async (location) => (await stat(location)).size));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (others.length === 0 && first.toLowerCase().endsWith('.zip')) {
      if (total > this.#options.limit) {
        throw new AttachmentTooLargeError('data');
      }
      return attachment(path.basename(first), first, total);
    }
    const names = distinctNames(locations.map((location) => path.basename(location)));
    const entries = locations.map((location, index) => ({
      path: names[index] ?? '',
      mode: fileModes.file,
      content: () => chunksOf(location),
    }));
    return this.#zip('data', 'data.zip', entries, total);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #zip(
    kind: 'repository' | 'data',
    name: string,
    entries: readonly ZipEntry[],
    total: number,
  ): Promise<FeedbackAttachment> {
    const file = path.join(this.#folder, `${kind}.zip`);
    const { limit, signal, onProgress } = this.#options;
    await rm(file, { force: true });
    try {
      const size = await zipFiles(file, entries, {
        limit,
        signal,
        onProgress: (done) => onProgress(done, total),
      });
      return attachment(name, file, size);
    } catch (error) {
      throw error instanceof ZipTooLargeError ? new AttachmentTooLargeError(kind) : error;
    }
  }
}

function attachment(fileName: string, location: string, size: number): FeedbackAttachment {
  return { fileName, size, open: () => chunksOf(location) };
}

function chunksOf(location: string): AsyncIterable<Buffer> {
  return createReadStream(location);
}

/** The names, each once: a second *log.txt* becomes *log-2.txt*. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const { name: stem, ext } = path.parse(name);
    let distinct = name;
    for (let number = 2; taken.has(distinct.toLowerCase()); number += 1) {
      distinct = `${stem}-${number}${ext}`;
    }
    taken.add(distinct.toLowerCase());
    return distinct;
  });
}
