import type { Disposable } from '../util/disposable.ts';
import { inBackground } from '../util/inBackground.ts';

/** Asks again and again what has changed, while someone looks: at an interval, and more seldom while it fails. */
export class Refresher implements Disposable {
  readonly #update: () => Promise<void>;
  #intervalMs = 0;
  #active = false;
  #failures = 0;
  /** When it was asked last, by the clock of the timers; undefined before the first time. */
  #lastAsked: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #asking = false;
  #disposed = false;

  /** @param update asks once; it rejects when that fails, and has told whom it concerns. */
  constructor(update: () => Promise<void>) {
    this.#update = update;
  }

  /**
   * Says how often to ask, and whether someone looks now. Who comes back after longer than the interval is not kept
   * waiting.
   *
   * @param intervalMs milliseconds; 0 never asks.
   */
  configure(intervalMs: number, active: boolean): void {
    this.#intervalMs = intervalMs;
    this.#active = active;
    this.#lastAsked ??= Date.now();
    this.#schedule();
  }

  /** Waits a whole interval from now on: someone has just loaded everything by another way. */
  restart(): void {
    this.#failures = 0;
    this.#lastAsked = Date.now();
    this.#schedule();
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#disposed || this.#asking || !this.#active || this.#intervalMs <= 0) {
      return;
    }
    const waitMs = Math.min(
      this.#intervalMs * 2 ** this.#failures,
      Math.max(this.#intervalMs, longestWaitMs),
    );
    const due = (this.#lastAsked ?? Date.now()) + waitMs;
    this.#timer = setTimeout(() => inBackground(this.#ask()), Math.max(0, due - Date.now()));
  }

  async #ask(): Promise<void> {
    this.#lastAsked = Date.now();
    this.#asking = true;
    try {
      await this.#update();
      this.#failures = 0;
    } catch {
      this.#failures += 1;
    }
    this.#asking = false;
    this.#schedule();
  }
}

/** Milliseconds that failures can make of an interval. */
const longestWaitMs = 15 * 60_000;
