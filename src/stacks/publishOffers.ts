/** The branches of the open repositories that can be published as a patch stack. */
import * as vscode from 'vscode';
import type { PatchStack } from '../api/types/stacks.ts';
import { aheadBranches, aheadCommits, type AheadBranch, type AheadCommit } from '../git/publishable.ts';
import type { OpenRepository } from '../git/repository.ts';
import type { BranchOffer } from '../ui/chooseBranch.ts';
import { isPublished, newestOf } from './published.ts';

/** A branch that can be published. */
export interface PublishOffer extends BranchOffer {
  /** Its commits that its base has not, newest first; left out where git does not know the branch. */
  commits?: () => Promise<AheadCommit[]>;
}

/**
 * The branches that are ahead of their bases and not published at their newest commit.
 *
 * @param stacks those of the project.
 * @param typedBefore a branch that is offered in any case: the form was left with it.
 */
export async function publishOffers(
  repositories: readonly OpenRepository[],
  stacks: readonly PatchStack[],
  typedBefore: unknown,
): Promise<PublishOffer[]> {
  const found = await Promise.all(
    repositories.map(async (repository) => {
      const branches = await aheadBranches(repository);
      return branches
        .filter((branch) => branch.name === typedBefore || !isPublished(branch, stacks))
        .map((branch) => ({
          ...branch,
          note: noteOn(branch, stacks),
          commits: () => aheadCommits(repository, branch),
        }));
    }),
  );
  return found.flat().sort((one, other) => Number(other.current) - Number(one.current));
}

function noteOn(branch: AheadBranch, stacks: readonly PatchStack[]): string | undefined {
  const stack = newestOf(branch, stacks);
  if (!stack) {
    return undefined;
  }
  return stack.version === undefined
    ? vscode.l10n.t('has a patch stack')
    : vscode.l10n.t('has a patch stack, v{0}', stack.version);
}
