import type { Patch } from '../../../api/resources/patches.ts';
import { newestVersion } from './newestVersion.ts';
import { sectionText } from './sectionText.ts';
import type { Sender } from './sender.ts';

/**
 * Signs a patch off, or takes that back, unless it is so already. What has another content than what was signed off is not
 * signed off unseen.
 */
export const sendSignOff: Sender<'signOff'> = async ({ subject, content, startedAt, read, write }) => {
  const { signOff } = content;
  const patch = await newestVersion(subject.patch, startedAt, read);
  const { stackUuid, changeId } = patch;
  const newest = await read((client, options) => client.patches.get(stackUuid, changeId, options));
  if (patch !== subject.patch && signOff) {
    const seen = await read((client, options) =>
      client.patches.get(subject.patch.stackUuid, changeId, options),
    );
    const [base, theirs] = [patchText(seen), patchText(newest)];
    if (base !== theirs) {
      return { kind: 'conflict', base, theirs, mine: base, stackUuid };
    }
  }
  const { review } = newest;
  if (review && review.signedOff.length > 0 === signOff) {
    return { kind: 'sent' };
  }
  const changed = await write((client, options) =>
    client.patches.update(stackUuid, changeId, { signOff }, options),
  );
  return {
    kind: 'sent',
    change: { kind: 'signOff', patch, before: !signOff, after: signOff },
    // What is shown may be the version that it is not of.
    ...(patch === subject.patch && {
      show: (shown: Patch) => ({
        ...shown,
        ...(changed.review && { review: changed.review }),
        ...(changed.reviewAll && { reviewAll: changed.reviewAll }),
      }),
    }),
  };
};

/** All that is to be read in a patch, as one text. */
function patchText({ title = '', sections = [] }: Patch): string {
  const texts = sections.map((section) =>
    section.sectionType === 'diff'
      ? (section.diffPatch ?? section.newPath ?? section.identifier)
      : sectionText(section),
  );
  return [title, ...texts].map((text) => `${text.trimEnd()}\n`).join('\n');
}
