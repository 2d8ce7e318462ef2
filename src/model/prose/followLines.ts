/**
 * Follows lines of a file into another version of it. A line is found again by what it says, if nothing else says it, and by the
 * lines around it; where that leaves a doubt it is lost: a reference that leads nowhere is better than one that leads astray.
 * Blanks at the beginning and the end of a line say nothing: a block that is put into another one says what it said.
 */

/** The lines of a file; undefined where nobody knows them. */
export type KnownLines = readonly (string | undefined)[];

/** Lines, one-based, from the first to the last. */
export interface FollowedLines {
  start: number;
  end: number;
}

/** Lines that are looked at around one. */
const farthest = 200;

/** Follows a line or several into another version; undefined when one of the ends is lost. */
export function followLines(
  older: KnownLines,
  newer: KnownLines,
  { start, end }: FollowedLines,
): FollowedLines | undefined {
  const follower = new Follower(older, newer);
  const first = follower.follow(start - 1);
  const last = end === start ? first : follower.follow(end - 1);
  return first === undefined || last === undefined || last < first
    ? undefined
    : { start: first + 1, end: last + 1 };
}

/** See the module; it is used for several lines of the same versions. */
export class Follower {
  readonly #older: Side;
  readonly #newer: Side;

  constructor(before: KnownLines, after: KnownLines) {
    const [older, newer] = [before, after].map((lines) => lines.map((line) => line?.trim())) as [
      KnownLines,
      KnownLines,
    ];
    const pairs = uniquePairs(older, newer);
    this.#older = { lines: older, pairs };
    this.#newer = { lines: newer, pairs: new Map([...pairs].map(([before, after]) => [after, before])) };
  }

  /** Returns the place of a line in the newer version, zero-based; undefined when it is lost. */
  follow(line: number): number | undefined {
    if (line < 0 || line >= this.#older.lines.length) {
      return undefined;
    }
    return this.#findSame(line) ?? this.#findChanged(line);
  }

  /** The place of a line that says what it said. */
  #findSame(line: number): number | undefined {
    const [place, ...others] = placesIn(this.#older, this.#newer, line);
    if (place === undefined || others.length > 0) {
      return undefined;
    }
    // Another line that says the same may have come to stand there.
    const [, ...doubts] = placesIn(this.#newer, this.#older, place);
    return doubts.length === 0 && (this.#older.pairs.has(line) || this.#isNowhereElse(line, place))
      ? place
      : undefined;
  }

  /**
   * Returns true when it stands nowhere else with a neighbor that it had and doesn't have at that place: it would have been moved
   * there, and another line that says the same would have come to stand here.
   */
  #isNowhereElse(line: number, place: number): boolean {
    const [{ lines: older }, { lines: newer }] = [this.#older, this.#newer];
    const lostNeighbors = [-1, 1].filter((step) => older[line + step] !== newer[place + step]);
    const text = older[line];
    return !newer.some(
      (other, at) =>
        other === text &&
        at !== place &&
        lostNeighbors.some((step) => newer[at + step] === older[line + step]),
    );
  }

  /** The place of a line that was changed where it stands: both of its neighbors are still next to it. */
  #findChanged(line: number): number | undefined {
    const { lines } = this.#newer;
    const above = line === 0 ? -1 : this.#findSame(line - 1);
    const below = line === this.#older.lines.length - 1 ? lines.length : this.#findSame(line + 1);
    if (above === undefined || below !== above + 2 || lines[above + 1] === undefined) {
      return undefined;
    }
    return placesIn(this.#newer, this.#older, above + 1).size === 0 ? above + 1 : undefined;
  }
}

/** One version, with the places of those of its lines that both have once, by their places in it. */
interface Side {
  lines: KnownLines;
  pairs: ReadonlyMap<number, number>;
}

/** The places that a line may have in another version: more than one is a doubt. */
function placesIn(from: Side, to: Side, line: number): Set<number> {
  const own = from.pairs.get(line);
  const places =
    own === undefined ? [placeBeside(from, to, line, -1), placeBeside(from, to, line, 1)] : [own];
  return new Set(places.filter((place) => place !== undefined));
}

/** The place of a line by the nearest one, above or below, that both have once: if all between them is the same. */
function placeBeside(from: Side, to: Side, line: number, step: -1 | 1): number | undefined {
  let near = line;
  while (!from.pairs.has(near) && near >= 0 && near < from.lines.length) {
    near += step;
    if (Math.abs(near - line) > farthest) {
      return undefined;
    }
  }
  // The ends of a file are what they are in each version.
  const end = step < 0 ? -1 : to.lines.length;
  const place = (from.pairs.get(near) ?? end) - (near - line);
  for (let at = line; at !== near; at += step) {
    const text = from.lines[at];
    if (text === undefined || text !== to.lines[place + at - line]) {
      return undefined;
    }
  }
  return place;
}

function uniquePairs(older: KnownLines, newer: KnownLines): Map<number, number> {
  const places = placesOf(newer);
  const pairs = new Map<number, number>();
  for (const [text, place] of placesOf(older)) {
    const there = places.get(text);
    if (place !== several && there !== undefined && there !== several) {
      pairs.set(place, there);
    }
  }
  return pairs;
}

const several = -1;

function placesOf(lines: KnownLines): Map<string, number> {
  const places = new Map<string, number>();
  lines.forEach((text, place) => {
    if (text !== undefined && /[\p{L}\p{N}]/u.test(text)) {
      places.set(text, places.has(text) ? several : place);
    }
  });
  return places;
}
