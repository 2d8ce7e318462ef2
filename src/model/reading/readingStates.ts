/** Says of each patch of a stack how far somebody has read it, in whatever version they have. */
import { carryMarks, isRead, unread, type Mark, type MarkedHunk } from './carryMarks.ts';
import { hunksBySection, type HunkPrint } from './hunks.ts';
import { isSameVersion, lastReadOf, type CurrentPatch } from './lastRead.ts';
import type { Became, SinceRead } from './outcome.ts';
import type { PatchRecord, StackRecord } from './readingRecords.ts';
import type { ReadingState, ReadSoFar } from './readSoFar.ts';
import { splitSources } from './splitSources.ts';

/** A section of a patch, with what was done with what there is to read in it. */
export interface SectionReading {
  /** Undefined where nothing of the stack was read: all of them are unread. */
  hunks?: readonly MarkedHunk[];
  /** True when all of it was read. */
  isRead: boolean;
  /** True when all of it was ticked. */
  isTicked: boolean;
}

/** The progress of reading a patch, section by section. */
export interface PatchReading extends ReadSoFar {
  /** In the order of the patch. */
  sections: readonly SectionReading[];
}

/**
 * Says how far the patches of a stack were read, in their order.
 *
 * @param since what became of each since it was read last; see `SinceReadFinder`.
 */
export function readingStates(
  record: StackRecord,
  current: readonly CurrentPatch[],
  since: readonly (SinceRead | undefined)[],
): PatchReading[] {
  const records = new Map(record.patches.map((known) => [known.changeId, known]));
  const marked = markedSections(record, current, since);
  const splits = splitSources(
    record,
    current.map(({ version }) => version),
  );
  return current.map((patch, index) => {
    const hunksBySection = marked[index] ?? [];
    const sections = hunksBySection.map((hunks) => ({
      hunks,
      isRead: hunks.every(isRead),
      isTicked: hunks.every(({ mark }) => mark.viewed),
    }));
    const splitFrom = splits.get(patch.version);
    if (splitFrom !== undefined) {
      return { state: 'new', splitFrom, sections };
    }
    const state = stateOf(patch, records.get(patch.version.changeId), hunksBySection.flat(), since[index]);
    const read = sections.filter((section) => section.isRead).length;
    return { state, sections, ...(state === 'partlyRead' && { part: { read, of: sections.length } }) };
  });
}

/** A reading that says of a changed patch what its author has moved, where that is all. */
export function withMoved(reading: PatchReading, became: Became | undefined): PatchReading {
  return reading.state === 'changed' && became?.moved ? { ...reading, moved: became.moved } : reading;
}

/**
 * Everything there is to read in the patches of a stack, with its marks: for each patch, each of its sections. What was read of a
 * patch of which nothing changed is in its place; whatever else was read may be anywhere.
 *
 * @param since what became of each patch since it was read last.
 */
export function markedSections(
  record: StackRecord,
  current: readonly CurrentPatch[],
  since: readonly (SinceRead | undefined)[],
): MarkedHunk[][][] {
  const records = new Map(record.patches.map((known) => [known.changeId, known]));
  const prints = current.map(({ version }) => hunksBySection(version));
  const same = new Map(
    current.flatMap((patch, index): [CurrentPatch, PatchRecord][] => {
      const known = records.get(patch.version.changeId);
      const isSame =
        known &&
        (isSameVersion(known, patch) ||
          ((since[index] === 'unchanged' || since[index] === 'rebased') &&
            isSameReading(known.hunks, prints[index]?.flat() ?? [])));
      return isSame ? [[patch, known]] : [];
    }),
  );
  const isSame = new Set([...same.values()]);
  const others = current.flatMap((patch, index) => (same.has(patch) ? [] : (prints[index]?.flat() ?? [])));
  const marks = carryMarks(
    [...record.patches.flatMap((known) => (isSame.has(known) ? [] : known.hunks)), ...record.elsewhere],
    others,
  );
  const carried = new Map(others.map((print, index) => [print, marks[index] ?? unread]));
  return current.map((patch, index) => {
    const known = same.get(patch)?.hunks;
    let at = 0;
    return (prints[index] ?? []).map((section) =>
      section.map((print): MarkedHunk => {
        const mark: Mark | undefined = known ? known[at++]?.mark : carried.get(print);
        return { print, mark: mark ?? unread };
      }),
    );
  });
}

/** True when two versions change the same lines in the same order, wherever those are. */
function isSameReading(known: readonly MarkedHunk[], hunks: readonly HunkPrint[]): boolean {
  return (
    known.length === hunks.length &&
    known.every(
      ({ print: { path, lines } }, index) =>
        lines === hunks[index]?.lines && (path === '') === (hunks[index].path === ''),
    )
  );
}

function stateOf(
  patch: CurrentPatch,
  known: PatchRecord | undefined,
  hunks: readonly MarkedHunk[],
  since: SinceRead | undefined,
): ReadingState {
  const isAllRead = hunks.every(isRead);
  const isSame = known !== undefined && isSameVersion(known, patch);
  if (isSame && isAllRead) {
    return known.fingerprint === patch.fingerprint ? 'read' : 'unchanged';
  }
  if (since === 'changed' && known && lastReadOf(known, patch)?.isPart !== true) {
    return since;
  }
  // Whatever else may look like what was read: a patch that nobody has opened was not, nor what is left of one.
  const wasAllRead = known !== undefined && (isAllRead || (!isSame && known.hunks.every(isRead)));
  return since !== undefined && since !== 'changed' && wasAllRead
    ? since
    : hunks.some(isRead)
      ? 'partlyRead'
      : 'unread';
}
