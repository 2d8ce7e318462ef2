import type * as vscode from 'vscode';
import { deeds, setContext, type Deed } from '../contributions.ts';
import { inBackground } from '../util/inBackground.ts';

const key = 'deeds';

/**
 * Remembers the deeds that the person has done at least once, in whatever window: they tick the steps of the walkthrough, which may
 * be opened long after.
 */
export class Deeds {
  readonly #memory: vscode.Memento;
  readonly #done: Set<Deed>;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
    const kept = memory.get<string[]>(key, []);
    this.#done = new Set(deeds.filter((deed) => kept.includes(deed)));
    for (const deed of this.#done) {
      inBackground(setContext(`done.${deed}`, true));
    }
  }

  /** Notes that something was done. */
  note(deed: string): void {
    const known = deeds.find((one) => one === deed);
    if (known && !this.#done.has(known)) {
      this.#done.add(known);
      inBackground(setContext(`done.${known}`, true));
      inBackground(this.#memory.update(key, [...this.#done]));
    }
  }
}
