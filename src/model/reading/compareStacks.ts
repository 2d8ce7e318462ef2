/** Compares two versions of a stack, patch by patch. */
import { comparePatches, type PatchComparison, type PatchVerdict } from './comparePatches.ts';
import { pairPatches, type PatchPair } from './pairPatches.ts';
import type { PatchVersion } from './patchVersion.ts';

/** A patch of a stack with its outcome in the newer version. */
export interface ComparedPatch extends PatchPair {
  verdict: PatchVerdict | 'new' | 'removed';
  /** Undefined when only one version has it. */
  comparison?: PatchComparison;
}

/** The number of a stack's patches for each outcome. */
export type StackSummary = Record<ComparedPatch['verdict'], number>;

/** Compares the patches of two versions; see `pairPatches`. @param compare compares those that both have. */
export function compareStacks(
  older: readonly PatchVersion[],
  newer: readonly PatchVersion[],
  compare: (older: PatchVersion, newer: PatchVersion) => PatchComparison = comparePatches,
): ComparedPatch[] {
  return pairPatches(older, newer).map((pair) => {
    if (!pair.older || !pair.newer) {
      return { ...pair, verdict: pair.newer ? 'new' : 'removed' };
    }
    const comparison = compare(pair.older, pair.newer);
    return { ...pair, verdict: comparison.verdict, comparison };
  });
}

/** Counts what became of the patches. */
export function summaryOf(patches: readonly Pick<ComparedPatch, 'verdict'>[]): StackSummary {
  const summary: StackSummary = { unchanged: 0, rebased: 0, changed: 0, new: 0, removed: 0 };
  for (const { verdict } of patches) {
    summary[verdict] += 1;
  }
  return summary;
}
