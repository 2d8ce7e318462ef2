/**
 * Follows lines of a file into another version of it. A line is found again by what it says and by the lines around it; where that
 * leaves a doubt it is lost: a reference that leads nowhere is better than one that leads astray. Blanks at the beginning and the end
 * of a line say nothing: a block that is put into another one says what it said.
 */

/** The lines of a file; undefined where nobody knows them. */
export type KnownLines = readonly (string | undefined)[];

/** Lines, one-based, from the first to the last. */
export interface FollowedLines {
  start: number;
  end: number;
}

/** Lines that are compared to find one: among more that are alike it is lost. */
const mostCompared = 1_000_000;

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

/** One version: its lines as numbers, equal ones for lines that say the same, and the places of each. */
interface Side {
  lines: readonly number[];
  places: ReadonlyMap<number, readonly number[]>;
  isPartial: boolean;
}

/** A line and its place, as far as the lines around them are the same. */
interface Run {
  place: number;
  above: number;
  below: number;
  /** True when a line is among them that both versions have once: they are no others that say the same. */
  isCertain: boolean;
  /** True when the lines on both sides are the same, as far as they are known. */
  isEnclosed: boolean;
}

/** See the module; it is used for several lines of the same versions. */
export class Follower {
  readonly #older: Side;
  readonly #newer: Side;
  /** The lines that say something, and that both versions have once. */
  readonly #unique = new Set<number>();
  #left = 0;

  constructor(older: KnownLines, newer: KnownLines) {
    const numbers = new Map<string, number>();
    this.#older = sideOf(older, numbers);
    this.#newer = sideOf(newer, numbers);
    for (const [text, number] of numbers) {
      if (
        /[\p{L}\p{N}]/u.test(text) &&
        [this.#older, this.#newer].every((side) => countOf(side, number) === 1)
      ) {
        this.#unique.add(number);
      }
    }
  }

  /** Returns the place of a line in the newer version, zero-based; undefined when it is lost. */
  follow(line: number): number | undefined {
    this.#left = mostCompared;
    const place = this.#findSame(line) ?? this.#findChanged(line);
    return this.#left > 0 ? place : undefined;
  }

  /** The place of a line that says what it said. */
  #findSame(line: number): number | undefined {
    const number = this.#older.lines[line] ?? Number.NaN;
    const places = this.#newer.places.get(number) ?? [];
    const runs = places.map((place) => this.#runAt(line, place));
    const [best] = runs
      .filter(({ isCertain }) => isCertain)
      .sort((one, other) => other.above + other.below - one.above - one.below);
    if (!best) {
      return undefined;
    }
    const { place } = best;
    const rivals = [
      ...runs.filter((run) => run !== best),
      // Another line that says the same may have come to stand there.
      ...(this.#older.places.get(number) ?? [])
        .filter((other) => other !== line)
        .map((other) => this.#runAt(other, place)),
      ...this.#changedWhereItStands(line, place),
    ];
    const isPlain =
      rivals.every(({ above, below }) => above <= best.above && below <= best.below) &&
      !this.#hasTwinAtOpenEnd(line, best);
    return isPlain && (best.isEnclosed || !(this.#older.isPartial || this.#newer.isPartial))
      ? place
      : undefined;
  }

  /** The places where a line may have been changed, while the same was written elsewhere: between the lines that it was between. */
  #changedWhereItStands(line: number, found: number): Run[] {
    const { lines } = this.#newer;
    const [above, below] = [this.#older.lines[line - 1], this.#older.lines[line + 1]];
    return (this.#newer.places.get(above ?? Number.NaN) ?? [])
      .map((place) => place + 1)
      .filter((place) => place !== found && lines[place + 1] === below)
      .map((place) => this.#runAt(line, place))
      .filter(({ isCertain }) => isCertain);
  }

  /**
   * Returns true when another line that says the same stands where the lines around it are others, before the next that both versions
   * have once: it could be that one.
   */
  #hasTwinAtOpenEnd(line: number, { place, above, below }: Run): boolean {
    const isBeside = ({ lines }: Side, from: number, step: -1 | 1): boolean => {
      let at = from + step;
      while (lines[at] !== undefined && lines[at] !== lines[from] && !this.#unique.has(lines[at] ?? 0)) {
        at += step;
      }
      return lines[at] !== undefined && lines[at] === lines[from];
    };
    return ([-1, 1] as const).some(
      (step) =>
        (step < 0 ? above : below) === 0 &&
        (isBeside(this.#older, line, step) || isBeside(this.#newer, place, step)),
    );
  }

  /**
   * The place of a line that was changed where it stands: both of its neighbors are still next to it, what it said is there once less,
   * and what it says once more.
   */
  #findChanged(line: number): number | undefined {
    const [older, newer] = [this.#older, this.#newer];
    const above = line === 0 ? -1 : this.#findSame(line - 1);
    const below = line === older.lines.length - 1 ? newer.lines.length : this.#findSame(line + 1);
    if (above === undefined || below !== above + 2) {
      return undefined;
    }
    const [was, is] = [older.lines[line] ?? Number.NaN, newer.lines[above + 1] ?? Number.NaN];
    return countOf(newer, was) < countOf(older, was) && countOf(older, is) < countOf(newer, is)
      ? above + 1
      : undefined;
  }

  /** Compares the lines around a line with those around a place. The ends of a file are what they are in each version. */
  #runAt(line: number, place: number): Run {
    const [older, newer] = [this.#older.lines, this.#newer.lines];
    let isCertain = this.#unique.has(older[line] ?? 0) && older[line] === newer[place];
    const look = (step: -1 | 1): { count: number; isToEnd: boolean; isToUnknown: boolean } => {
      let at = step;
      while (older[line + at] !== undefined && older[line + at] === newer[place + at]) {
        isCertain ||= this.#unique.has(older[line + at] ?? 0);
        at += step;
        if (--this.#left <= 0) {
          break;
        }
      }
      const next = [older[line + at], newer[place + at]];
      const isToEnd = next.every((number) => number === undefined);
      return { count: Math.abs(at) - 1 + (isToEnd ? 1 : 0), isToEnd, isToUnknown: next.some(Number.isNaN) };
    };
    const sides = [look(-1), look(1)];
    const [above = 0, below = 0] = sides.map(({ count }) => count);
    isCertain ||= sides.every(({ isToEnd }) => isToEnd);
    this.#left -= 1;
    const isEnclosed = above + below > 0 && sides.every(({ count, isToUnknown }) => count > 0 || isToUnknown);
    return { place, above, below, isCertain, isEnclosed };
  }
}

function sideOf(lines: KnownLines, numbers: Map<string, number>): Side {
  const places = new Map<number, number[]>();
  const numbered = Array.from(lines, (line, place) => {
    // What nobody knows is like nothing, not even itself.
    if (line === undefined) {
      return Number.NaN;
    }
    const text = line.trim();
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    const there = places.get(number);
    if (there) {
      there.push(place);
    } else {
      places.set(number, [place]);
    }
    return number;
  });
  return { lines: numbered, places, isPartial: lines.includes(undefined) };
}

function countOf({ places }: Side, number: number): number {
  return places.get(number)?.length ?? 0;
}
