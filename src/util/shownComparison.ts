/** The changes in a patch between two versions, as they are shown: small, and without the contents of files. */
import type { WordChange } from './compareProse.ts';
import type { MovedHunk } from './movedHunk.ts';

/** Why a file is shown with both of its diffs, and not with what changed between them. */
export type BothDiffsReason =
  /** The author resolved a conflict. */
  | 'conflict'
  /** Contents were not to be had, and nobody knows what is of the base. */
  | 'fromDiffs'
  /** They were not, and the ids of the blobs say that it changed. */
  | 'notAvailable'
  /** Part of the change is in the base now. */
  | 'partlyInBase'
  /** The lines are the same; the name, the mode or something else is not. */
  | 'noLines'
  /** It cannot be told line by line. */
  | 'untold';

/** Lines of a text, by the numbers of the first and the last; one-based. */
export type LineRange = readonly [first: number, last: number];

/** Lines that are gone, by the line that they stood before; one-based. */
export interface RemovedLines {
  before: number;
  count: number;
}

/** A section of the newer version, compared with the older one. */
export interface ShownSection {
  verdict: 'same' | 'rebased' | 'changed' | 'conflict' | 'added';
  /** True for a file whose diffs are alike, and that nobody knows more of: its change may be in a place that looks alike. */
  isFromDiffs?: true;
  /** True when it is at another place among the sections that both versions have. */
  isMoved: boolean;
  /** Its place among the sections of the older version, if it is there. */
  older?: number;
  /** Another path that the file had in the older version. */
  olderPath?: string;
  /** The text before. */
  textBefore?: string;
  /** The changes in a file since, as a unified diff from what it would be had its author changed nothing. */
  diff?: string;
  /** Lines before this diff that are what they are because the base has changed. */
  baseLines?: readonly LineRange[];
  /** Lines before this diff that the base has removed. */
  baseRemovals?: readonly RemovedLines[];
  /** The older version's diff, where both are to be read. */
  both?: { reason: BothDiffsReason; olderDiff: string };
}

/** A section that only the older version has. */
export type RemovedSection = {
  /** The place of the newer version's section that it came after; -1 when there is none. */
  after: number;
} & ({ kind: 'text'; text: string } | { kind: 'diff'; path: string; diff: string });

/** See the module. */
export interface ShownComparison {
  verdict: 'unchanged' | 'rebased' | 'changed';
  title?: WordChange[];
  message?: WordChange[];
  /** Those of the newer version, in its order. */
  sections: ShownSection[];
  removed: RemovedSection[];
  /** The hunks that the author has moved, where that is all that changed. */
  moved?: readonly MovedHunk[];
  /** True when some file could be compared by diffs alone: then nobody knows if that was rebased. */
  isFromDiffs: boolean;
}

/** True where contents that aren't at hand could tell more. */
export function lacksContents({ isFromDiffs, sections }: ShownComparison): boolean {
  return isFromDiffs || sections.some(({ both }) => both?.reason === 'notAvailable');
}
