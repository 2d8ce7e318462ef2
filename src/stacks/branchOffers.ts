import type { PatchStack } from '../api/resources/stacks.ts';

/** A branch to choose. */
export interface BranchOffer {
  name: string;
  /** The newest commit, where it is known. */
  commit: string | undefined;
  /** Whether it is checked out. */
  current: boolean;
}

/** The branches that a project has stacks of, each once; those that are checked out come first. */
export function branchesOfStacks(
  stacks: readonly PatchStack[],
  local: readonly BranchOffer[],
): BranchOffer[] {
  const names = [...new Set(stacks.flatMap(({ branchId }) => branchId ?? []))];
  return names
    .map(
      (name) => local.find((branch) => branch.name === name) ?? { name, commit: undefined, current: false },
    )
    .sort((one, other) => Number(other.current) - Number(one.current));
}
