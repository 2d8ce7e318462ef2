import type { DraftContents, KnownDraft, TextConflict } from '../model/drafts/draft.ts';

/** The texts that a person has to decide between; undefined for a draft that is not in conflict. */
export function conflictOf({ subject, content, failure, state }: KnownDraft): TextConflict | undefined {
  const theirs = failure?.theirs;
  if (state !== 'conflict' || theirs === undefined) {
    return undefined;
  }
  switch (subject.kind) {
    case 'sectionText': {
      const { base, text } = content as DraftContents['sectionText'];
      return { base, theirs, mine: text };
    }
    case 'newSection': {
      const { text } = content as DraftContents['newSection'];
      const { code } = failure ?? {};
      return { base: '', theirs, mine: text, ...(code !== undefined && { code }) };
    }
    case 'sectionDeletion':
      return { base: (content as DraftContents['sectionDeletion']).text, theirs, mine: '' };
    case 'stack': {
      const { base, fields } = content as DraftContents['stack'];
      const field = failure?.field ?? 'title';
      return { base: base[field], theirs, mine: fields[field] ?? '', field };
    }
    case 'sectionOrder':
    case 'signOff':
    case 'form':
      return undefined;
  }
}
