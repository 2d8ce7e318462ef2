/**
 * A pending change: what a person does that the service has not confirmed yet. Everything in here can be written to disk
 * as JSON.
 */
import type { ApiErrorKind } from '../../api/errors.ts';
import type { Review } from '../../util/review.ts';
import type { PatchAddress } from '../patchAddress.ts';
import type { StackVersion } from '../newestVersion.ts';

/** What a pending change is about. A window has at most one for each subject. */
export type ChangeSubject =
  | { kind: 'sectionText'; patch: PatchAddress; code: string }
  /** `key` tells several new sections of one patch apart. */
  | { kind: 'newSection'; patch: PatchAddress; key: string }
  | { kind: 'sectionDeletion'; patch: PatchAddress; code: string }
  | { kind: 'sectionOrder'; patch: PatchAddress }
  | { kind: 'signOff'; patch: PatchAddress }
  | { kind: 'stack'; projectId: string; branchId?: string | undefined; stackUuid: string }
  /** What stands in a form; only the form itself sends it. `about` is the id of the thing that it changes, if any. */
  | { kind: 'form'; form: FormName; about?: string | undefined };

/** The forms that keep what is typed into them. */
export type FormName = 'profile' | 'createProject' | 'editProject' | 'createStack' | 'release' | 'feedback';

/** What a pending change of each kind holds: where the change began, and what it is now. */
export interface ChangeContents {
  sectionText: { base: string; text: string };
  /** `after` is the code of the section that the new one follows; null puts it first. */
  newSection: { text: string; after: string | null };
  /** What is deleted, so that it can be added again in its place. */
  sectionDeletion: { text: string; after: string | null };
  /** `identifier`s of sections, as `section_order` takes them. */
  sectionOrder: { base: string[]; order: string[] };
  /** `seen` is the fingerprint of what was on the screen: nothing else is signed off, or rejected. */
  signOff: { review: Review; seen: string };
  stack: { base: StackFields; fields: Partial<StackFields> };
  form: { fields: Record<string, unknown> };
}

/** The fields of a patch stack that a person writes. */
export interface StackFields {
  title: string;
  description: string;
}

/** What a pending change of a subject holds. */
export type ChangeContent<S extends ChangeSubject = ChangeSubject> = ChangeContents[S['kind']];

/**
 * How far a pending change is: `editing` until the person saves it; `queued` while what cannot be taken back later waits to be
 * sent, so that it can be undone; `sending` from then on; `failed` when it was not taken; `conflict` when somebody else changed the
 * same and the person has to decide.
 */
export type ChangeState = 'editing' | 'queued' | 'sending' | 'failed' | 'conflict';

/** One pending change. */
export interface PendingChange<S extends ChangeSubject = ChangeSubject> {
  id: string;
  subject: S;
  content: ChangeContent<S>;
  /** What a person calls the thing that it changes. */
  title: string;
  state: ChangeState;
  /** When the change began, and when it was last typed into: ISO 8601. */
  startedAt: string;
  changedAt: string;
  /** Where it was last typed into, as long as that was on one page. */
  typedOn?: TypedOn;
  /** Why it is `failed` or in `conflict`. */
  failure?: ChangeFailure;
  /** What was last tried to be written, which the service may have: told before it was tried. */
  attempt?: ChangeAttempt;
  /** How far the person has come with deciding a conflict. */
  resolution?: string;
}

/** The page of a panel that something was typed on, and how far that was: it grows with each key on that page. */
export interface TypedOn {
  page: string;
  edition: number;
}

/** What is known of a try to send a pending change. */
export interface ChangeAttempt {
  /** The text that was on its way. */
  text: string;
  /** What the person had typed, which that text was joined from. */
  typed?: string;
  /** What stood on the service before it. */
  before?: string;
  /** The codes of the patch's sections before a new one was on its way. */
  codes?: string[];
}

/** A pending change as a window sees it. */
export interface KnownChange<S extends ChangeSubject = ChangeSubject> extends PendingChange<S> {
  /** Who has it: this window, another one that is open, or none since the one it was typed in is gone. */
  heldBy: ChangeHolder;
}

export type ChangeHolder = 'here' | 'elsewhere' | 'nobody';

/** Why a pending change was not taken. */
export interface ChangeFailure {
  kind: ChangeFailureKind;
  /** What the service said about it, if anything. */
  serviceMessage?: string;
  /** The service may have acted on it all the same: it is read before it is sent again. */
  mayHaveArrived: boolean;
  /** In a conflict: the text that is on the service now. */
  theirs?: string;
  /** In a conflict about a patch stack: which of its fields it is about. */
  field?: keyof StackFields;
  /** In a conflict about a new section: the code of the section that it may have become, whose text is `theirs`. */
  code?: string;
  /** In a conflict about an order: the one on the service, each section with what it is called. */
  order?: NamedSection[];
  /** Of a sign-off of what is no longer there: the version of the patch that is there now. */
  patchVersion?: string;
  /** The newest version of the patch stack, when the change was begun in an older one. */
  newest?: StackVersion;
}

/** A section in an order. */
export interface NamedSection {
  identifier: string;
  name: string;
}

/**
 * The kind of an `ApiError`; `deleted` when its subject is gone from the service; `conflict`; `interrupted` when the window
 * ended while it was sent, or before; `closed` when it was closed before it was sent, and it is to be sent by the next one;
 * `elsewhere` when another window has it; `form` when only a form can send it; of a change that was begun in an older version
 * of the patch stack, `patchGone` and `sectionGone` when the newest has nothing that it could go into, `ambiguous` when it has
 * several; `outdated` when it was said of a patch that is another one by now; else `unknown`.
 */
export type ChangeFailureKind =
  | ApiErrorKind
  | 'deleted'
  | 'interrupted'
  | 'elsewhere'
  | 'form'
  | 'patchGone'
  | 'sectionGone'
  | 'ambiguous'
  | 'outdated'
  | 'closed'
  | 'unknown';

/** What became of sending a pending change. */
export type SendOutcome =
  /**
   * The service has it; `merged` is the text that was sent when it was joined with somebody else's change, `newest` the version
   * that it went into when that is not the one in which it was begun.
   */
  | { kind: 'sent'; merged?: string; code?: string; newest?: StackVersion }
  /** `error` is what was thrown, if anything was. */
  | { kind: 'failed'; failure: ChangeFailure; error: unknown }
  | ({ kind: 'conflict'; newest?: StackVersion } & TextConflict);

/** Two changes of one text that cannot be joined without a person. */
export interface TextConflict {
  base: string;
  theirs: string;
  mine: string;
  /** Which field of a patch stack it is about. */
  field?: keyof StackFields;
  /** The section that a new one may have become: somebody has to say whether it is the same. */
  code?: string;
  /** The order that is on the service. */
  order?: NamedSection[];
}

/** Tells subjects apart: equal for the same thing, whichever way it was reached. */
export function subjectKey(subject: ChangeSubject): string {
  switch (subject.kind) {
    case 'sectionText':
    case 'sectionDeletion':
      return key(subject.kind, ...patchKey(subject.patch), subject.code);
    case 'newSection':
      return key(subject.kind, ...patchKey(subject.patch), subject.key);
    case 'sectionOrder':
    case 'signOff':
      return key(subject.kind, ...patchKey(subject.patch));
    case 'stack':
      return key(subject.kind, subject.stackUuid);
    case 'form':
      return key(subject.kind, subject.form, subject.about ?? '');
  }
}

function patchKey({ stackUuid, changeId }: PatchAddress): string[] {
  return [stackUuid, changeId];
}

function key(...parts: string[]): string {
  return JSON.stringify(parts);
}
