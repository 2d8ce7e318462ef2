import type { Disposable } from './disposable.ts';

/** Does something a while after it was first asked for: whoever asks again until then has it done with that. */
export class Soon implements Disposable {
  readonly #delayMs: number;
  readonly #work: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(delayMs: number, work: () => void) {
    this.#delayMs = delayMs;
    this.#work = work;
  }

  /** Has it done. */
  ask(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#work();
    }, this.#delayMs);
  }

  /** Forgets that it was asked for; it can be asked for again. */
  dispose(): void {
    clearTimeout(this.#timer);
    // One that is still known would be waited for in vain.
    this.#timer = undefined;
  }
}
