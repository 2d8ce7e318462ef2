import type { CallOptions } from '../call.ts';
import { at, record, text } from '../decode/values.ts';
import { path, query } from '../path.ts';
import type { Requester } from '../request.ts';

const answer = record<{ mark: string }>({ mark: at('mark', text) }, ['mark']);

/** Tells of changes as they happen: no operation of the contract, but something that our own local service offers. No other is asked. */
export class News {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** True once the service has said that it tells of changes. */
  get isOffered(): boolean {
    return this.#requester.offers('news');
  }

  /**
   * `GET /news`: waits until somebody else has changed something, for some seconds at most.
   *
   * @param after the mark of the answer before; without it, the answer comes at once.
   * @returns the mark of now: another one than before when there is something new.
   */
  async next(after: string | undefined, options?: CallOptions): Promise<string> {
    const { mark } = await this.#requester.read(
      {
        operation: 'news.next',
        method: 'GET',
        // Whoever follows the news asks again by themselves, and not at once.
        repeat: 'once',
        path: () => path`/news`,
        query: query({ after }),
      },
      answer,
      options,
    );
    return mark;
  }
}
