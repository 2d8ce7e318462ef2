/** Messages between the extension host and the table of a stack's patch statuses. */
import type { SignatureState } from '../util/review.ts';
import type { PanelSettings } from './panel.ts';

/** Someone who did something about a patch. */
export interface ReviewerView {
  name: string;
  isSelf: boolean;
  /** The way in which what they say is signed; missing where nobody says so. */
  signature?: SignatureState;
}

/** A row of the table. */
export interface PatchStatusView {
  changeId: string;
  title: string;
  openedBy: ReviewerView[];
  signedOff: ReviewerView[];
  /** Those who have requested changes. */
  rejected: ReviewerView[];
}

/** Of which branch the statuses are; what the page keeps over a reload of the window. */
export interface PatchStatusesState {
  serverUrl: string;
  projectId: string;
  branchId: string;
}

/** The table: who has opened each patch of the latest stack of a branch, signed it off or requested changes. */
export interface PatchStatusesView {
  branchRef: PatchStatusesState;
  title: string;
  branch: string;
  version?: string;
  /** Base to tip. */
  patches: PatchStatusView[];
}

export interface PatchStatusesHost {
  settings: (parameters: null) => PanelSettings;
  load: (parameters: null) => PatchStatusesView;
  openPatch: (parameters: { changeId: string }) => null;
}

export interface PatchStatusesPage {
  /** Another stack is to be shown, or the same one again. */
  reload: (parameters: null) => null;
  /** Somebody has said something of a patch, or there is a new version. */
  show: (view: PatchStatusesView) => null;
}
