/**
 * Does to an order what somebody did to an earlier one: each thing that they moved stands behind the same one as with them.
 *
 * @returns everything that stands in `theirs`, once.
 */
export function mergeOrder(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): string[] {
  const present = new Set(theirs);
  const wanted = mine.filter((item) => present.has(item));
  const places = new Map(base.map((item, place) => [item, place]));
  const stayed = new Set(longestRising(wanted, places));
  // What they had not seen yet was not moved either.
  const moved = wanted.filter((item) => places.has(item) && !stayed.has(item));
  const movedSet = new Set(moved);
  const result = theirs.filter((item) => !movedSet.has(item));
  for (const item of moved) {
    const before = wanted[wanted.indexOf(item) - 1];
    result.splice(before === undefined ? 0 : result.indexOf(before) + 1, 0, item);
  }
  return result;
}

/** The most items that stand in the same order in both: those that need not have been moved. */
function longestRising(items: readonly string[], places: ReadonlyMap<string, number>): string[] {
  // For each length, the chain of that length whose end has the lowest place.
  const chains: string[][] = [];
  for (const item of items) {
    const place = places.get(item);
    if (place === undefined) {
      continue;
    }
    const index = chains.findIndex((chain) => (places.get(chain.at(-1) ?? '') ?? 0) >= place);
    const length = index === -1 ? chains.length : index;
    chains[length] = [...(chains[length - 1] ?? []), item];
  }
  return chains.at(-1) ?? [];
}
