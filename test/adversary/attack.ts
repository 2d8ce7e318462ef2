import assert from 'node:assert/strict';
import { timeYardstick, usualMilliseconds } from '../support/yardstick.ts';

/** The attempts of one kind of attack, and those that came through. */
export interface Result {
  readonly attack: string;
  readonly tried: number;
  /** A sentence for each that did harm. */
  readonly failures: readonly string[];
  /** The longest that one of them took, in milliseconds, where time is what the attack is after. */
  readonly longest?: number;
}

/** A kind of attack; each file of this folder but run.ts exports some as `attacks`. */
export interface Attack {
  readonly name: string;
  /** True when it takes too long for every test run. */
  readonly onlyInFull?: boolean;
  /**
   * @param full whether there is time.
   * @param repositories to attack with what is in them, if there are some.
   */
  readonly run: (
    full: boolean,
    repositories?: readonly string[],
  ) => Promise<Omit<Result, 'attack' | 'longest'> & { readonly longest?: number | undefined }>;
}

/** The amounts that were held at a moment, by name. */
export type Held = Readonly<Record<string, number>>;

/** Counts what is tried, and notes what did harm. */
export class Trial {
  tried = 0;
  readonly failures: string[] = [];
  longest: number | undefined;

  /** Tries one thing: whatever is thrown in it is a failure. */
  async try(what: string, attempt: () => Promise<void> | void): Promise<void> {
    this.tried += 1;
    try {
      await attempt();
    } catch (error) {
      this.failures.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /**
   * Notes how long something took, and fails when that is too long.
   *
   * @param milliseconds of a processor where they can be had: others that run at the time are no matter then.
   * @param limit milliseconds on a machine that does the work of the yardstick in its usual time; a slower one has more.
   */
  took(what: string, milliseconds: number, limit: number): void {
    this.longest = Math.max(this.longest ?? 0, milliseconds);
    if (milliseconds > limit) {
      const allowed = limit * slowness();
      assert.ok(
        milliseconds <= allowed,
        `${what} took ${milliseconds.toFixed(0)} ms of ${allowed.toFixed(0)}`,
      );
    }
  }

  /** Tries whether nothing gathers, by looks that are as far from each other, each after a collection of garbage. */
  async isFlat(looks: readonly Held[]): Promise<void> {
    for (const what of Object.keys(looks[0] ?? {})) {
      await this.try(what, () => {
        const amounts = looks.map((held) => held[what] ?? Number.NaN);
        assert.ok(
          !gathers(amounts, leastGrowth[what]),
          amounts.map((amount) => amount.toFixed(1)).join(', '),
        );
      });
    }
  }
}

/** What may come in one look more than in the one before, on average, by its name; where it is not named, less than half a thing. */
const leastGrowth: Readonly<Record<string, number>> = { 'heap in MB': 0.25 };

/** Looks that it takes to tell what gathers from what comes and goes. */
export const leastLooks = 5;

/**
 * True when an amount grows from look to look: nearly each later look shows more than each earlier one, and the slope (the median
 * of those of all pairs) is more than chance. An amount that comes late and stays, or comes and goes, does not gather.
 *
 * @throws {Error} when there are too few looks to tell.
 */
export function gathers(amounts: readonly number[], least = 0.5): boolean {
  if (amounts.length < leastLooks) {
    throw new Error(`${amounts.length} looks are too few.`);
  }
  const slopes = amounts
    .flatMap((later, to) => amounts.slice(0, to).map((earlier, from) => (later - earlier) / (to - from)))
    .toSorted((a, b) => a - b);
  const grown = slopes.filter((slope) => slope > 0).length;
  const middle = slopes[Math.floor(slopes.length / 2)] ?? 0;
  return amounts.some(Number.isNaN) || (grown >= slopes.length * 0.9 && middle >= least);
}

/** The processor time of the yardstick here and now, in its usual times; at least 1. */
function slowness(): number {
  const times = timeYardstick(5).toSorted((a, b) => a - b);
  return Math.max(1, (times[2] ?? 0) / usualMilliseconds);
}
