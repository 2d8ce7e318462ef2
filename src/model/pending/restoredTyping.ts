/**
 * Decides between typing that nobody confirmed to an earlier page and the pending change in the journal: which of the two goes on.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ChangeContent } from './kinds/index.ts';
import type { PendingChange, TypedOn } from './pendingChange.ts';
import { mergeText } from '../../util/mergeText.ts';

/** Something that was typed on a page. */
interface UnconfirmedTyping<C extends ChangeContent> {
  content: C;
  /** The content confirmed last before it: it goes on from there. */
  after: C;
  typedOn: TypedOn;
}

/** The outcome: it is the pending change now; all of it is known already; or it goes beside the other, which it doesn't fit. */
type Continuation<C extends ChangeContent> =
  { kind: 'put'; content: C; typedOn?: TypedOn } | { kind: 'known' } | { kind: 'beside' };

/**
 * Continues a pending change with what was typed on an earlier page. Decided by where it was typed and how far, never by clocks:
 * that of the page and that of the extension host may be those of two computers.
 *
 * @param pending the change in the journal, if any.
 * @param isKnown true when that page is known to have got as far, whatever became of that since.
 */
export function continuation<C extends ChangeContent>(
  pending: PendingChange | undefined,
  { content, after, typedOn }: UnconfirmedTyping<C>,
  isKnown = false,
): Continuation<C> {
  if (isKnown) {
    return { kind: 'known' };
  }
  if (!pending) {
    return { kind: 'put', content, typedOn };
  }
  const there = pending.content;
  if (isSame(there, content)) {
    return { kind: 'known' };
  }
  if (pending.typedOn?.page === typedOn.page) {
    return pending.typedOn.edition >= typedOn.edition ? { kind: 'known' } : { kind: 'put', content, typedOn };
  }
  if (isSame(there, after)) {
    return { kind: 'put', content, typedOn };
  }
  if (!('text' in there && 'text' in content)) {
    return { kind: 'beside' };
  }
  // Someone has gone on with it elsewhere.
  const base = 'base' in content && typeof content.base === 'string' ? content.base : '';
  const merge = mergeText(base, content.text, there.text);
  if (merge.kind === 'conflict') {
    return { kind: 'beside' };
  }
  return merge.text === there.text
    ? { kind: 'known' }
    : { kind: 'put', content: { ...content, text: merge.text } };
}

function isSame(one: ChangeContent, other: ChangeContent): boolean {
  return 'text' in one && 'text' in other ? one.text === other.text : isDeepStrictEqual(one, other);
}
