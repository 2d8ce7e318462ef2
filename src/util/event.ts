import type { Disposable } from './disposable.ts';
import { noteFailure } from './inBackground.ts';

/** Subscribes a listener, in the shape of VS Code's own events, so that both can be used alike. */
export type Event<T> = (listener: (value: T) => unknown) => Disposable;

/** The owner's end of an event, for code that must run without VS Code. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<{ call: (value: T) => unknown }>();

  /** The subscriber's end. */
  readonly event: Event<T> = (listener) => {
    const entry = { call: listener };
    this.#listeners.add(entry);
    return { dispose: () => this.#listeners.delete(entry) };
  };

  /**
   * Calls every listener that is subscribed now, but none that another one ends meanwhile: its owner may be gone. One that fails keeps
   * neither the others nor the owner from going on: it is noted.
   */
  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      if (this.#listeners.has(listener)) {
        try {
          listener.call(value);
        } catch (error) {
          noteFailure(error);
        }
      }
    }
  }

  /** Forgets all listeners. */
  dispose(): void {
    this.#listeners.clear();
  }
}
