import { HttpError } from './errors.ts';

/** How many unknown login tokens are answered in one window. */
export const MAX_GUESSES = 120;

/** How long a window is, in milliseconds. */
const WINDOW = 60_000;

/**
 * Bounds the guessing of login tokens. The contract makes them int32, so they can be guessed; with this bound a
 * guesser reaches a millionth of them in the lifetime of one sign-in. The bound is for all callers together, because
 * on loopback they all have the same address.
 */
export class LoginGuesses {
  readonly #clock: () => number;
  #windowStart = 0;
  #misses = 0;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** @throws HttpError 429 while too many unknown tokens were asked for. */
  check(): void {
    if (this.#clock() - this.#windowStart >= WINDOW) {
      this.#windowStart = this.#clock();
      this.#misses = 0;
    }
    if (this.#misses >= MAX_GUESSES) {
      throw new HttpError(
        429,
        'too_many_attempts',
        'Too many unknown login tokens were asked for: wait a minute.',
      );
    }
  }

  /** Counts a token that nobody has. */
  miss(): void {
    this.#misses++;
  }
}
