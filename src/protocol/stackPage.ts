/** Messages between the extension host and the page of a patch stack. */
import type { Review } from '../util/review.ts';
import type { FormHost, FormPage, FormStart } from './form.ts';
import type { CodeHost, NotUpdated, PanelSettings } from './panel.ts';
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
  /** The person's own review that the service doesn't have yet. */
  unsent?: Review;
  signedOff: ReviewerView[];
  changesRequested: ReviewerView[];
}

/** The texts of a stack that a person writes. */
export interface StackFields {
  title: string;
  /** Markdown. */
  description: string;
}

/** The fields as they are typed: those that are others by then, and what all of them were when the typing began. */
export interface TypedStackFields extends StackFields {
  before: StackFields;
}

/** The form for the title and the description. */
export interface StackForm extends Omit<FormStart<TypedStackFields>, 'account'> {
  /** Another number when what was typed is another thing since: it was discarded or brought back elsewhere. */
  start: number;
  /** The server's. */
  fields: StackFields;
}

/** A version of the stack. */
export interface VersionView {
  id: string;
  label: string;
}

/** Two versions of the stack, by their ids. */
export interface WantedVersions {
  older: string;
  newer: string;
}

/** The versions of the stack that can be compared, and those that are unless the person says otherwise. */
export interface VersionsView extends WantedVersions {
  /** The oldest first. */
  all: VersionView[];
  /** Stands for what the person has read last; missing when that is nothing older. */
  lastRead?: VersionView;
  /** Another one when there may be something else to tell of the newer version. */
  stamp: string;
  /** What is known without comparing them, in words; missing where they are so few that they are compared at once. */
  summary?: string;
}

/** A patch of either of two versions, and what became of it. */
export interface ChangeRow {
  changeId: string;
  /** The version that it is opened in. */
  stackUuid: string;
  /** Its places, from 1 on, in the versions that have it. */
  older?: number;
  newer?: number;
  title: string;
  /** In words. */
  text: string;
  /** True when its author has changed nothing. */
  isQuiet: boolean;
  /** The version that the person has signed off, in words. */
  signedOff?: string;
  /** Of one that was dropped, in Markdown. */
  texts: string[];
}

/** What became of the patches between two versions. */
export interface ChangesView {
  /** Their numbers, in words. */
  summary: string;
  older: VersionView;
  newer: VersionView;
  /** The newer version's in their order, and those that are gone where they were. */
  rows: ChangeRow[];
}

/** A patch stack as its page shows it. */
export interface StackPageView {
  ref: StackPageState;
  title: string;
  /** Version, branch and state, in words. */
  facts: string[];
  /** Set when this is what was loaded before. */
  notUpdated?: NotUpdated;
  /** Markdown; missing when there is none. */
  description?: string;
  /** The account whose typing is kept; missing when nobody is signed in. */
  account?: string;
  /** In the place of the title and the description while they are edited. */
  form?: StackForm;
  /** Why nothing of it can be reviewed; missing where it can. */
  readOnly?: string;
  /** The numbers of patches that the person has signed off and read, in words. */
  summary: string[];
  /** The number of changes that prose explains, in words; missing while it isn't known, and where there are none. */
  explained?: string;
  /** Missing when there is no version before this one. */
  versions?: VersionsView;
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
  'openStackAsDocument',
  'openStackAsMarkdown',
  'exportStack',
] as const;
export type StackAction = (typeof stackActions)[number];

export interface StackPageHost extends FormHost<TypedStackFields>, CodeHost {
  load: (parameters: null) => StackPageView;
  /** Has the next `load` ask the server, whatever is known. */
  refresh: (parameters: null) => null;
  /** Compares two versions. */
  changes: (parameters: WantedVersions) => ChangesView;
  /** Shows the page of another version. */
  openVersion: (parameters: { stackUuid: string }) => null;
  openPatch: (parameters: { changeId: string }) => null;
  /** Opens a patch as a version has it. */
  openInVersion: (parameters: { changeId: string; stackUuid: string }) => null;
  review: (parameters: { changeId: string; review: Review }) => null;
  lostText: (parameters: { action: LostTextAction; changeId: string; code: string }) => null;
  run: (parameters: { action: StackAction }) => null;
  /** Sends what was typed into the form; what doesn't arrive stays in it. */
  saveFields: (parameters: null) => { kind: 'saved' } | { kind: 'failed'; reason: string };
  /** Shows the title and the description again; what was typed is discarded, with *Undo*. */
  endEditing: (parameters: null) => null;
}

/** A page that is to begin anew shows another stack, or the same one again. */
export interface StackPagePage extends FormPage {
  /** Something of the stack is another than was shown. */
  show: (view: StackPageView) => null;
}

/** Draws the beginning of the page as HTML in which nothing can be pressed. */
export type PrerenderStack = (view: StackPageView, settings: PanelSettings) => string;
