/**
 * The records of the stacks that a person has read, on disk, in a folder that all windows of an account share. A record is
 * written as a new file with the next number, which only one window can create: the window that comes second reads again.
 */
import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { systemCode } from '../../util/systemCode.ts';
import type { MarkedHunk } from './carryMarks.ts';
import type { StackName } from './stackName.ts';

/** A version of a patch that somebody has read, or signed off. */
export interface ReadVersion {
  /** Stands for it; see `fingerprintOf`. */
  fingerprint: string;
  /** Its number, as the service gives it. */
  number?: string;
  /** The key of its snapshot, if one could be kept. */
  snapshot?: string;
  /** Set where only a part of it was read. */
  isPart?: true;
}

/** The record of one patch: the version that was read, and the state of its hunks. */
export interface PatchRecord extends ReadVersion {
  changeId: string;
  /** Stands for its title and message; see `wordingOf`. */
  wording: string;
  /** Stands for its sections, if their contents are known; see `contentOf`. */
  content: string;
  /** Everything there is to read in it, in the order in which it is shown. */
  hunks: MarkedHunk[];
  /** True when there is something new to read now: then its snapshots aren't given up. */
  isPending: boolean;
  /** When something of it was read, in milliseconds since the epoch. */
  readAt: number;
  /** The version that was read before it. */
  before?: ReadVersion;
  /** The version that was signed off. */
  signedOff?: ReadVersion;
}

/** The record of a stack, over all its versions. */
export interface StackRecord {
  patches: readonly PatchRecord[];
  /** Hunks that were read in earlier versions of the patches and are no longer in them: they may be in others now. */
  elsewhere: readonly MarkedHunk[];
  /** Prints of texts, with the code that the person said they are still true of. */
  stillTrue?: readonly string[];
}

/** Raised whenever the shape of a record changes: what has another one is as good as missing. */
const format = 1;

const texts = v.array(v.string());
const version = {
  fingerprint: v.string(),
  number: v.exactOptional(v.string()),
  snapshot: v.exactOptional(v.string()),
  isPart: v.exactOptional(v.literal(true)),
};
const hunk = v.object({
  print: v.object({
    patch: v.string(),
    path: v.string(),
    lines: v.string(),
    before: texts,
    after: texts,
    isTelling: v.boolean(),
  }),
  mark: v.object({ seen: v.boolean(), viewed: v.boolean() }),
});
const patch = v.object({
  ...version,
  changeId: v.string(),
  wording: v.string(),
  content: v.string(),
  hunks: v.array(hunk),
  isPending: v.boolean(),
  readAt: v.number(),
  before: v.exactOptional(v.object(version)),
  signedOff: v.exactOptional(v.object(version)),
});
const record: v.GenericSchema<unknown, StackRecord> = v.object({
  patches: v.array(patch),
  elsewhere: v.array(hunk),
  stillTrue: v.exactOptional(texts),
});
const fileSchema = v.object({ format: v.literal(format), record });

/** Times that a window tries again after another one was faster, at most. */
const mostTries = 100;

const nothing: StackRecord = { patches: [], elsewhere: [] };

/** See the module. */
export class ReadingRecords {
  readonly #folder: string;
  readonly #onFailure: (error: unknown) => void;
  readonly #makeFile: typeof makeFile;
  #hasFailed = false;

  /**
   * @param folder need not exist yet.
   * @param onFailure told when a record could not be written; once, until one could be again.
   * @param make how a file is made; for tests.
   */
  constructor(folder: string, onFailure: (error: unknown) => void, make: typeof makeFile = makeFile) {
    this.#folder = folder;
    this.#onFailure = onFailure;
    this.#makeFile = make;
  }

  /** The record of a stack; an empty one when none can be read. */
  async read(stack: StackName): Promise<StackRecord> {
    try {
      return (await this.#newest(keyOf(stack)))?.record ?? nothing;
    } catch {
      return nothing;
    }
  }

  /** Returns true when there is a record of the stack. */
  async has(stack: StackName): Promise<boolean> {
    return (await this.#lastNumber(keyOf(stack)).catch(() => 0)) > 0;
  }

  /**
   * Changes the record of a stack. Never fails: where it cannot be written, what was there stays.
   *
   * @param change makes the new record of what is there, or gives that back; called again when another window was faster.
   * @returns what is there then.
   */
  async update(stack: StackName, change: (record: StackRecord) => StackRecord): Promise<StackRecord> {
    const key = keyOf(stack);
    let record = nothing;
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      for (let tries = 0; tries < mostTries; tries += 1) {
        const newest = await this.#newest(key);
        record = newest?.record ?? nothing;
        const changed = change(record);
        if (changed === record) {
          return record;
        }
        const number = (newest?.number ?? 0) + 1;
        const text = JSON.stringify({ format, stack, record: changed });
        const file = this.#file(key, number);
        if (!(await this.#makeFile(file, text))) {
          continue;
        }
        if ((await this.#lastNumber(key)) > number) {
          // This number was free only because others have gone past it and cleaned up.
          await rm(file, { force: true });
          continue;
        }
        this.#hasFailed = false;
        await this.#removeBefore(key, number);
        return changed;
      }
      throw new Error('Other windows write the record all the time.');
    } catch (error) {
      if (!this.#hasFailed) {
        this.#hasFailed = true;
        this.#onFailure(error);
      }
      return record;
    }
  }

  /** The snapshots of what is still to be read. */
  neededSnapshots(): Promise<ReadonlySet<string>> {
    return this.#snapshotsOf((patch) => (patch.isPending ? [patch, patch.before, patch.signedOff] : []));
  }

  /** The snapshots of what was signed off. */
  signedOffSnapshots(): Promise<ReadonlySet<string>> {
    return this.#snapshotsOf(({ signedOff }) => [signedOff]);
  }

  async #snapshotsOf(
    versionsOf: (patch: PatchRecord) => readonly (ReadVersion | undefined)[],
  ): Promise<ReadonlySet<string>> {
    const keys = new Set((await this.#names()).map((name) => name.split('.')[0] ?? ''));
    const found = new Set<string>();
    for (const key of keys) {
      const newest = await this.#newest(key);
      for (const version of (newest?.record.patches ?? []).flatMap(versionsOf)) {
        if (version?.snapshot !== undefined) {
          found.add(version.snapshot);
        }
      }
    }
    return found;
  }

  /** The newest record with its number. One that cannot be read is empty, and keeps its number. */
  async #newest(key: string): Promise<{ number: number; record: StackRecord } | undefined> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const number = await this.#lastNumber(key);
      if (number === 0) {
        return undefined;
      }
      try {
        const text = await readFile(this.#file(key, number), 'utf8');
        return { number, record: decode(text) ?? nothing };
      } catch (error) {
        if (systemCode(error) !== 'ENOENT') {
          return { number, record: nothing };
        }
        // Another window has written a newer one meanwhile.
      }
    }
    return undefined;
  }

  async #lastNumber(key: string): Promise<number> {
    return Math.max(0, ...(await this.#names()).map((name) => numberOf(name, key)));
  }

  async #removeBefore(key: string, number: number): Promise<void> {
    for (const name of await this.#names()) {
      const other = numberOf(name, key);
      if (other > 0 && other < number) {
        await rm(path.join(this.#folder, name), { force: true });
      }
    }
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.#folder);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') {
        return [];
      }
      throw error;
    }
  }

  #file(key: string, number: number): string {
    return path.join(this.#folder, `${key}.${number}.json`);
  }
}

/** Makes a file with all of its content, readable by its owner only. @returns false when there is one of that name. */
export async function makeFile(file: string, text: string): Promise<boolean> {
  const temporary = `${file}.${randomUUID()}.unfinished`;
  try {
    await writeFile(temporary, text, { mode: 0o600, flush: true });
    try {
      await link(temporary, file);
    } catch (error) {
      const code = systemCode(error);
      if (code === 'EEXIST') {
        return false;
      }
      if (code === 'ENOENT' || code === 'ENOSPC') {
        throw error;
      }
      // A file system without links: of two windows that write at the same moment, one is not heard.
      await rename(temporary, file);
    }
    return true;
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

/** The number of a record's file; 0 for any other file. */
function numberOf(name: string, key: string): number {
  const [of, number = '', end, ...more] = name.split('.');
  return of === key && end === 'json' && more.length === 0 && /^[1-9]\d{0,14}$/.test(number)
    ? Number(number)
    : 0;
}

function keyOf({ projectId, branchId }: StackName): string {
  return createHash('sha256')
    .update(JSON.stringify([projectId, branchId]))
    .digest('hex')
    .slice(0, 32);
}

function decode(text: string): StackRecord | undefined {
  try {
    return v.parse(fileSchema, JSON.parse(text)).record;
  } catch {
    return undefined;
  }
}
