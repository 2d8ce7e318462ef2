import { isDeepStrictEqual } from 'node:util';

/** What is known of something on the service. */
export interface Known<T> {
  value: T;
  /** When the service said so. */
  asOf: Date;
  /** Why it could not be brought up to date since, if that was tried and failed. */
  failure?: unknown;
  /** It was learnt before this window was opened, and no one has heard of the service since. */
  fromBefore?: true;
}

/** One thing that is loaded when it is first asked for, kept, and loaded again when it has been marked as stale. */
export class Cached<T> {
  readonly #load: (before: T | undefined) => Promise<T>;
  readonly #now: () => Date;
  #known: Known<T> | undefined;
  #stale = true;
  /** Whether it was tried to bring it up to date since it became stale. */
  #tried = false;
  #loading: Promise<Known<T>> | undefined;

  /**
   * @param load fetches it; is told what was known before.
   */
  constructor(load: (before: T | undefined) => Promise<T>, now: () => Date) {
    this.#load = load;
    this.#now = now;
  }

  /** What is known now, without asking. */
  get known(): Known<T> | undefined {
    return this.#known;
  }

  /** Has it loaded again when it is asked for next. What is known stays known. */
  markStale(): void {
    this.#stale = true;
    this.#tried = false;
    this.#loading = undefined;
  }

  /** Puts a value that came by another way, e.g. as the answer to a write. */
  set(value: T): void {
    this.#known = { value, asOf: this.#now() };
    this.#stale = false;
    this.#loading = undefined;
  }

  /** Puts what an earlier window knew: it can be shown, and is brought up to date when it is asked for. */
  restore(value: T, asOf: Date): void {
    this.#known ??= { value, asOf, fromBefore: true };
  }

  /** Changes what is known and leaves its age as it is. */
  amend(change: (value: T) => T): void {
    if (this.#known) {
      this.#known = { ...this.#known, value: change(this.#known.value) };
    }
  }

  /** Notes that it could not be brought up to date. */
  fail(failure: unknown): void {
    if (this.#known) {
      this.#known = { ...this.#known, failure };
    }
  }

  /**
   * What is known, brought up to date when it is stale. Several callers at once share one load. When loading fails and
   * something was known before, that is the answer, with the failure beside it.
   *
   * @throws what loading threw, when nothing was known before.
   */
  get(): Promise<Known<T>> {
    if (!this.#stale && this.#known) {
      return Promise.resolve(this.#known);
    }
    // Only the newest load may say what is known: an older one that ends later is out of date.
    this.#tried = true;
    this.#loading ??= this.#fetch(() => this.#loading === loading);
    const loading = this.#loading;
    return loading;
  }

  /**
   * What is known, at once, however old it is. What is stale is brought up to date meanwhile: once, until it is marked as
   * stale again.
   *
   * @param tell called when that made a difference.
   * @throws what loading threw, when nothing was known before.
   */
  getAtOnce(tell: () => void): Promise<Known<T>> {
    const before = this.#known;
    if (!before) {
      return this.get();
    }
    // A load that someone else has begun is told of too: whoever got the old value has to learn of the new one.
    if (this.#stale && (!this.#tried || this.#loading)) {
      // It cannot reject: what was known is the answer then.
      void this.get().then((after) => {
        if (!isSame(before, after)) {
          tell();
        }
      });
    }
    return Promise.resolve(before);
  }

  async #fetch(isNewest: () => boolean): Promise<Known<T>> {
    const before = this.#known;
    let known: Known<T>;
    try {
      known = { value: await this.#load(before?.value), asOf: this.#now() };
      if (isNewest()) {
        this.#stale = false;
      }
    } catch (failure) {
      if (!before) {
        if (isNewest()) {
          this.#loading = undefined;
        }
        throw failure;
      }
      known = { ...before, failure };
    }
    if (isNewest()) {
      this.#known = known;
      this.#loading = undefined;
    }
    return known;
  }
}

function isSame<T>(before: Known<T>, after: Known<T>): boolean {
  return (
    before.failure === after.failure &&
    before.fromBefore === after.fromBefore &&
    isDeepStrictEqual(before.value, after.value)
  );
}
