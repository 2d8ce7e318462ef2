/** Messages between the extension host and every form. No credential is ever in them. */
import type { RestoreOutcome, PanelSettings } from './panel.ts';

export interface FormHost<Fields> {
  settings: (parameters: null) => PanelSettings;
  /**
   * Saves what was typed, so that it outlives the tab and the window; answers when it is on disk. False when it is not: it was
   * typed for another account than the one that is active now, or the disk takes nothing.
   */
  saveFieldsLocally: (parameters: TypedFormFields<Fields>) => boolean;
  /** Goes on with what an earlier page had when its extension host ended. */
  restoreFields: (
    /** `after` is what was confirmed last before that. */
    parameters: TypedFormFields<Fields> & { after: Partial<Fields>; account: string },
  ) => RestoreOutcome;
  /** Throws away what was typed, as far as that edition of that page; the person is told, with *Undo*. */
  discardFields: (parameters: TypedOn) => null;
}

export interface FormPage {
  /** Another account is active, or what was typed is another thing since, for it was discarded or brought back elsewhere. */
  reload: (parameters: null) => null;
}

/** The fields of a form, and how far the typing was. */
export interface TypedFormFields<Fields> extends TypedOn {
  fields: Partial<Fields>;
}

/** The page that something was typed on, and how far: on one page the edition grows with each key. */
export interface TypedOn {
  page: string;
  edition: number;
}

export interface FormStart<Fields> {
  /** Names the account whose pending change it is. */
  account?: string;
  pending: Partial<Fields>;
  /** Why it was not sent, when that was tried. */
  failure?: string;
}
