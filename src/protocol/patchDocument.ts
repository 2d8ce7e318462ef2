/**
 * Messages between the extension host and the patch document's webview. Everything in here can be cloned structurally; no
 * credential ever is.
 */
import type { HunkPlace } from '../util/hunkPlace.ts';
import type { DiffLine, SectionRef } from '../util/patchRef.ts';
import type { ProseImage } from '../util/proseImage.ts';
import type { OfferedName, ProseProblem } from '../util/proseProblem.ts';
import type { NamedLine, ProseLink } from '../util/proseLink.ts';
import type { Review, SignatureState } from '../util/review.ts';
import type { FileIcons, FilesWithIcons } from '../util/fileIcon.ts';
import type { MachineWritten } from '../util/machineWritten.ts';
import type { RemovedSection, ShownComparison, ShownSection } from '../util/shownComparison.ts';
import type { CodeHost, NotUpdated, PanelSettings } from './panel.ts';
import type { LastChange, PatchPending, PatchWritingHost, PatchWritingView } from './patchWriting.ts';

/** The part of a person that the document shows. */
export interface PersonView {
  /** A name to call them by: name, else login, else email address. */
  name: string;
  login?: string;
  /** Names their image; what can be shown of it is asked for apart. */
  avatar?: string;
  /** The way in which what they say of the patch is signed; missing where nobody says so. */
  signature?: SignatureState;
}

/** The place of the patch in its stack, for *previous* and *next*. */
interface StackPosition {
  stackTitle: string;
  /** One-based. */
  index: number;
  count: number;
}

/** The mark of a patch among those of its stack: the person's own review, else their reading state. */
export type RailMark = 'unread' | 'partlyRead' | 'read' | 'changed' | 'signedOff' | 'changesRequested';

/** A patch of the stack, as a dot. */
export interface RailPatch {
  changeId: string;
  title: string;
  mark: RailMark;
  /** The same in words, as far as it is known. */
  words: string;
}

/** The other version in a comparison. */
export interface ComparedWith {
  kind: 'lastRead' | 'signedOff' | 'version';
  /** The number of the version, as the service gives it. */
  number?: string;
  /** True when git alone had it, which knows nothing of texts. */
  isFromGit?: boolean;
}

/** The changes in a section since the version that the patch is compared with. */
export interface SectionComparison extends Omit<ShownSection, 'older'> {
  /** True when there is nothing to read of it: then it is one line, which can be opened. */
  isFolded: boolean;
  /** True when the person has read all of it in that version: of others it isn't enough to have seen what changed. */
  wasRead: boolean;
}

/** A section that is gone since, after the one that it came after; null when it was the first. */
export type GoneSection = Omit<RemovedSection, 'after'> & { after: string | null } & (
    { kind: 'text'; text: string } | { kind: 'diff'; path: string; diff: string }
  );

/** The changes in the patch since another version. */
export interface ComparisonView extends Omit<ShownComparison, 'sections' | 'removed'> {
  with: ComparedWith;
  /** Why contents of some files aren't at hand: git may not run, no repository is open, or those that are lack them. */
  missing?: 'untrusted' | 'notOpen' | 'notFetched';
  /** By the code of the section. */
  sections: Record<string, SectionComparison>;
  removed: GoneSection[];
}

/** A text section: the author's markdown. */
export interface TextSectionView {
  type: 'text';
  code: string;
  title?: string;
  text: string;
  /** The commit's message when this text of it was edited, and now, if it has changed. */
  changedMessage?: { before: string; now: string };
  /** The number of its versions that conflict, while there are several, and who wrote the one that is shown. */
  versions?: { count: number; isOwn: boolean; by?: string };
  /** Put in by the page, when the patch is compared. */
  compared?: SectionComparison;
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
  /** Set when a machine wrote the file, as far as its path and its beginning tell. */
  machine?: MachineWritten;
  isDeleted?: boolean;
  /** The file's encoding, where that isn't UTF-8; `bytes` where nobody knows. */
  encoding?: string;
  /** Unified diff; left out when it would make the document too long to be sent at once. */
  diff?: string;
  /** Characters and lines of the unified diff; 0 when the service sent none. */
  diffLength: number;
  diffLines: number;
  /** Put in by the page, when the patch is compared; then `diff` is what changed since, if that can be told. */
  compared?: SectionComparison;
}

/** A section that could not be read: shown, so that nothing is silently missing. */
export interface UnreadableSectionView {
  type: 'unreadable';
  code: string;
  title?: string;
  compared?: SectionComparison;
}

/** One section of the document. */
export type SectionView = TextSectionView | DiffSectionView | UnreadableSectionView;

/** The status of a patch stack that is not the one to work on: nothing of a closed one is changed, and an inactive one may have a newer version. */
export type SettledStatus = 'closed' | 'inactive';

/** The changes since the person signed off. */
export interface SinceSignOffView {
  /** Sentences. */
  text: string;
  /** Unless that version is no longer to be had, or is the same. */
  canCompare: boolean;
}

/** The hunks of a file that no prose explains: all that it has, or those at these places. */
export type UnexplainedHunks = 'all' | HunkPlace[];

/** A text that is older than the code that it is about. */
export interface StaleText {
  /** The number of the version that it was written in. */
  number?: string;
  /** The files of that code that changed since, with the section and the line to see that at. */
  files: { path: string; kind: 'changed' | 'added' | 'removed'; code?: string; line?: number }[];
  /** Files besides those. */
  more: number;
}

/** A newer version of the stack than the one that is shown. */
export interface NewerVersionView {
  /** Tells it from other versions. */
  id: string;
  /** A sentence: which version it is, and what became of the patches in it, once that is known. */
  text: string;
  /** The words of what leads there. */
  action: string;
}

/** A patch as the document shows it. */
export interface PatchView {
  ref: SectionRef;
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
  openedBy: PersonView[];
  signedOff: PersonView[];
  /** Those who have requested changes. */
  rejected: PersonView[];
  /** The reader's own review; missing when there is none. */
  ownReview?: Review;
  /** Tells whether the patch on the service is still this one. */
  fingerprint: string;
  position?: StackPosition;
  /** The whole stack, base to tip; set with the position. */
  rail?: RailPatch[];
  /** The status of the patch stack, when it is not the one to work on. */
  stackStatus?: SettledStatus;
  /** Set when there is a newer version of the stack, unless that is said of the stack as a whole. */
  newer?: NewerVersionView;
  sections: SectionView[];
  pending: PatchPending;
  /** Until the person has dismissed it, it is true no more, or the page begins anew. */
  lastChange?: LastChange;
  /** The server of the patch, when the window is not signed in there: then this is what was shown before, to be read only. */
  signedOutOf?: string;
  /** Codes of the sections that the person has ticked as read, and that have not changed since. */
  tickedSections: string[];
  sinceSignOff?: SinceSignOffView;
  /** Codes of the unread sections; missing when it isn't known. */
  unread?: string[];
  /** Those of them that keep the person from signing off, after they wanted to. */
  unseen?: string[];
  /** The hunks that no prose explains, by the code of their section; missing until they are known. */
  unexplained?: Record<string, UnexplainedHunks>;
  /** The texts that are older than the code that they are about, by the code of their section; missing until they are known. */
  stale?: Record<string, StaleText>;
  /** Set when the patch is compared with another version of it. */
  comparison?: ComparisonView;
  /**
   * The version that the person has read, when the patch has changed since and isn't compared with that. `isLost`: that isn't kept, so
   * that nobody knows what has changed.
   */
  changedSince?: ComparedWith & { isLost?: true };
  /** Set when this is what was loaded before. */
  notUpdated?: NotUpdated;
}

/**
 * A patch as it is now, for a page that has been shown one: of sections that it has as they are it is told the code alone, and of
 * the same comparison, stack or marks just that.
 */
export interface PatchUpdate extends Omit<
  PatchView,
  'sections' | 'comparison' | 'rail' | 'unexplained' | 'stale'
> {
  sections: (SectionView | string)[];
  comparison?: ComparisonView | 'same';
  rail?: RailPatch[] | 'same';
  unexplained?: PatchView['unexplained'] | 'same';
  stale?: PatchView['stale'] | 'same';
}

/** Characters of diffs that come with the document, in all; the others are asked for when they are to be shown. */
export const inlineDiffLength = 120_000;

/** Lines of a file that the patch has moved. */
export interface MovedLines {
  /** Old lines are those that were moved from here, new ones were moved here. */
  side: 'old' | 'new';
  /** One-based. */
  start: number;
  count: number;
  /** The first of them on the other side. */
  other: { code: string; line: number };
}

/** A file that isn't text, on one side of the change. */
export interface BinarySide {
  /** Bytes. */
  size: number;
  /** By its content, as people call it: `PNG`. */
  kind?: string;
  /** The address that shows it, where it is an image. */
  image?: string;
  /** True for one that is too large to be looked at. */
  tooLarge?: boolean;
}

/** Both sides of a file that isn't text, as far as they are to be had. */
export interface BinarySides {
  before?: BinarySide;
  after?: BinarySide;
  /** True where git isn't run, since the folder isn't trusted. */
  isUntrusted?: boolean;
}

/** The person's choices for the layout of diffs, in every patch document. */
export interface ReadingPreferences {
  layout: 'unified' | 'sideBySide';
  /** Lines that differ in whitespace alone count as unchanged. */
  ignoreWhitespace: boolean;
  /** Lines that are wider than their room go on below; else they are scrolled. */
  wrap: boolean;
}

/** Every line of a file, as the patch finds or leaves it. */
export interface FileLines {
  side: 'old' | 'new';
  lines: string[];
}

/** The direction to a neighbor in the stack: *next* is towards the tip. */
export type Direction = 'next' | 'previous';

/**
 * The part of the page that has the focus of the keyboard: nothing, something outside of the sections, a section or something in
 * it, or anything that takes text.
 */
export type DocumentFocus = 'none' | 'document' | 'section' | 'typing';

/** A section of the document, or a line of its diff. */
export interface PlaceInPatch {
  code: string;
  line?: DiffLine;
}

/** The stops of the keys that go on from where the person is. */
export type Stop = 'change' | 'file' | 'section';

/** A patch as lines of text, for those who hear it. */
export interface PatchAsText {
  text: string;
  /** Zero-based: where the person is in the document. */
  line: number;
}

export interface PatchDocumentHost extends PatchWritingHost, CodeHost {
  settings: (parameters: null) => PanelSettings;
  patch: (parameters: { fresh: boolean }) => PatchView;
  /** Asked after a patch was drawn: what to scroll to, if anything. */
  placeToReveal: (parameters: null) => PlaceInPatch | null;
  /** Told whenever something else has the focus; answered when VS Code's keys are for that. */
  noteFocus: (parameters: { focus: DocumentFocus }) => null;
  /** Told when the focus has come to the page and nobody has pressed anything in it. */
  noteFocusGiven: (parameters: null) => null;
  diff: (parameters: { code: string }) => string;
  /** The diffs of every file, by section code: for searching in them. */
  diffs: (parameters: null) => Record<string, string>;
  preferences: (parameters: null) => ReadingPreferences;
  setPreferences: (parameters: ReadingPreferences) => null;
  /** Compares the patch with nothing, with what the person read last or signed off, or with what they choose. */
  compareWith: (parameters: { baseline: 'nothing' | 'lastRead' | 'signedOff' | 'choose' }) => null;
  /** Compares the patch with the version that a stale text was written in. */
  compareWithWritten: (parameters: { code: string }) => null;
  /** The person says that a stale text is true of the code as it is now. */
  confirmText: (parameters: { code: string }) => null;
  /** Marks a section as read, or as unread. */
  setRead: (parameters: { code: string; isRead: boolean }) => null;
  /**
   * Told which sections were on the screen for a second, all of them. False when that does not count: nobody looked at the window, or
   * the patch is another one by now.
   */
  /** Without codes: all that there is to be seen of a patch beside its sections. */
  noteSeen: (parameters: { fingerprint: string; codes: string[] }) => boolean;
  /** Addresses from which images of people can be shown, by `PersonView.avatar`. */
  avatars: (parameters: null) => Record<string, string>;
  commitInWorkspace: (parameters: null) => boolean;
  /** The sections of files that the repository's attributes say are generated: `linguist-generated`. */
  generated: (parameters: null) => string[];
  /** The lines that the patch moves from one place to another, by the code of their section. Asked once it is there to be read. */
  moved: (parameters: null) => Record<string, MovedLines[]>;
  /** Every line of a file on one side of the change, from the workspace's git; null when it is not known there. */
  fileLines: (parameters: { code: string }) => FileLines | null;
  /** A file that isn't text, before the change and after it. */
  binary: (parameters: { code: string }) => BinarySides;
  /** The icons of files in the window's file icon theme; null when it has none that can be had. */
  fileIcons: (parameters: FilesWithIcons) => FileIcons | null;
  /** Opens what a section changes, or what the whole patch does, in VS Code's own diff editor. */
  openChanges: (parameters: { code?: string }) => null;
  /** Finds what the text of a section names. Asked once it is there to be read. */
  proseLinks: (parameters: { code: string }) => ProseLink[];
  /** Asks the person which of several lines they mean. @returns its place among them, or null when they give up. */
  chooseLine: (parameters: { lines: NamedLine[] }) => number | null;
  /** Images of the repository at the version of the patch, by their paths. */
  images: (parameters: { paths: string[] }) => Record<string, ProseImage>;
  /** Checks a text that is written; it is only told of what was found. */
  checkText: (parameters: { text: string }) => ProseProblem[];
  /** The things that a text of the patch can name. */
  offeredNames: (parameters: null) => OfferedName[];
  /** The text that a section may begin with; empty when there is none. */
  template: (parameters: null) => string;
  /** Opens a file of the working tree, at a one-based line. */
  openFile: (parameters: { path: string; line?: number }) => null;
  openCommit: (parameters: null) => null;
  /** Opens a commit of the workspace's git that the patch is not. */
  openOtherCommit: (parameters: { sha: string }) => null;
  openNeighbor: (parameters: { direction: Direction }) => null;
  /** Reads on in another patch of the stack. */
  openOther: (parameters: { changeId: string }) => null;
  /** Loads a neighbor that the person is about to open. Not earlier: who is sent a patch has opened it, for others. */
  readAhead: (parameters: { direction: Direction }) => null;
  /** Reopens the patch stack that is closed, or opens the same patch in the newest version of it. */
  goToActive: (parameters: null) => null;
  /** Reads on in the newer version of the stack, in what changed. */
  showNewer: (parameters: null) => null;
  /** Gets the contents that the comparison lacks: has the person trust the folder, or git fetch them. */
  getContents: (parameters: null) => null;
  /** Signs in to the server of the patch. */
  signIn: (parameters: null) => null;
  showUser: (parameters: { login: string }) => null;
  copy: (parameters: { text: string }) => null;
  /** Copies a link to the patch. */
  copyLink: (parameters: null) => null;
}

export interface PatchDocumentView extends PatchWritingView {
  /**
   * Something of the patch has changed, or another one is to be shown: everything that the page shows of it, its pending changes
   * included. False when the page does not have what it is told the name of: then it is told all.
   */
  show: (parameters: PatchUpdate) => boolean;
  /** A section, or a line of it, is to be scrolled to and focused. */
  reveal: (parameters: PlaceInPatch) => null;
  /**
   * Returns the place that has the focus, or had it before VS Code's own parts took it; null when that is the document as a whole.
   */
  focusedPlace: (parameters: null) => PlaceInPatch | null;
  /** The person has come to this patch from another of its stack: they begin at its title, and are told where they are. */
  arrive: (parameters: null) => null;
  /** Something to say to screen readers. */
  announce: (parameters: { text: string }) => null;
  /** The person wants to look for text in the document. */
  find: (parameters: null) => null;
  /** The person goes on to the next change, file or section, or back to the one before. */
  go: (parameters: { to: Stop; direction: Direction }) => null;
  /** The colors of code have changed, though the window has the same theme. */
  colorAnew: (parameters: null) => null;
  /** The whole patch as text. */
  asText: (parameters: null) => PatchAsText;
}

/** The head of a stack, when its first patch is the beginning of a document with all of them. */
export interface StackHead {
  title: string;
  /** The number of its patches. */
  count: number;
}

/** Draws the beginning of the document as HTML in which nothing can be pressed. */
export type Prerender = (
  patch: PatchView,
  settings: PanelSettings,
  preferences: ReadingPreferences,
  stack?: StackHead,
) => string;
