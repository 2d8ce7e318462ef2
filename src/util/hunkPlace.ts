/** The lines of a file that a hunk is about, one-based: before the change and after it. Where it has none, from where they would be. */
export interface HunkPlace {
  old: { start: number; count: number };
  new: { start: number; count: number };
}
