/** What every panel and its page say to each other. */

/** What every panel needs to know before it draws. */
export interface PanelSettings {
  /** The language bundle of the window, empty for English. */
  bundle: Record<string, string>;
  /** BCP 47. */
  language: string;
  loadRemoteImages: boolean;
}
