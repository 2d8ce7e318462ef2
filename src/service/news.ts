/** Tells windows at once that there is something new, so that they need not ask again and again. */
import { randomUUID } from 'node:crypto';
import type { Disposable } from '../util/disposable.ts';

/** Changes of which it is kept who has made them; whoever knows less than that is told that there is something new. */
const mostKept = 1_000;

/** Milliseconds that somebody is kept waiting: less than any client waits for an answer. */
const longestWaitMs = 20_000;

/** See the module. A mark stands for all that has changed up to a moment; marks of one start mean nothing to another one. */
export class News implements Disposable {
  readonly #start = randomUUID();
  readonly #waiting = new Set<() => void>();
  /** Who has made each of the last changes; undefined for what nobody did who waits here. */
  #by: (string | undefined)[] = [];
  /** The changes before those. */
  #forgotten = 0;
  #isEnding = false;

  /**
   * Notes that something has changed.
   *
   * @param by the window that has made the change, which knows of it.
   */
  note(by?: string): void {
    this.#by.push(by);
    if (this.#by.length > mostKept) {
      this.#by.shift();
      this.#forgotten += 1;
    }
    this.#wake();
  }

  /**
   * Waits until there is something new, but not for long, nor without a mark.
   *
   * @param after the mark of the last answer.
   * @param by the window that waits: what it does itself is no news to it.
   * @returns the mark of now.
   */
  async next(after: string | undefined, by: string | undefined, signal: AbortSignal): Promise<string> {
    const end = AbortSignal.any([signal, AbortSignal.timeout(longestWaitMs)]);
    while (after !== undefined && !this.#isEnding && !end.aborted && !this.#isNew(after, by)) {
      await this.#change(end);
    }
    return `${this.#start}.${this.#count}`;
  }

  /** Lets everybody go who waits. */
  dispose(): void {
    this.#isEnding = true;
    this.#wake();
  }

  get #count(): number {
    return this.#forgotten + this.#by.length;
  }

  #isNew(after: string, by: string | undefined): boolean {
    const [start, count] = after.split('.');
    const seen = Number(count) - this.#forgotten;
    const isKnown = start === this.#start && seen >= 0 && seen <= this.#by.length;
    return !isKnown || this.#by.slice(seen).some((one) => one === undefined || one !== by);
  }

  #change(end: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        end.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      end.addEventListener('abort', done, { once: true });
    });
  }

  #wake(): void {
    [...this.#waiting].forEach((wake) => wake());
  }
}
