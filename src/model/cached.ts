import { isDeepStrictEqual } from 'node:util';
import { inBackground } from '../util/inBackground.ts';

/** A value with its age, and why there is no newer one. */
export interface Known<T> {
  value: T;
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
  /** True once somebody has tried to bring it up to date since it became stale. */
  #tried = false;
  #loading: Promise<Known<T>> | undefined;

  /**
   * @param load fetches it; is told what was known before.
   */
  constructor(load: (before: T | undefined) => Promise<T>, now: () => Date) {
    this.#load = load;
    this.#now = now;
  }

  /** Never loads; undefined before the first load. */
  get known(): Known<T> | undefined {
    return this.#known;
  }

  /** Has it loaded again when it is asked for next. What is known stays known. */
  markStale(): void {
    this.#stale = true;
    this.#tried = false;
    this.#loading = undefined;
  }

  /** Puts a whole value that came by another way, such as the answer to a write; what was made of the known one is an `edit`. */
  set(value: T): void {
    this.#known = { value, asOf: this.#now() };
    this.#stale = false;
    this.#loading = undefined;
  }

  /** Puts what an earlier window knew: it can be shown, and is brought up to date when it is asked for. */
  restore(value: T, asOf: Date): void {
    this.#known ??= { value, asOf, fromBefore: true };
  }

  /**
   * Changes a part of what is known, and leaves its age as it is. A load that is on its way may be of before that part was changed: it
   * no longer counts, and what it was begun for is loaded when it is asked for next.
   */
  edit(change: (value: T) => T): void {
    if (this.#known) {
      this.#known = { ...this.#known, value: change(this.#known.value) };
      if (this.#loading) {
        this.markStale();
      }
    }
  }

  /** Notes that it could not be brought up to date. */
  fail(failure: unknown): void {
    if (this.#known) {
      this.#known = { ...this.#known, failure };
    }
  }

  /**
   * Returns what is known, brought up to date when it is stale. Several callers at once share one load. When loading fails and
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
   * Returns what is known, at once, however old it is. If it is stale, it is brought up to date meanwhile: once, until it is marked
   * as stale again.
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
      inBackground(
        this.get().then((after) => {
          if (!isSame(before, after)) {
            tell();
          }
        }),
      );
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

/** Loads and keeps many things of a kind, each by what was wanted. */
export class CachedBy<Wanted, T> {
  readonly #keyOf: (wanted: Wanted) => string;
  readonly #load: (wanted: Wanted) => Promise<T>;
  readonly #now: () => Date;
  readonly #entries = new Map<string, { wanted: Wanted; cached: Cached<T> }>();

  /**
   * @param keyOf tells apart what is wanted.
   */
  constructor(keyOf: (wanted: Wanted) => string, load: (wanted: Wanted) => Promise<T>, now: () => Date) {
    this.#keyOf = keyOf;
    this.#load = load;
    this.#now = now;
  }

  /** All that was wanted so far, with what is known of it. */
  get entries(): { wanted: Wanted; cached: Cached<T> }[] {
    return [...this.#entries.values()];
  }

  of(wanted: Wanted): Cached<T> {
    const key = this.#keyOf(wanted);
    let entry = this.#entries.get(key);
    if (!entry) {
      entry = { wanted, cached: new Cached(() => this.#load(wanted), this.#now) };
      this.#entries.set(key, entry);
    }
    return entry.cached;
  }

  /** The same, but undefined when it was not wanted before. */
  find(wanted: Wanted): Cached<T> | undefined {
    return this.#entries.get(this.#keyOf(wanted))?.cached;
  }

  clear(): void {
    this.#entries.clear();
  }
}

function isSame<T>(before: Known<T>, after: Known<T>): boolean {
  return (
    before.failure === after.failure &&
    before.fromBefore === after.fromBefore &&
    isDeepStrictEqual(before.value, after.value)
  );
}
