/** What a page had kept because nobody confirmed it, and the draft that is in the journal: which of the two goes on. */
import type { Draft, DraftContent, TypedOn } from './pendingChange.ts';
import { mergeText } from './mergeText.ts';

/** Something that was typed on a page. */
export interface KeptTyping {
  content: DraftContent;
  /** What was confirmed last before it: it goes on from there. */
  after: DraftContent;
  typedOn: TypedOn;
}

/** What becomes of it: it is the draft now; all of it is known already; or it has to wait until the other draft is decided. */
export type Continuation =
  { kind: 'put'; content: DraftContent; typedOn?: TypedOn } | { kind: 'known' } | { kind: 'waits' };

/**
 * How a draft goes on with what a page had kept. Decided by where it was typed and how far, never by clocks: that of the page
 * and that of the extension host may be those of two computers.
 *
 * @param draft what is in the journal, if anything.
 */
export function continuation(
  draft: Draft | undefined,
  { content, after, typedOn }: KeptTyping,
): Continuation {
  if (!draft) {
    return { kind: 'put', content, typedOn };
  }
  const there = draft.content;
  if (isSame(there, content)) {
    return { kind: 'known' };
  }
  if (draft.typedOn?.page === typedOn.page) {
    return draft.typedOn.edition >= typedOn.edition ? { kind: 'known' } : { kind: 'put', content, typedOn };
  }
  if (isSame(there, after)) {
    return { kind: 'put', content, typedOn };
  }
  if (!('text' in there && 'text' in content)) {
    return { kind: 'waits' };
  }
  // Somebody has gone on with it elsewhere.
  const base = 'base' in content && typeof content.base === 'string' ? content.base : '';
  const merge = mergeText(base, content.text, there.text);
  if (merge.kind === 'conflict') {
    return { kind: 'waits' };
  }
  return merge.text === there.text
    ? { kind: 'known' }
    : { kind: 'put', content: { ...content, text: merge.text } };
}

function isSame(one: DraftContent, other: DraftContent): boolean {
  return 'text' in one && 'text' in other
    ? one.text === other.text
    : JSON.stringify(one) === JSON.stringify(other);
}
