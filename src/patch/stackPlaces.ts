/** Places in the patches of a stack, in their order: the next one that is looked for, from where the person is. */
import type { Direction } from '../protocol/patchDocument.ts';
import type { HunkPlace } from '../util/hunkPlace.ts';
import type { DiffLine } from '../util/patchRef.ts';

/** A patch of a stack, in which places are looked for. */
export interface PatchOfStack {
  changeId: string;
  /** The codes of its sections. */
  codes: readonly string[];
  /** Returns the place of each hunk of a section in its file; see `placesOf`. */
  placesIn: (section: number) => readonly (HunkPlace | undefined)[];
}

/** A patch, a section of it, or a line in that. */
export interface StackPlace {
  changeId: string;
  sectionCode?: string;
  line?: DiffLine;
}

/** The place where the person is in the stack, as far as they are anywhere. */
export interface Whereabouts {
  changeId?: string | undefined;
  sectionCode?: string | undefined;
  line?: DiffLine | undefined;
}

/** The places of a patch in its stack, of a section in its patch, and of a change in its section: -1 is before the first. */
export type Position = readonly [patch: number, section: number, change: number];

/** Something that is looked for, and where it is. */
export interface Found {
  place: StackPlace;
  at: Position;
}

/**
 * The next of some places, or the one before: from the end on from the beginning.
 *
 * @param patches in their order.
 * @param places in theirs.
 * @param from where the person is; from the beginning when they are nowhere.
 */
export function nextPlace(
  patches: readonly PatchOfStack[],
  places: readonly Found[],
  from: Whereabouts,
  direction: Direction,
): StackPlace | undefined {
  const here = positionOf(patches, from);
  const inOrder = direction === 'next' ? places : places.toReversed();
  const isAhead = ({ at }: { at: Position }): boolean =>
    direction === 'next' ? isBefore(here, at) : isBefore(at, here);
  return (inOrder.find(isAhead) ?? inOrder[0])?.place;
}

function positionOf(
  patches: readonly PatchOfStack[],
  { changeId, sectionCode, line }: Whereabouts,
): Position {
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

/** The lines of a hunk. */
export function linesOf({ old: before, new: after }: HunkPlace): DiffLine {
  return after.count > 0
    ? { side: 'new', line: after.start, end: after.start + after.count - 1 }
    : { side: 'old', line: before.start };
}
