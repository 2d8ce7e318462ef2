import type { Memento } from 'vscode';

/** What VS Code keeps for an extension, in memory alone: as it would come back after a start. */
export class MemoryMemento implements Memento {
  readonly #values = new Map<string, string>();

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  get<Value>(key: string, otherwise?: Value): Value {
    const value = this.#values.get(key);
    return (value === undefined ? otherwise : JSON.parse(value)) as Value;
  }

  async update(key: string, value: unknown): Promise<void> {
    if (value === undefined) {
      this.#values.delete(key);
    } else {
      this.#values.set(key, JSON.stringify(value));
    }
  }
}
