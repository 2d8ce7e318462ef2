/** The words for how far somebody has read a patch, and their sums. */
import type { MovedHunk } from '../../util/movedHunk.ts';

/** The progress of reading a patch or a section. */
export type ReadingState =
  | 'unread'
  | 'partlyRead'
  | 'read'
  /** It was read in an earlier version, and nothing has changed since. */
  | 'unchanged'
  /** It was read in an earlier version, and the author has changed it since. */
  | 'changed'
  /** It was read in an earlier version, and only what it is based on has changed since. */
  | 'rebased'
  /** It was read in an earlier version, and as far as the diffs show nothing has changed since: nobody knows more. */
  | 'alike'
  /** It was read in an earlier version that isn't kept any more: nobody knows what has changed since. */
  | 'unknown'
  /** It was part of another patch when that was read. */
  | 'new';

/** The progress of reading a patch, as rows and the page of the stack show it. */
export interface ReadSoFar {
  state: ReadingState;
  /** Of a changed one: the hunks that its author has moved, where that is all that changed. */
  moved?: readonly MovedHunk[];
  /** Of a new one: the title of the patch that it was split from. */
  splitFrom?: string;
  /** Of one that is partly read: how many of its sections are read, and how many it has. */
  part?: { readonly read: number; readonly of: number };
}

/** The same without what else is known of it: what can be kept, and compared with what was before. */
export function soFarOf({ state, moved, splitFrom, part }: ReadSoFar): ReadSoFar {
  return {
    state,
    ...(moved && { moved }),
    ...(splitFrom !== undefined && { splitFrom }),
    ...(part && { part }),
  };
}

/** The number of a stack's patches in each state. */
export interface ReadingSummary extends Readonly<Record<ReadingState, number>> {
  /** The title of the patch that the new one was split from, where there is but one. */
  readonly splitFrom?: string;
}

/** Counts how far patches were read. */
export function summaryOf(patches: readonly ReadSoFar[]): ReadingSummary {
  const summary: Record<ReadingState, number> = {
    unread: 0,
    partlyRead: 0,
    changed: 0,
    alike: 0,
    unknown: 0,
    rebased: 0,
    new: 0,
    unchanged: 0,
    read: 0,
  };
  for (const { state } of patches) {
    summary[state] += 1;
  }
  const [splitFrom, ...more] = patches.flatMap((patch) => patch.splitFrom ?? []);
  return { ...summary, ...(splitFrom !== undefined && more.length === 0 && { splitFrom }) };
}

/** True when there is something to read in a patch of that state. */
export function isLeftToRead(state: ReadingState): boolean {
  return state !== 'read' && state !== 'unchanged' && state !== 'rebased';
}
