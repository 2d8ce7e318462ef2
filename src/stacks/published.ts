import type { PatchStack } from '../api/types/stacks.ts';

/** A branch at a commit. */
interface BranchAt {
  name: string;
  commit: string;
}

/** The stack of a branch that is not followed by a newer version. */
export function newestOf({ name }: BranchAt, stacks: readonly PatchStack[]): PatchStack | undefined {
  return stacks.find(({ branchId, status }) => branchId === name && status !== 'inactive');
}

export function isPublished(branch: BranchAt, stacks: readonly PatchStack[]): boolean {
  const stack = newestOf(branch, stacks);
  return (
    stack !== undefined &&
    (stack.oplogSha === branch.commit || stack.patches?.at(-1)?.commitSha === branch.commit)
  );
}
