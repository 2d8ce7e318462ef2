/**
 * The pending changes that this window holds, and the files in which they are: what is typed is on disk within half a second.
 * Besides, what other windows hold and earlier ones have left, and how changes go from one window to another.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { replaceFile } from '../../util/atomicFile.ts';
import { DisposableStore, type Disposable } from '../../util/disposable.ts';
import { Emitter } from '../../util/event.ts';
import type { ForgottenAccount } from '../../util/forgottenAccount.ts';
import { defaultIntervalMs } from '../../util/heartbeat.ts';
import type { ChangeFailure } from './failure.ts';
import { accountOf, forgottenAccounts, noteForgotten } from './forgottenAccounts.ts';
import {
  Journal,
  JournalFullError,
  TakenOverError,
  type FoundChange,
  type JournalLeftovers,
  type ReplaceFile,
} from './journal.ts';
import { subjectKey, type ChangeSubject } from './kinds/index.ts';
import { KnownEditions } from './knownEditions.ts';
import {
  settled,
  withAttempt,
  withoutHistory,
  withState,
  type KnownChange,
  type PendingChange,
  type TypedOn,
} from './pendingChange.ts';
import { inBackground } from '../../util/inBackground.ts';
import { systemCode } from '../../util/systemCode.ts';

/** Why what is typed cannot be kept on disk at the moment. It stays in memory, and is tried again. */
export interface JournalProblem {
  kind: 'full' | 'diskFull' | 'readOnly' | 'unknown';
  /** The file system's code, e.g. `EIO`. */
  code?: string;
}

/** The folder of the journal, when it can't be read. */
interface UnreadFolder {
  path: string;
  /** The file system's, e.g. `ENOTDIR`. */
  code: string | undefined;
}

/** A pending change of this window that another one has taken over. */
export interface LostChange {
  pending: PendingChange;
  /** True when more was typed here since: that is a pending change of its own now. */
  wentOn: boolean;
}

export interface HoldingContext {
  /** Resolves while there is a person in front of this window; see `HeartbeatOptions`. */
  isAttended?: () => PromiseLike<unknown>;
  /** Milliseconds between two looks whether the windows live that hold other pending changes. */
  lookIntervalMs?: number;
  /** Replaces files; tests make it fail. */
  replaceFile?: ReplaceFile;
  /** Milliseconds between two writes of what is typed. The first key of many is written at once. */
  writeDelayMs?: number;
  /** Milliseconds after which a file that could not be written is tried again. */
  retryDelayMs?: number;
}

/** See the module. */
export abstract class HeldChanges implements Disposable {
  readonly #replaceFile: ReplaceFile | undefined;
  readonly #writeDelayMs: number;
  readonly #retryDelayMs: number;
  readonly #isAttended: HoldingContext['isAttended'];
  readonly #lookIntervalMs: number;
  protected readonly disposables = new DisposableStore();
  readonly #changed = this.disposables.add(new Emitter<undefined>());
  readonly #lost = this.disposables.add(new Emitter<LostChange>());
  #journal: Journal | undefined;
  #folder: string | undefined;
  #editions: KnownEditions | undefined;
  /** That of the account of whom something was known last, also when that is forgotten. */
  #lastFolder: string | undefined;
  #active = false;
  #watcher: Disposable | undefined;
  /** The pending changes that this window holds, by id. */
  readonly #own = new Map<string, PendingChange>();
  /** Those of them that are on disk, as they are there. */
  readonly #written = new Map<string, PendingChange>();
  /** Those that another window has taken over. */
  readonly #takenAway = new Set<string>();
  /** Changes that other windows hold, and those that nobody does. */
  #found: FoundChange[] = [];
  #looking: NodeJS.Timeout | undefined;
  #leftovers: JournalLeftovers = { setAside: [], unreadable: [], newer: [] };
  #problem: JournalProblem | undefined;
  #unreadFolder: UnreadFolder | undefined;
  /** Pending changes whose file is not as they are. */
  readonly #dirty = new Set<string>();
  /** Where those that are gone were typed last, by their id, and what they were about. */
  readonly #ended = new Map<string, { about: string; typedOn: TypedOn }>();
  #timer: NodeJS.Timeout | undefined;
  /** When a write was begun last: a time that no setting of the clock changes. */
  #lastWrite = -Infinity;
  #writing: Promise<void> = Promise.resolve();
  /** Resolves when what is dirty now has been written, or could not be. */
  #nextWriting: PromiseWithResolvers<void> | undefined;
  #reading: Promise<void> = Promise.resolve();
  #nextReading: Promise<void> | undefined;

  /** Fires when a pending change, or the problem, is another one. */
  readonly onDidChange = this.#changed.event;
  /** Fires when another window has taken a pending change of this one over. */
  readonly onDidLose = this.#lost.event;
  constructor(context: HoldingContext) {
    this.#replaceFile = context.replaceFile;
    this.#writeDelayMs = context.writeDelayMs ?? 100;
    this.#retryDelayMs = context.retryDelayMs ?? 5_000;
    this.#isAttended = context.isAttended;
    this.#lookIntervalMs = context.lookIntervalMs ?? defaultIntervalMs;
  }

  /** Why what is typed is not on disk at the moment; undefined when it is. */
  get problem(): JournalProblem | undefined {
    return this.#problem;
  }

  /** The folder in which nobody can look at the moment for what other windows have or have left; undefined when that can be done. */
  get unreadFolder(): UnreadFolder | undefined {
    return this.#unreadFolder;
  }

  /** Names the account that is active, without saying who that is. */
  get account(): string | undefined {
    // The folder of each account has such a name.
    return this.#active && this.#folder !== undefined ? accountOf(this.#folder) : undefined;
  }

  /** The accounts whose data was deleted, for pages that may still have some of it. */
  async forgotten(): Promise<ForgottenAccount[]> {
    return this.#lastFolder === undefined ? [] : forgottenAccounts(this.#lastFolder);
  }

  /** Leftovers of the journal that could not be used. */
  get leftovers(): JournalLeftovers {
    return this.#leftovers;
  }

  /**
   * Turns to the pending changes of another account.
   *
   * @param folder where they lie; undefined when nobody is signed in. What is typed even then goes to the account before.
   */
  async activate(folder: string | undefined): Promise<void> {
    this.#active = folder !== undefined;
    if (folder === undefined || folder === this.#folder) {
      await this.flush();
      this.#changed.fire(undefined);
      return;
    }
    await this.#leave();
    const journal = new Journal(folder, {
      replaceFile: this.#replaceFile,
      intervalMs: this.#lookIntervalMs,
      ...(this.#isAttended && { isAttended: this.#isAttended }),
    });
    this.#folder = folder;
    this.#lastFolder = folder;
    this.#journal = journal;
    this.#editions = new KnownEditions(
      path.join(path.dirname(folder), 'pages'),
      this.#replaceFile ?? replaceFile,
    );
    inBackground(this.#editions.sweep(Date.now()));
    this.#watcher = await journal.watch(() => inBackground(this.reload()));
    await this.reload();
  }

  /** Reads again what other windows have left or are writing. */
  reload(): Promise<void> {
    // One that is under way may have missed what has just changed: another one follows it.
    this.#nextReading ??= this.#reading
      .catch(() => undefined)
      .then(() => {
        this.#nextReading = undefined;
        this.#reading = this.#reload();
        return this.#reading;
      });
    return this.#nextReading;
  }

  /** Forgets the pending changes of an account whose data is about to be deleted. */
  async forget(folder: string): Promise<void> {
    this.#lastFolder = folder;
    // If the disk takes nothing, pages keep their texts for as long as they keep anything.
    await noteForgotten(folder).catch(() => undefined);
    if (folder !== this.#folder) {
      return;
    }
    clearTimeout(this.#timer);
    this.#own.clear();
    this.#written.clear();
    this.#dirty.clear();
    this.#found = [];
    this.#active = false;
    await this.#writing;
    await this.#leave();
    this.#changed.fire(undefined);
  }

  /** Every pending change of the account, the last changed first. */
  list(): KnownChange[] {
    if (!this.#active) {
      return [];
    }
    const journal = this.#journal;
    const found = this.#found.map((entry) => {
      const heldBy = journal?.holder(entry) ?? 'nobody';
      return { ...(heldBy === 'nobody' ? settled(entry.pending) : entry.pending), heldBy };
    });
    const own = [...this.#own.values()].map((pending) => ({ ...pending, heldBy: 'here' as const }));
    return [...own, ...found].sort((a, b) => (a.changedAt < b.changedAt ? 1 : -1));
  }

  /** A pending change by its id; undefined for none, and when it was sent, discarded or never there. */
  get(id: string | undefined): KnownChange | undefined {
    return this.list().find((pending) => pending.id === id);
  }

  /** Notes of a change that two windows have had whatever keeps it from being sent twice. */
  protected abstract noteTwo(pending: PendingChange, shared: PendingChange): PendingChange;

  /** Called when what was typed into one that another window has taken goes on as another one. */
  protected abstract onGoOn(lost: string, goesOn: string): void;

  /** Called when the window has let go of what it held. */
  protected abstract onLeave(): void;

  /** The journal in use: another one for another account. */
  protected get journal(): Journal | undefined {
    return this.#journal;
  }

  /** Those that this window has, the one that it has had longest first. */
  protected own(): PendingChange[] {
    return [...this.#own.values()];
  }

  /** Those that others hold, or nobody does. */
  protected others(): PendingChange[] {
    return this.#found.map(({ pending }) => pending);
  }

  protected has(id: string): boolean {
    return this.#own.has(id);
  }

  protected isTakenAway(id: string): boolean {
    return this.#takenAway.has(id);
  }

  /** Has a pending change in this window as it is now. */
  protected set(pending: PendingChange): void {
    this.#own.set(pending.id, pending);
    this.#touch(pending.id);
  }

  /** Changes one that this window has. */
  protected update(id: string, change: (pending: PendingChange) => PendingChange): void {
    const pending = this.#own.get(id);
    if (pending) {
      this.set(change(pending));
    }
  }

  /** Has a pending change no more. @param typedOn how far it was typed, where that is further than it says itself. */
  protected delete(id: string, typedOn = this.#own.get(id)?.typedOn): void {
    const pending = this.#own.get(id);
    if (pending && typedOn) {
      this.#ended.set(id, { about: aboutOf(pending.subject), typedOn });
    }
    this.#own.delete(id);
    this.#touch(id);
  }

  /** True when what was typed on a page is known as far as this: whichever window has it, or it was sent, discarded, or gone on with. */
  isKnown(subject: ChangeSubject, typedOn: TypedOn): boolean {
    const about = aboutOf(subject);
    return (
      this.#editions?.has(about, typedOn) === true ||
      this.list().some(
        (pending) =>
          pending.typedOn?.page === typedOn.page &&
          pending.typedOn.edition >= typedOn.edition &&
          aboutOf(pending.subject) === about,
      )
    );
  }

  /** Takes over what a page had typed into that is gone and had got further: nobody types into it any more, in whichever window it is. */
  async takeUp(subject: ChangeSubject, { page, edition }: TypedOn): Promise<void> {
    const about = aboutOf(subject);
    const found = this.list().find(
      ({ heldBy, typedOn, subject: other }) =>
        heldBy === 'elsewhere' &&
        typedOn?.page === page &&
        typedOn.edition < edition &&
        aboutOf(other) === about,
    );
    if (found) {
      await this.takeOver(found.id);
    }
  }

  /** A pending change as one of this window: its own, or one that nobody has. */
  protected hold(id: string): PendingChange | undefined {
    const own = this.#own.get(id);
    if (own) {
      return own;
    }
    const journal = this.#journal;
    const found = this.#found.find(({ pending }) => pending.id === id);
    if (!found || journal?.holder(found) !== 'nobody' || !journal.claim(found)) {
      return undefined;
    }
    return this.#take(found, found.pending);
  }

  /**
   * Takes a pending change over, whoever has it. The window that has it learns of that, and writes to it no more: what is typed
   * there afterwards is a pending change of its own.
   *
   * @returns whether this window has it now.
   */
  async takeOver(id: string): Promise<boolean> {
    for (let tries = 0; tries < takingTries && !this.#own.has(id); tries += 1) {
      const found = this.#found.find(({ pending }) => pending.id === id);
      const pending = found && this.#journal?.takeOver(found);
      if (pending) {
        const isHeld = this.#journal?.holder(found) === 'elsewhere';
        this.#take(found, isHeld ? this.noteTwo(pending, pending) : pending);
        // The attempt to send it that it names is settled on disk, too.
        this.#touch(id);
        await this.flush();
      } else {
        // It was written to, or taken, at this moment.
        await this.reload();
      }
    }
    return this.#own.has(id);
  }

  /** Resolves when everything typed so far is on disk, or could not be written, without hurrying that: see `problem`. */
  async written(): Promise<void> {
    await (this.#nextWriting?.promise ?? this.#writing);
  }

  /** Resolves when everything typed so far is on disk, or could not be written: see `problem`. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // What has failed was told to whoever waited for it: what is typed since is written all the same.
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write());
    await this.#writing;
  }

  /** Ends the window's part: writes what is not on disk yet, and lets go of its pending changes. */
  async close(): Promise<void> {
    await this.flush();
    await this.#leave();
    this.dispose();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#nextWriting?.resolve();
    this.#stopLooking();
    this.#watcher?.dispose();
    this.#journal?.close();
    this.disposables.dispose();
  }

  async #leave(): Promise<void> {
    for (const pending of this.#own.values()) {
      if (pending.state === 'queued') {
        const failure: ChangeFailure = { kind: 'closed' };
        this.update(pending.id, (now) => ({ ...withState(now, 'failed'), failure }));
      }
    }
    await this.flush();
    this.#watcher?.dispose();
    this.#watcher = undefined;
    const held = [...this.#own.keys()];
    this.#own.clear();
    this.#written.clear();
    this.#takenAway.clear();
    this.#dirty.clear();
    this.#ended.clear();
    await this.#journal?.release(held);
    this.#journal?.close();
    this.#journal = undefined;
    this.#folder = undefined;
    this.#found = [];
    this.#stopLooking();
    this.#unreadFolder = undefined;
    this.onLeave();
    this.#setProblem(undefined);
  }

  async #reload(): Promise<void> {
    const journal = this.#journal;
    if (!journal) {
      return;
    }
    try {
      const { found, ...leftovers } = await journal.read();
      if (this.#journal !== journal) {
        return;
      }
      this.#found = found.filter(({ pending }) => !this.#own.has(pending.id));
      this.#leftovers = {
        ...leftovers,
        setAside: [...new Set([...this.#leftovers.setAside, ...leftovers.setAside])],
      };
      this.#unreadFolder = undefined;
      // Writing tells who has what is not there any more.
      const missing = journal.missing(this.#own.keys());
      missing.forEach((id) => this.#dirty.add(id));
      if (missing.length > 0) {
        inBackground(this.flush());
      }
    } catch (error) {
      this.#unreadFolder = { path: this.#folder ?? '', code: systemCode(error) };
    }
    this.#lookAtHolders();
    this.#changed.fire(undefined);
  }

  /** Looks again and again whether the windows live that hold other pending changes, as long as one does. */
  #lookAtHolders(): void {
    const journal = this.#journal;
    const isHeld = this.#found.some((found) => journal?.holder(found) === 'elsewhere');
    if (!journal?.isOpen || !isHeld) {
      this.#stopLooking();
      return;
    }
    this.#looking ??= setTimeout(() => {
      inBackground(
        journal.lookAtHolders().then((isNew) => {
          this.#looking = undefined;
          if (isNew) {
            inBackground(this.reload());
          } else {
            this.#lookAtHolders();
          }
        }),
      );
    }, this.#lookIntervalMs);
  }

  #stopLooking(): void {
    clearTimeout(this.#looking);
    this.#looking = undefined;
  }

  /** Goes on with a pending change that the journal has taken. */
  #take(found: FoundChange, pending: PendingChange): PendingChange {
    const { id } = pending;
    const taken = settled(pending);
    this.#found = this.#found.filter((other) => other !== found);
    this.#takenAway.delete(id);
    this.#written.set(id, pending);
    this.#own.set(id, taken);
    return taken;
  }

  /** Gives a pending change up that another window has taken over. What that one does not have goes on as a change of its own. */
  #lose(id: string, hasAll: boolean): void {
    const pending = this.#own.get(id);
    const taken = this.#written.get(id);
    this.#written.delete(id);
    this.#takenAway.add(id);
    if (pending) {
      const wentOn = !hasAll && !isDeepStrictEqual(pending.content, taken?.content);
      if (wentOn) {
        const copy = { ...withAttempt(withoutHistory(pending), pending.attempt), id: randomUUID() };
        this.#replace(id, taken ? this.noteTwo(copy, taken) : copy);
        this.onGoOn(id, copy.id);
        this.#touch(copy.id);
      } else {
        this.#own.delete(id);
      }
      this.#lost.fire({ pending, wentOn });
    }
    inBackground(this.reload());
  }

  /** Puts another pending change where one of this window was: an editor that went on with that goes on with this. */
  #replace(id: string, pending: PendingChange): void {
    const own = [...this.#own];
    this.#own.clear();
    for (const [other, kept] of own) {
      this.#own.set(other === id ? pending.id : other, other === id ? pending : kept);
    }
  }

  #touch(id: string): void {
    this.#dirty.add(id);
    this.#nextWriting ??= Promise.withResolvers();
    this.#schedule(Math.max(0, this.#lastWrite + this.#writeDelayMs - performance.now()));
    this.#changed.fire(undefined);
  }

  #schedule(delayMs: number): void {
    this.#timer ??= setTimeout(() => inBackground(this.flush()), delayMs);
  }

  async #write(): Promise<void> {
    const writing = this.#nextWriting;
    this.#nextWriting = undefined;
    try {
      await this.#writeDirty();
    } finally {
      writing?.resolve();
    }
  }

  async #writeDirty(): Promise<void> {
    const journal = this.#journal;
    this.#lastWrite = performance.now();
    let problem: JournalProblem | undefined;
    for (const id of [...this.#dirty]) {
      if (!journal?.isOpen) {
        return;
      }
      const pending = this.#own.get(id);
      this.#dirty.delete(id);
      try {
        await this.#noteEditions(id, pending);
        if (pending) {
          await journal.write(pending);
          this.#written.set(id, pending);
        } else {
          await journal.remove(id);
          this.#written.delete(id);
        }
      } catch (error) {
        if (error instanceof TakenOverError) {
          this.#lose(id, error.hasAll);
          continue;
        }
        this.#dirty.add(id);
        problem = problemOf(error);
      }
    }
    this.#setProblem(problem);
    if (problem) {
      this.#schedule(this.#retryDelayMs);
    }
  }

  /** Notes how far something was typed on a page before its file no longer says so. */
  async #noteEditions(id: string, pending: PendingChange | undefined): Promise<void> {
    const written = this.#written.get(id);
    const ended = pending ? undefined : this.#ended.get(id);
    const before = written?.typedOn && { about: aboutOf(written.subject), typedOn: written.typedOn };
    for (const { about, typedOn } of [before, ended].filter((each) => each !== undefined)) {
      const now = typedOn.page === pending?.typedOn?.page ? pending : undefined;
      if (!now || aboutOf(now.subject) !== about) {
        // What has become a change of something else was typed as far as that is now, before it did.
        const known = now?.typedOn ?? typedOn;
        // Without it, what the page gives back may be offered once more: that is no reason to keep a change from being written.
        await this.#editions?.note(about, known).catch(() => undefined);
      }
    }
    this.#ended.delete(id);
  }

  #setProblem(problem: JournalProblem | undefined): void {
    if (problem?.kind !== this.#problem?.kind) {
      this.#problem = problem;
      this.#changed.fire(undefined);
    }
  }
}

/**
 * The name of what was typed about something on a page. The title and the description of a patch stack are the same ones in all its versions:
 * what was begun in one of them goes on in the newest.
 */
function aboutOf(subject: ChangeSubject): string {
  return subject.kind === 'stack'
    ? JSON.stringify([subject.kind, subject.branchId ?? subject.stackUuid])
    : subjectKey(subject);
}

/** A pending change that others write to is tried to be taken over this often. */
const takingTries = 5;

const problemKinds: Record<string, JournalProblem['kind']> = {
  ENOSPC: 'diskFull',
  EDQUOT: 'diskFull',
  EROFS: 'readOnly',
  EACCES: 'readOnly',
  EPERM: 'readOnly',
};

function problemOf(error: unknown): JournalProblem {
  if (error instanceof JournalFullError) {
    return { kind: 'full' };
  }
  const code = systemCode(error);
  return { kind: problemKinds[code ?? ''] ?? 'unknown', ...(code !== undefined && { code }) };
}
