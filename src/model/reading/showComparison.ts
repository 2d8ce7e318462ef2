/** Makes of a comparison what a document shows of it. */
import { createTwoFilesPatch } from 'diff';
import type {
  BothDiffsReason,
  LineRange,
  RemovedLines,
  ShownComparison,
  ShownSection,
} from '../../util/shownComparison.ts';
import type { ComparedFile } from './compareFiles.ts';
import type { PatchComparison } from './comparePatches.ts';
import type { FileChange, FileState } from './fileChange.ts';
import { outcomeOf } from './outcome.ts';
import { editsBetween } from './mergeLines.ts';
import type { PatchVersion, VersionSection } from './patchVersion.ts';
import { asWritten } from '../../util/bytesText.ts';

/** Lines that may differ for a change to be told line by line; the time for that grows with the square of it. */
const mostDifferences = 2000;

/** Characters of the longest diff that is shown beside another one. */
const longestOlderDiff = 500_000;

/** See the module. */
export function showComparison(
  older: PatchVersion,
  newer: PatchVersion,
  comparison: PatchComparison,
): ShownComparison {
  const { verdict, files, sections: compared, title, message, isFromDiffs } = comparison;
  const { moved } = outcomeOf(comparison);
  const placeOf = new Map<VersionSection, number>(newer.sections.map((section, index) => [section, index]));
  const olderPlaceOf = new Map<VersionSection, number>(
    older.sections.map((section, index) => [section, index]),
  );
  const sections: ShownSection[] = [];
  const removed: ShownComparison['removed'] = [];
  let after = -1;
  for (const { older: one, newer: other, verdict: found, isMoved, words } of compared) {
    if (other) {
      after = placeOf.get(other) ?? after;
      const place = one && olderPlaceOf.get(one);
      const file = other.kind === 'diff' ? fileOf(files, other.path) : undefined;
      sections[after] = {
        verdict: found === 'removed' ? 'changed' : found,
        isMoved,
        ...(place !== undefined && { older: place }),
        ...(words && one?.kind === 'text' && { textBefore: one.text }),
        ...(file && showFile(file)),
      };
    } else if (one?.kind === 'text') {
      removed.push({ after, kind: 'text', text: one.text });
    } else if (one?.kind === 'diff') {
      const { path } = one;
      const diff = older.files.find((file) => file.path === path)?.diff ?? '';
      removed.push({ after, kind: 'diff', path, diff: diff.length > longestOlderDiff ? '' : diff });
    }
  }
  return {
    verdict,
    ...(title && { title }),
    ...(message && { message }),
    sections,
    removed,
    ...(moved && { moved }),
    isFromDiffs,
  };
}

/** A file by its path; the other half of a rename that the author's version tells as two files by the path it had. */
function fileOf(files: readonly ComparedFile[], path: string): ComparedFile | undefined {
  return (
    files.find(({ newer }) => newer?.path === path) ?? files.find(({ newer }) => newer?.oldPath === path)
  );
}

function showFile(file: ComparedFile): Partial<ShownSection> & Pick<ShownSection, 'verdict'> {
  const { older, newer, comparison, isMoved } = file;
  if (!older || !newer || !comparison) {
    return { verdict: 'added' };
  }
  const { verdict, basis, expected, isPartlyInBase } = comparison;
  const olderPath = isMoved && older.path !== newer.path ? { olderPath: older.path } : {};
  if (verdict === 'same' || verdict === 'rebased') {
    return { verdict, ...olderPath, ...(basis === 'diffs' && { isFromDiffs: true }) };
  }
  const both = (reason: BothDiffsReason): ReturnType<typeof showFile> => {
    const { diff = '' } = older;
    return {
      verdict,
      ...olderPath,
      both: { reason, olderDiff: diff.length > longestOlderDiff ? '' : diff },
    };
  };
  if (verdict === 'conflict' || basis === 'diffs' || isPartlyInBase) {
    return both(verdict === 'conflict' ? 'conflict' : basis === 'diffs' ? 'fromDiffs' : 'partlyInBase');
  }
  if (expected === undefined || newer.after?.content.kind !== 'text') {
    return both(isSameContent(older, newer) ? 'noLines' : basis === 'ids' ? 'notAvailable' : 'untold');
  }
  const diff = diffOf(expected, newer.after.content.text);
  if (diff === undefined) {
    return both('untold');
  }
  if (diff === '') {
    return both('noLines');
  }
  return { verdict, ...olderPath, diff, ...changesOfBase(older.after, expected) };
}

/** True when the files differ in nothing but their path or mode. */
function isSameContent(older: FileChange, newer: FileChange): boolean {
  return (
    older.before?.id === newer.before?.id &&
    older.after?.id !== undefined &&
    older.after.id === newer.after?.id
  );
}

/** A unified diff of two texts; empty when they are the same, undefined when they differ too much. */
function diffOf(before: string, after: string): string | undefined {
  if (before === after) {
    return '';
  }
  const [one, other] = [asWritten(before), asWritten(after)];
  const patch = createTwoFilesPatch('a', 'b', one, other, undefined, undefined, {
    context: 3,
    maxEditLength: mostDifferences,
  });
  return patch?.replace(/^=+\n/, '');
}

/** The lines of what is expected that the older version did not have, and those that it had: those the base has changed. */
function changesOfBase(
  older: FileState | undefined,
  expected: string,
): Pick<ShownSection, 'baseLines' | 'baseRemovals'> {
  const text = older?.content.kind === 'text' ? older.content.text : '';
  const baseLines: LineRange[] = [];
  const baseRemovals: RemovedLines[] = [];
  let moved = 0;
  for (const { start, end, lines } of editsBetween(text, expected) ?? []) {
    const first = start + moved + 1;
    if (lines.length > 0) {
      baseLines.push([first, first + lines.length - 1]);
    } else {
      baseRemovals.push({ before: first, count: end - start });
    }
    moved += lines.length - (end - start);
  }
  return { ...(baseLines.length > 0 && { baseLines }), ...(baseRemovals.length > 0 && { baseRemovals }) };
}
