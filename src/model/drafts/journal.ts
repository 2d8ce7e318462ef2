/**
 * The files in which drafts outlive their window: one for each draft, in a folder that all windows of an account share. The
 * name of a file says which window holds it, so that a window takes over a draft that was left behind, or lets go of one,
 * by renaming it: of several windows that try, one succeeds.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, watch } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '../../util/atomicFile.ts';
import type { Disposable } from '../../util/disposable.ts';
import type { Draft, DraftHolder } from './draft.ts';
import { decodeDraft, encodeDraft } from './draftFile.ts';

/** A draft that another window has written, or one before this. */
export interface FoundDraft {
  draft: Draft;
  fileName: string;
  /** What the file held when it was read. */
  text: string;
}

/** What lies in the folder, besides what this window holds. */
export interface JournalContents {
  found: FoundDraft[];
  /** Files that could not be read and were moved out of the way, by their new path. */
  setAside: string[];
  /** Files of a newer version of the extension, which stay where they are. */
  newer: string[];
}

/** A window: its process, and what tells it from the other windows of that process. */
interface Holder {
  process: number;
  window: string;
}

/** How a file is replaced as a whole; tests make it fail. */
export type ReplaceFile = typeof replaceFile;

/** What the journal takes: far more than anybody types, and little enough that a mistake cannot fill the disk. */
export const journalLimits = { drafts: 1000, bytes: 64 * 1024 * 1024 };

/** The journal is full. What was typed stays in memory. */
export class JournalFullError extends Error {
  override name = 'JournalFullError';
}

const unreadableFolder = 'unreadable';
const unfinished = '.unfinished';

/** See the module. */
export class Journal {
  readonly #folder: string;
  readonly #replace: ReplaceFile;
  readonly #me: Holder = { process: process.pid, window: randomBytes(6).toString('hex') };
  /** The bytes of each file in the folder, as far as this window knows them. */
  readonly #sizes = new Map<string, number>();

  /** @param folder need not exist yet. */
  constructor(folder: string, replace: ReplaceFile = replaceFile) {
    this.#folder = folder;
    this.#replace = replace;
    openWindows.add(this.#me.window);
  }

  /** Ends the journal of this window: it writes nothing any more, and what it still holds belongs to nobody. */
  close(): void {
    openWindows.delete(this.#me.window);
  }

  /** Whether it was not closed yet. */
  get isOpen(): boolean {
    return openWindows.has(this.#me.window);
  }

  /** Reads what others have left or are writing. What it cannot read is moved to a folder of its own and never deleted. */
  async read(): Promise<JournalContents> {
    const contents: JournalContents = { found: [], setAside: [], newer: [] };
    await this.#takeUpUnfinished(contents);
    for (const fileName of this.#sizes.keys()) {
      if (!this.#isMine(parseName(fileName)?.holder)) {
        this.#sizes.delete(fileName);
      }
    }
    for (const fileName of await this.#files()) {
      const name = parseName(fileName);
      if (!name || this.#isMine(name.holder)) {
        continue;
      }
      const text = await readIfThere(path.join(this.#folder, fileName));
      if (text === undefined) {
        continue;
      }
      const read = decodeDraft(text);
      if (read.kind === 'draft' && read.draft.id === name.id) {
        contents.found.push({ draft: read.draft, fileName, text });
        this.#sizes.set(fileName, Buffer.byteLength(text));
      } else if (read.kind === 'newer') {
        contents.newer.push(path.join(this.#folder, fileName));
      } else {
        contents.setAside.push(await this.#setAside(fileName));
      }
    }
    return contents;
  }

  /** Who has a draft that was found, as far as can be told now. */
  holder({ fileName }: FoundDraft): DraftHolder {
    const holder = parseName(fileName)?.holder;
    return holder && this.#isOpen(holder) ? 'elsewhere' : 'nobody';
  }

  /**
   * Takes a draft over that nobody has.
   *
   * @returns whether this window has it now, with the content that was found.
   */
  claim({ draft, fileName, text }: FoundDraft): boolean {
    const mine = path.join(this.#folder, this.#nameOf(draft.id));
    try {
      renameSync(path.join(this.#folder, fileName), mine);
    } catch {
      return false;
    }
    if (readFileSync(mine, 'utf8') === text) {
      this.#sizes.delete(fileName);
      this.#sizes.set(path.basename(mine), Buffer.byteLength(text));
      return true;
    }
    // Somebody had it in between, and wrote to it.
    renameSync(mine, path.join(this.#folder, freeName(draft.id)));
    return false;
  }

  /** Writes a draft of this window down. It is on disk when this resolves. */
  async write(draft: Draft): Promise<void> {
    const fileName = this.#nameOf(draft.id);
    const file = path.join(this.#folder, fileName);
    const text = encodeDraft(draft);
    const bytes = Buffer.byteLength(text);
    this.#checkRoom(fileName, bytes);
    try {
      await this.#replace(file, text, file + unfinished);
    } catch (error) {
      if (!isNotThere(error)) {
        throw error;
      }
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await this.#replace(file, text, file + unfinished);
    }
    this.#sizes.set(fileName, bytes);
  }

  /** Deletes the file of a draft of this window, if there is one. */
  async remove(id: string): Promise<void> {
    const fileName = this.#nameOf(id);
    const file = path.join(this.#folder, fileName);
    await rm(file, { force: true });
    await rm(file + unfinished, { force: true });
    this.#sizes.delete(fileName);
  }

  /** Lets go of drafts, so that any window can go on with them. */
  async release(ids: Iterable<string>): Promise<void> {
    for (const id of ids) {
      const mine = path.join(this.#folder, this.#nameOf(id));
      // One that was never written has no file.
      await rename(mine, path.join(this.#folder, freeName(id))).catch(() => undefined);
    }
  }

  /** Tells when another window has changed something. */
  async watch(changed: () => void): Promise<Disposable> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const watcher = watch(this.#folder, (_event, fileName) => {
        const name = fileName === null ? undefined : parseName(fileName);
        if (name && !this.#isMine(name.holder)) {
          changed();
        }
      });
      watcher.on('error', () => watcher.close());
      return { dispose: () => watcher.close() };
    } catch {
      // Where files cannot be watched, other windows' drafts are seen when they are looked for.
      return { dispose: () => undefined };
    }
  }

  async #files(): Promise<string[]> {
    try {
      return await readdir(this.#folder);
    } catch (error) {
      if (isNotThere(error)) {
        return [];
      }
      throw error;
    }
  }

  /** A window that ended while it wrote left an unfinished file beside the whole one from before. */
  async #takeUpUnfinished(contents: JournalContents): Promise<void> {
    for (const fileName of await this.#files()) {
      const whole = fileName.endsWith(unfinished) ? fileName.slice(0, -unfinished.length) : undefined;
      const name = whole === undefined ? undefined : parseName(whole);
      if (whole === undefined || !name || (name.holder && this.#isOpen(name.holder))) {
        continue;
      }
      const file = path.join(this.#folder, fileName);
      const text = await readIfThere(file);
      if (text === undefined) {
        continue;
      }
      if (decodeDraft(text).kind !== 'unreadable') {
        // Only its renaming is missing.
        await rename(file, path.join(this.#folder, whole)).catch(() => undefined);
      } else if (text === '' || (await readIfThere(path.join(this.#folder, whole))) !== undefined) {
        await rm(file, { force: true });
      } else {
        contents.setAside.push(await this.#setAside(fileName));
      }
    }
  }

  async #setAside(fileName: string): Promise<string> {
    const folder = path.join(this.#folder, unreadableFolder);
    const target = path.join(folder, `${randomBytes(3).toString('hex')}-${fileName}`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await rename(path.join(this.#folder, fileName), target).catch((error: unknown) => {
      // Another window was faster.
      if (!isNotThere(error)) {
        throw error;
      }
    });
    return target;
  }

  #nameOf(id: string): string {
    return `${id}.${this.#me.process}-${this.#me.window}.json`;
  }

  #isMine(holder: Holder | undefined): boolean {
    return holder?.process === this.#me.process && holder.window === this.#me.window;
  }

  #isOpen(holder: Holder): boolean {
    return this.#isMine(holder) || openWindows.has(holder.window) || isOtherProcess(holder.process);
  }

  #checkRoom(fileName: string, bytes: number): void {
    const others = [...this.#sizes].filter(([other]) => other !== fileName);
    const sum = others.reduce((total, [, size]) => total + size, bytes);
    if (others.length >= journalLimits.drafts || sum > journalLimits.bytes) {
      throw new JournalFullError();
    }
  }
}

/** The windows that this process holds drafts for: one, but for tests. */
const openWindows = new Set<string>();

/** Whether a process is there that is not this one: a number that was this one's before belongs to nobody now. */
function isOtherProcess(id: number): boolean {
  if (id === process.pid) {
    return false;
  }
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function freeName(id: string): string {
  return `${id}.json`;
}

function parseName(fileName: string): { id: string; holder?: Holder } | undefined {
  const match = /^([0-9a-f-]{36})(?:\.(\d{1,10})-([0-9a-f]+))?\.json$/.exec(fileName);
  if (!match) {
    return undefined;
  }
  const [, id = '', pid, window] = match;
  return {
    id,
    ...(pid !== undefined && window !== undefined && { holder: { process: Number(pid), window } }),
  };
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isNotThere(error)) {
      return undefined;
    }
    throw error;
  }
}

function isNotThere(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
