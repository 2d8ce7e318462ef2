import type { List } from './decode/values.ts';
import { parseTimestamp } from './timestamp.ts';

/** One page of a list that the service sorts from the newest to the oldest. */
export interface PageQuery {
  since?: Date | string;
  before?: Date;
  limit: number;
}

/** A list to page through, sorted from the newest to the oldest timestamp. */
interface Paging<T> {
  since?: Date | string | undefined;
  pageSize: number;
  identify: (item: T) => string;
  timestamp: (item: T) => string | undefined;
}

/** The contract's default page size: a service that gives fewer than this when asked for more has no more. */
const certainPageSize = 50;
const largestLimit = 2 ** 31 - 1;
/** The top is read again this often at most while it keeps changing. */
const mostLooks = 5;

/**
 * Every record of a paged list, once.
 *
 * A `before` bound at the last record's timestamp would lose records that share it, so each page starts just above
 * that timestamp, and what was seen is left out. When that cannot move on, because more records share a timestamp
 * than fit on a page, a larger page is asked for; and when the service does not give a larger one, the bound steps
 * below the timestamp. This assumes nothing about whether the service's `before` includes its bound, caps the limit,
 * or is heeded at all, and ends when nothing new comes.
 *
 * A record that is updated meanwhile moves to the top, above the bound: at the end that place is read again.
 */
export async function* pages<T>(
  list: (query: PageQuery) => Promise<List<T>>,
  paging: Paging<T>,
): AsyncGenerator<T, void, undefined> {
  const seen = new Set<string>();
  let descent = new Descent(paging.pageSize);
  yield* descend(list, paging, descent, seen, paging.since);
  // A list that came in one answer is of one moment: there was no meanwhile.
  for (let looks = 0; looks < mostLooks && descent.requests > 1 && descent.newest !== undefined; looks++) {
    const downTo = descent.newest - 1;
    descent = new Descent(Math.max(paging.pageSize, certainPageSize));
    yield* descend(list, paging, descent, seen, new Date(downTo), downTo);
  }
}

/** One way down from the newest record, to the end or, for a service that does not heed `since`, below `downTo`. */
async function* descend<T>(
  list: (query: PageQuery) => Promise<List<T>>,
  paging: Paging<T>,
  descent: Descent,
  seen: Set<string>,
  since: Date | string | undefined,
  downTo = -Infinity,
): AsyncGenerator<T, void, undefined> {
  for (;;) {
    const { limit, before } = descent;
    const page = await list({
      ...(since === undefined ? {} : { since }),
      ...(before === undefined ? {} : { before: new Date(before) }),
      limit,
    });
    const added = page.items.filter((item) => {
      const id = paging.identify(item);
      return seen.has(id) ? false : seen.add(id);
    });
    yield* added;
    const times = page.items
      .map((item) => parseTimestamp(paging.timestamp(item))?.getTime())
      .filter((time) => time !== undefined);
    if (times.some((time) => time < downTo)) {
      return;
    }
    if (!descent.next(page.items.length + page.dropped, added.length, times)) {
      return;
    }
  }
}

/** The way down a list: the place it has come to, and the next page to ask for. */
class Descent {
  limit: number;
  /** The bound of the next page, exclusive or inclusive as the service likes. Epoch milliseconds. */
  before: number | undefined;
  newest: number | undefined;
  requests = 0;
  readonly #pageSize: number;
  /** The size of the last page at this bound. */
  #sizeHere: number | undefined;
  /** Times that the bound has been forced below a timestamp without finding anything new. */
  #forced = 0;

  constructor(pageSize: number) {
    this.#pageSize = Math.max(1, Math.min(Math.trunc(pageSize) || certainPageSize, largestLimit));
    this.limit = this.#pageSize;
  }

  /** Takes in a page and chooses the next one; false at the end. */
  next(size: number, added: number, times: readonly number[]): boolean {
    this.requests++;
    const oldest = times.reduce<number | undefined>((min, time) => Math.min(min ?? time, time), undefined);
    this.newest ??= times.reduce<number | undefined>((max, time) => Math.max(max ?? time, time), undefined);
    if (size === 0 || (size < this.limit && this.limit <= certainPageSize)) {
      return false;
    }
    if (added > 0) {
      this.#forced = 0;
    }

    const bound = oldest === undefined ? undefined : justAbove(oldest);
    if (bound !== undefined && (this.before === undefined || bound < this.before)) {
      this.#moveTo(bound);
      return true;
    }
    const grown = this.#sizeHere === undefined || size > this.#sizeHere;
    if (grown && this.limit < largestLimit) {
      this.#sizeHere = size;
      this.limit = Math.min(this.limit * 2, largestLimit);
      return true;
    }
    if (oldest === undefined || this.#forced === 2) {
      return false;
    }
    // Exclusive bounds pass the timestamp at once, inclusive ones with the second step.
    this.#moveTo(this.#forced === 0 ? oldest : oldest - (justAbove(oldest) - oldest));
    this.#forced++;
    return true;
  }

  #moveTo(bound: number): void {
    this.before = bound;
    this.limit = this.#pageSize;
    this.#sizeHere = undefined;
  }
}

/** The least bound above a timestamp. Whole seconds may come from a service that knows no finer ones. */
function justAbove(time: number): number {
  return time % 1000 === 0 ? time + 1000 : time + 1;
}
