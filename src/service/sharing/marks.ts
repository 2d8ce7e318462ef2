import type { Operation } from './operations.ts';

/** The stacks and patches that something is about. */
export class Marks {
  /** True where it may be about any of them. */
  isAll = false;
  /** Branches of which the stack is looked at, each with the changes of which the patches are, by the names that those who share have for them. */
  readonly branches = new Map<string, Set<string>>();

  /** Notes what an operation is about. */
  note(operation: Operation): void {
    if ('branch' in operation) {
      this.noteBranch(operation.branch, ...('change' in operation ? [operation.change] : []));
    } else if (operation.type !== 'ahead') {
      // The reviews that count, and how they are signed, depend on who people are and which keys they have.
      this.isAll = true;
    }
  }

  /** Notes a branch, and changes of it. */
  noteBranch(branch: string, ...changes: readonly string[]): void {
    const before = this.branches.get(branch) ?? new Set();
    changes.forEach((change) => before.add(change));
    this.branches.set(branch, before);
  }
}
