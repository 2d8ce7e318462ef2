/** Time that never goes back, and is after all that was seen, whatever the clock of the computer says. */

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
    this.#last = now > this.#last[0] ? [now, 0] : [this.#last[0], this.#last[1] + 1];
    return this.#last;
  }
}
