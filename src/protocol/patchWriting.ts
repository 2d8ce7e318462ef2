/**
 * What the extension host and the patch document say to each other about writing: pending changes of texts, new and deleted
 * sections, the order of the sections, the sign-off.
 */
import type { HandOverOutcome } from './panel.ts';
import type { Review } from '../util/review.ts';
import type { TextSplice } from '../util/textSplice.ts';

/** What someone writes: the text of a section, or a new section. */
export type TextTarget =
  | { code: string }
  /** `key` tells new sections apart; `after` is the code of the section that it follows, null for the first place. */
  | { key: string; after: string | null };

/** Why the service does not have a text: it did not take it; someone else changed the same words; its section is gone. */
export interface TextRefusal {
  kind: 'unsent' | 'conflict' | 'deleted';
  /** A sentence. */
  text: string;
}

/** How far a text is. */
export interface PendingTextState {
  sending: boolean;
  refusal?: TextRefusal;
  /** Why it is not on disk: a sentence. */
  notKept?: string;
}

/** A text that the service does not have yet. */
export interface PendingText extends PendingTextState {
  target: TextTarget;
  /** The text that it began from. */
  base: string;
  text: string;
}

/** A change of the patch that the service has not taken yet, with the reason if it was tried. */
export interface PendingValue<T> {
  value: T;
  problem?: string;
  /** Whether it waits for the person to decide, rather than to be sent again. */
  undecided?: boolean;
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

/** What became of a text that was sent. */
export type SendTextOutcome =
  /**
   * The service has it. `merged`: together with someone else's change. `movedOn`: in a newer version of the patch stack than the
   * page shows, of which the page is told as of every such change.
   */
  | { kind: 'sent'; code: string; merged: boolean; movedOn: boolean }
  | { kind: 'refused'; refusal: TextRefusal };

/** What can be done with a text that the service did not take. */
export type TextDecision = 'compare' | 'merge' | 'addAgain';

/** Which patch something is about: the page may show another one by the time it is answered. */
export interface PatchKey {
  stackUuid: string;
  changeId: string;
}

/** What the page asks of the extension host. */
export interface PatchWritingHost {
  pendingChanges: (parameters: { patch: PatchKey }) => PatchPending;
  /** Keeps what is typed; answers when it is on disk, or cannot be written there. */
  keepText: (parameters: TextChange & TextEdition) => PendingTextState;
  /** Keeps what is typed, told as a change of what was kept before; null when that is not known here: the page sends it all. */
  keepTyped: (parameters: TypedChange) => PendingTextState | null;
  sendText: (parameters: TextChange & TextEdition) => SendTextOutcome;
  /** Goes on with what earlier pages had typed when their extension host ended; says of each text what became of it. */
  handOver: (parameters: { patch: PatchKey; account: string; texts: KeptText[] }) => HandOverOutcome[];
  /** Takes back what was typed; it can be undone. */
  discardText: (parameters: { patch: PatchKey; target: TextTarget }) => null;
  undoDiscard: (parameters: { patch: PatchKey; target: TextTarget }) => PendingText | null;
  decide: (parameters: { patch: PatchKey; target: TextTarget; decision: TextDecision }) => null;
  orderSections: (parameters: { patch: PatchKey; order: string[] }) => null;
  /** Has the person choose a gap between sections with these names; null when they give up. */
  chooseGap: (parameters: { patch: PatchKey; moving: number; names: string[] }) => number | null;
  /** Signs the patch off or requests changes, a few seconds from now; `seen` is the fingerprint of the patch that is shown. */
  review: (parameters: { patch: PatchKey; review: Review; seen: string }) => null;
  /** Sends again what the service has not taken, or has the person decide about it. */
  retryPending: (parameters: { patch: PatchKey; kind: PendingKind; code?: string }) => null;
  /** Takes back what the service has not taken. */
  discardPending: (parameters: { patch: PatchKey; kind: PendingKind; code?: string }) => null;
  /** Takes a change over that another window holds, once the person agrees. */
  takeOver: (parameters: { patch: PatchKey; id: string }) => null;
  /** Takes back what `tellChange` told of. */
  undoChange: (parameters: { patch: PatchKey; change: number }) => null;
}

/** A text as it is typed, with the one that it began from. */
export interface TextChange {
  patch: PatchKey;
  target: TextTarget;
  base: string;
  text: string;
}

/** How far the typing was: on one page it grows with each key. */
export interface TextEdition {
  /** The page that it was typed on. */
  page: string;
  edition: number;
}

/** A text that a page has kept because no one confirmed it. */
export interface KeptText extends TextEdition {
  target: TextTarget;
  base: string;
  text: string;
  /** The text that was confirmed last before that. */
  after: string;
}

/** What was typed since an edition that the extension host has: of a long text, little. */
export interface TypedChange extends TextEdition {
  patch: PatchKey;
  target: TextTarget;
  after: number;
  /** Left out when the text is the same again. */
  splice?: TextSplice;
}

/** What the extension host asks of the page. */
export interface PatchWritingView {
  showPending: (parameters: { patch: PatchKey; pendingChanges: PatchPending }) => null;
  /** A text that is open here was changed elsewhere: it is taken in unless more was typed here since. */
  adoptText: (parameters: { patch: PatchKey; target: TextTarget; text: string; replaced: string }) => null;
  /** Tells what the service has taken, or is about to be sent, with a number by which it can be undone, if it can. */
  tellChange: (parameters: { patch: PatchKey; text: string; change: number; undoable: boolean }) => null;
  /** Has the page say no more of a change that it was told of: it is not as it was told any more. */
  dismissChange: (parameters: { change: number }) => null;
  /** Edits a section; without a code the one that has the focus. False when that is none with a text. */
  editSection: (parameters: { code?: string }) => boolean;
  /** Begins a new section after another, null for the first place; without `after`, where the focus is. */
  addSection: (parameters: { after?: string | null }) => null;
  /** Moves sections; without a code those that are selected, else the one that has the focus. False when there is none. */
  moveSections: (parameters: { code?: string; by: -1 | 1 | 'choose' }) => boolean;
  /** The section that has the focus, if one has. */
  focusedSection: (parameters: null) => string | null;
}
