import type { Memento } from 'vscode';
import { Turns } from '../util/turns.ts';

/**
 * What VS Code keeps for the extension, written one value after the other. VS Code sends back whatever it has written and takes that for all there
 * is: a value that was written meanwhile, under whatever key, is gone then, although it says that it was kept.
 */
export class OrderedMemento implements Memento {
  readonly #memory: Memento;
  /** Those that are still to be written, by their keys. */
  readonly #wanted = new Map<string, { value: unknown }>();
  readonly #writes = new Turns(1);

  constructor(memory: Memento) {
    this.#memory = memory;
  }

  keys(): readonly string[] {
    const others = this.#memory.keys().filter((key) => !this.#wanted.has(key));
    const wanted = [...this.#wanted].flatMap(([key, { value }]) => (value === undefined ? [] : key));
    return [...others, ...wanted];
  }

  get<Value>(key: string, otherwise?: Value): Value {
    const wanted = this.#wanted.get(key);
    return (wanted ? (wanted.value ?? otherwise) : this.#memory.get(key, otherwise)) as Value;
  }

  /** @throws what VS Code throws; then the value is the one before. */
  update(key: string, value: unknown): Promise<void> {
    const wanted = { value };
    this.#wanted.set(key, wanted);
    return this.#writes.take(async () => {
      try {
        await this.#memory.update(key, value);
      } finally {
        if (this.#wanted.get(key) === wanted) {
          this.#wanted.delete(key);
        }
      }
    });
  }

  /** Ends when nothing is left to be written. */
  settled(): Promise<void> {
    return this.#writes.next();
  }
}
