/**
 * The part of a long list that is drawn: all that is near to the screen. The rest is room, as high as its items were when they
 * were drawn, or are expected to be. Nothing here knows the page.
 */

/** The heights of the items of a list: as they were measured, else as they are expected to be. */
export class Heights {
  readonly count: number;
  readonly #heights: Float64Array;
  /** Sums of ranges, so that a place among a hundred thousand items is found in some twenty steps: a Fenwick tree. */
  readonly #sums: Float64Array;

  constructor(expected: ArrayLike<number>) {
    this.count = expected.length;
    this.#heights = Float64Array.from(expected);
    this.#sums = new Float64Array(this.count + 1);
    this.#heights.forEach((height, index) => this.#add(index, height));
  }

  get total(): number {
    return this.before(this.count);
  }

  /** The height of an item. */
  of(index: number): number {
    return this.#heights[index] ?? 0;
  }

  /** Takes in how high an item is. */
  measure(index: number, height: number): void {
    const difference = height - this.of(index);
    if (index < 0 || index >= this.count || difference === 0) {
      return;
    }
    this.#heights[index] = height;
    this.#add(index, difference);
  }

  #add(index: number, difference: number): void {
    for (let place = index + 1; place <= this.count; place += place & -place) {
      this.#sums[place] = (this.#sums[place] ?? 0) + difference;
    }
  }

  /** The height of all items before one: the place where it begins. */
  before(index: number): number {
    let sum = 0;
    for (let place = Math.min(index, this.count); place > 0; place -= place & -place) {
      sum += this.#sums[place] ?? 0;
    }
    return sum;
  }

  /** The item at a distance from the start of the list; the first or the last where there is none. */
  at(distance: number): number {
    let index = 0;
    let left = distance;
    for (let step = 2 ** Math.floor(Math.log2(Math.max(1, this.count))); step >= 1; step /= 2) {
      const sum = this.#sums[index + step];
      if (index + step <= this.count && sum !== undefined && sum <= left) {
        index += step;
        left -= sum;
      }
    }
    return Math.max(0, Math.min(index, this.count - 1));
  }
}

/** Items that are drawn though they lie one after the other, from one up to and not including another. */
export interface Span {
  start: number;
  end: number;
}

/** The items that lie between two distances from the start of the list. */
export function spanBetween(heights: Heights, top: number, bottom: number): Span {
  if (heights.count === 0 || bottom < 0 || top > heights.total) {
    return { start: 0, end: 0 };
  }
  return { start: heights.at(top), end: heights.at(bottom) + 1 };
}

/** A part of a list: an item that is drawn, or room for items that are not. */
export type ListPart =
  | { kind: 'item'; index: number }
  /** From one item up to and not including another. */
  | { kind: 'room'; start: number; end: number; height: number };

/**
 * Takes a list apart into what is drawn and room for the rest, in order.
 *
 * @param kept items that are drawn wherever they are.
 */
export function partsOf(heights: Heights, near: Span, kept: Iterable<number>): ListPart[] {
  const drawn = new Set<number>();
  for (const index of kept) {
    if (index >= 0 && index < heights.count) {
      drawn.add(index);
    }
  }
  for (let index = Math.max(0, near.start); index < Math.min(near.end, heights.count); index++) {
    drawn.add(index);
  }
  const parts: ListPart[] = [];
  let next = 0;
  const addRoom = (end: number): void => {
    if (end > next) {
      parts.push({ kind: 'room', start: next, end, height: heights.before(end) - heights.before(next) });
    }
  };
  for (const index of [...drawn].sort((a, b) => a - b)) {
    addRoom(index);
    parts.push({ kind: 'item', index });
    next = index + 1;
  }
  addRoom(heights.count);
  return parts;
}
