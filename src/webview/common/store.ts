/** A value that components show and that changes outside of them: each is drawn again when what it selects has changed. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** See the module. */
export class Store<T extends object> {
  readonly #listeners = new Set<() => void>();
  #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  /** Changes some of the fields. */
  update(change: Partial<T>): void {
    this.#value = { ...this.#value, ...change };
    for (const listener of [...this.#listeners]) {
      listener();
    }
  }

  /** Has a function called after each change. @returns ends that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Part of a store's value, as it is now and whenever it changes. */
export function useStore<T extends object, S>(store: Store<T>, select: (value: T) => S): S {
  const [, redraw] = useState(0);
  const selected = select(store.value);
  const latest = useRef({ select, selected });
  latest.current = { select, selected };
  useLayoutEffect(() => {
    const check = (): void => {
      if (!Object.is(latest.current.select(store.value), latest.current.selected)) {
        redraw((count) => count + 1);
      }
    };
    check();
    return store.subscribe(check);
  }, [store]);
  return selected;
}
