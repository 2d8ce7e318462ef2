import type { Sender } from './sender.ts';

/** Signs a patch off, or takes that back, unless it is so already. */
export const sendSignOff: Sender<'signOff'> = async ({ subject, content, read, write }) => {
  const { patch } = subject;
  const { stackUuid, changeId } = patch;
  const { signOff } = content;
  const { review } = await read((client, options) => client.patches.get(stackUuid, changeId, options));
  if (review && review.signedOff.length > 0 === signOff) {
    return { kind: 'sent' };
  }
  const changed = await write((client, options) =>
    client.patches.update(stackUuid, changeId, { signOff }, options),
  );
  return {
    kind: 'sent',
    change: { kind: 'signOff', patch, before: !signOff, after: signOff },
    show: (shown) => ({
      ...shown,
      ...(changed.review && { review: changed.review }),
      ...(changed.reviewAll && { reviewAll: changed.reviewAll }),
    }),
  };
};
