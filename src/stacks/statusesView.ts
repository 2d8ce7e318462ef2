import type { Patch, PatchReview, PatchUser } from '../api/resources/patches.ts';
import type { PatchStack } from '../api/resources/stacks.ts';
import type { PatchStatusesView, PatchStatusView, ReviewerView } from '../protocol/patchStatuses.ts';
import { plainText, visibleText } from '../util/visibleText.ts';

/** The table of a stack's patch statuses. */
export function statusesView(stack: PatchStack, branch: string): Omit<PatchStatusesView, 'address'> {
  return {
    title: visibleText(stack.title) ?? branch,
    branch,
    ...(stack.version !== undefined && { version: stack.version }),
    patches: (stack.patches ?? []).map(statusView),
  };
}

function statusView(patch: Patch): PatchStatusView {
  const reviewers = (mark: keyof PatchReview): ReviewerView[] => {
    const own = patch.review?.[mark] ?? [];
    // A service may tell only the caller's own marks.
    const all = patch.reviewAll?.[mark] ?? own;
    return all.map((user) => ({
      name: nameOf(user),
      isSelf: own.some((candidate) => isSame(candidate, user)),
    }));
  };
  return {
    changeId: patch.changeId,
    title: visibleText(patch.title) ?? patch.changeId,
    seen: reviewers('viewed'),
    signedOff: reviewers('signedOff'),
    rejected: reviewers('rejected'),
  };
}

function nameOf({ name, login, email, id }: PatchUser): string {
  return plainText(name ?? login ?? email ?? id ?? '?');
}

function isSame(one: PatchUser, other: PatchUser): boolean {
  return one.id !== undefined ? one.id === other.id : one.login !== undefined && one.login === other.login;
}
