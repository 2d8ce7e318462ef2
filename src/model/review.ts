/**
 * Opinions on a patch. Everybody has one of three: none, that they sign it off, or that they request changes. Nothing takes one of
 * the last two back; the other takes its place.
 */
import type { Patch, PatchReview, PatchUser } from '../api/types/patches.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import type { Review } from '../util/review.ts';

/** Who is signed in, as the service names them. */
export interface Me {
  id: string;
  login: string;
}

/** Everybody's opinions on a patch, and that of the person who is signed in. */
export interface PatchOpinions {
  viewed: readonly PatchUser[];
  signedOff: readonly PatchUser[];
  changesRequested: readonly PatchUser[];
  /** Undefined when they have said nothing. */
  mine: Review | undefined;
}

/**
 * Collects the opinions on a patch.
 *
 * @param me undefined when it isn't known who is signed in: then nothing counts as theirs.
 */
export function opinionsOf(patch: Pick<Patch, 'review' | 'reviewAll'>, me: Me | undefined): PatchOpinions {
  const { review, reviewAll } = patch;
  const shown = reviewAll ?? review;
  return {
    viewed: shown?.viewed ?? [],
    signedOff: shown?.signedOff ?? [],
    changesRequested: shown?.rejected ?? [],
    mine: me && (sayingIn(reviewAll, me) ?? sayingIn(review, me)),
  };
}

/**
 * True for the user who is signed in: by the ID, else by the login. That somebody stands in a list which may be one's own proves
 * nothing.
 */
export function isMe(user: PatchUser, me: Me | undefined): boolean {
  if (!me) {
    return false;
  }
  // If the service doesn't say the ID of who is signed in, the login stands in for it.
  const bothIds = user.id !== undefined && me.id !== me.login;
  return bothIds ? user.id === me.id : user.login !== undefined && user.login === me.login;
}

function sayingIn(review: PatchReview | undefined, me: Me): Review | undefined {
  const isIn = (users: readonly PatchUser[] = []): boolean => users.some((user) => isMe(user, me));
  // A service that lists somebody in both is not taken to say that they agree.
  return isIn(review?.rejected) ? 'changesRequested' : isIn(review?.signedOff) ? 'signedOff' : undefined;
}

/** True for a patch stack that somebody has contributed to. */
export function isOf(
  { contributors, patches = [] }: Pick<PatchStack, 'contributors' | 'patches'>,
  me: Me,
): boolean {
  return [...contributors, ...patches.flatMap((patch) => patch.contributors)].some(
    ({ user }) => user !== undefined && isMe(user, me),
  );
}

/** True for an open patch stack of others with a patch that somebody has said nothing of; also where that isn't known. */
export function isWaitingFor(
  stack: Pick<PatchStack, 'contributors' | 'patches' | 'status'>,
  me: Me,
): boolean {
  const isOpen = stack.status === undefined || stack.status === 'active';
  const isLeft = (patch: Patch): boolean => opinionsOf(patch, me).mine === undefined;
  return isOpen && !isOf(stack, me) && (stack.patches?.some(isLeft) ?? true);
}
