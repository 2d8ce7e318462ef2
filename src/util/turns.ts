/** Runs some tasks at once and no more; the others wait for their turn. */
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Resolves when a task that is asked for now would begin: with one at once, when all before it have ended. */
  async next(): Promise<void> {
    await this.take(() => Promise.resolve());
  }

  /** Runs a task when it is its turn. */
  async take<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) {
      this.#free--;
    } else {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) {
        next();
      } else {
        this.#free++;
      }
    }
  }
}
