/** Compares two versions of a patch: its files, its prose, its title and its message. */
import { compareFiles, type ComparedFile } from './compareFiles.ts';
import { compareProse, type WordChange } from '../../util/compareProse.ts';
import { compareSections, type ComparedSection } from './compareSections.ts';
import type { PatchVersion } from './patchVersion.ts';

/** The outcome for a patch as a whole. */
export type PatchVerdict =
  /** Nothing changed. */
  | 'unchanged'
  /** The author changed nothing; what the patch is based on did change. */
  | 'rebased'
  /** The author changed something. */
  | 'changed';

/** A patch compared with another version of it. */
export interface PatchComparison {
  verdict: PatchVerdict;
  files: ComparedFile[];
  sections: ComparedSection[];
  /** The words of the title and of the message; undefined when they did not change. */
  title?: WordChange[];
  message?: WordChange[];
  /** True where it is known which of these files the base has moved. */
  isBaseKnown?: boolean;
  /** True when there were only the diffs of some file to compare: what is quiet is so as far as those show. */
  isFromDiffs: boolean;
}

/**
 * Compares two versions of a patch.
 *
 * @param files what became of its files, where that is known better than from what the versions say of them.
 */
export function comparePatches(
  older: PatchVersion,
  newer: PatchVersion,
  files: ComparedFile[] = compareFiles(older.files, newer.files),
): PatchComparison {
  const newPaths = new Map(
    files.flatMap((file): [string, string][] =>
      file.older && file.newer ? [[file.older.path, file.newer.path]] : [],
    ),
  );
  const sections = compareSections(older.sections, newer.sections, (path) => newPaths.get(path));
  const title = older.title === newer.title ? undefined : compareProse(older.title, newer.title);
  const message = older.message === newer.message ? undefined : compareProse(older.message, newer.message);
  const isQuiet =
    !title &&
    !message &&
    files.every(({ verdict }) => verdict === 'same' || verdict === 'rebased') &&
    sections.every(({ verdict, isMoved }) => verdict === 'same' && !isMoved);
  const isRebased = files.some(({ verdict }) => verdict === 'rebased');
  return {
    verdict: !isQuiet ? 'changed' : isRebased ? 'rebased' : 'unchanged',
    files,
    sections,
    ...(title && { title }),
    ...(message && { message }),
    isFromDiffs: files.some(({ comparison }) => comparison?.basis === 'diffs'),
  };
}
