import { nextTurn } from '../util/nextTurn.ts';

/** Spreads what is asked for in one go over several turns of the event loop: all of it in one would keep everything else waiting. */
export class Pacing {
  readonly #perTurn: number;
  /** Number of rows that may still go on in the same turn. */
  #left: number;
  /** Resolves when those may go on that have asked last. */
  #turn = Promise.resolve();

  /** @param left how many may go on without waiting. */
  constructor(perTurn: number, left = perTurn) {
    this.#perTurn = perTurn;
    this.#left = left;
  }

  /** Resolves when it is the turn of whoever asks; no one overtakes those before. */
  next(): Promise<void> {
    if (this.#left === 0) {
      this.#left = this.#perTurn;
      this.#turn = this.#turn.then(nextTurn);
    }
    this.#left -= 1;
    return this.#turn;
  }
}
