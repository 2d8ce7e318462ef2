/** Links in the prose of a patch: to what a text names in passing. */

/** The thing that is named. */
export type LinkTarget =
  /** A file, or lines of it, as they are now. */
  | { kind: 'file'; path: string; start?: number; end?: number; lines?: string[] }
  /** Lines of a file that nobody finds again: they are gone, or changed beyond recognition. */
  | { kind: 'lost'; path: string }
  /** A line that the patch adds, in the section of its file. */
  | { kind: 'line'; code: string; line: number; text: string }
  /** Another patch of the stack. */
  | { kind: 'patch'; changeId: string; title: string }
  | { kind: 'person'; login: string };

/** A link, by the words that it is made of. */
export interface ProseLink {
  text: string;
  target: LinkTarget;
}
