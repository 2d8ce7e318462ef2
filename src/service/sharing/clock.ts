/** Time that never goes back, and is after all that was seen, whatever the clock of the computer says. */

/**
 * The largest count. Nobody writes so much in a millisecond: without an end, one operation with the largest number there is would leave none
 * for those that come after it.
 */
export const largestCount = 1_000_000;

/** Milliseconds since the epoch, and a number that tells apart what has the same. */
export type Clock = readonly [ms: number, count: number];

/** True when one is later than the other. */
export function isAfter(one: Clock, other: Clock): boolean {
  return one[0] > other[0] || (one[0] === other[0] && one[1] > other[1]);
}

/** The clock of one device: hybrid, of the computer's time and a count. */
export class HybridClock {
  readonly #now: () => number;
  #last: Clock;

  /** @param now The computer's time. @param last The latest that was seen before. */
  constructor(now: () => number, last: Clock = [0, 0]) {
    this.#now = now;
    this.#last = last;
  }

  /** The latest that was seen or given. */
  get last(): Clock {
    return this.#last;
  }

  /** Notes what somebody else wrote: what is written from here on is later. */
  see(clock: Clock): void {
    if (isAfter(clock, this.#last)) {
      this.#last = clock;
    }
  }

  /** A time that is later than all before it. */
  next(): Clock {
    const now = this.#now();
    const [ms, count] = this.#last;
    this.#last = now > ms ? [now, 0] : count < largestCount ? [ms, count + 1] : [ms + 1, 0];
    return this.#last;
  }
}
