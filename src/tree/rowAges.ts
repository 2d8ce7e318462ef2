import type { Node } from './nodes.ts';

/** Rows that are drawn again at a time for their ages alone. There are more only where no one sees them all. */
const most = 50;

/** Until when the ages are true that rows were drawn with. */
export class RowAges {
  readonly #until = new WeakMap<Node, number>();

  /** Notes how long the age of a row is true that is being drawn, in milliseconds since the epoch; undefined when it says none. */
  note(row: Node, until: number | undefined): void {
    if (until !== undefined) {
      this.#until.set(row, until);
    }
  }

  /** Those of some rows whose ages are not true any more, each once until it is drawn again. */
  takeOld(rows: readonly Node[]): Node[] {
    const now = Date.now();
    const old = rows.filter((row) => (this.#until.get(row) ?? Infinity) <= now).slice(0, most);
    // Those out of sight are not drawn.
    old.forEach((row) => this.#until.delete(row));
    return old;
  }
}
