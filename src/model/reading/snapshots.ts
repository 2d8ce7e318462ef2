/**
 * Versions of patches as somebody has read them, on disk: by what they say, compressed, and no more of them than there is room for.
 * All windows of an account share the folder.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { replaceFile } from '../../util/atomicFile.ts';
import { systemCode } from '../../util/systemCode.ts';
import type { PatchVersion } from './patchVersion.ts';

const [compress, expand] = [promisify(deflate), promisify(inflate)];

/** Raised whenever the shape of what is kept changes: what has another one is as good as missing. */
const format = 1;

/** Bytes of the largest version that is read back: what is larger once it is no longer compressed was made by someone else. */
const largestVersion = 256 * 1024 * 1024;

/** Milliseconds after which a file that was never finished is nobody's any more. */
const unfinishedMs = 24 * 60 * 60 * 1000;

const extension = '.snapshot';

/** The place and the bounds of snapshots. */
export interface SnapshotOptions {
  /** Need not exist yet. */
  folder: string;
  /** Bytes that all of them together may take. */
  limit: () => number;
  /** The keys of those that are not given up: what they are of is still to be read. */
  needed: () => Promise<ReadonlySet<string>>;
  /** The keys of those that are given up after all others: they were signed off. */
  signedOff?: () => Promise<ReadonlySet<string>>;
  /** Told when one could not be written; once, until one could be again. */
  onFailure: (error: unknown) => void;
  /** For tests. */
  replaceFile?: typeof replaceFile;
}

/** See the module. */
export class Snapshots {
  readonly #options: SnapshotOptions;
  readonly #replace: typeof replaceFile;
  /** Bytes in the folder as far as this window knows; undefined before it has looked. */
  #size: number | undefined;
  #hasFailed = false;

  constructor(options: SnapshotOptions) {
    this.#options = options;
    this.#replace = options.replaceFile ?? replaceFile;
  }

  /** Keeps a version. Never fails: without room, nothing is kept. @returns its key; undefined when it is not kept. */
  async write(version: PatchVersion): Promise<string | undefined> {
    const text = JSON.stringify({ format, version });
    const key = keyOf(text);
    try {
      if (await this.#touch(key)) {
        return key;
      }
      const file = this.#file(key);
      const content = await compress(text);
      await mkdir(this.#options.folder, { recursive: true, mode: 0o700 });
      await this.#replace(file, content, `${file}.${randomUUID()}.unfinished`);
      this.#hasFailed = false;
      this.#size = (this.#size ?? (await this.#measure()) - content.length) + content.length;
      if (this.#size > this.#options.limit()) {
        await this.#giveUpSome(key);
      }
      return key;
    } catch (error) {
      if (!this.#hasFailed) {
        this.#hasFailed = true;
        this.#options.onFailure(error);
      }
      return undefined;
    }
  }

  /** A version that was kept; undefined when it is not here any more, or cannot be read. */
  async read(key: string): Promise<PatchVersion | undefined> {
    const file = this.#file(key);
    try {
      const content = await expand(await readFile(file), { maxOutputLength: largestVersion });
      const text = content.toString('utf8');
      const parsed = JSON.parse(text) as { format?: unknown; version?: PatchVersion };
      if (keyOf(text) === key && parsed.format === format) {
        await this.#touch(key);
        return parsed.version;
      }
    } catch (error) {
      if (systemCode(error) === 'ENOENT') {
        return undefined;
      }
    }
    // It would be in the way of the same version when that is to be kept again.
    await rm(file, { force: true }).catch(() => undefined);
    return undefined;
  }

  /** Notes that a snapshot was needed just now. @returns whether it is there. */
  async #touch(key: string): Promise<boolean> {
    try {
      const now = new Date();
      await utimes(this.#file(key), now, now);
      return true;
    } catch {
      return false;
    }
  }

  async #measure(): Promise<number> {
    return (await this.#list()).reduce((sum, { size }) => sum + size, 0);
  }

  /** Gives up those that were read the longest ago, until there is room for some more. */
  async #giveUpSome(latest: string): Promise<void> {
    const needed = await this.#options.needed();
    const signedOff = (await this.#options.signedOff?.()) ?? new Set();
    const isLast = (name: string): number => Number(signedOff.has(name.slice(0, -extension.length)));
    const files = (await this.#list()).sort((a, b) => isLast(a.name) - isLast(b.name) || a.readAt - b.readAt);
    let size = files.reduce((sum, file) => sum + file.size, 0);
    const enough = 0.9 * this.#options.limit();
    for (const { name, size: ofFile, readAt } of files) {
      const isSnapshot = name.endsWith(extension);
      const key = name.slice(0, -extension.length);
      const mayGo = isSnapshot ? !needed.has(key) && key !== latest : Date.now() - readAt > unfinishedMs;
      if (size > enough && mayGo) {
        await rm(path.join(this.#options.folder, name), { force: true });
        size -= ofFile;
      }
    }
    this.#size = size;
  }

  async #list(): Promise<{ name: string; size: number; readAt: number }[]> {
    const { folder } = this.#options;
    const names = await readdir(folder);
    const files = await Promise.all(
      names.map(async (name) => {
        try {
          const { size, mtimeMs } = await stat(path.join(folder, name));
          return { name, size, readAt: mtimeMs };
        } catch {
          // Another window has given it up.
          return undefined;
        }
      }),
    );
    return files.filter((file) => file !== undefined);
  }

  #file(key: string): string {
    return path.join(this.#options.folder, `${key}${extension}`);
  }
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
