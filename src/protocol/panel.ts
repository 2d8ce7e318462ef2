/** What every panel and its page say to each other. */

/** What every panel needs to know before it draws. */
export interface PanelSettings {
  /** The language bundle of the window, empty for English. */
  bundle: Record<string, string>;
  /** BCP 47. */
  language: string;
  loadRemoteImages: boolean;
}

/**
 * What became of something that an earlier page had kept because no one confirmed it: the pending change now; known already,
 * as a pending change or on the service; or it has to wait, for there is another change of the same that it does not fit.
 */
export type HandOverOutcome = 'taken' | 'known' | 'waits';
