/** The stack of a patch as a row of dots: the reading state and the own review of each. */
import * as vscode from 'vscode';
import type { Patch } from '../api/types/patches.ts';
import type { ReadingState, ReadSoFar } from '../model/reading/readSoFar.ts';
import type { RailMark, RailPatch } from '../protocol/patchDocument.ts';
import { readingText } from '../ui/readingTexts.ts';
import type { Review } from '../util/review.ts';
import { titleOf } from './patchView.ts';

/** The sources of what the person has done. */
interface RailSources {
  /** The reading state of a patch; undefined until it is known. */
  stateOf: (changeId: string) => ReadSoFar | undefined;
  /** The person's own review of a patch. */
  reviewOf: (patch: Patch) => Review | undefined;
}

/** See the module. */
export function railOf(patches: readonly Patch[], { stateOf, reviewOf }: RailSources): RailPatch[] {
  return patches.map((patch) => {
    const { changeId } = patch;
    const soFar = stateOf(changeId);
    const review = reviewOf(patch);
    const words = [review && reviewText(review), soFar && readingText(soFar)];
    return {
      changeId,
      title: titleOf(patch),
      mark: markOf(soFar, review),
      words: words.filter((part) => part !== undefined).join(', '),
    };
  });
}

const readingMarks: Record<ReadingState, RailMark> = {
  unread: 'unread',
  partlyRead: 'partlyRead',
  read: 'read',
  unchanged: 'read',
  rebased: 'read',
  alike: 'partlyRead',
  unknown: 'partlyRead',
  changed: 'changed',
  new: 'changed',
};

/** There is something to read again where a patch has changed, or may have, whatever was said of it before. */
function markOf(soFar: ReadSoFar | undefined, review: Review | undefined): RailMark {
  const state = soFar?.state ?? 'unread';
  const mark = readingMarks[state];
  const isReadAgain = mark === 'changed' || state === 'alike' || state === 'unknown';
  return isReadAgain ? mark : (review ?? mark);
}

function reviewText(review: Review): string {
  return review === 'signedOff' ? vscode.l10n.t('signed off') : vscode.l10n.t('changes requested');
}
