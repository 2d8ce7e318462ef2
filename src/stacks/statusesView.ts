import type { Patch, PatchUser } from '../api/types/patches.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import { isMe, opinionsOf, type Me } from '../model/review.ts';
import type { PatchStatusesView, PatchStatusView, ReviewerView } from '../protocol/patchStatuses.ts';
import { plainText, visibleText } from '../util/visibleText.ts';

/** The table of a stack's patch statuses. */
export function statusesView(
  stack: PatchStack,
  branch: string,
  me: Me | undefined,
): Omit<PatchStatusesView, 'address'> {
  return {
    title: visibleText(stack.title) ?? branch,
    branch,
    ...(stack.version !== undefined && { version: stack.version }),
    patches: (stack.patches ?? []).map((patch) => statusView(patch, me)),
  };
}

function statusView(patch: Patch, me: Me | undefined): PatchStatusView {
  const { viewed, signedOff, changesRequested } = opinionsOf(patch, me);
  const reviewers = (users: readonly PatchUser[]): ReviewerView[] =>
    users.map((user) => ({ name: nameOf(user), isSelf: isMe(user, me) }));
  return {
    changeId: patch.changeId,
    title: visibleText(patch.title) ?? patch.changeId,
    seen: reviewers(viewed),
    signedOff: reviewers(signedOff),
    rejected: reviewers(changesRequested),
  };
}

function nameOf({ name, login, email, id }: PatchUser): string {
  return plainText(name ?? login ?? email ?? id ?? '?');
}
