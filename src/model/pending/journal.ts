/**
 * The files in which pending changes outlive their window: one for each, in a folder that all windows of an account share. The
 * name of a file says which window holds it, so that a window takes over a pending change that was left behind, or lets go of one,
 * by renaming it: of several windows that try, one succeeds. Whoever has lost a pending change learns it with the next write at the
 * latest, and never writes to it again.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, watch } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '../../util/atomicFile.ts';
import type { Disposable } from '../../util/disposable.ts';
import { Heartbeat, Heartbeats, type HeartbeatOptions } from '../../util/heartbeat.ts';
import type { PendingChange, ChangeHolder } from './pendingChange.ts';
import { decodeChange, encodeChange } from './journalFile.ts';
import { systemCode } from '../../util/systemCode.ts';

/** A pending change that another window has written, or one before this. */
export interface FoundChange {
  pending: PendingChange;
  fileName: string;
  /** The file's text when it was read. */
  text: string;
}

/** What the journal can't use. */
export interface JournalLeftovers {
  /** What is no pending change and was moved out of the way, by its new path. */
  setAside: string[];
  /** Files that the file system doesn't give at the moment: they stay where they are. */
  unreadable: string[];
  /** Files of a newer version of the extension, which stay where they are. */
  newer: string[];
}

/** Contents of the folder, besides what this window holds. */
interface JournalContents extends JournalLeftovers {
  found: FoundChange[];
}

/** Replaces a file as a whole; tests make it fail. */
export type ReplaceFile = (
  file: string,
  text: string,
  temporary: string,
  check?: () => void,
) => Promise<void>;

/** Limits of the journal: far more than anyone types, and little enough that a mistake can't fill the disk. */
export const journalLimits = { pendingChanges: 1000, bytes: 64 * 1024 * 1024 };

/** The journal is full. What was typed stays in memory. */
export class JournalFullError extends Error {
  override name = 'JournalFullError';
}

/** Another window has taken a pending change over: it is not written here any more. */
export class TakenOverError extends Error {
  override name = 'TakenOverError';
  /** True when the other window has what was to be written. */
  readonly hasAll: boolean;

  constructor(hasAll: boolean) {
    super('Another window has taken the pending change over.');
    this.hasAll = hasAll;
  }
}

const unreadableFolder = 'unreadable';
const windowsFolder = 'windows';
const unfinished = '.unfinished';

/** Options of a journal, for tests. */
interface JournalOptions extends HeartbeatOptions {
  replaceFile?: ReplaceFile | undefined;
}

/** See the module. */
export class Journal {
  readonly #folder: string;
  readonly #replace: ReplaceFile;
  readonly #heart: Heartbeat;
  readonly #others: Heartbeats;
  /** The bytes of each file in the folder, as far as this window knows them. */
  readonly #sizes = new Map<string, number>();

  /** @param folder need not exist yet. */
  constructor(folder: string, options: JournalOptions = {}) {
    this.#folder = folder;
    this.#replace = options.replaceFile ?? replaceFile;
    const windows = path.join(folder, windowsFolder);
    this.#heart = new Heartbeat(windows, options);
    this.#others = new Heartbeats(windows, options);
  }

  /** Ends the journal of this window: it writes nothing any more, and what it still holds belongs to no one. */
  close(): void {
    this.#heart.dispose();
  }

  get isOpen(): boolean {
    return this.#heart.isAlive;
  }

  /**
   * Looks whether the windows live that hold pending changes.
   *
   * @returns whether one is dead that was not, or the other way round.
   */
  lookAtHolders(): Promise<boolean> {
    return this.#others.look();
  }

  /**
   * Reads what others have left or are writing. What is no pending change is moved to a folder of its own and never deleted; one that
   * can't be read keeps none of the others from being found.
   *
   * @throws what the file system says when the folder itself can't be read.
   */
  async read(): Promise<JournalContents> {
    const contents: JournalContents = { found: [], setAside: [], unreadable: [], newer: [] };
    await this.#others.look();
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
      const text = await this.#readEntry(fileName, contents);
      if (text === undefined) {
        continue;
      }
      const read = decodeChange(text);
      if (read.kind === 'pending' && read.pending.id === name.id) {
        contents.found.push({ pending: read.pending, fileName, text });
        this.#sizes.set(fileName, Buffer.byteLength(text));
      } else if (read.kind === 'newer') {
        contents.newer.push(path.join(this.#folder, fileName));
      } else {
        await this.#setAside(fileName, contents);
      }
    }
    // A window may have begun since the look before: it shows that it lives before it writes.
    await this.#others.look();
    const holders = new Set([...this.#sizes.keys()].map((fileName) => parseName(fileName)?.holder));
    await this.#others.sweep((holder) => holders.has(holder));
    return contents;
  }

  /** Who has a pending change that was found, as far as can be told now. */
  holder({ fileName }: FoundChange): ChangeHolder {
    const holder = parseName(fileName)?.holder;
    return holder && this.#isOpen(holder) ? 'elsewhere' : 'nobody';
  }

  /**
   * Takes a pending change over that no one has.
   *
   * @returns whether this window has it now, with the content that was found.
   */
  claim(found: FoundChange): boolean {
    const text = this.#take(found);
    if (text === undefined || text === found.text) {
      return text !== undefined;
    }
    // Someone had it in between, and wrote to it.
    this.#giveBack(found.pending.id);
    return false;
  }

  /**
   * Takes a pending change over, no matter who has it: they learn it when they write to it, or hear that it is gone.
   *
   * @returns the pending change as it was written last; undefined when it is not there at this moment.
   */
  takeOver(found: FoundChange): PendingChange | undefined {
    const read = decodeChange(this.#take(found) ?? '');
    if (read.kind === 'pending') {
      return read.pending;
    }
    if (this.#sizes.has(this.#nameOf(found.pending.id))) {
      this.#giveBack(found.pending.id);
    }
    return undefined;
  }

  /**
   * Writes a pending change of this window down. It is on disk when this resolves.
   *
   * @throws {TakenOverError} when another window has it by now; {JournalFullError}; what the file system says.
   */
  async write(pending: PendingChange): Promise<void> {
    const fileName = this.#nameOf(pending.id);
    const file = path.join(this.#folder, fileName);
    const text = encodeChange(pending);
    const bytes = Buffer.byteLength(text);
    this.#checkRoom(fileName, bytes);
    this.#checkHold(pending.id);
    // Others leave alone only what someone holds who lives.
    this.#heart.begin();
    // While a slow disk takes the text, another window may take the pending change over, and even send it.
    const replace = (): Promise<void> =>
      this.#replace(file, text, file + unfinished, () => this.#checkHold(pending.id));
    try {
      await replace();
    } catch (error) {
      if (!isNotThere(error)) {
        throw error;
      }
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await replace();
    }
    if (this.#sizes.has(fileName) && (await this.#isHeldByAnother(pending.id))) {
      // It was taken between the two: what has just been written is beside it, or went with it.
      this.#sizes.delete(fileName);
      const isBeside = await rm(file).then(
        () => true,
        () => false,
      );
      throw new TakenOverError(!isBeside);
    }
    this.#sizes.set(fileName, bytes);
  }

  /**
   * Deletes the file of a pending change of this window, if there is one.
   *
   * @throws {TakenOverError} when another window has it by now.
   */
  async remove(id: string): Promise<void> {
    const fileName = this.#nameOf(id);
    const file = path.join(this.#folder, fileName);
    this.#checkHold(id);
    await rm(file, { force: true });
    await rm(file + unfinished, { force: true });
    this.#sizes.delete(fileName);
    this.#restWhenIdle();
  }

  /** Those of the pending changes of this window that are not there any more: another window has taken them. */
  missing(ids: Iterable<string>): string[] {
    return [...ids].filter((id) => this.#isLost(id));
  }

  /** Lets go of pending changes, so that any window can go on with them. */
  async release(ids: Iterable<string>): Promise<void> {
    for (const id of ids) {
      const mine = path.join(this.#folder, this.#nameOf(id));
      // One that was never written has no file.
      await rename(mine, path.join(this.#folder, freeName(id))).catch(() => undefined);
      this.#sizes.delete(this.#nameOf(id));
    }
    this.#restWhenIdle();
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
      // If files can't be watched, other windows' pending changes are seen when they are looked for.
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
      const text = await this.#readEntry(fileName, contents);
      if (text === undefined) {
        continue;
      }
      if (decodeChange(text).kind !== 'unreadable') {
        // Only its renaming is missing.
        await rename(file, path.join(this.#folder, whole)).catch(() => undefined);
      } else if (text === '' || existsSync(path.join(this.#folder, whole))) {
        await rm(file, { force: true }).catch(() => undefined);
      } else {
        await this.#setAside(fileName, contents);
      }
    }
  }

  /** The text of a file; undefined when there is none to be had, and then why is in the contents, unless it has just gone. */
  async #readEntry(fileName: string, contents: JournalContents): Promise<string | undefined> {
    const file = path.join(this.#folder, fileName);
    try {
      return await readFile(file, 'utf8');
    } catch (error) {
      if (systemCode(error) === 'EISDIR') {
        await this.#setAside(fileName, contents);
      } else if (!isNotThere(error)) {
        contents.unreadable.push(file);
      }
      return undefined;
    }
  }

  async #setAside(fileName: string, contents: JournalContents): Promise<void> {
    const file = path.join(this.#folder, fileName);
    const folder = path.join(this.#folder, unreadableFolder);
    const target = path.join(folder, `${randomBytes(3).toString('hex')}-${fileName}`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await rename(file, target);
      contents.setAside.push(target);
    } catch (error) {
      // Otherwise another window was faster.
      if (!isNotThere(error)) {
        contents.unreadable.push(file);
      }
    }
  }

  #nameOf(id: string): string {
    return `${id}.${this.#heart.name}.json`;
  }

  #isMine(holder: string | undefined): boolean {
    return holder === this.#heart.name;
  }

  #isOpen(holder: string): boolean {
    return this.#isMine(holder) ? this.isOpen : this.#others.isAlive(holder);
  }

  /** Makes the file of a pending change one of this window; its text, or undefined when it is not there. */
  #take({ pending, fileName }: FoundChange): string | undefined {
    const mine = this.#nameOf(pending.id);
    try {
      this.#heart.begin();
      renameSync(path.join(this.#folder, fileName), path.join(this.#folder, mine));
    } catch {
      return undefined;
    }
    let text: string;
    try {
      text = readFileSync(path.join(this.#folder, mine), 'utf8');
    } catch {
      this.#giveBack(pending.id);
      return undefined;
    }
    this.#sizes.delete(fileName);
    this.#sizes.set(mine, Buffer.byteLength(text));
    return text;
  }

  #giveBack(id: string): void {
    const mine = this.#nameOf(id);
    renameSync(path.join(this.#folder, mine), path.join(this.#folder, freeName(id)));
    this.#sizes.delete(mine);
    this.#restWhenIdle();
  }

  #checkHold(id: string): void {
    if (this.#isLost(id)) {
      this.#sizes.delete(this.#nameOf(id));
      this.#restWhenIdle();
      throw new TakenOverError(false);
    }
  }

  /** True when a pending change that this window has written isn't there any more, in a folder that is. */
  #isLost(id: string): boolean {
    const fileName = this.#nameOf(id);
    return (
      this.#sizes.has(fileName) && !existsSync(path.join(this.#folder, fileName)) && existsSync(this.#folder)
    );
  }

  async #isHeldByAnother(id: string): Promise<boolean> {
    return (await this.#files()).some((fileName) => {
      const name = parseName(fileName);
      return name?.id === id && name.holder !== undefined && !this.#isMine(name.holder);
    });
  }

  /** A window that holds nothing need not show that it lives. */
  #restWhenIdle(): void {
    if (![...this.#sizes.keys()].some((fileName) => this.#isMine(parseName(fileName)?.holder))) {
      this.#heart.rest();
    }
  }

  #checkRoom(fileName: string, bytes: number): void {
    const others = [...this.#sizes].filter(([other]) => other !== fileName);
    const sum = others.reduce((total, [, size]) => total + size, bytes);
    if (others.length >= journalLimits.pendingChanges || sum > journalLimits.bytes) {
      throw new JournalFullError();
    }
  }
}

function freeName(id: string): string {
  return `${id}.json`;
}

/** The pending change of a file, and the window that holds it. */
function parseName(fileName: string): { id: string; holder?: string } | undefined {
  const match = /^([0-9a-f-]{36})(?:\.(\d{1,10}-[0-9a-f]+))?\.json$/.exec(fileName);
  if (!match) {
    return undefined;
  }
  const [, id = '', holder] = match;
  return { id, ...(holder !== undefined && { holder }) };
}

function isNotThere(error: unknown): boolean {
  return systemCode(error) === 'ENOENT';
}
