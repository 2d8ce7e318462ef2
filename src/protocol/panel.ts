/** Messages between every panel and its page. */
import type { CodeToColor, ColoredCode } from '../util/coloring.ts';
import type { Formula } from '../util/formula.ts';
import type { ForgottenAccount } from '../util/forgottenAccount.ts';

/** Settings that every panel needs before it draws. */
export interface PanelSettings {
  /** The language bundle of the window, empty for English. */
  bundle: Record<string, string>;
  /** BCP 47. */
  language: string;
  loadRemoteImages: boolean;
  /** Whose data was deleted: what the page has kept of theirs goes, too. */
  forgotten?: ForgottenAccount[];
}

/** Asked by every page that has code, formulas, or emoji on it. */
export interface CodeHost {
  /** Code with the colors of the window's theme; null when no extension knows its language. */
  colors: (parameters: CodeToColor) => ColoredCode | null;
  /** Formulas as HTML with a `math` element each; null for one that is shown as it was written. */
  formulas: (parameters: { formulas: Formula[] }) => (string | null)[];
  /** Emoji by the names that texts may call them by. Asked when a text has one. */
  emoji: (parameters: null) => Record<string, string>;
}

/**
 * The outcome of restoring what an earlier page had kept because no one confirmed it: the pending change now; known already, as a
 * pending change or on the service; a pending change beside another one of the same, which it doesn't fit; or it has to wait, for it is
 * another account's, or can't be written to disk.
 */
export type RestoreOutcome = 'restored' | 'known' | 'kept' | 'waits';

/** Texts of a page for when it has no language bundle of the window yet, or nobody is there to give it one. */
export const wordsWithoutHost: readonly string[] = [
  "VS Code's extension host isn't responding.",
  'If it has stopped, close this tab and open the page again. What you typed is saved locally.',
];

/** What a page shows could not be brought up to date. */
export interface NotUpdated {
  /** ISO 8601: it was so then. */
  asOf: string;
  /** The service couldn't be reached, doesn't have it any more, or answered with something else. */
  why: 'offline' | 'gone' | 'failed';
}
