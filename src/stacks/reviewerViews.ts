/** People who have said something of a patch, as the pages about its stack name them. */
import type { PatchUser } from '../api/types/patches.ts';
import { isMe, type Me } from '../model/review.ts';
import type { ReviewerView } from '../protocol/patchStatuses.ts';
import { plainText } from '../util/visibleText.ts';

/** See the module. */
export function reviewerViews(users: readonly PatchUser[], me: Me | undefined): ReviewerView[] {
  return users.map((user) => ({
    name: nameOf(user),
    isSelf: isMe(user, me),
    ...(user.signature !== undefined && { signature: user.signature }),
  }));
}

function nameOf({ name, login, email, id }: PatchUser): string {
  return plainText(name ?? login ?? email ?? id ?? '?');
}
