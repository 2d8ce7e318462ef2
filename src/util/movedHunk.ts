/** A hunk that an author has moved to another place since. */

/** A place in a file; its line is one-based. */
interface Place {
  path: string;
  line: number;
}

/** See the module. */
export interface MovedHunk {
  from: Place;
  to: Place;
}
