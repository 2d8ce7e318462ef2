/** Says of each patch of a stack how far somebody has read it, in whatever version they have. */
import { carryMarks, isRead, unread, type Mark, type MarkedHunk } from './carryMarks.ts';
import { contentOf, hunksBySection, wordingOf } from './hunks.ts';
import type { PatchVersion } from './patchVersion.ts';
import type { PatchRecord, StackRecord } from './readingRecords.ts';
import type { ReadingState, ReadSoFar } from './readSoFar.ts';
import { splitSources } from './splitSources.ts';

/** A patch as it is now. */
export interface CurrentPatch {
  version: PatchVersion;
  /** See `fingerprintOf`. */
  fingerprint: string;
}

/** A section of a patch, with what was done with what there is to read in it. */
export interface SectionReading {
  /** Undefined where nothing of the stack was read: all of them are unread. */
  hunks?: readonly MarkedHunk[];
  /** True when all of it was read. */
  isRead: boolean;
  /** True when all of it was ticked. */
  isViewed: boolean;
}

/** The progress of reading a patch, section by section. */
export interface PatchReading extends ReadSoFar {
  /** In the order of the patch. */
  sections: readonly SectionReading[];
}

/** Says how far the patches of a stack were read, in their order. */
export function readingStates(record: StackRecord, current: readonly CurrentPatch[]): PatchReading[] {
  const records = new Map(record.patches.map((known) => [known.changeId, known]));
  const marked = markedSections(record, current);
  const splits = splitSources(
    record,
    current.map(({ version }) => version),
  );
  return current.map((patch, index) => {
    const hunksBySection = marked[index] ?? [];
    const sections = hunksBySection.map((hunks) => ({
      hunks,
      isRead: hunks.every(isRead),
      isViewed: hunks.every(({ mark }) => mark.viewed),
    }));
    const splitFrom = splits.get(patch.version);
    return splitFrom === undefined
      ? { state: stateOf(patch, records.get(patch.version.changeId), hunksBySection.flat()), sections }
      : { state: 'new', splitFrom, sections };
  });
}

/** Everything there is to read in the patches of a stack, with its marks: for each patch, each of its sections. */
export function markedSections(record: StackRecord, current: readonly CurrentPatch[]): MarkedHunk[][][] {
  const records = new Map(record.patches.map((known) => [known.changeId, known]));
  const same = new Map(
    current.flatMap((patch): [CurrentPatch, PatchRecord][] => {
      const known = records.get(patch.version.changeId);
      return known && isSameVersion(known, patch) ? [[patch, known]] : [];
    }),
  );
  const isSame = new Set([...same.values()]);
  const prints = current.map(({ version }) => hunksBySection(version));
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

/** Returns true for the version that was read, whatever its commit and its number are. */
export function isSameVersion(known: PatchRecord, { version, fingerprint }: CurrentPatch): boolean {
  return (
    known.fingerprint === fingerprint ||
    (known.content === contentOf(version) && known.wording === wordingOf(version))
  );
}

function stateOf(
  patch: CurrentPatch,
  known: PatchRecord | undefined,
  hunks: readonly MarkedHunk[],
): ReadingState {
  const isAllRead = hunks.every(isRead);
  const isSame = known !== undefined && isSameVersion(known, patch);
  const wasRead =
    known !== undefined && (known.before !== undefined || (!isSame && known.hunks.every(isRead)));
  if (!known || isSame || !wasRead) {
    const hasBegun = known !== undefined || hunks.length > 0;
    return isAllRead && hasBegun
      ? isSame && known.fingerprint !== patch.fingerprint
        ? 'unchanged'
        : 'read'
      : wasRead
        ? 'changed'
        : hunks.some(isRead)
          ? 'partlyRead'
          : 'unread';
  }
  // Its author has also changed it where something went to another patch or came from there, even if nobody has to read that again.
  const isRewritten = known.wording !== wordingOf(patch.version) || sayingOf(known.hunks) !== sayingOf(hunks);
  return isRewritten || !isAllRead ? 'changed' : 'rebased';
}

/** The lines of hunks, one after the other, whatever is around them. */
function sayingOf(hunks: readonly MarkedHunk[]): string {
  return hunks.map(({ print: { path, lines } }) => (path === '' ? `text ${lines}` : lines)).join('\n');
}
