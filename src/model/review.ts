/**
 * What people say of a patch. Everybody has said one of three things: nothing, that they sign it off, or that they request
 * changes. Nothing takes one of the last two back; the other takes its place.
 */
import type { Patch, PatchReview, PatchUser } from '../api/types/patches.ts';
import type { Review } from '../util/review.ts';

/** Who is signed in, as the service names them. */
export interface Me {
  id: string;
  login: string;
}

/** What everybody has said of a patch, and what the person who is signed in has. */
export interface PatchOpinions {
  viewed: readonly PatchUser[];
  signedOff: readonly PatchUser[];
  changesRequested: readonly PatchUser[];
  /** Undefined when they have said nothing. */
  mine: Review | undefined;
}

/**
 * What people say of a patch.
 *
 * @param me undefined when it is not known who is signed in: then nothing counts as theirs.
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
 * Whether a user is the one who is signed in: by the id, else by the login. That somebody stands in a list which may be one's
 * own proves nothing.
 */
export function isMe(user: PatchUser, me: Me | undefined): boolean {
  if (!me) {
    return false;
  }
  // Where the service does not say the id of who is signed in, the login stands in for it.
  const bothIds = user.id !== undefined && me.id !== me.login;
  return bothIds ? user.id === me.id : user.login !== undefined && user.login === me.login;
}

function sayingIn(review: PatchReview | undefined, me: Me): Review | undefined {
  const isIn = (users: readonly PatchUser[] = []): boolean => users.some((user) => isMe(user, me));
  // A service that lists somebody in both is not taken to say that they agree.
  return isIn(review?.rejected) ? 'changesRequested' : isIn(review?.signedOff) ? 'signedOff' : undefined;
}
