/** Finds the files that an author has taken out of a patch only to have them in another patch of the stack. */
import { hunksBySection, type HunkPrint } from './hunks.ts';
import type { PatchVersion } from './patchVersion.ts';

/**
 * The paths of those files of which everything that the older version did is done by other patches now.
 *
 * @param gone the paths of its files that are no longer in the patch.
 * @param others the other patches of the stack as they are now, as far as they are known.
 */
export function splitOff(
  older: PatchVersion,
  gone: readonly string[],
  others: readonly PatchVersion[],
): string[] {
  const there = new Map<string, number>();
  const keyOf = ({ path, lines }: HunkPrint): string => JSON.stringify([path, lines]);
  for (const print of others.flatMap((other) => hunksBySection(other).flat())) {
    there.set(keyOf(print), (there.get(keyOf(print)) ?? 0) + 1);
  }
  const wanted = new Set(gone);
  return hunksBySection(older).flatMap((hunks, index) => {
    const section = older.sections[index];
    const isGone = section?.kind === 'diff' && wanted.has(section.path);
    if (!isGone || !hunks.some(({ isTelling }) => isTelling)) {
      // Lines that say nothing are everywhere.
      return [];
    }
    return hunks.every((print) => take(there, keyOf(print))) ? section.path : [];
  });
}

/** Takes one of those that there are; false when there is none left. */
function take(counts: Map<string, number>, key: string): boolean {
  const count = counts.get(key) ?? 0;
  counts.set(key, count - 1);
  return count > 0;
}
