/** What the extension host and the table of a stack's patch statuses say to each other. */
import type { PanelSettings } from './panel.ts';

/** Someone who did something about a patch. */
export interface ReviewerView {
  name: string;
  /** Whether it is the person who reads the table. */
  isSelf: boolean;
}

/** A row of the table. */
export interface PatchStatusView {
  changeId: string;
  title: string;
  seen: ReviewerView[];
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

/** The table: who has seen each patch of the latest stack of a branch, signed it off or requested changes. */
export interface PatchStatusesView {
  address: PatchStatusesState;
  title: string;
  branch: string;
  version?: string;
  /** Base to tip. */
  patches: PatchStatusView[];
}

/** What the table asks of the extension host. */
export interface PatchStatusesHost {
  settings: (parameters: null) => PanelSettings;
  load: (parameters: null) => PatchStatusesView;
  openPatch: (parameters: { changeId: string }) => null;
}

/** What the extension host asks of the table. */
export interface PatchStatusesPage {
  /** Another stack is to be shown, or the same one again. */
  reload: (parameters: null) => null;
}
