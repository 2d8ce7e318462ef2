import type { Review } from '../../util/review.ts';
import { isOfKind } from './pendingChange.ts';
import type { PendingChanges } from './pendingChanges.ts';

/** The person's reviews of a stack's patches that the service doesn't have yet and was not asked in vain to take, by change id. */
export function unsentReviews(
  pendingChanges: Pick<PendingChanges, 'shown'>,
  stackUuid: string,
): ReadonlyMap<string, Review> {
  return new Map(
    pendingChanges
      .shown()
      .flatMap((pending): [string, Review][] =>
        isOfKind(pending, 'signOff') && !pending.failure && pending.subject.patch.stackUuid === stackUuid
          ? [[pending.subject.patch.changeId, pending.content.review]]
          : [],
      ),
  );
}
