/** The words for what became of a patch between two versions, and the only way to them. */
import type { MovedHunk } from '../../util/movedHunk.ts';
import type { PatchComparison, PatchVerdict } from './comparePatches.ts';
import { movedHunks } from './movedHunks.ts';
import type { PatchVersion } from './patchVersion.ts';

/** Two versions of a patch. */
export type VersionPair = readonly [older: PatchVersion, newer: PatchVersion];

/** What became of a patch since a version of it that was read. */
export type SinceRead =
  | PatchVerdict
  /** Only diffs are to be had, and as far as those show nothing changed. */
  | 'alike'
  /** That version isn't kept any more. */
  | 'unknown';

/** What became of a patch. */
export interface Became {
  since: SinceRead;
  /** The hunks that the author has moved, where that is all that changed. */
  moved?: readonly MovedHunk[];
}

/** The outcome of a comparison. */
export interface Outcome extends Became {
  /** False where contents of files that weren't at hand could make another one of it. */
  isCertain: boolean;
  /** Set where the author has resolved a conflict with what the base changed. */
  isConflict?: true;
}

/** The outcome of a comparison. */
export function outcomeOf(comparison: PatchComparison): Outcome {
  const { verdict, files, sections, title, message, isFromDiffs } = comparison;
  if (verdict !== 'changed') {
    return isFromDiffs ? { since: 'alike', isCertain: false } : { since: verdict, isCertain: true };
  }
  // A file that only one version has may be one that the base has moved.
  const isRewritten = sections.some(
    ({ older, newer, verdict: found }) => (newer ?? older)?.kind === 'text' && found !== 'same',
  );
  const isOtherFile = files.some(
    ({ comparison }) =>
      (comparison?.verdict === 'changed' || comparison?.verdict === 'conflict') &&
      comparison.basis !== 'diffs',
  );
  const moved = movedHunks(comparison);
  const isConflict = files.some((file) => file.verdict === 'conflict');
  return {
    since: 'changed',
    isCertain: moved !== 'unknown' && (Boolean(title ?? message) || isRewritten || isOtherFile),
    ...(moved && moved !== 'unknown' && { moved }),
    ...(isConflict && { isConflict }),
  };
}
