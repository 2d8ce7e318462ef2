/** What is known of something on the service. */
export interface Known<T> {
  value: T;
  /** When the service said so. */
  asOf: Date;
  /** Why it could not be brought up to date since, if that was tried and failed. */
  failure?: unknown;
}

/** One thing that is loaded when it is first asked for, kept, and loaded again when it has been marked as stale. */
export class Cached<T> {
  readonly #load: (before: T | undefined) => Promise<T>;
  readonly #now: () => Date;
  #known: Known<T> | undefined;
  #stale = true;
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
    this.#loading = undefined;
  }

  /** Puts a value that came by another way, e.g. as the answer to a write. */
  set(value: T): void {
    this.#known = { value, asOf: this.#now() };
    this.#stale = false;
    this.#loading = undefined;
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
    this.#loading ??= this.#fetch(() => this.#loading === loading);
    const loading = this.#loading;
    return loading;
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
