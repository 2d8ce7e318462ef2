/** What the extension host and every form say to each other. No credential is ever in it. */
import type { PanelSettings } from './panel.ts';

/** What every form asks of the extension host. */
export interface FormHost<Fields> {
  settings: (parameters: null) => PanelSettings;
  /** Keeps what was typed, so that it outlives the tab and the window. */
  keepDraft: (parameters: { fields: Partial<Fields> }) => null;
  /** Throws away what was typed; the person is told, with *Undo*. */
  discardDraft: (parameters: null) => null;
}

/** What the extension host asks of every form. */
export interface FormPage {
  /** Another account is active, or what was typed is another thing since, for it was discarded or brought back elsewhere. */
  reload: (parameters: null) => null;
}

/** What was typed before and not sent yet. */
export interface FormStart<Fields> {
  draft: Partial<Fields>;
  /** Why it was not sent, when that was tried. */
  failure?: string;
}
