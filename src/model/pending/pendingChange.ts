/**
 * A pending change: what a person does that the service has not confirmed yet. Everything in here can be written to disk
 * as JSON.
 */
import type { StackVersion } from '../newestVersion.ts';
import type { ChangeFailure, TextConflict } from './failure.ts';
import {
  kindOf,
  type Change,
  type ChangeContent,
  type ChangeSubject,
  type ChangeSubjects,
  type KindName,
} from './kinds/index.ts';
import type { ChangeAttempt } from './sending.ts';

/**
 * The state of a pending change: `editing` until the person saves it; `queued` while what can't be taken back later waits to be
 * sent, so that it can be undone; `sending` from then on; `failed` when it was not taken; `conflict` when someone else changed the
 * same and the person has to decide.
 */
type ChangeState = 'editing' | 'queued' | 'sending' | 'failed' | 'conflict';

/** One pending change. */
export interface PendingChange<S extends ChangeSubject = ChangeSubject> {
  id: string;
  subject: S;
  content: ChangeContent<S>;
  title: string;
  state: ChangeState;
  /** When the change began, and when it was last typed into: ISO 8601. */
  startedAt: string;
  changedAt: string;
  /** The page on which it was last typed into, as long as that was a single one. */
  typedOn?: TypedOn;
  /** Why it is `failed` or in `conflict`. */
  failure?: ChangeFailure;
  /** The last attempt to write it, which the service may have: noted before it was made. */
  attempt?: ChangeAttempt;
  /** The text of a conflict that the person is resolving. */
  resolution?: string;
  /** Set as long as it is as an agent has proposed it: a person has neither typed into it nor sent it. */
  proposed?: true;
}

/** The page of a panel that something was typed on, and how far that was: it grows with each key on that page. */
export interface TypedOn {
  page: string;
  edition: number;
}

/** A pending change as a window sees it. */
export interface KnownChange<S extends ChangeSubject = ChangeSubject> extends PendingChange<S> {
  /** Who has it: this window, another one that is open, or none since the one it was typed in is gone. */
  heldBy: ChangeHolder;
}

export type ChangeHolder = 'here' | 'elsewhere' | 'nobody';

export type SendOutcome =
  /**
   * The service has it; `merged` is the text that was sent when it was merged with someone else's change; with `replacedUnread` a text
   * of someone else's that was saved at the same moment is gone; `newest` is the version
   * that it went into when that is not the one in which it was begun. `typedOn` is how far it had been typed when it was sent, which
   * may be further than when that was asked: it waits for what is sent before it.
   */
  | {
      kind: 'sent';
      merged?: string;
      replacedUnread?: true;
      code?: string;
      newest?: StackVersion;
      typedOn?: TypedOn;
    }
  /** `error` is what was thrown, if anything was. */
  | { kind: 'failed'; failure: ChangeFailure; error: unknown }
  | ({ kind: 'conflict'; newest?: StackVersion } & TextConflict);

/** Narrows a pending change, so that its content is typed. */
export function isOfKind<K extends KindName>(
  pending: KnownChange,
  ...kinds: K[]
): pending is KnownChange<ChangeSubjects[K]>;
export function isOfKind<K extends KindName>(
  pending: PendingChange,
  ...kinds: K[]
): pending is PendingChange<ChangeSubjects[K]>;
export function isOfKind(pending: PendingChange, ...kinds: string[]): boolean {
  return kinds.includes(pending.subject.kind);
}

/** True for a change that changes nothing, so that there is nothing to keep. One that the service may have already is kept. */
export function isNothing({ subject, content, state, attempt }: PendingChange): boolean {
  return state !== 'sending' && !attempt && kindOf(subject).isNothing(content);
}

/** True when its target is gone, so that its text can only become something of its own. */
export function isLost(
  { subject }: Pick<PendingChange, 'subject'>,
  failure: ChangeFailure | undefined,
): boolean {
  return failure !== undefined && kindOf(subject).lost?.isLost(failure.kind) === true;
}

/** The texts that a person has to decide between; undefined where there is nothing to decide. */
export function conflictOf({ subject, content, failure, state }: PendingChange): TextConflict | undefined {
  const { conflict } = kindOf(subject);
  const theirs = isLost({ subject }, failure) ? '' : state === 'conflict' ? failure?.theirs : undefined;
  if (!conflict || theirs === undefined) {
    return undefined;
  }
  const details = { ...failure, theirs };
  return { ...details, ...conflict.sides(content, details) };
}

/** Another change, or the same in another state, without the failure of before. */
export function withState({ attempt, ...pending }: PendingChange, state: ChangeState): PendingChange {
  return { ...withoutHistory(pending), state, ...(attempt && { attempt }) };
}

/** A pending change with what is known of another try, if anything. */
export function withAttempt(pending: PendingChange, attempt: ChangeAttempt | undefined): PendingChange {
  const changed = { ...pending, ...(attempt && { attempt }) };
  if (!attempt) {
    delete changed.attempt;
  }
  return changed;
}

/** A pending change as if it had never been sent; with another change, if one has taken its place. */
export function withoutHistory(
  { id, subject, content, title, startedAt, changedAt, typedOn }: PendingChange,
  change: Change | Pick<PendingChange, 'subject' | 'content'> = { subject, content },
): PendingChange {
  return { id, ...change, title, state: 'editing', startedAt, changedAt, ...(typedOn && { typedOn }) };
}

/** A pending change that was left behind while it was sent, or waited for that: the service is read before it is sent again. */
export function settled(pending: PendingChange): PendingChange {
  return pending.state === 'sending' || pending.state === 'queued'
    ? { ...pending, state: 'failed', failure: { kind: 'interrupted' } }
    : pending;
}
