/** Compares what two versions of a commit do to all of its files. */
import { compareFile, type ComparisonContext, type FileComparison } from './compareFile.ts';
import type { FileChange, Verdict } from './fileChange.ts';
import { pairFiles, type FilePair } from './pairFiles.ts';

/** A file that at least one of two versions changes. */
export interface ComparedFile extends FilePair {
  verdict: Verdict;
  /** Undefined when only one version changes it. */
  comparison?: FileComparison;
}

/** Compares the files of two versions; see `pairFiles`. */
export function compareFiles(
  older: readonly FileChange[],
  newer: readonly FileChange[],
  baseRenames?: ReadonlyMap<string, string>,
): ComparedFile[] {
  return pairFiles(older, newer, baseRenames).map((pair) => comparePair(pair));
}

/** Compares one file. */
export function comparePair(
  { older, newer, isMoved }: FilePair,
  context: ComparisonContext = {},
): ComparedFile {
  if (!older || !newer) {
    return { older, newer, isMoved, verdict: older ? 'removed' : 'added' };
  }
  const compared = compareFile(older, newer, { ...context, isMoved });
  // What does the same to a file that the base has moved isn't where it was.
  const isElsewhere = compared.verdict === 'same' && older.path !== newer.path;
  const comparison: FileComparison = isElsewhere ? { ...compared, verdict: 'rebased' } : compared;
  return { older, newer, isMoved, verdict: comparison.verdict, comparison };
}
