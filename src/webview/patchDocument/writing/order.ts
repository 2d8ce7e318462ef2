/** The order of a patch's sections as lists of their codes: moving some of them, and what others moved meanwhile. */

/** A place between sections: the one before this index in the list, from 0 to its length. */
export type Gap = number;

/** Moves some sections, together and in the order that they have, into a gap between the others. */
export function moveTo(order: readonly string[], moved: ReadonlySet<string>, gap: Gap): string[] {
  const before = order.slice(0, gap).filter((code) => !moved.has(code));
  const after = order.slice(gap).filter((code) => !moved.has(code));
  return [...before, ...order.filter((code) => moved.has(code)), ...after];
}

/**
 * Moves some sections by one place. Those that are apart come together first: up to the topmost one, or down to the
 * lowest.
 */
export function moveBy(order: readonly string[], moved: ReadonlySet<string>, step: -1 | 1): string[] {
  const places = order.flatMap((code, index) => (moved.has(code) ? [index] : []));
  const first = places[0];
  const last = places.at(-1);
  if (first === undefined || last === undefined) {
    return [...order];
  }
  const together = last - first === places.length - 1;
  if (step < 0) {
    return moveTo(order, moved, Math.max(0, together ? first - 1 : first));
  }
  return moveTo(order, moved, Math.min(order.length, together ? last + 2 : last + 1));
}

export function isSameOrder(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((code, index) => code === b[index]);
}
