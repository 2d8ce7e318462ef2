/**
 * All pending changes of the active account: what this window types, what it sends, and what other windows or earlier ones have
 * left. What is typed is on disk within half a second, and leaves there only when the service has said yes.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { isApiError, mayHaveArrived } from '../../api/errors.ts';
import { DisposableStore, type Disposable } from '../../util/disposable.ts';
import { Emitter } from '../../util/event.ts';
import { defaultInterval } from '../../util/heartbeat.ts';
import type { AskService, Model } from '../model.ts';
import type { PatchAddress } from '../patchAddress.ts';
import type { StackVersion } from '../newestVersion.ts';
import type { ChangeFailure, ChangeFailureKind } from './failure.ts';
import { Journal, JournalFullError, TakenOverError, type FoundChange, type ReplaceFile } from './journal.ts';
import {
  kindOf,
  patchOf,
  subjectKey,
  type ChangeContent,
  type ChangeSubject,
  type ChangeSubjects,
  type WrittenChange,
} from './kinds/index.ts';
import {
  isNothing,
  settled,
  withAttempt,
  withoutHistory,
  withState,
  type KnownChange,
  type PendingChange,
  type SendOutcome,
  type TypedOn,
} from './pendingChange.ts';
import type { Ask } from './sending.ts';
import { sendToNewest, type Arrival, type SendContext } from './sendToNewest.ts';

/** Why what is typed cannot be kept on disk at the moment. It stays in memory, and is tried again. */
export interface JournalProblem {
  kind: 'full' | 'diskFull' | 'readOnly' | 'unknown';
  /** What the file system says, e.g. `EIO`. */
  code?: string;
}

/** What lay in the journal and could not be used. */
export interface JournalLeftovers {
  /** Unreadable files, by the path that they were moved to. */
  setAside: string[];
  /** Files of a newer version of the extension, which stay where they are. */
  newer: string[];
}

/** A pending change that the service has taken. */
export interface SentChange {
  /** What a person calls the thing that it changed. */
  title: string;
  change: WrittenChange;
  /** When it was begun in an older version of the patch stack: that patch, and the newest version, which it went into. */
  moved?: { begunIn: PatchAddress | undefined; newest: StackVersion };
}

/** A pending change that was thrown away, and how to bring it back as it was. */
export interface DiscardedChange {
  pending: PendingChange;
  bringBack: () => Promise<void>;
  /** Whether *Undo* is offered where it was discarded. */
  undoOffered: boolean;
}

/** A pending change of this window that another one has taken over. */
export interface LostChange {
  pending: PendingChange;
  /** Whether more was typed here since: that is a pending change of its own now. */
  wentOn: boolean;
}

/** What the service has of something that was added. */
interface Added {
  subject: ChangeSubject;
  code: string;
  taken: ChangeContent;
}

/** What pending changes need of the rest. */
export interface PendingChangesContext {
  ask: AskService;
  model: Model;
  /** Resolves while there is a person in front of this window; see `HeartbeatOptions`. */
  isAttended?: () => PromiseLike<unknown>;
  /** Milliseconds between two looks whether the windows live that hold other pending changes. */
  lookInterval?: number;
  now?: () => Date;
  /** How files are replaced; tests make it fail. */
  replaceFile?: ReplaceFile;
  /** Milliseconds between two writes of what is typed. The first key of many is written at once. */
  delay?: number;
  /** Milliseconds after which a file that could not be written is tried again. */
  retryDelay?: number;
}

/** See the module. */
export class PendingChanges implements Disposable {
  readonly #ask: AskService;
  readonly #model: Model;
  readonly #now: () => Date;
  readonly #replaceFile: ReplaceFile | undefined;
  readonly #delay: number;
  readonly #retryDelay: number;
  readonly #isAttended: PendingChangesContext['isAttended'];
  readonly #lookInterval: number;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<undefined>());
  readonly #sent = this.#disposables.add(new Emitter<SentChange>());
  readonly #discarded = this.#disposables.add(new Emitter<DiscardedChange>());
  readonly #lost = this.#disposables.add(new Emitter<LostChange>());
  #journal: Journal | undefined;
  #folder: string | undefined;
  #active = false;
  #watcher: Disposable | undefined;
  /** The pending changes that this window holds, by id. */
  readonly #own = new Map<string, PendingChange>();
  /** Those of them that are on disk, as they are there. */
  readonly #written = new Map<string, PendingChange>();
  /** Those that another window has taken over. */
  readonly #takenAway = new Set<string>();
  /** What other windows hold, and what nobody does. */
  #found: FoundChange[] = [];
  #looking: NodeJS.Timeout | undefined;
  #leftovers: JournalLeftovers = { setAside: [], newer: [] };
  #problem: JournalProblem | undefined;
  /** Pending changes whose file is not as they are. */
  readonly #dirty = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  /** When a write was begun last: a time that no setting of the clock changes. */
  #lastWrite = -Infinity;
  #writing: Promise<void> = Promise.resolve();
  /** Resolves when what is dirty now has been written, or could not be. */
  #nextWriting: PromiseWithResolvers<void> | undefined;
  #reading: Promise<void> = Promise.resolve();
  #nextReading: Promise<void> | undefined;
  /** What was added, by the subject of its pending change: an editor may go on with that. */
  readonly #added = new Map<string, Added>();
  /** What is being sent, by what it must not be sent at the same time with. */
  readonly #sending = new Map<string, Promise<unknown>>();

  /** Fires when a pending change, or the problem, is another one. */
  readonly onDidChange = this.#changed.event;
  /** Fires when the service has taken a change. */
  readonly onDidSend = this.#sent.event;
  /** Fires when a pending change was thrown away. */
  readonly onDidDiscard = this.#discarded.event;
  /** Fires when another window has taken a pending change of this one over. */
  readonly onDidLose = this.#lost.event;

  constructor(context: PendingChangesContext) {
    this.#ask = context.ask;
    this.#model = context.model;
    this.#now = context.now ?? (() => new Date());
    this.#replaceFile = context.replaceFile;
    this.#delay = context.delay ?? 100;
    this.#retryDelay = context.retryDelay ?? 5_000;
    this.#isAttended = context.isAttended;
    this.#lookInterval = context.lookInterval ?? defaultInterval;
  }

  /** Why what is typed is not on disk at the moment; undefined when it is. */
  get problem(): JournalProblem | undefined {
    return this.#problem;
  }

  /** Names the account that is active, without saying who that is. */
  get account(): string | undefined {
    // The folder of each account has such a name.
    return this.#active && this.#folder !== undefined ? path.basename(path.dirname(this.#folder)) : undefined;
  }

  /** What lay in the journal and could not be used. */
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
      interval: this.#lookInterval,
      ...(this.#isAttended && { isAttended: this.#isAttended }),
    });
    this.#folder = folder;
    this.#journal = journal;
    this.#watcher = await journal.watch(() => void this.reload());
    await this.reload();
  }

  /** Reads again what other windows have left or are writing. */
  reload(): Promise<void> {
    // One that is under way may have missed what has just changed: another one follows it.
    this.#nextReading ??= this.#reading.then(() => {
      this.#nextReading = undefined;
      this.#reading = this.#reload();
      return this.#reading;
    });
    return this.#nextReading;
  }

  /** Forgets the pending changes of an account whose data is about to be deleted. */
  async forget(folder: string): Promise<void> {
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

  /**
   * The pending change of a subject that an editor goes on with: of those that this window has, the one that it has had longest, so
   * that another one which it takes over is not overwritten by what is typed into the first; else the newest that nobody has.
   */
  find<S extends ChangeSubject>(subject: S): KnownChange<S> | undefined {
    const key = subjectKey(this.#added.get(subjectKey(subject))?.subject ?? subject);
    const isOfSubject = (pending: PendingChange): boolean => subjectKey(pending.subject) === key;
    const own = this.#active ? [...this.#own.values()].find(isOfSubject) : undefined;
    const found: KnownChange | undefined = own
      ? { ...own, heldBy: 'here' }
      : this.list().find((pending) => pending.heldBy === 'nobody' && isOfSubject(pending));
    return found as KnownChange<S> | undefined;
  }

  /** What an editor of each subject goes on with, the last changed first: see `find`. */
  shown(): KnownChange[] {
    return this.list().filter(({ id, subject }) => this.find(subject)?.id === id);
  }

  /**
   * Keeps what is typed: in memory at once, and on disk within half a second. Where the change began counts only when the
   * pending change begins: afterwards it moves on with what the service takes. What changes nothing is no pending change.
   *
   * @param title what a person calls the thing that is changed.
   * @param typedOn where it was typed, if it was on a page.
   */
  put<S extends ChangeSubject>(
    subject: S,
    content: ChangeContent<S>,
    title: string,
    typedOn?: TypedOn,
  ): void {
    const current = this.#current(subject, content);
    const before = this.#hold(current.subject);
    const now = this.#now().toISOString();
    const pending: PendingChange = {
      id: before?.id ?? randomUUID(),
      subject: current.subject,
      content: before ? kindOf(current.subject).goOn(before.content, current.content) : current.content,
      title,
      // What is on its way stays so; what failed, or waits for a decision, is shown as such until it is sent again.
      state: before?.state ?? 'editing',
      startedAt: before?.startedAt ?? now,
      changedAt: now,
      ...(typedOn && { typedOn }),
      ...(before?.failure && { failure: before.failure }),
      ...(before?.attempt && { attempt: before.attempt }),
      ...(before?.resolution !== undefined && { resolution: before.resolution }),
    };
    if (isNothing(pending)) {
      this.#own.delete(pending.id);
    } else {
      this.#own.set(pending.id, before ? pending : this.#besideOthers(pending));
    }
    this.#touch(pending.id);
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
        this.#take(found, isHeld ? this.#mayBeSentToo(pending, pending) : pending);
        // What it says of a try to send it is settled on disk, too.
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
    this.#writing = this.#writing.then(() => this.#write());
    await this.#writing;
  }

  /**
   * Throws a pending change away.
   *
   * @param undoOffered whether *Undo* is offered where that is done, so that no message need offer it.
   * @returns brings it back as it was.
   */
  async discard(
    id: string,
    { undoOffered = false }: { undoOffered?: boolean } = {},
  ): Promise<() => Promise<void>> {
    const pending = this.#holdById(id);
    if (!pending) {
      return async () => undefined;
    }
    this.#own.delete(id);
    this.#touch(id);
    await this.flush();
    if (this.#takenAway.has(id)) {
      // It is for the other window to say what becomes of it.
      return async () => undefined;
    }
    const bringBack = async (): Promise<void> => {
      // Back already: what was typed into it since stays.
      if (!this.#own.has(id)) {
        this.#own.set(id, settled(pending));
        this.#touch(id);
        await this.flush();
      }
    };
    this.#discarded.fire({ pending, bringBack, undoOffered });
    return bringBack;
  }

  /**
   * Keeps what cannot be taken back once it is sent: it waits, on disk, until `send` is called. What was queued of the same
   * subject before goes.
   */
  async queue<S extends ChangeSubject>(subject: S, content: ChangeContent<S>, title: string): Promise<void> {
    this.put(subject, content, title);
    const pending = this.#hold(subject);
    // One that is on its way stays so: what was said since is queued after it.
    if (pending && pending.state !== 'sending') {
      this.#update(pending.id, (now) => withState(now, 'queued'));
    }
    await this.flush();
  }

  /** Has what waited when its window was closed wait here. False when that is someone else's by now. */
  requeue(id: string): boolean {
    const isHere = this.#holdById(id)?.failure?.kind === 'closed';
    if (isHere) {
      this.#update(id, (now) => ({ ...withState(now, 'queued'), changedAt: this.#now().toISOString() }));
    }
    return isHere;
  }

  /** Takes a change back that was not sent: the service has refused it, or *Undo* was pressed in time. Nobody is told. */
  async takeBack(id: string): Promise<void> {
    if (this.#holdById(id)) {
      this.#own.delete(id);
      this.#touch(id);
      await this.flush();
    }
  }

  /** Notes why the service did not take what stands in a form. */
  noteFailure(subject: ChangeSubjects['form'], error: unknown): void {
    const pending = this.#hold(subject);
    if (pending) {
      const arrived = !isApiError(error) || mayHaveArrived(error);
      const failure = failureOf(isApiError(error) ? error.kind : 'form', error, arrived);
      this.#update(pending.id, (now) => ({ ...withState(now, 'failed'), failure }));
    }
  }

  /** Keeps how far the person has come with resolving a conflict; undefined when they have not begun. */
  keepResolution(id: string, resolution: string | undefined): void {
    const held = this.#holdById(id);
    if (held?.state === 'conflict' && held.resolution !== resolution) {
      this.#update(id, (pending) => {
        const changed = { ...pending, ...(resolution !== undefined && { resolution }) };
        if (resolution === undefined) {
          delete changed.resolution;
        }
        return changed;
      });
    }
  }

  /**
   * Says how a conflict ends: with this text instead of the one that is on the service. It is not sent by that.
   *
   * @param theirs what the person saw of the service's text when they decided.
   */
  resolve(id: string, theirs: string, text: string): void {
    const pending = this.#holdById(id);
    if (!pending) {
      return;
    }
    const { subject, failure } = pending;
    const content =
      kindOf(subject).conflict?.decide(pending.content, text, { ...failure, theirs }) ?? pending.content;
    const changedAt = this.#now().toISOString();
    this.#own.set(id, { ...withoutHistory(pending, { subject, content }), changedAt });
    this.#touch(id);
  }

  /**
   * Says whether the section that a new one may have become is that one. It is not sent by that: when they are the same,
   * the rest of the text is a change of that section from now on.
   */
  decideNewSection(id: string, isTheSame: boolean): void {
    const pending = this.#holdById(id);
    const { code } = pending?.failure ?? {};
    const addition = pending && kindOf(pending.subject).addition;
    if (!addition || code === undefined) {
      return;
    }
    const { subject, attempt, content } = pending;
    if (isTheSame) {
      const taken = addition.takenAs(content, attempt);
      this.#own.set(id, withoutHistory(pending, addition.become(pending, code, taken)));
      this.#noteAdded(subject, code, taken);
    } else {
      this.#own.set(id, {
        ...withoutHistory(pending),
        ...(attempt && { attempt: { ...attempt, codes: [...(attempt.codes ?? []), code] } }),
      });
    }
    this.#touch(id);
  }

  /** Makes something of its own of the text of something that is gone, at the end of its patch. Not sent by that. */
  makeNew(id: string): void {
    const pending = this.#holdById(id);
    const lost = pending && kindOf(pending.subject).lost;
    if (lost) {
      this.#own.set(id, withoutHistory(pending, lost.anew(pending, id)));
      this.#touch(id);
    }
  }

  /**
   * Sends a pending change: what the service has is read before, and joined with it. It leaves the journal when the service has
   * said yes; what is typed meanwhile stays as a pending change.
   */
  async send(id: string, signal?: AbortSignal): Promise<SendOutcome> {
    const known = this.get(id);
    if (!known) {
      // It was sent already, or thrown away.
      return { kind: 'sent' };
    }
    const queue = JSON.stringify(kindOf(known.subject).queue(known.subject));
    const before = this.#sending.get(queue) ?? Promise.resolve();
    const sending = before.then(() => this.#send(id, signal));
    const settled = sending.catch(() => undefined);
    this.#sending.set(queue, settled);
    try {
      return await sending;
    } finally {
      if (this.#sending.get(queue) === settled) {
        this.#sending.delete(queue);
      }
    }
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
    this.#disposables.dispose();
  }

  async #leave(): Promise<void> {
    for (const pending of this.#own.values()) {
      if (pending.state === 'queued') {
        const failure: ChangeFailure = { kind: 'closed', mayHaveArrived: false };
        this.#update(pending.id, (now) => ({ ...withState(now, 'failed'), failure }));
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
    await this.#journal?.release(held);
    this.#journal?.close();
    this.#journal = undefined;
    this.#folder = undefined;
    this.#found = [];
    this.#stopLooking();
    this.#added.clear();
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
        setAside: [...new Set([...this.#leftovers.setAside, ...leftovers.setAside])],
        newer: leftovers.newer,
      };
      // Writing tells who has what is not there any more.
      const missing = journal.missing(this.#own.keys());
      missing.forEach((id) => this.#dirty.add(id));
      if (missing.length > 0) {
        void this.flush();
      }
    } catch (error) {
      this.#setProblem(problemOf(error));
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
      void journal.lookAtHolders().then((isNew) => {
        this.#looking = undefined;
        if (isNew) {
          void this.reload();
        } else {
          this.#lookAtHolders();
        }
      });
    }, this.#lookInterval);
  }

  #stopLooking(): void {
    clearTimeout(this.#looking);
    this.#looking = undefined;
  }

  /** What is typed into something that was added since is a change of that. */
  #current(subject: ChangeSubject, content: ChangeContent): Pick<PendingChange, 'subject' | 'content'> {
    const added = this.#added.get(subjectKey(subject));
    const change = { subject, content };
    return (added && kindOf(subject).addition?.become(change, added.code, added.taken)) ?? change;
  }

  /** The pending change of a subject, as one of this window: its own, or the newest that nobody has. */
  #hold(subject: ChangeSubject): PendingChange | undefined {
    const found = this.find(subject);
    return found && this.#holdById(found.id);
  }

  #holdById(id: string): PendingChange | undefined {
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

  /** A pending change that two windows have had: what one of them adds is not to be added by the other as well. */
  #mayBeSentToo(pending: PendingChange, shared: PendingChange): PendingChange {
    const { addition } = kindOf(pending.subject);
    const patch = patchOf(pending.subject);
    const known = patch && this.#model.knownPatch(patch)?.value.sections;
    return addition && known && !pending.attempt
      ? {
          ...pending,
          attempt: addition.attemptOfTwo(
            shared.content,
            known.map(({ code }) => code),
          ),
        }
      : pending;
  }

  /** A pending change that begins although another window has one of the same subject, which may have taken it at this moment. */
  #besideOthers(pending: PendingChange): PendingChange {
    const key = subjectKey(pending.subject);
    const other = this.#found.find((found) => subjectKey(found.pending.subject) === key)?.pending;
    return other ? this.#mayBeSentToo(withAttempt(pending, other.attempt), other) : pending;
  }

  /** Gives a pending change up that another window has taken over. What that one does not have goes on as a change of its own. */
  #lose(id: string, hasAll: boolean): void {
    const pending = this.#own.get(id);
    const taken = this.#written.get(id);
    this.#written.delete(id);
    this.#takenAway.add(id);
    if (pending) {
      const wentOn = !hasAll && !isSame(pending.content, taken?.content);
      if (wentOn) {
        const copy = { ...withAttempt(withoutHistory(pending), pending.attempt), id: randomUUID() };
        this.#replace(id, taken ? this.#mayBeSentToo(copy, taken) : copy);
        this.#touch(copy.id);
      } else {
        this.#own.delete(id);
      }
      this.#lost.fire({ pending, wentOn });
    }
    void this.reload();
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
    this.#schedule(Math.max(0, this.#lastWrite + this.#delay - performance.now()));
    this.#changed.fire(undefined);
  }

  #schedule(delay: number): void {
    this.#timer ??= setTimeout(() => void this.flush(), delay);
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
      this.#schedule(this.#retryDelay);
    }
  }

  #setProblem(problem: JournalProblem | undefined): void {
    if (problem?.kind !== this.#problem?.kind) {
      this.#problem = problem;
      this.#changed.fire(undefined);
    }
  }

  #update(id: string, change: (pending: PendingChange) => PendingChange): void {
    const pending = this.#own.get(id);
    if (pending) {
      this.#own.set(id, change(pending));
      this.#touch(id);
    }
  }

  async #send(id: string, signal: AbortSignal | undefined): Promise<SendOutcome> {
    const pending = this.#holdById(id);
    if (!pending) {
      const isThere = this.list().some((other) => other.id === id);
      return isThere ? this.#fail(id, 'elsewhere') : { kind: 'sent' };
    }
    const { subject } = pending;
    if (!kindOf(subject).send) {
      return this.#fail(id, 'form');
    }
    const sending = withState(pending, 'sending');
    this.#update(id, () => sending);
    // On disk first. When that cannot be, the service is the safest place there is.
    await this.flush();
    if (this.#takenAway.has(id)) {
      return this.#fail(id, 'elsewhere');
    }
    const tries = this.#triesOf(pending, signal);
    try {
      const arrival = await sendToNewest(sending, subject, { ...tries, model: this.#model, signal });
      return await this.#conclude(pending, arrival, signal);
    } catch (error) {
      const arrived = tries.mayHaveWritten() && (!isApiError(error) || mayHaveArrived(error));
      if (tries.mayHaveWritten() && !arrived) {
        tries.takeBackAttempt();
      }
      return this.#fail(id, isApiError(error) ? error.kind : 'unknown', { error, mayHaveArrived: arrived });
    }
  }

  /** How the service is asked on behalf of a pending change, which notes what was tried. */
  #triesOf({ id, attempt: before }: PendingChange, signal: AbortSignal | undefined) {
    const journal = this.#journal;
    let wrote = false;
    const ask: AskService = (operation) => {
      if (this.#journal !== journal) {
        throw new Error('Another account is active now.');
      }
      return this.#ask(operation);
    };
    const read: Ask = (operation) => ask((client) => operation(client, { signal }));
    const write: SendContext['write'] = async (operation, attempt) => {
      if (attempt) {
        this.#update(id, (now) => ({ ...now, attempt }));
        await this.flush();
      }
      return ask((client) => {
        wrote = true;
        return operation(client, { signal });
      });
    };
    const takeBackAttempt = (): void => {
      // This try did nothing; an earlier one may still arrive.
      this.#update(id, (now) => withAttempt(now, before));
      wrote = false;
    };
    return { ask, read, write, takeBackAttempt, mayHaveWritten: () => wrote };
  }

  /** Takes in what the service has answered. */
  async #conclude(
    { id, subject: begun, content, title }: PendingChange,
    { result, subject, begunIn, newest }: Arrival,
    signal: AbortSignal | undefined,
  ): Promise<SendOutcome> {
    const patch = subject && patchOf(subject);
    if (result.kind !== 'sent' && patch) {
      // Someone else was there: it is to be shown as it is now.
      this.#model.markPatchStale(patch);
    }
    if (result.kind === 'conflict') {
      const failure: ChangeFailure = {
        ...result,
        mayHaveArrived: result.code !== undefined,
        ...(newest && { newest }),
      };
      this.#update(id, (now) => ({ ...withState(now, 'conflict'), failure }));
      await this.flush();
      const sides = kindOf(begun).conflict?.sides(content, result);
      return { base: '', mine: '', ...sides, ...result, ...(newest && { newest }) };
    }
    if (result.kind !== 'sent') {
      const { patchVersion } = { patchVersion: undefined, ...result };
      return this.#fail(id, result.kind, { newest, patchVersion });
    }
    const { written, code, show, merged, taken = content } = result;
    const goneOn = this.#settle(id, begun, content, taken, code);
    // At the same moment: what was there before it must not show again in between, nor be what a next one starts from.
    show?.(this.#model);
    await this.flush();
    if (written) {
      this.#sent.fire({ title, change: written, ...(newest && { moved: { begunIn, newest } }) });
    }
    // The service has an earlier text than the one that was to be sent: the rest follows.
    if (taken !== content && goneOn) {
      return this.#send(id, signal);
    }
    return {
      kind: 'sent',
      ...(merged !== undefined && { merged }),
      ...(code !== undefined && { code }),
      ...(newest && { newest }),
    };
  }

  /**
   * Takes out of the journal what the service has; what was typed since stays.
   *
   * @returns whether something stays.
   */
  #settle(
    id: string,
    subject: ChangeSubject,
    sent: ChangeContent,
    taken: ChangeContent,
    code: string | undefined,
  ): boolean {
    const now = this.#own.get(id);
    if (code !== undefined) {
      this.#noteAdded(subject, code, taken);
    }
    const rest = now && (now.content !== sent || taken !== sent) && restOf(now, taken, code);
    if (rest && !isNothing(rest)) {
      this.#own.set(id, rest);
    } else {
      this.#own.delete(id);
    }
    this.#touch(id);
    return this.#own.has(id);
  }

  /** Other pending changes that wait for what was added, or might be taken for it, learn of it. */
  #noteAdded(subject: ChangeSubject, code: string, taken: ChangeContent): void {
    const { addition } = kindOf(subject);
    if (!addition) {
      return;
    }
    const became = addition.become({ subject, content: taken }, code, taken);
    this.#added.set(subjectKey(subject), { subject: became.subject, code, taken });
    for (const pending of [...this.#own.values()]) {
      const learnt = pending.subject.kind === subject.kind && addition.learn(pending, subject, code);
      if (learnt) {
        this.#own.set(pending.id, { ...pending, ...learnt });
        this.#touch(pending.id);
      }
    }
  }

  async #fail(
    id: string,
    kind: ChangeFailureKind,
    details: {
      error?: unknown;
      mayHaveArrived?: boolean;
      newest?: StackVersion | undefined;
      patchVersion?: string | undefined;
    } = {},
  ): Promise<SendOutcome> {
    const { error, mayHaveArrived = false, newest, patchVersion } = details;
    const failure: ChangeFailure = {
      ...failureOf(kind, error, mayHaveArrived),
      ...(newest && { newest }),
      ...(patchVersion !== undefined && { patchVersion }),
    };
    this.#update(id, (now) => ({ ...withState(now, 'failed'), failure }));
    await this.flush();
    return { kind: 'failed', failure, error };
  }
}

function failureOf(kind: ChangeFailureKind, error: unknown, arrived: boolean): ChangeFailure {
  const serviceMessage = isApiError(error) ? error.serviceMessage : undefined;
  return { kind, mayHaveArrived: arrived, ...(serviceMessage !== undefined && { serviceMessage }) };
}

/** What stays of a pending change when the service has an earlier content of it. */
function restOf(now: PendingChange, taken: ChangeContent, code: string | undefined): PendingChange {
  const { state = 'editing', ...change } = kindOf(now.subject).rest(now, taken, code);
  return { ...withoutHistory(now, change), state };
}

/** How often a pending change is tried to be taken over that others write to. */
const takingTries = 5;

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

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
  const { code } = error as NodeJS.ErrnoException;
  return { kind: problemKinds[code ?? ''] ?? 'unknown', ...(code !== undefined && { code }) };
}
