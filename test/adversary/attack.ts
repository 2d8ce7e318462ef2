import assert from 'node:assert/strict';

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
  /** @param full whether there is time. */
  readonly run: (
    full: boolean,
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

  /** Notes how long something took, and fails when that is too long. */
  took(what: string, milliseconds: number, limit: number): void {
    this.longest = Math.max(this.longest ?? 0, milliseconds);
    assert.ok(milliseconds <= limit, `${what} took ${milliseconds.toFixed(0)} ms of ${limit}`);
  }

  /** Tries whether nothing has gathered between two moments: one of each is a matter of chance, as is a little heap. */
  async isFlat(first: Held, last: Held, then: string, now: string): Promise<void> {
    for (const [what, before] of Object.entries(first)) {
      await this.try(what, () => {
        const after = last[what] ?? Number.NaN;
        const allowed = what === 'heap in MB' ? before * 1.1 + 1 : before + 1;
        assert.ok(after <= allowed, `${before.toFixed(1)} ${then}, ${after.toFixed(1)} ${now}`);
      });
    }
  }
}
