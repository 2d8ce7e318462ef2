/**
 * Messages between the extension host and the page that shows all patches of a stack as one document. Of each patch they say the
 * same as those of a page with that patch alone (patchDocument.ts): such a message only says which patch it is of.
 */
import type { CodeHost, PanelSettings } from './panel.ts';
import type { NewerVersionView, PatchAsText, ReadingPreferences } from './patchDocument.ts';
import type { StackPageState } from './stackPage.ts';

/** A message about a patch of the stack. */
export interface ForPart {
  /** Its change id. */
  patch: string;
  message: unknown;
}

/** The stack of a document; the page keeps it over a reload of the window, with the place where the person is. */
export type StackDocumentRef = StackPageState;

/** A patch of the stack, as far as it is known before it is loaded. */
export interface PatchOutline {
  changeId: string;
  title: string;
  /** Changed files and lines, by which is reckoned how high it will be. */
  files: number;
  lines: number;
}

/** A stack as its document shows it. */
export interface StackDocumentView {
  ref: StackDocumentRef;
  title: string;
  /** Base to tip. */
  patches: PatchOutline[];
  /** Set when there is a newer version than this one. */
  newer?: NewerVersionView;
}

export interface StackDocumentHost extends CodeHost {
  settings: (parameters: null) => PanelSettings;
  preferences: (parameters: null) => ReadingPreferences;
  setPreferences: (parameters: ReadingPreferences) => null;
  stack: (parameters: { fresh: boolean }) => StackDocumentView;
  /** Reads on in the newer version, in what changed. */
  showNewer: (parameters: null) => null;
  /** Told which patches are drawn: of the others the page is told nothing. Answered when it is known. */
  noteDrawn: (parameters: { changeIds: string[] }) => null;
  /** Asked once the stack was drawn: the patch to begin at, if one is wanted. */
  patchToShow: (parameters: null) => string | null;
}

export interface StackDocumentPage {
  /** The stack is another one than was shown: a new version of it, or the same one with other titles. */
  show: (view: StackDocumentView) => null;
  /** Goes to a patch of it, which is drawn for that. */
  showPatch: (parameters: { changeId: string }) => null;
  /** All patches as text; each is loaded for it. */
  asText: (parameters: null) => PatchAsText;
}
