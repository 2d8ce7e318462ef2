type OrderMerge = { kind: 'merged'; order: string[] } | { kind: 'conflict' };

/**
 * Joins two changes of one order: of every two things that either side has put the other way round, they stand that way
 * round. What only `theirs` has stands behind the same thing as there.
 *
 * @returns everything that stands in `theirs`, once; a conflict when no order does both.
 */
export function mergeOrder(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): OrderMerge {
  const [inBase, inMine, inTheirs] = [placesIn(base), placesIn(mine), placesIn(theirs)];
  const common = base.filter((item) => inMine.has(item) && inTheirs.has(item));
  const isBefore = (one: string, other: string): boolean => {
    const was = precedes(inBase, one, other);
    const isTurned = precedes(inMine, one, other) !== was || precedes(inTheirs, one, other) !== was;
    return isTurned ? !was : was;
  };
  const order: string[] = [];
  for (const item of common) {
    // In an order each thing has another number of things before it.
    const place = common.filter((other) => other !== item && isBefore(other, item)).length;
    if (order[place] !== undefined) {
      return { kind: 'conflict' };
    }
    order[place] = item;
  }
  const known = new Set(common);
  for (const [place, item] of theirs.entries()) {
    if (!known.has(item)) {
      order.splice(place === 0 ? 0 : order.indexOf(theirs[place - 1] ?? '') + 1, 0, item);
    }
  }
  return { kind: 'merged', order };
}

function placesIn(order: readonly string[]): ReadonlyMap<string, number> {
  return new Map(order.map((item, place) => [item, place]));
}

function precedes(places: ReadonlyMap<string, number>, one: string, other: string): boolean {
  return (places.get(one) ?? 0) < (places.get(other) ?? 0);
}
