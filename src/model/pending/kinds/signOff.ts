import type { Patch } from '../../../api/types/patches.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import { opinionsOf } from '../../review.ts';
import type { Sender } from '../sender.ts';

/**
 * Signs a patch off, or requests changes, unless that is what the person has said already. It is only ever said of what was
 * on the screen: when the service has anything else by now, nothing is sent.
 */
export const sendSignOff: Sender<'signOff'> = async ({ subject, content, begunIn, me, read, write }) => {
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
  if (opinionsOf(there, me).mine === review) {
    const { review: own, reviewAll } = there;
    return { kind: 'sent', show: (shown) => ({ ...shown, ...withMarks({ review: own, reviewAll }) }) };
  }
  const changed = await write((client, options) =>
    client.patches.update(stackUuid, changeId, { signOff: review === 'signedOff' }, options),
  );
  return {
    kind: 'sent',
    change: { kind: 'signOff', patch, review },
    show: (shown) => ({ ...shown, ...withMarks(changed) }),
  };
};

type Marks = Pick<Patch, 'review' | 'reviewAll'>;

/** The marks that an answer has; one without any says nothing of them. */
function withMarks({ review, reviewAll }: { [K in keyof Marks]: Marks[K] | undefined }): Marks {
  return { ...(review && { review }), ...(reviewAll && { reviewAll }) };
}
