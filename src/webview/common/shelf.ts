/** Keeps a little of a page that is to outlive it. */

/** Pieces of text by their names. */
export interface Shelf {
  names(): string[];
  read(name: string): string | undefined;
  /** False when it could not be kept. */
  write(name: string, value: string): boolean;
  remove(name: string): void;
  /** Tells of what other pages write and remove; the value is undefined when it was removed. */
  follow(listener: (name: string, value: string | undefined) => void): void;
}

/**
 * The storage of the browser, shared by all pages of the same kind: VS Code gives these one origin for good, whichever panel
 * and window they are in. In a browser it may be that of VS Code itself, so that all names begin with our own.
 */
export class BrowserShelf implements Shelf {
  readonly #prefix: string;
  readonly #storage: Storage;

  private constructor(storage: Storage, prefix: string) {
    this.#storage = storage;
    this.#prefix = prefix;
  }

  /** Undefined where the browser keeps nothing for a page. */
  static open(prefix: string): BrowserShelf | undefined {
    try {
      const { localStorage: storage } = globalThis;
      const probe = `${prefix}probe`;
      storage.setItem(probe, '');
      storage.removeItem(probe);
      return new BrowserShelf(storage, prefix);
    } catch {
      return undefined;
    }
  }

  names(): string[] {
    return Object.keys(this.#storage).flatMap((key) =>
      key.startsWith(this.#prefix) ? [key.slice(this.#prefix.length)] : [],
    );
  }

  read(name: string): string | undefined {
    return this.#storage.getItem(this.#prefix + name) ?? undefined;
  }

  write(name: string, value: string): boolean {
    try {
      this.#storage.setItem(this.#prefix + name, value);
      return true;
    } catch {
      // It is full.
      return false;
    }
  }

  remove(name: string): void {
    this.#storage.removeItem(this.#prefix + name);
  }

  follow(listener: (name: string, value: string | undefined) => void): void {
    window.addEventListener('storage', ({ key, newValue, storageArea }) => {
      if (storageArea === this.#storage && key?.startsWith(this.#prefix)) {
        listener(key.slice(this.#prefix.length), newValue ?? undefined);
      }
    });
  }
}

/** The state of the page, which VS Code keeps for this panel alone: the second best, where the browser keeps nothing. */
export class StateShelf implements Shelf {
  readonly #values: Map<string, string>;
  readonly #save: (values: Record<string, string>) => void;

  /** @param values as they were saved last. */
  constructor(values: unknown, save: (values: Record<string, string>) => void) {
    const known = typeof values === 'object' && values !== null ? Object.entries(values) : [];
    this.#values = new Map(known.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
    this.#save = save;
  }

  names(): string[] {
    return [...this.#values.keys()];
  }

  read(name: string): string | undefined {
    return this.#values.get(name);
  }

  write(name: string, value: string): boolean {
    this.#values.set(name, value);
    this.#save(Object.fromEntries(this.#values));
    return true;
  }

  remove(name: string): void {
    if (this.#values.delete(name)) {
      this.#save(Object.fromEntries(this.#values));
    }
  }

  follow(): void {
    // No one else writes to it.
  }
}
