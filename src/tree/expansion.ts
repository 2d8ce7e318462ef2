import type { Node } from './nodes.ts';

/** Stored by account: rows of another one have other ids. */
export interface KeptExpansion {
  account: string;
  /** Ids of the rows that are not as rows of their kind begin; the one that was changed last comes last. */
  changed: string[];
}

export interface ExpansionMemory {
  read(): KeptExpansion | undefined;
  write(kept: KeptExpansion): void;
}

/** Rows above this number that were changed longest ago are forgotten: each that is expanded costs the next window a request. */
const mostKept = 50;

/** The rows that the person has expanded and collapsed, also in the window before, which VS Code forgets. */
export class Expansion {
  readonly #memory: ExpansionMemory;
  #account = '';
  readonly #changed = new Set<string>();

  constructor(memory: ExpansionMemory) {
    this.#memory = memory;
  }

  /** The rows are of this account from now on. */
  turnTo(account: string): void {
    if (account === this.#account) {
      return;
    }
    this.#account = account;
    this.#changed.clear();
    const kept = this.#memory.read();
    if (kept?.account === account) {
      kept.changed.forEach((id) => this.#changed.add(id));
    }
  }

  /** Notes that the rows below one are shown, or no longer. */
  note(node: Node, expanded: boolean): void {
    this.#changed.delete(node.id);
    if (expanded !== beginsExpanded(node)) {
      this.#changed.add(node.id);
    }
    this.#keep();
  }

  /** Notes that the rows below none of these are shown. */
  noteAllCollapsed(rows: Iterable<Node>): void {
    this.#changed.clear();
    for (const row of rows) {
      if (beginsExpanded(row)) {
        this.#changed.add(row.id);
      }
    }
    this.#keep();
  }

  isExpanded(node: Node): boolean {
    return beginsExpanded(node) !== this.#changed.has(node.id);
  }

  #keep(): void {
    this.#memory.write({ account: this.#account, changed: [...this.#changed].slice(-mostKept) });
  }
}

function beginsExpanded(node: Node): boolean {
  switch (node.kind) {
    case 'workspace':
    case 'owner':
    case 'family':
      return true;
    case 'project':
      return node.isAtHand;
    default:
      return false;
  }
}
