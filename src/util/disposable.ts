/** Anything that holds something which must be given back: listeners, timers, panels. VS Code's own disposables fit. */
export interface Disposable {
  dispose(): unknown;
}

/**
 * A list of disposables with one end: what is added after the end is disposed at once, so that a late answer
 * cannot leave a listener behind.
 */
export class DisposableStore implements Disposable {
  readonly #items = new Set<Disposable>();
  #disposed = false;

  get disposed(): boolean {
    return this.#disposed;
  }

  /** Keeps `item` until the end of this store, and returns it. */
  add<T extends Disposable>(item: T): T {
    if (this.#disposed) {
      item.dispose();
    } else {
      this.#items.add(item);
    }
    return item;
  }

  /** Disposes all items, the last added first; one that throws does not keep the others from being disposed. */
  dispose(): void {
    this.#disposed = true;
    const items = [...this.#items].reverse();
    this.#items.clear();
    const failures: unknown[] = [];
    for (const item of items) {
      try {
        item.dispose();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) {
      throw new AggregateError(failures, 'Disposing failed');
    }
  }
}
