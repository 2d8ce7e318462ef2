import type { ChangeContents, KnownChange, TextConflict } from '../model/pending/pendingChange.ts';
import { orderText } from '../model/pending/orderText.ts';

/**
 * Whether the text of a pending change can only become a section of its own: the one that it changes is gone, or cannot be told
 * from others.
 */
export function lacksSection({ subject, failure }: Pick<KnownChange, 'subject' | 'failure'>): boolean {
  return subject.kind === 'sectionText' && (failure?.kind === 'deleted' || failure?.kind === 'ambiguous');
}

/** The texts that a person has to decide between; undefined for a pending change about which there is nothing to decide. */
export function conflictOf({ subject, content, failure, state }: KnownChange): TextConflict | undefined {
  if (lacksSection({ subject, ...(failure && { failure }) })) {
    const { base, text } = content as ChangeContents['sectionText'];
    return { base, theirs: '', mine: text };
  }
  const theirs = failure?.theirs;
  if (!failure || state !== 'conflict' || theirs === undefined) {
    return undefined;
  }
  switch (subject.kind) {
    case 'sectionText': {
      const { base, text } = content as ChangeContents['sectionText'];
      return { base, theirs, mine: text };
    }
    case 'newSection': {
      const { text } = content as ChangeContents['newSection'];
      const { code } = failure;
      return { base: '', theirs, mine: text, ...(code !== undefined && { code }) };
    }
    case 'sectionDeletion':
      return { base: (content as ChangeContents['sectionDeletion']).text, theirs, mine: '' };
    case 'sectionOrder': {
      const { base, order } = content as ChangeContents['sectionOrder'];
      const sections = failure.order ?? [];
      return { base: orderText(base, sections), theirs, mine: orderText(order, sections) };
    }
    case 'stack': {
      const { base, fields } = content as ChangeContents['stack'];
      const field = failure.field ?? 'title';
      return { base: base[field], theirs, mine: fields[field] ?? '', field };
    }
    case 'signOff':
    case 'form':
      return undefined;
  }
}
