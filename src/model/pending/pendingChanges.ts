/**
 * All pending changes of the active account: what this window types, what it sends, and what other windows or earlier ones have
 * left. What is typed is on disk within half a second, and leaves there only when the service has said yes.
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isApiError, mayHaveArrived } from '../../api/errors.ts';
import type { OtherVersion } from '../../api/types/patches.ts';
import { contentTag } from '../../util/contentTag.ts';
import { Emitter } from '../../util/event.ts';
import type { AskService } from '../askService.ts';
import type { Model } from '../model.ts';
import type { StackVersion } from '../newestVersion.ts';
import type { ChangeFailure, ChangeFailureKind } from './failure.ts';
import { HeldChanges, type HoldingContext } from './heldChanges.ts';
import {
  kindOf,
  subjectKey,
  type ChangeContent,
  type ChangeSubject,
  type ChangeSubjects,
  type WrittenChange,
} from './kinds/index.ts';
import { patchOf } from './subjects.ts';
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
import type { PatchRef } from '../../util/patchRef.ts';

/** A pending change that the service has taken. */
export interface SentChange {
  /** That of the pending change. */
  id: string;
  title: string;
  change: WrittenChange;
  /** When it was begun in an older version of the patch stack: that patch, and the newest version, which it went into. */
  moved?: { begunIn: PatchRef | undefined; newest: StackVersion };
}

/** A pending change that was thrown away, and how to bring it back as it was. */
interface DiscardedChange {
  pending: PendingChange;
  bringBack: () => Promise<void>;
  undoOffered: boolean;
}

interface Added {
  subject: ChangeSubject;
  code: string;
  taken: ChangeContent;
}

export interface PendingChangesContext extends HoldingContext {
  ask: AskService;
  model: Model;
  now?: () => Date;
}

/** See the module. */
export class PendingChanges extends HeldChanges {
  readonly #ask: AskService;
  readonly #model: Model;
  readonly #now: () => Date;
  readonly #sent = this.disposables.add(new Emitter<SentChange>());
  readonly #discarded = this.disposables.add(new Emitter<DiscardedChange>());
  /** Additions, by the subjects of their pending changes: an editor may go on with one. */
  readonly #added = new Map<string, Added>();
  /** The last content of each subject that the service has taken, by its key, and the page that it was typed on. */
  readonly #taken = new Map<string, { content: ChangeContent; page: string }>();
  /** The pending change that was typed into last, by its subject: an editor shows that one. */
  readonly #typedInto = new Map<string, string>();
  /** Changes being sent, by their queues. */
  readonly #sending = new Map<string, Promise<unknown>>();

  /** Fires when the service has taken a change. */
  readonly onDidSend = this.#sent.event;
  /** Fires when a pending change was thrown away. */
  readonly onDidDiscard = this.#discarded.event;

  constructor(context: PendingChangesContext) {
    super(context);
    this.#ask = context.ask;
    this.#model = context.model;
    this.#now = context.now ?? (() => new Date());
  }

  /**
   * The pending change of a subject that an editor goes on with: of those that this window has, the one that was typed into last,
   * else the one that it has had longest, so that another one which it takes over is not overwritten by what is typed into the
   * first; else the newest that nobody has.
   */
  find<S extends ChangeSubject>(subject: S): KnownChange<S> | undefined {
    const key = subjectKey(this.#added.get(subjectKey(subject))?.subject ?? subject);
    // Subjects with one key are of one kind.
    const isOfSubject = <P extends PendingChange>(pending: P): pending is P & PendingChange<S> =>
      subjectKey(pending.subject) === key;
    const candidates = this.account === undefined ? [] : this.own().filter(isOfSubject);
    const own = candidates.find(({ id }) => id === this.#typedInto.get(key)) ?? candidates[0];
    return own
      ? { ...own, heldBy: 'here' }
      : this.list()
          .filter(({ heldBy }) => heldBy === 'nobody')
          .find(isOfSubject);
  }

  /** The change that an editor of each subject goes on with, the last changed first: see `find`. */
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
    this.#put(subject, content, title, { ...(typedOn && { typedOn }) });
  }

  /**
   * Keeps a change that an agent proposes, for the person to see, to change, and to send. It takes the place of an earlier proposal of the
   * same, and of nothing that a person has made.
   *
   * @returns false when there is a change of the same that is a person's, or the service has it already: then nothing is kept.
   */
  propose<S extends ChangeSubject>(subject: S, content: ChangeContent<S>, title: string): boolean {
    const key = subjectKey(subject);
    const others = this.list().filter((other) => subjectKey(other.subject) === key);
    const isFree = others.every(({ proposed, heldBy }) => proposed && heldBy !== 'elsewhere');
    if (this.account === undefined || this.#added.has(key) || !isFree) {
      return false;
    }
    this.#put(subject, content, title, { proposed: true });
    return true;
  }

  /**
   * Keeps what an earlier page has left and what doesn't fit the change that there is of the same: beside that one, which is shown until it
   * is gone.
   */
  keepBeside<S extends ChangeSubject>(
    subject: S,
    content: ChangeContent<S>,
    title: string,
    typedOn: TypedOn,
  ): void {
    const shown = this.#holdOf(subject);
    // Whichever window goes on with the two finds first what is shown here.
    const before = new Date((shown ? Date.parse(shown.changedAt) : this.#now().getTime()) - 1).toISOString();
    const times = { startedAt: before, changedAt: before };
    this.set({ id: randomUUID(), subject, content, title, state: 'editing', ...times, typedOn });
  }

  /** Another change of the same, which waits until this one is gone. */
  besides({ id, subject }: PendingChange): KnownChange | undefined {
    const key = subjectKey(subject);
    return this.list().find(
      (other) => other.id !== id && other.heldBy !== 'elsewhere' && subjectKey(other.subject) === key,
    );
  }

  #put<S extends ChangeSubject>(
    subject: S,
    content: ChangeContent<S>,
    title: string,
    origin: Pick<PendingChange, 'typedOn' | 'proposed'>,
  ): void {
    const current = this.#current(subject, content);
    const before = this.#goesOnWith(current.subject);
    const now = this.#now().toISOString();
    const pending: PendingChange = {
      id: before?.id ?? randomUUID(),
      subject: current.subject,
      content: before
        ? kindOf(current.subject).goOn(before.content, current.content)
        : this.#beginning(current, origin.typedOn),
      title,
      // A change on its way stays so; one that failed, or waits to be resolved, is shown as such until it is sent again.
      state: before?.state ?? 'editing',
      startedAt: before?.startedAt ?? now,
      changedAt: now,
      ...origin,
      ...(before?.failure && { failure: before.failure }),
      ...(before?.attempt && { attempt: before.attempt }),
      ...(before?.resolution !== undefined && { resolution: before.resolution }),
    };
    this.#noteTypedInto(pending);
    if (isNothing(pending)) {
      this.delete(pending.id, pending.typedOn);
    } else {
      this.set(before ? pending : this.#besideOthers(pending));
    }
  }

  /**
   * Throws a pending change away.
   *
   * @param undoOffered whether *Undo* is offered where that is done, so that no message need offer it.
   * @param typedOn the page that threw it away: should it say so again once the change is back, that is known already.
   * @returns brings it back as it was.
   */
  async discard(
    id: string,
    { undoOffered = false, typedOn }: { undoOffered?: boolean; typedOn?: TypedOn | undefined } = {},
  ): Promise<() => Promise<void>> {
    const held = this.hold(id);
    if (!held) {
      return async () => undefined;
    }
    const pending = { ...held, ...(typedOn && { typedOn }) };
    this.delete(id, pending.typedOn);
    await this.flush();
    if (this.isTakenAway(id)) {
      // It is for the other window to say what becomes of it.
      return async () => undefined;
    }
    const bringBack = async (): Promise<void> => {
      // Back already: what was typed into it since stays.
      if (!this.has(id)) {
        this.set(settled(pending));
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
    const pending = this.#holdOf(subject);
    // One that is on its way stays so: what was said since is queued after it.
    if (pending && pending.state !== 'sending') {
      this.update(pending.id, (now) => withState(now, 'queued'));
    }
    await this.flush();
  }

  /** Has what waited when its window was closed wait here. False when that is someone else's by now. */
  requeue(id: string): boolean {
    const isHere = this.hold(id)?.failure?.kind === 'closed';
    if (isHere) {
      this.update(id, (now) => ({ ...withState(now, 'queued'), changedAt: this.#now().toISOString() }));
    }
    return isHere;
  }

  /** Takes a change back that was not sent: the service has refused it, or *Undo* was pressed in time. Nobody is told. */
  async takeBack(id: string): Promise<void> {
    if (this.hold(id)) {
      this.delete(id);
      await this.flush();
    }
  }

  /** Notes why the service did not take what stands in a form. */
  noteFailure(subject: ChangeSubjects['form'], error: unknown): void {
    const pending = this.#holdOf(subject);
    if (pending) {
      const failure = failureOf(isApiError(error) ? error.kind : 'form', error);
      this.update(pending.id, (now) => ({ ...withState(now, 'failed'), failure }));
    }
  }

  /**
   * Begins to decide between two versions of the text of a section, or goes on with that.
   *
   * @param shown The one that is shown.
   */
  beginResolving(
    subject: ChangeSubjects['sharedConflict'],
    { shown, other, title }: { shown: string; other: OtherVersion; title: string },
  ): string {
    const before = this.#holdOf(subject);
    const isUntouched = before?.failure?.isShared === true && before.resolution === undefined;
    if (before && !isUntouched) {
      return before.id;
    }
    const now = this.#now().toISOString();
    const pending: PendingChange = {
      id: before?.id ?? randomUUID(),
      subject,
      content: { base: shown, text: shown, before: other.before, resolves: [other.id] },
      title,
      state: 'conflict',
      failure: {
        kind: 'conflict',
        theirs: other.text,
        isShared: true,
        ...(other.by !== undefined && { by: other.by }),
      },
      startedAt: now,
      changedAt: now,
    };
    this.#noteTypedInto(pending);
    this.set(pending);
    return pending.id;
  }

  /** Keeps how far the person has come with resolving a conflict; undefined when they have not begun. */
  keepResolution(id: string, resolution: string | undefined): void {
    const held = this.hold(id);
    if (held?.state === 'conflict' && held.resolution !== resolution) {
      this.update(id, (pending) => {
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
    const pending = this.hold(id);
    if (!pending) {
      return;
    }
    const { subject, failure } = pending;
    const content =
      kindOf(subject).conflict?.resolve(pending.content, text, { ...failure, theirs }) ?? pending.content;
    const changedAt = this.#now().toISOString();
    this.set({ ...withoutHistory(pending, { subject, content }), changedAt });
  }

  /**
   * Says whether the section that a new one may have become is that one. It is not sent by that: when they are the same,
   * the rest of the text is a change of that section from now on.
   */
  resolveNewSection(id: string, isTheSame: boolean): void {
    const pending = this.hold(id);
    const { code } = pending?.failure ?? {};
    const addition = pending && kindOf(pending.subject).addition;
    if (!addition || code === undefined) {
      return;
    }
    const { subject, attempt, content } = pending;
    if (isTheSame) {
      const taken = addition.takenAs(content, attempt);
      this.set(withoutHistory(pending, addition.become(pending, code, taken)));
      this.#noteAdded(subject, code, taken);
    } else {
      this.set({
        ...withoutHistory(pending),
        ...(attempt && { attempt: { ...attempt, codes: [...(attempt.codes ?? []), code] } }),
      });
    }
  }

  /** Makes something of its own of the text of something that is gone, at the end of its patch. Not sent by that. */
  makeNew(id: string): void {
    const pending = this.hold(id);
    const lost = pending && kindOf(pending.subject).lost;
    if (lost) {
      this.set(withoutHistory(pending, lost.anew(pending, id)));
    }
  }

  /**
   * Sends a pending change: what the service has is read before, and merged with it. It leaves the journal when the service has
   * said yes; what is typed meanwhile stays as a pending change.
   */
  async send(id: string, signal?: AbortSignal): Promise<SendOutcome> {
    const known = this.get(id);
    if (!known) {
      // It was sent already, or thrown away.
      return { kind: 'sent' };
    }
    const queue = JSON.stringify(kindOf(known.subject).queue(known.subject));
    const before = this.#sending.get(queue);
    // At once where nothing is on its way: what is typed in the same moment as it is asked for was not asked for.
    const sending = before ? before.then(() => this.#send(id, signal)) : this.#send(id, signal);
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

  protected override onGoOn(lost: string, goesOn: string): void {
    for (const [key, id] of this.#typedInto) {
      if (id === lost) {
        this.#typedInto.set(key, goesOn);
      }
    }
  }

  protected override onLeave(): void {
    this.#added.clear();
    this.#taken.clear();
    this.#typedInto.clear();
  }

  /** Typing into something that was added since is a change of that. */
  #current(subject: ChangeSubject, content: ChangeContent): Pick<PendingChange, 'subject' | 'content'> {
    const added = this.#added.get(subjectKey(subject));
    const change = { subject, content };
    return (added && kindOf(subject).addition?.become(change, added.code, added.taken)) ?? change;
  }

  /**
   * The content of a change that begins. Its page may not have heard yet that the service has taken what was typed there before: then
   * it began with that, and what the page says of its beginning is older.
   */
  #beginning(
    change: Pick<PendingChange, 'subject' | 'content'>,
    typedOn: TypedOn | undefined,
  ): ChangeContent {
    const { subject, content } = change;
    const kind = kindOf(subject);
    const taken = this.#taken.get(subjectKey(subject));
    const isOfPage = taken && taken.page === typedOn?.page;
    const beganBefore = isOfPage && isDeepStrictEqual(kind.goOn(taken.content, content), content);
    return beganBefore && kind.isBehind?.(change, this.#model)
      ? kind.rest(change, taken.content).content
      : content;
  }

  #noteTaken({ subject, typedOn }: PendingChange, content: ChangeContent): void {
    if (typedOn) {
      this.#taken.set(subjectKey(subject), { content, page: typedOn.page });
    } else {
      this.#taken.delete(subjectKey(subject));
    }
  }

  /** The pending change of a subject, as one of this window: its own, or the newest that nobody has. */
  #holdOf(subject: ChangeSubject): PendingChange | undefined {
    const found = this.find(subject);
    return found && this.hold(found.id);
  }

  #noteTypedInto({ id, subject }: PendingChange): void {
    this.#typedInto.set(subjectKey(subject), id);
  }

  /**
   * The change that typing goes into. When another window has just taken away what was typed into, the next of the same subject is
   * none of this editor's: typing would overwrite it.
   */
  #goesOnWith(subject: ChangeSubject): PendingChange | undefined {
    const typedInto = this.#typedInto.get(subjectKey(subject)) ?? '';
    const found = this.find(subject);
    return found && found.id !== typedInto && this.isTakenAway(typedInto) ? undefined : this.#holdOf(subject);
  }

  /** A pending change that two windows have had: what one of them adds is not to be added by the other as well. */
  protected override noteTwo(pending: PendingChange, shared: PendingChange): PendingChange {
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
    const other = this.others().find((found) => subjectKey(found.subject) === key);
    return other ? this.noteTwo(withAttempt(pending, other.attempt), other) : pending;
  }

  async #send(id: string, signal: AbortSignal | undefined): Promise<SendOutcome> {
    const pending = this.hold(id);
    if (!pending) {
      return this.get(id) ? this.#fail(id, 'elsewhere') : { kind: 'sent' };
    }
    const { subject } = pending;
    if (!kindOf(subject).send) {
      return this.#fail(id, 'form');
    }
    const sending = withState(pending, 'sending');
    this.update(id, () => sending);
    // On disk first. When that cannot be, the service is the safest place there is.
    await this.flush();
    if (this.isTakenAway(id)) {
      return this.#fail(id, 'elsewhere');
    }
    const tries = this.#triesOf(pending, signal);
    try {
      const arrival = await sendToNewest(sending, subject, { ...tries, model: this.#model, signal });
      return await this.#conclude(pending, arrival, signal);
    } catch (error) {
      if (tries.mayHaveWritten() && !mayHaveArrived(error)) {
        tries.takeBackAttempt();
      }
      return this.#fail(id, isApiError(error) ? error.kind : 'unknown', { error });
    }
  }

  /** Asks the service on behalf of a pending change, which notes each attempt. */
  #triesOf({ id, attempt: before }: PendingChange, signal: AbortSignal | undefined) {
    const journal = this.journal;
    let wrote = false;
    const ask: AskService = (operation) => {
      if (this.journal !== journal) {
        throw new Error('Another account is active now.');
      }
      return this.#ask(operation);
    };
    const read: Ask = (operation) => ask((client) => operation(client, { signal }));
    const write: SendContext['write'] = async (operation, { attempt, replaces } = {}) => {
      if (attempt) {
        this.update(id, (now) => ({ ...now, attempt }));
        await this.flush();
      }
      return ask((client) => {
        wrote = true;
        return operation(client, {
          signal,
          ...(replaces !== undefined && { ifMatch: contentTag(replaces) }),
        });
      });
    };
    const takeBackAttempt = (): void => {
      // This try did nothing; an earlier one may still arrive.
      this.update(id, (now) => withAttempt(now, before));
      wrote = false;
    };
    return { ask, read, write, takeBackAttempt, mayHaveWritten: () => wrote };
  }

  /** Takes in what the service has answered. */
  async #conclude(
    pending: PendingChange,
    { result, subject, begunIn, newest }: Arrival,
    signal: AbortSignal | undefined,
  ): Promise<SendOutcome> {
    const { id, subject: begun, content, title, typedOn } = pending;
    const patch = subject && patchOf(subject);
    if (result.kind !== 'sent' && patch) {
      // Someone else was there: it is to be shown as it is now.
      this.#model.markPatchStale(patch);
    }
    if (result.kind === 'conflict') {
      const failure: ChangeFailure = { ...result, ...(newest && { newest }) };
      this.update(id, (now) => ({ ...withState(now, 'conflict'), failure }));
      await this.flush();
      const sides = kindOf(begun).conflict?.sides(content, result);
      return { base: '', mine: '', ...sides, ...result, ...(newest && { newest }) };
    }
    if (result.kind !== 'sent') {
      const { patchVersion } = { patchVersion: undefined, ...result };
      return this.#fail(id, result.kind, { newest, patchVersion });
    }
    const { written, code, show, merged, replacedUnread, taken = content } = result;
    const goneOn = this.#settle(id, begun, content, taken, code);
    this.#noteTaken(pending, taken);
    // At the same moment: what was there before it must not show again in between, nor be what a next one starts from.
    show?.(this.#model);
    if (written) {
      this.#sent.fire({ id, title, change: written, ...(newest && { moved: { begunIn, newest } }) });
    }
    await this.flush();
    // The service has an earlier text than the one that was to be sent: the rest follows.
    if (taken !== content && goneOn) {
      return this.#send(id, signal);
    }
    return {
      kind: 'sent',
      ...(merged !== undefined && { merged }),
      ...(replacedUnread && { replacedUnread }),
      ...(code !== undefined && { code }),
      ...(newest && { newest }),
      ...(typedOn && { typedOn }),
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
    const now = this.has(id) ? this.hold(id) : undefined;
    if (code !== undefined) {
      this.#noteAdded(subject, code, taken);
    }
    const rest = now && (now.content !== sent || taken !== sent) && restOf(now, taken, code);
    if (rest && !isNothing(rest)) {
      this.set(rest);
    } else {
      this.delete(id);
    }
    return this.has(id);
  }

  /** Other pending changes that wait for what was added, or might be taken for it, learn of it. */
  #noteAdded(subject: ChangeSubject, code: string, taken: ChangeContent): void {
    const { addition } = kindOf(subject);
    if (!addition) {
      return;
    }
    const became = addition.become({ subject, content: taken }, code, taken);
    this.#added.set(subjectKey(subject), { subject: became.subject, code, taken });
    for (const pending of this.own()) {
      if (subjectKey(pending.subject) === subjectKey(subject)) {
        // Two windows went on with it: what this one made of it is a change of what was added.
        this.set(withoutHistory(pending, addition.become(pending, code, taken)));
        continue;
      }
      const learnt = pending.subject.kind === subject.kind && addition.learn(pending, subject, code);
      if (learnt) {
        this.set({ ...pending, ...learnt });
      }
    }
  }

  async #fail(
    id: string,
    kind: ChangeFailureKind,
    details: {
      error?: unknown;
      newest?: StackVersion | undefined;
      patchVersion?: string | undefined;
    } = {},
  ): Promise<SendOutcome> {
    const { error, newest, patchVersion } = details;
    const failure: ChangeFailure = {
      ...failureOf(kind, error),
      ...(newest && { newest }),
      ...(patchVersion !== undefined && { patchVersion }),
    };
    this.update(id, (now) => ({ ...withState(now, 'failed'), failure }));
    await this.flush();
    return { kind: 'failed', failure, error };
  }
}

function failureOf(kind: ChangeFailureKind, error: unknown): ChangeFailure {
  const serviceMessage = isApiError(error) ? error.serviceMessage : undefined;
  return { kind, ...(serviceMessage !== undefined && { serviceMessage }) };
}

/** The rest of a pending change when the service has an earlier content of it. */
function restOf(now: PendingChange, taken: ChangeContent, code: string | undefined): PendingChange {
  const { state = 'editing', ...change } = kindOf(now.subject).rest(now, taken, code);
  return { ...withoutHistory(now, change), state };
}
