/**
 * What the extension host and the patch document's webview say to each other. Everything in here can be cloned
 * structurally; no credential ever is.
 */
import type { Review } from '../util/review.ts';
import type { PanelSettings } from './panel.ts';
import type { PatchWritingHost, PatchWritingView } from './patchWriting.ts';

/** The part of a person that the document shows. */
export interface PersonView {
  /** What to call them: name, else login, else email address. */
  name: string;
  login?: string;
  /** Names their picture; what can be shown of it is asked for apart. */
  avatar?: string;
}

/** Where the patch stands in its stack, for *previous* and *next*. */
export interface StackPosition {
  stackTitle: string;
  /** One-based. */
  index: number;
  count: number;
}

/** A text section: the author's markdown. */
export interface TextSectionView {
  type: 'text';
  code: string;
  title?: string;
  text: string;
}

/** A diff section: one changed file. The diff of a large one is asked for when the person opens it. */
export interface DiffSectionView {
  type: 'diff';
  code: string;
  path: string;
  oldPath?: string;
  /** Lines added and deleted, when the service said or the diff tells. */
  added?: number;
  deleted?: number;
  /** Bytes before and after. */
  oldSize?: number;
  newSize?: number;
  /** Unified diff; left out when it would make the document too long to be sent at once. */
  diff?: string;
  /** Characters and lines of the unified diff; 0 when the service sent none. */
  diffLength: number;
  diffLines: number;
}

/** A section that could not be read: shown, so that nothing is silently missing. */
export interface UnreadableSectionView {
  type: 'unreadable';
  code: string;
  title?: string;
}

/** One section of the document. */
export type SectionView = TextSectionView | DiffSectionView | UnreadableSectionView;

/** The status of a patch stack that is not the one to work on: nothing of a closed one is changed, and an inactive one may have a newer version. */
export type SettledStatus = 'closed' | 'inactive';

/** A patch as the document shows it. */
export interface PatchView {
  address: PatchDocumentState;
  /** Names the account that reads it, without saying who that is: what is typed belongs to it. */
  account?: string;
  title: string;
  description?: string;
  commitSha?: string;
  version?: string;
  /** ISO 8601, or as the service wrote it. */
  createdAt?: string;
  authors: PersonView[];
  statistics?: { files?: number; added?: number; deleted?: number };
  viewed: PersonView[];
  signedOff: PersonView[];
  /** Those who have requested changes. */
  rejected: PersonView[];
  /** What the reader has said of it; missing when that is nothing. */
  ownReview?: Review;
  /** Tells whether the patch on the service is still this one. */
  fingerprint: string;
  position?: StackPosition;
  /** The status of the patch stack, when it is not the one to work on. */
  stackStatus?: SettledStatus;
  sections: SectionView[];
  /** The server of the patch, when the window is not signed in there: then this is what was shown before, to be read only. */
  signedOutOf?: string;
  /** Codes of the sections that the person has marked as viewed, and that have not changed since. */
  viewedSections: string[];
  /** Set when the service could not be reached and this is what was loaded before: ISO 8601. */
  asOf?: string;
}

/** Characters of diffs that come with the document, in all; the others are asked for when they are to be shown. */
export const inlineDiffLength = 120_000;

/** How the person wants diffs to be laid out, in every patch document. */
export interface ReadingPreferences {
  layout: 'unified' | 'sideBySide';
  /** Lines that differ in whitespace alone count as unchanged. */
  ignoreWhitespace: boolean;
}

/** Every line of a file, as the patch finds or leaves it. */
export interface FileLines {
  side: 'old' | 'new';
  lines: string[];
}

/** Which neighbour in the stack: *next* is towards the tip. */
export type Direction = 'next' | 'previous';

/**
 * What of the page has the focus of the keyboard: nothing, something outside of the sections, a section or something in it,
 * or anything that takes text.
 */
export type DocumentFocus = 'none' | 'document' | 'section' | 'typing';

/** A line of a file on one side of the change. */
export interface DiffLine {
  side: 'old' | 'new';
  /** One-based. */
  line: number;
}

/** A section of the document, or a line of its diff. */
export interface PlaceInPatch {
  code: string;
  line?: DiffLine;
}

/** What keys lead to from where the person is. */
export type Stop = 'change' | 'file' | 'section';

/** A patch as lines of text, for those who hear it. */
export interface PatchAsText {
  text: string;
  /** Zero-based: where the person is in the document. */
  line: number;
}

/** What the webview asks of the extension host. */
export interface PatchDocumentHost extends PatchWritingHost {
  settings: (parameters: null) => PanelSettings;
  patch: (parameters: { fresh: boolean }) => PatchView;
  /** Asked after a patch was drawn: what to scroll to, if anything. */
  placeToReveal: (parameters: null) => PlaceInPatch | null;
  /** Told whenever something else has the focus; answered when VS Code's keys are for that. */
  noteFocus: (parameters: { focus: DocumentFocus }) => null;
  diff: (parameters: { code: string }) => string;
  /** The diffs of every file, by section code: for searching in them. */
  diffs: (parameters: null) => Record<string, string>;
  preferences: (parameters: null) => ReadingPreferences;
  setPreferences: (parameters: ReadingPreferences) => null;
  setViewed: (parameters: { code: string; viewed: boolean }) => null;
  /** Addresses from which pictures of people can be shown, by `PersonView.avatar`. */
  avatars: (parameters: null) => Record<string, string>;
  /** Whether the workspace's Git has the patch's commit. */
  commitInWorkspace: (parameters: null) => boolean;
  /** Every line of a file on one side of the change, from the workspace's git; null when it is not known there. */
  fileLines: (parameters: { code: string }) => FileLines | null;
  /** Opens what a section changes, or what the whole patch does, in VS Code's own diff editor. */
  openChanges: (parameters: { code?: string }) => null;
  /** Opens a file of the working tree, at a one-based line. */
  openFile: (parameters: { path: string; line?: number }) => null;
  openCommit: (parameters: null) => null;
  openNeighbour: (parameters: { direction: Direction }) => null;
  /** Loads a neighbour that the person is about to open. Not earlier: what is read counts as viewed. */
  readAhead: (parameters: { direction: Direction }) => null;
  /** Reopens the patch stack that is closed, or opens the same patch in the newest version of it. */
  goToActive: (parameters: null) => null;
  /** Signs in to the server of the patch. */
  signIn: (parameters: null) => null;
  showUser: (parameters: { login: string }) => null;
  copy: (parameters: { text: string }) => null;
  /** Copies a link to the patch. */
  copyLink: (parameters: null) => null;
}

/** What the extension host asks of the webview. */
export interface PatchDocumentView extends PatchWritingView {
  /** The patch has changed, or another one is to be shown. */
  show: (parameters: PatchView) => null;
  /** A section, or a line of it, is to be scrolled to and focused. */
  reveal: (parameters: PlaceInPatch) => null;
  /** What has the focus, or had it before VS Code's own parts took it; null when that is the document as a whole. */
  focusedPlace: (parameters: null) => PlaceInPatch | null;
  /** The person has come to this patch from another of its stack: they begin at its title, and are told where they are. */
  arrive: (parameters: null) => null;
  /** Something to say to screen readers. */
  announce: (parameters: { text: string }) => null;
  /** The person wants to look for text in the document. */
  find: (parameters: null) => null;
  /** The person goes on to the next change, file or section, or back to the one before. */
  go: (parameters: { to: Stop; direction: Direction }) => null;
  /** The whole patch as text. */
  asText: (parameters: null) => PatchAsText;
}

/** Draws the beginning of the document as HTML in which nothing can be pressed. */
export type Prerender = (
  patch: PatchView,
  settings: PanelSettings,
  preferences: ReadingPreferences,
) => string;

/** Where the patch is. The webview keeps it, so that the panel can be restored after a reload. */
export interface PatchDocumentState {
  serverUrl: string;
  projectId?: string;
  branchId?: string;
  stackUuid: string;
  changeId: string;
}
