/** Finds what somebody has not read yet in a stack, from where they are. */
import { isRead } from '../model/reading/carryMarks.ts';
import type { PatchReading } from '../model/reading/readingStates.ts';
import { isLeftToRead } from '../model/reading/readSoFar.ts';
import type { Direction } from '../protocol/patchDocument.ts';
import {
  linesOf,
  nextPlace,
  type Found,
  type PatchOfStack,
  type StackPlace,
  type Whereabouts,
} from './stackPlaces.ts';

/** A patch of a stack, with how far it was read. */
export interface PatchToRead extends PatchOfStack {
  reading: PatchReading | undefined;
}

/**
 * The next change that was not read, or the one before: through all patches, and from the end on from the beginning. Of a patch that
 * changed without anything new to read in it, it is the patch itself.
 *
 * @param patches in their order.
 * @param from where the person is; from the beginning when they are nowhere.
 */
export function nextUnread(
  patches: readonly PatchToRead[],
  from: Whereabouts,
  direction: Direction,
): StackPlace | undefined {
  return nextPlace(
    patches,
    patches.flatMap((patch, index) => unreadIn(patch, index)),
    from,
    direction,
  );
}

function unreadIn(patch: PatchToRead, index: number): Found[] {
  const { changeId, codes, reading } = patch;
  if (!reading || !isLeftToRead(reading.state)) {
    return [];
  }
  const found = codes.flatMap((sectionCode, section): Found[] => {
    const { hunks, isRead: isDone } = reading.sections[section] ?? { isRead: true };
    if (isDone) {
      return [];
    }
    const places = patch.placesIn(section);
    const isUnread = (change: number): boolean => {
      const hunk = hunks?.[change];
      return !hunk || !isRead(hunk);
    };
    const changes = places.flatMap((place, change): Found[] =>
      place && isUnread(change)
        ? [{ place: { changeId, sectionCode, line: linesOf(place) }, at: [index, section, change] }]
        : [],
    );
    // A text, or what is said of a file as a whole.
    const isWhole = places.some((place, change) => !place && isUnread(change));
    return isWhole || changes.length === 0
      ? [{ place: { changeId, sectionCode }, at: [index, section, -1] }, ...changes]
      : changes;
  });
  return found.length > 0 ? found : [{ place: { changeId }, at: [index, -1, -1] }];
}
