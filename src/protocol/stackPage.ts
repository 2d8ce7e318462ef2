/** Messages between the extension host and the page of a patch stack. */
import type { Review } from '../util/review.ts';
import type { CodeHost, PanelSettings } from './panel.ts';
import type { ReviewerView } from './patchStatuses.ts';

/** The stack that is shown, in one of its versions; the page keeps it over a reload of the window. */
export interface StackPageState {
  serverUrl: string;
  projectId: string;
  branchId?: string;
  stackUuid: string;
}

/** The line of a patch. */
export interface PatchLine {
  changeId: string;
  title: string;
  /** Names of those who wrote it; empty when nobody is known. */
  authors: string;
  /** Missing when it is not known. */
  size?: { files: number; added: number; deleted: number };
  /** The person's reading state, in words; missing while it isn't known. */
  reading?: { text: string; isLeft: boolean; isChanged: boolean };
  /** The number of its changes that prose explains, in words; missing while it isn't known, and where that is all. */
  explained?: string;
  /** The person's own review. */
  mine?: Review;
  signedOff: ReviewerView[];
  changesRequested: ReviewerView[];
}

/** A patch stack as its page shows it. */
export interface StackPageView {
  ref: StackPageState;
  title: string;
  /** Version, branch and state, in words. */
  facts: string[];
  /** Markdown; missing when there is none. */
  description?: string;
  /** Why nothing of it can be reviewed; missing where it can. */
  readOnly?: string;
  /** The numbers of patches that the person has signed off and read, in words. */
  summary: string[];
  /** The number of changes that prose explains, in words; missing while it isn't known, and where there are none. */
  explained?: string;
  /** Base to tip. */
  patches: PatchLine[];
  /** Texts about commits that the branch no longer has. */
  lostTexts: LostTextView[];
}

/** A text whose patch is gone. */
export interface LostTextView {
  changeId: string;
  code: string;
  /** The title of its patch when that was there. */
  patchTitle: string;
  /** Markdown. */
  text: string;
}

/** Actions on a text whose patch is gone. */
export const lostTextActions = ['copy', 'move', 'delete'] as const;
export type LostTextAction = (typeof lostTextActions)[number];

/** Actions on the stack as a whole. */
export const stackActions = [
  'nextUnread',
  'signOffUnchanged',
  'editStack',
  'copyLink',
  'showPatchStatuses',
  'openStackAsMarkdown',
] as const;
export type StackAction = (typeof stackActions)[number];

export interface StackPageHost extends CodeHost {
  settings: (parameters: null) => PanelSettings;
  load: (parameters: null) => StackPageView;
  /** Has the next `load` ask the server, whatever is known. */
  refresh: (parameters: null) => null;
  openPatch: (parameters: { changeId: string }) => null;
  review: (parameters: { changeId: string; review: Review }) => null;
  lostText: (parameters: { action: LostTextAction; changeId: string; code: string }) => null;
  run: (parameters: { action: StackAction }) => null;
}

export interface StackPagePage {
  /** Another stack is to be shown, or the same one again. */
  reload: (parameters: null) => null;
  /** Something of the stack is another than was shown. */
  show: (view: StackPageView) => null;
}
