/** Finds out whether all that an author has changed in a patch is where it changes something. */
import { createTwoFilesPatch } from 'diff';
import { asWritten } from '../../util/bytesText.ts';
import type { MovedHunk } from '../../util/movedHunk.ts';
import type { ComparedFile } from './compareFiles.ts';
import type { PatchComparison } from './comparePatches.ts';
import type { FileChange, FileState } from './fileChange.ts';
import { changesIn } from './hunks.ts';

/** Lines that may differ for hunks to be looked for; the time for that grows with the square of it. */
const mostDifferences = 2000;

/** A hunk of a file, by what it does, and its place in the base. */
interface Hunk {
  lines: string;
  base: number;
  place: MovedHunk['from'];
}

/**
 * The hunks that the author has moved, if that is all that changed; `unknown` where contents that aren't at hand could tell. The place
 * where a hunk was is that on the newer base.
 */
export function movedHunks({
  verdict,
  files,
  sections,
  title,
  message,
  isBaseKnown,
}: PatchComparison): readonly MovedHunk[] | 'unknown' | undefined {
  const isOtherwiseSame =
    !(title ?? message) &&
    sections.every(
      (section) =>
        !section.isMoved && (section.verdict === 'same' || (section.newer ?? section.older)?.kind === 'diff'),
    );
  const isFromDiffs = ({ comparison }: ComparedFile): boolean => comparison?.basis === 'diffs';
  const changed = files.filter(
    (file) => isFromDiffs(file) || (file.verdict !== 'same' && file.verdict !== 'rebased'),
  );
  if (verdict !== 'changed' || !isOtherwiseSame || !changed.every(isEdit) || !isSameLines(changed)) {
    return undefined;
  }
  // A file that one version has no more may be another one of the base now.
  const isOtherFile = changed.some(({ older }) => !older) && changed.some(({ newer }) => !newer);
  if (changed.some(isFromDiffs) || (isOtherFile && !isBaseKnown)) {
    return 'unknown';
  }
  const places = changed.map(hunksOnOneBase);
  const gone = places.flatMap((both) => both?.gone ?? []);
  const there = Map.groupBy(
    places.flatMap((both) => both?.there ?? []),
    ({ lines }) => lines,
  );
  const moved = gone.flatMap(({ lines, place }): MovedHunk[] => {
    const to = there.get(lines)?.shift();
    return to ? [{ from: place, to: to.place }] : [];
  });
  const isAll =
    places.every(Boolean) &&
    moved.length === gone.length &&
    [...there.values()].every((left) => left.length === 0);
  return isAll && moved.length > 0 ? moved : undefined;
}

/** True for a file of which neither version changes the name or the mode, and of which it is known what changed. */
function isEdit({ older, newer, verdict, comparison, isMoved }: ComparedFile): boolean {
  const isPlain = ({ before, after, oldPath, path }: FileChange): boolean =>
    before !== undefined && before.mode === after?.mode && oldPath === path;
  return (
    [older, newer].every((change) => !change || isPlain(change)) &&
    !isMoved &&
    verdict !== 'conflict' &&
    comparison?.isPartlyInBase === undefined &&
    comparison?.isSizeUnknown === undefined
  );
}

/** True when both versions remove and add the same lines, each time together with the same ones, wherever that is. */
function isSameLines(files: readonly ComparedFile[]): boolean {
  const counts = new Map<string, number>();
  const count = (change: FileChange | undefined, by: number): boolean => {
    const hunks = change ? hunksIn(change.path, change.diff) : [];
    hunks?.forEach(({ lines }) => counts.set(lines, (counts.get(lines) ?? 0) + by));
    return hunks !== undefined;
  };
  const isKnown = files.map(({ older, newer }) => count(older, 1) && count(newer, -1));
  return isKnown.every(Boolean) && [...counts.values()].every((left) => left === 0);
}

/** The hunks that a file has no more, and those that it didn't have; undefined where they can't be told. */
function hunksOnOneBase({
  older,
  newer,
  comparison,
}: ComparedFile): { gone: Hunk[]; there: Hunk[] } | undefined {
  const path = (newer ?? older)?.path ?? '';
  const [base, now] = [textOf(newer?.before), textOf(newer?.after)];
  const isSameBase = older?.before?.id !== undefined && older.before.id === newer?.before?.id;
  const { expected } = comparison ?? {};
  const diffs =
    base !== undefined && now !== undefined && expected !== undefined
      ? [diffOf(base, asWritten(expected)), diffOf(base, now)]
      : isSameBase || !older || !newer
        ? [older ? older.diff : '', newer ? newer.diff : '']
        : [];
  const [before, after] = [hunksIn(path, diffs[0]), hunksIn(path, diffs[1])];
  if (!before || !after) {
    return undefined;
  }
  const without = (hunks: readonly Hunk[], others: readonly Hunk[]): Hunk[] => {
    const keys = new Set(others.map(({ base: line, lines }) => `${line} ${lines}`));
    return hunks.filter(({ base: line, lines }) => !keys.has(`${line} ${lines}`));
  };
  return { gone: without(before, after), there: without(after, before) };
}

/** The hunks of a diff; undefined where it says something of the file as a whole, or nothing. */
function hunksIn(path: string, diff: string | undefined): Hunk[] | undefined {
  if (diff === undefined || diff === '') {
    return diff === undefined ? undefined : [];
  }
  const hunks = changesIn(diff).map((change): Hunk | undefined => {
    const { old, new: now } = change?.place ?? {};
    return change && old && now
      ? {
          lines: change.lines.join('\n'),
          base: old.start,
          place: { path, line: now.count > 0 ? now.start : old.start },
        }
      : undefined;
  });
  return hunks.every((hunk) => hunk !== undefined) ? hunks : undefined;
}

function textOf(state: FileState | undefined): string | undefined {
  return state?.content.kind === 'text' ? asWritten(state.content.text) : undefined;
}

/** Undefined when there is too much of it. */
function diffOf(before: string, after: string): string | undefined {
  return createTwoFilesPatch('a', 'b', before, after, undefined, undefined, {
    maxEditLength: mostDifferences,
  });
}
