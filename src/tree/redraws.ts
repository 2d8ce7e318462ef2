import * as vscode from 'vscode';
import type { Disposable } from '../util/disposable.ts';
import type { Node } from './nodes.ts';

/** Milliseconds after which a drag is taken as given up. */
const longestDragMs = 10_000;

/** The rows that VS Code is to draw again; undefined stands for all. */
export class Redraws implements Disposable {
  readonly #asked = new vscode.EventEmitter<Node | Node[] | undefined>();
  /** Nodes to draw again when nobody drags a row any more. */
  #held: Set<Node | undefined> | undefined;
  #heldUntil: NodeJS.Timeout | undefined;

  /** Fires as VS Code wants to be told. */
  readonly onDidAsk = this.#asked.event;

  /** Has rows drawn again. */
  ask(rows: readonly (Node | undefined)[]): void {
    if (this.#held) {
      rows.forEach((row) => this.#held?.add(row));
    } else if (rows.includes(undefined)) {
      this.#asked.fire(undefined);
    } else if (rows.length > 0) {
      this.#asked.fire(rows.length === 1 ? rows[0] : rows.flatMap((row) => row ?? []));
    }
  }

  /**
   * Draws nothing again until `release`, for someone drags a row: VS Code knows of no row below one that it is drawing
   * again, and what is dropped there is lost. It does not tell when a drag is given up, so this ends by itself.
   */
  holdStill(): void {
    this.#held ??= new Set();
    clearTimeout(this.#heldUntil);
    this.#heldUntil = setTimeout(() => this.release(), longestDragMs);
  }

  /** Draws again what has changed since `holdStill`. */
  release(): void {
    clearTimeout(this.#heldUntil);
    const held = this.#held;
    this.#held = undefined;
    this.ask([...(held ?? [])]);
  }

  dispose(): void {
    clearTimeout(this.#heldUntil);
    this.#asked.dispose();
  }
}
