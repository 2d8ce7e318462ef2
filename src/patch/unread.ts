/** Finds what somebody has not read yet in a stack, from where they are. */
import { isRead } from '../model/reading/carryMarks.ts';
import type { HunkPlace } from '../model/reading/hunks.ts';
import type { PatchReading } from '../model/reading/readingStates.ts';
import { isLeftToRead } from '../model/reading/readSoFar.ts';
import type { Direction } from '../protocol/patchDocument.ts';
import type { DiffLine } from '../util/patchRef.ts';

/** A patch of a stack, with how far it was read. */
export interface PatchToRead {
  changeId: string;
  /** The codes of its sections. */
  codes: readonly string[];
  reading: PatchReading | undefined;
  /** Returns the place of each hunk of a section in its file; see `placesOf`. */
  placesIn: (section: number) => readonly (HunkPlace | undefined)[];
}

/** A patch, a section of it, or a line in that. */
export interface UnreadPlace {
  changeId: string;
  sectionCode?: string;
  line?: DiffLine;
}

/** The place where the person is in the stack, as far as they are anywhere. */
interface Whereabouts {
  changeId?: string | undefined;
  sectionCode?: string | undefined;
  line?: DiffLine | undefined;
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
): UnreadPlace | undefined {
  const here = positionOf(patches, from);
  const places = patches.flatMap((patch, index) => unreadIn(patch, index));
  const inOrder = direction === 'next' ? places : places.toReversed();
  const isAhead = ({ at }: { at: Position }): boolean =>
    direction === 'next' ? isBefore(here, at) : isBefore(at, here);
  return (inOrder.find(isAhead) ?? inOrder[0])?.place;
}

/** The places of a patch in its stack, of a section in its patch, and of a change in its section: -1 is before the first. */
type Position = readonly [patch: number, section: number, change: number];

function positionOf(patches: readonly PatchToRead[], { changeId, sectionCode, line }: Whereabouts): Position {
  const index = patches.findIndex((one) => one.changeId === changeId);
  const patch = patches[index];
  const section = sectionCode === undefined ? -1 : (patch?.codes.indexOf(sectionCode) ?? -1);
  return [index, section, patch && line && section >= 0 ? changeAt(patch.placesIn(section), line) : -1];
}

/** The change that a line is in; half a step on when it is after that. */
function changeAt(places: readonly (HunkPlace | undefined)[], { side, line }: DiffLine): number {
  const at = places.findLastIndex((place) => place !== undefined && place[side].start <= line);
  const { start, count } = places[at]?.[side] ?? { start: 0, count: 0 };
  return at < 0 || line < start + count ? at : at + 0.5;
}

function isBefore(one: Position, other: Position): boolean {
  const differs = one.findIndex((each, index) => each !== other[index]);
  return differs >= 0 && (one[differs] ?? 0) < (other[differs] ?? 0);
}

/** Something to read, and where it is. */
interface Unread {
  place: UnreadPlace;
  at: Position;
}

function unreadIn(patch: PatchToRead, index: number): Unread[] {
  const { changeId, codes, reading } = patch;
  if (!reading || !isLeftToRead(reading.state)) {
    return [];
  }
  const found = codes.flatMap((sectionCode, section): Unread[] => {
    const { hunks, isRead: isDone } = reading.sections[section] ?? { isRead: true };
    if (isDone) {
      return [];
    }
    const places = patch.placesIn(section);
    const isUnread = (change: number): boolean => {
      const hunk = hunks?.[change];
      return !hunk || !isRead(hunk);
    };
    const changes = places.flatMap((place, change): Unread[] =>
      place && isUnread(change)
        ? [{ place: { changeId, sectionCode, line: lineOf(place) }, at: [index, section, change] }]
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

function lineOf(place: HunkPlace): DiffLine {
  return place.new.count > 0
    ? { side: 'new', line: place.new.start, end: place.new.start + place.new.count - 1 }
    : { side: 'old', line: place.old.start };
}
