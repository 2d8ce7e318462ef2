/** The words for what became of a patch between two versions, and the only way to them. */
import type { PatchComparison, PatchVerdict } from './comparePatches.ts';
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

/** The outcome of a comparison. */
export interface Outcome {
  since: SinceRead;
  /** False where contents of files that weren't at hand could make another one of it. */
  isCertain: boolean;
}

/** The outcome of a comparison. */
export function outcomeOf({
  verdict,
  files,
  sections,
  title,
  message,
  isFromDiffs,
}: PatchComparison): Outcome {
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
  return { since: 'changed', isCertain: Boolean(title ?? message) || isRewritten || isOtherFile };
}
