import type { PatchStack } from '../api/types/stacks.ts';
import type { BranchOffer } from '../ui/chooseBranch.ts';

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
