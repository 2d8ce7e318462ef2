/**
 * What the extension host and the patch document's webview say to each other. Everything in here can be cloned
 * structurally; no credential ever is.
 */
import type { PanelSettings } from './panel.ts';

/** The part of a person that the document shows. */
export interface PersonView {
  /** What to call them: name, else login, else e-mail address. */
  name: string;
  login?: string;
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
  /** Unified diff; left out when it is longer than `inlineDiffLength`. */
  diff?: string;
  /** Characters of the unified diff; 0 when the service sent none. */
  diffLength: number;
}

/** A section that could not be read: shown, so that nothing is silently missing. */
export interface UnreadableSectionView {
  type: 'unreadable';
  code: string;
  title?: string;
}

/** One section of the document. */
export type SectionView = TextSectionView | DiffSectionView | UnreadableSectionView;

/** A patch as the document shows it. */
export interface PatchView {
  address: PatchDocumentState;
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
  rejected: PersonView[];
  position?: StackPosition;
  sections: SectionView[];
  /** Set when the service could not be reached and this is what was loaded before: ISO 8601. */
  asOf?: string;
}

/** Characters up to which a diff comes with the document. */
export const inlineDiffLength = 60_000;

/** Which neighbour in the stack: *next* is towards the tip. */
export type Direction = 'next' | 'previous';

/** What the webview asks of the extension host. */
export interface PatchDocumentHost {
  settings: (parameters: null) => PanelSettings;
  patch: (parameters: { fresh: boolean }) => PatchView;
  /** Asked after a patch was drawn: the code of the section to scroll to, if any. */
  sectionToReveal: (parameters: null) => string | null;
  diff: (parameters: { code: string }) => string;
  openNeighbour: (parameters: { direction: Direction }) => null;
  showUser: (parameters: { login: string }) => null;
  copy: (parameters: { text: string }) => null;
}

/** What the extension host asks of the webview. */
export interface PatchDocumentView {
  /** The patch has changed, or another one is to be shown. */
  show: (parameters: PatchView) => null;
  /** A section is to be scrolled to and focused. */
  reveal: (parameters: { code: string }) => null;
}

/** Where the patch is. The webview keeps it, so that the panel can be restored after a reload. */
export interface PatchDocumentState {
  serverUrl: string;
  projectId?: string;
  branchId?: string;
  stackUuid: string;
  changeId: string;
}
