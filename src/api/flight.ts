import { AbortedError, type ApiErrorContext } from './errors.ts';
import type { Reply } from './reply.ts';
import { ExchangeFailure, type Cancellation } from './exchange.ts';

/** A call on its way: all its tries, redirects and waits, for one or more callers. */
export class Flight implements Cancellation {
  cancelled = false;
  onCancel: (() => void) | undefined;
  cause: 'aborted' | 'timeout' | 'closed' = 'aborted';
  reply: Promise<Reply> | undefined;
  #waiters = 0;
  /** Equal calls of one turn of the event loop have the same key, and share one flight. */
  readonly key: string | undefined;

  constructor(key: string | undefined) {
    this.key = key;
  }

  cancel(cause: Flight['cause']): void {
    if (this.cancelled) {
      return;
    }
    this.cancelled = true;
    this.cause = cause;
    this.onCancel?.();
  }

  /**
   * Waits on behalf of one caller.
   *
   * @param onLeft called when the last caller has left, just before the flight is canceled: no new one must join it.
   */
  join(context: ApiErrorContext, signal: AbortSignal | undefined, onLeft: () => void): Promise<Reply> {
    const reply = this.reply ?? Promise.reject(new ExchangeFailure('cancelled'));
    this.#waiters++;
    if (signal === undefined) {
      return reply;
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiters--;
        if (this.#waiters === 0) {
          onLeft();
          this.cancel('aborted');
        }
        reject(new AbortedError('aborted', context));
      };
      signal.addEventListener('abort', leave, { once: true });
      const settle = () => signal.removeEventListener('abort', leave);
      reply.then(
        (value) => {
          settle();
          resolve(value);
        },
        (error: unknown) => {
          settle();
          reject(error instanceof Error ? error : new Error('unknown'));
        },
      );
    });
  }

  /** Waits, unless it is canceled first. */
  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = () => {
        clearTimeout(timer);
        this.onCancel = undefined;
        reject(new ExchangeFailure('cancelled'));
      };
      const timer = setTimeout(() => {
        this.onCancel = undefined;
        resolve();
      }, milliseconds);
      this.onCancel = fail;
      if (this.cancelled) {
        fail();
      }
    });
  }
}
