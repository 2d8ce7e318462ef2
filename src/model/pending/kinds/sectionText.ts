import { isApiError } from '../../../api/errors.ts';
import type { PatchSection } from '../../../api/types/patches.ts';
import { mergeText } from '../mergeText.ts';
import type { Sender } from '../sender.ts';

/** Reads a section before its text is replaced, and joins what somebody else has written meanwhile. */
export const sendSectionText: Sender<'sectionText'> = async ({ subject, content, attempt, read, write }) => {
  const { patch, code } = subject;
  const { stackUuid, changeId } = patch;
  let section: PatchSection;
  try {
    section = await read((client, options) => client.patches.getSection(stackUuid, changeId, code, options));
  } catch (error) {
    if (isApiError(error) && error.kind === 'notFound') {
      return { kind: 'deleted' };
    }
    throw error;
  }
  const theirs = sectionText(section);
  // When an earlier try arrived after all, what was typed by then is in the text already.
  const arrived = attempt?.text === theirs;
  const base = arrived ? (attempt.typed ?? theirs) : content.base;
  const merge = mergeText(base, content.text, theirs);
  if (merge.kind === 'conflict') {
    return { kind: 'conflict', base: content.base, theirs, mine: content.text };
  }
  const { text } = merge;
  if (text !== theirs) {
    const update = { text };
    await write(
      (client, options) => client.patches.updateSection(stackUuid, changeId, code, update, options),
      { text, typed: content.text, before: theirs },
    );
  }
  const before = arrived ? (attempt.before ?? content.base) : theirs;
  return {
    kind: 'sent',
    ...(before !== text && { change: { kind: 'sectionText', patch, code, before, after: text } }),
    ...(text !== content.text && { merged: text }),
    show: (shown) => ({
      ...shown,
      ...(shown.sections && {
        sections: shown.sections.map((other) => (other.code === code ? { ...other, text } : other)),
      }),
    }),
  };
};

/** The markdown of a section; one without any counts as empty. */
export function sectionText(section: PatchSection): string {
  return section.sectionType === 'text' ? (section.text ?? '') : '';
}
