import { isApiError } from '../../../api/errors.ts';
import type { Sender } from '../sender.ts';
import { sectionText } from './sectionText.ts';

/** Reads a section before it is deleted: what somebody else has written into it meanwhile is not thrown away unseen. */
export const sendSectionDeletion: Sender<'sectionDeletion'> = async ({ subject, content, read, write }) => {
  const { patch, code } = subject;
  const { stackUuid, changeId } = patch;
  const { text, after: follows } = content;
  try {
    const theirs = sectionText(
      await read((client, options) => client.patches.getSection(stackUuid, changeId, code, options)),
    );
    if (theirs !== text) {
      return { kind: 'conflict', base: text, theirs, mine: '' };
    }
    await write((client, options) => client.patches.deleteSection(stackUuid, changeId, code, options));
  } catch (error) {
    // Gone is what it should be, whoever did it.
    if (!isApiError(error) || error.kind !== 'notFound') {
      throw error;
    }
  }
  return {
    kind: 'sent',
    change: { kind: 'sectionDeletion', patch, code, text, follows },
    show: (shown) => ({
      ...shown,
      ...(shown.sections && { sections: shown.sections.filter((other) => other.code !== code) }),
    }),
  };
};
