/** What the extension host and every form say to each other. No credential is ever in it. */
import type { HandOverOutcome, PanelSettings } from './panel.ts';

/** What every form asks of the extension host. */
export interface FormHost<Fields> {
  settings: (parameters: null) => PanelSettings;
  /**
   * Keeps what was typed, so that it outlives the tab and the window; answers when it is on disk. False when it is not: it was
   * typed for another account than the one that is active now, or the disk takes nothing.
   */
  keepFields: (parameters: KeptFields<Fields>) => boolean;
  /** Goes on with what an earlier page had when its extension host ended. */
  handOver: (
    /** `after` is what was confirmed last before that. */
    parameters: KeptFields<Fields> & { after: Partial<Fields>; account: string },
  ) => HandOverOutcome;
  /** Throws away what was typed; the person is told, with *Undo*. */
  discardFields: (parameters: null) => null;
}

/** What the extension host asks of every form. */
export interface FormPage {
  /** Another account is active, or what was typed is another thing since, for it was discarded or brought back elsewhere. */
  reload: (parameters: null) => null;
}

/** What stands in a form, and how far the typing was: on one page it grows with each key. */
export interface KeptFields<Fields> {
  fields: Partial<Fields>;
  page: string;
  edition: number;
}

/** What was typed before and not sent yet. */
export interface FormStart<Fields> {
  /** Names the account whose pending change it is. */
  account?: string;
  pending: Partial<Fields>;
  /** Why it was not sent, when that was tried. */
  failure?: string;
}
