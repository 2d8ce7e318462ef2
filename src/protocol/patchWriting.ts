/**
 * Messages between the extension host and the patch document about writing: pending changes of texts, new and deleted sections, the
 * order of the sections, the sign-off.
 */
import type { RestoreOutcome } from './panel.ts';
import { patchKey, type PatchRef } from '../util/patchRef.ts';
import type { Review } from '../util/review.ts';
import type { TextChanges } from '../util/textChanges.ts';

/** The target of writing: the text of a section, or a new section. */
export type TextTarget =
  | { code: string }
  /** `key` tells new sections apart; `after` is the code of the section that it follows, null for the first place. */
  | { key: string; after: string | null };

const newPrefix = 'new:';

/** Identifies a text within its patch: the code of the section, or that of one that is not there yet. */
export function targetKey(target: TextTarget): string {
  return 'code' in target ? target.code : `${newPrefix}${target.key}`;
}

/** True for a section that is only being written: the service doesn't know it yet. */
export function isNew(key: string): boolean {
  return key.startsWith(newPrefix);
}

/** Tells the texts of all patches apart. */
export function textKey(patch: PatchRef, target: TextTarget): string {
  return patchKey(patch, targetKey(target));
}

/** Why the service does not have a text: it did not take it; someone else changed the same words; its section is gone. */
export interface TextRefusal {
  kind: 'unsent' | 'conflict' | 'deleted';
  /** A sentence. */
  text: string;
}

export interface PendingTextState {
  sending: boolean;
  refusal?: TextRefusal;
  /** Why it is not on disk: a sentence. */
  notSavedLocally?: string;
  /** Set as long as it is as an agent has proposed it. */
  proposed?: true;
  /** Set while another text of the same waits until this one is gone. */
  hasOther?: true;
}

/** A text that the service does not have yet. */
export interface PendingText extends PendingTextState {
  target: TextTarget;
  /** Left out when it is what the page has told of. */
  content?: PendingContent;
}

/** A text, and the one that it began from. */
export interface PendingContent {
  base: string;
  text: string;
  /** The edition that the page has told of last, which this text stands in the place of. */
  over?: number;
}

/** A change of the patch that the service has not taken yet, with the reason if it was tried. */
export interface PendingValue<T> {
  value: T;
  problem?: string;
  /** True when it waits for the person to decide, rather than to be sent again. */
  conflict?: boolean;
  /** Set as long as it is as an agent has proposed it: it waits for the person to send it. */
  proposed?: true;
}

/** The changes of a patch that are not texts. */
export type PendingKind = 'order' | 'signOff' | 'deletion';

/** Everything of a patch that the service has not taken yet. */
export interface PatchPending {
  texts: PendingText[];
  /** Codes of sections that are being deleted. */
  deletions: PendingValue<string>[];
  /** Codes of the sections in the wanted order. */
  order?: PendingValue<string[]>;
  signOff?: PendingValue<Review>;
  elsewhere?: ChangeElsewhere[];
}

/** A change of the patch that another window holds; this one can take it over. */
export interface ChangeElsewhere {
  id: string;
  /** The section that it is of; none for those of the whole patch, and for new sections. */
  code?: string;
  title: string;
}

/** The last change in the patch: the service has taken it, or it is about to be sent. */
export interface LastChange {
  /** Tells it from those before. */
  number: number;
  /** A sentence. */
  text: string;
  undoable: boolean;
}

/** The outcome of sending a text; the page is shown why it was refused. */
export type SendTextOutcome =
  /**
   * The service has it. `merged`: together with someone else's change. `movedOn`: in a newer version of the patch stack than the
   * page shows, of which the page is told as of every such change. `edition`: the last one that the service has of this page, where more
   * was typed before the text was sent than when that was asked.
   */
  { kind: 'sent'; code: string; merged: boolean; movedOn: boolean; edition?: number } | { kind: 'refused' };

/** Actions on a text that the service didn't take. */
export type TextAction = 'compare' | 'merge' | 'addAgain' | 'showOther';

/** The page's requests about a patch: the page may show another one by the time it is answered. */
export interface PatchWritingHost {
  /**
   * Answers when what is typed is on disk, or cannot be written there. Null when it was told as changes of what is not
   * known here: the page tells all of it.
   */
  saveTextLocally: (parameters: TypedText) => PendingTextState | null;
  /** Sends what is typed; null as above. */
  sendText: (parameters: TypedText) => SendTextOutcome | null;
  /** Goes on with what earlier pages had typed when their extension host ended; says of each text what became of it. */
  restoreTexts: (parameters: {
    patch: PatchRef;
    account: string;
    texts: UnconfirmedText[];
  }) => RestoreOutcome[];
  /** Takes back what was typed; it can be undone. */
  discardText: (parameters: { patch: PatchRef; target: TextTarget }) => null;
  undoDiscard: (parameters: { patch: PatchRef; target: TextTarget }) => null;
  actOnText: (parameters: { patch: PatchRef; target: TextTarget; action: TextAction }) => null;
  /** Has the person decide between the versions of a section's text that were written at the same time. */
  resolveShared: (parameters: { patch: PatchRef; code: string }) => null;
  orderSections: (parameters: { patch: PatchRef; order: string[] }) => null;
  /** Has the person choose a gap between sections with these names; null when they give up. */
  chooseGap: (parameters: { patch: PatchRef; moving: number; names: string[] }) => number | null;
  /**
   * Signs the patch off or requests changes, a few seconds from now; `seen` is the fingerprint of the patch that is shown. With sections
   * that were never on the screen nothing is signed off, unless `anyway`: the page is told which they are. With `goesOn`, the person reads
   * on in the next patch once it is said.
   */
  review: (parameters: {
    patch: PatchRef;
    review: Review;
    seen: string;
    anyway?: boolean;
    goesOn?: boolean;
  }) => null;
  /** The person wants to hear no more of what they have not seen. */
  dismissUnseen: (parameters: { patch: PatchRef }) => null;
  /** Sends again what the service has not taken, or has the person resolve it. */
  retryPending: (parameters: { patch: PatchRef; kind: PendingKind; code?: string }) => null;
  /** Takes back what the service has not taken. */
  discardPending: (parameters: { patch: PatchRef; kind: PendingKind; code?: string }) => null;
  /** Takes a change over that another window holds, once the person agrees. */
  takeOver: (parameters: { patch: PatchRef; id: string }) => null;
  /** Takes the last change back. */
  undoChange: (parameters: { patch: PatchRef; change: number }) => null;
  /** The person wants to hear no more of the last change. */
  dismissChange: (parameters: { patch: PatchRef; change: number }) => null;
}

/** An edition of a text: on one page it grows with each key. */
export interface TextEdition {
  /** The page that it was typed on. */
  page: string;
  edition: number;
}

/** A text that nobody has confirmed to the page on which it was typed. */
export interface UnconfirmedText extends TextEdition {
  target: TextTarget;
  base: string;
  text: string;
  /** The text that was confirmed last before that. */
  after: string;
}

/** Typing: all of the text, with the text that it began from; or the changes since an edition that the extension host has. */
export interface TypedText extends TextEdition {
  patch: PatchRef;
  target: TextTarget;
  typed: { base: string; text: string } | { after: number; changes: TextChanges };
}

export interface PatchWritingView {
  /** Edits a section; without a code the one that has the focus. False when that is none with a text. */
  editSection: (parameters: { code?: string }) => boolean;
  /**
   * Begins a new section after another, null for the first place, or before another, null for the one that has the focus; without
   * either after the one that has the focus.
   */
  addSection: (parameters: { after?: string | null } | { before: string | null }) => null;
  /** Moves sections; without a code those that are selected, else the one that has the focus. False when there is none. */
  moveSections: (parameters: { code?: string; by: -1 | 1 | 'choose' }) => boolean;
  /** The section that has the focus, if one has. */
  focusedSection: (parameters: null) => string | null;
}
