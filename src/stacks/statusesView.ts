import type { Patch } from '../api/types/patches.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import { opinionsOf, type Me } from '../model/review.ts';
import type { PatchStatusesView, PatchStatusView } from '../protocol/patchStatuses.ts';
import { visibleText } from '../util/visibleText.ts';
import { reviewerViews } from './reviewerViews.ts';

/** The table of a stack's patch statuses. */
export function statusesView(
  stack: PatchStack,
  branch: string,
  me: Me | undefined,
): Omit<PatchStatusesView, 'branchRef'> {
  return {
    title: visibleText(stack.title) ?? branch,
    branch,
    ...(stack.version !== undefined && { version: stack.version }),
    patches: (stack.patches ?? []).map((patch) => statusView(patch, me)),
  };
}

function statusView(patch: Patch, me: Me | undefined): PatchStatusView {
  const { viewed, signedOff, changesRequested } = opinionsOf(patch, me);
  return {
    changeId: patch.changeId,
    title: visibleText(patch.title) ?? patch.changeId,
    openedBy: reviewerViews(viewed, me),
    signedOff: reviewerViews(signedOff, me),
    rejected: reviewerViews(changesRequested, me),
  };
}
