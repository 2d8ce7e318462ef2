/** A sign-off of a patch, or a request for changes. */
import * as v from 'valibot';
import type { Patch } from '../../../api/types/patches.ts';
import type { Review } from '../../../util/review.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import type { PatchAddress } from '../../patchAddress.ts';
import { opinionsOf } from '../../review.ts';
import { patchKey, patchQueue, patchSchema } from '../inPatch.ts';
import { changeSchema, type Kind } from '../kind.ts';

const schema = changeSchema(
  { kind: v.literal('signOff'), patch: patchSchema },
  // `seen` is the fingerprint of what was on the screen: nothing else is signed off, or rejected.
  { review: v.picklist(['signedOff', 'changesRequested']), seen: v.string() },
);
type Change = v.InferOutput<typeof schema>;

/** What the service has taken. Nothing takes it back: it could be undone before it was sent. */
interface Written {
  kind: 'signOff';
  patch: PatchAddress;
  review: Review;
}

/** Nothing undoes it. */
const nothing: (written: Written) => undefined = () => undefined;

/** See the module. */
export const signOff = {
  schema,
  key: ({ patch }) => patchKey(patch),
  queue: patchQueue,
  isNothing: () => false,
  goOn: (_before, typed) => typed,
  // What was said meanwhile waits like what was said before it.
  rest: (change) => ({ ...change, state: 'queued' as const }),

  /**
   * Signs a patch off, or requests changes, unless that is what the person has said already. It is only ever said of what was
   * on the screen: when the service has anything else by now, nothing is sent.
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
    // What was sent before, and of which the answer was lost, is not sent again.
    const isSaid = opinionsOf(there, me).mine === review;
    const marked = isSaid
      ? there
      : await write((client, options) =>
          client.patches.update(stackUuid, changeId, { signOff: review === 'signedOff' }, options),
        );
    return {
      kind: 'sent',
      ...(!isSaid && { written: { kind: 'signOff', patch, review } }),
      show: (model) => model.editPatch(patch, (shown) => ({ ...shown, ...marksOf(marked) })),
    };
  },

  inverse: nothing,
} satisfies Kind<Change['subject'], Change['content'], Written>;

type Marks = Pick<Patch, 'review' | 'reviewAll'>;

/** The marks that an answer has; one without any says nothing of them. */
function marksOf({ review, reviewAll }: { [K in keyof Marks]?: Marks[K] | undefined }): Marks {
  return { ...(review && { review }), ...(reviewAll && { reviewAll }) };
}
