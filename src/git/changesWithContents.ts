/** Tells what became of each patch of a stack between two of its versions, with the contents that git has of their files. */
import { comparePatches } from '../model/reading/comparePatches.ts';
import { outcomeOf, type Outcome, type VersionPair } from '../model/reading/outcome.ts';
import type { StackChange } from '../model/reading/stackChange.ts';
import { stackChanges, type PlacedVersion } from '../model/reading/stackChanges.ts';
import { compareAllContents } from './comparePatch.ts';
import type { OpenRepository } from './repository.ts';

/** Two versions of a stack: the patches of each, in their order. */
export interface StackVersions {
  older: readonly PlacedVersion[];
  newer: readonly PlacedVersion[];
}

/**
 * See the module.
 *
 * @param repositories without any, the diffs are compared.
 * @param scratch a folder for what git writes meanwhile; nothing stays in it.
 * @throws the signal's reason.
 */
export function changesWithContents(
  repositories: readonly OpenRepository[],
  { older, newer }: StackVersions,
  scratch: string,
  signal?: AbortSignal,
): Promise<StackChange[]> {
  return stackChanges(older, newer, async (pairs) => {
    const known = pairs.map((pair) => outcomeOf(comparePatches(...pair)));
    // Whether a conflict was resolved, the contents alone tell.
    const open = pairs.filter((_, index) => known[index]?.since !== 'unchanged' || !known[index].isCertain);
    const found = new Map<VersionPair | undefined, Outcome>();
    for await (const { comparison } of compareAllContents(repositories, open, scratch, signal)) {
      found.set(open[found.size], outcomeOf(comparison));
    }
    return pairs.map(
      (pair, index) => found.get(pair) ?? known[index] ?? { since: 'unknown', isCertain: false },
    );
  });
}
