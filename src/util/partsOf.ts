interface Part<T> {
  /** The number of its first one, counted from 1. */
  from: number;
  items: T[];
}

/** Parts of a list, in order, of which none is longer than `most`; all but the last are as long as that. */
export function partsOf<T>(all: readonly T[], most: number): Part<T>[] {
  const parts: Part<T>[] = [];
  for (let start = 0; start < all.length; start += most) {
    parts.push({ from: start + 1, items: all.slice(start, start + most) });
  }
  return parts;
}
