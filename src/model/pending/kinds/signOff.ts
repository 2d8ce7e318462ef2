/** A sign-off of a patch, or a request for changes. */
import * as v from 'valibot';
import type { Patch } from '../../../api/types/patches.ts';
import type { Review } from '../../../util/review.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import type { Model } from '../../model.ts';
import { opinionsOf } from '../../review.ts';
import { patchQueue, patchSchema } from '../inPatch.ts';
import { changeSchema, type Kind } from '../kind.ts';
import { patchKey, type PatchRef } from '../../../util/patchRef.ts';

const schema = changeSchema(
  { kind: v.literal('signOff'), patch: patchSchema },
  // `seen` is the fingerprint of what was on the screen: nothing else is signed off, or rejected.
  {
    review: v.picklist(['signedOff', 'changesRequested']),
    seen: v.string(),
    // Said of several patches in one act.
    batch: v.exactOptional(v.object({ id: v.string(), size: v.number() })),
  },
);
type Change = v.InferOutput<typeof schema>;

/** A sign-off that the service has taken. Nothing takes it back: it could be undone before it was sent. */
interface Written {
  kind: 'signOff';
  patch: PatchRef;
  review: Review;
  /** The patch that it was said of, with all of its content. */
  of: Patch;
  /** Said of several patches in one act, of which is told as one. */
  isOneOfMany?: true;
}

/** Nothing undoes it. */
const nothing: (written: Written) => undefined = () => undefined;

/** See the module. */
export const signOff = {
  schema,
  key: ({ patch }) => [patchKey(patch)],
  queue: patchQueue,
  isNothing: () => false,
  goOn: (_before, typed) => typed,
  // An opinion from meanwhile waits like the one before it.
  rest: (change) => ({ ...change, state: 'queued' as const }),

  /**
   * Signs a patch off, or requests changes, unless that is what the person has said already. It is only ever said of what was
   * on the screen: when the service has anything else by now, nothing is sent. Whether it has done what it was asked, and of
   * that, is looked at afterwards.
   */
  send: async ({ subject, content, begunIn, me, read, write }) => {
    const { review, seen } = content;
    const { patch } = subject;
    const { stackUuid, changeId } = patch;
    if (begunIn) {
      return { kind: 'outdated' };
    }
    const there = await read((client, options) => client.patches.get(stackUuid, changeId, options));
    if (fingerprintOf(there) !== seen) {
      const { version } = there;
      return { kind: 'outdated', ...(version !== undefined && { patchVersion: version }) };
    }
    // An opinion that was sent before, and of which the answer was lost, isn't sent again.
    const isSaid = opinionsOf(there, me).mine === review;
    if (isSaid) {
      return { kind: 'sent', show: showMarks(patch, there) };
    }
    const answer = await write((client, options) =>
      client.patches.update(stackUuid, changeId, { signOff: review === 'signedOff' }, options),
    );
    // An answer that says what was asked, of what was seen, needs no second look; any other may lack something, or be of before.
    const isAsAsked =
      opinionsOf(answer, me).mine === review && fingerprintOf({ ...there, ...answer }) === seen;
    const now = isAsAsked
      ? answer
      : await read((client, options) => client.patches.get(stackUuid, changeId, options));
    const tellsMarks = me !== undefined && (now.review ?? now.reviewAll) !== undefined;
    if (tellsMarks && opinionsOf(now, me).mine !== review) {
      return { kind: 'notTaken' };
    }
    if (fingerprintOf({ ...there, ...now }) !== seen) {
      return { kind: 'changedMeanwhile' };
    }
    return {
      kind: 'sent',
      written: {
        kind: 'signOff',
        patch,
        review,
        of: { ...there, ...now },
        ...(content.batch && { isOneOfMany: true }),
      },
      show: showMarks(patch, now),
    };
  },

  inverse: nothing,
} satisfies Kind<Change['subject'], Change['content'], Written>;

/** Shows the marks that the service has told of; an answer without any says nothing of them. */
function showMarks(patch: PatchRef, { review, reviewAll }: Patch): (model: Model) => void {
  return (model) =>
    model.editPatch(patch, (shown) => ({
      ...shown,
      ...(review && { review }),
      ...(reviewAll && { reviewAll }),
    }));
}
