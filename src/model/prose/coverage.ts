/**
 * Coverage: the hunks of a patch that no prose explains. A text explains what it names, which is files, lines of them and symbols,
 * wherever that is in the patch; and the files that stand between it and the next text.
 */
import type { DiffSection, PatchSection } from '../../api/types/patches.ts';
import type { HunkPlace } from '../../util/hunkPlace.ts';
import { nextTurn } from '../../util/nextTurn.ts';
import { machineWritten } from '../../util/machineWritten.ts';
import { namesIn, saysSomething, type NamedFile } from '../../util/proseNames.ts';
import { filesNamedBy, followNames, type TextsOfPatch } from './followNames.ts';
import { filesByName, pathOf } from './filesByName.ts';
import { changesIn, type LinesChanged } from '../reading/hunks.ts';

/** A hunk that no prose explains. */
export interface UnexplainedHunk {
  /** The code of its section. */
  code: string;
  /** Its place among those of its section. */
  change: number;
  /** Undefined for the file as a whole: its mode, its name, its bytes. */
  place: HunkPlace | undefined;
}

/** See the module. */
export interface Coverage {
  /** The number of hunks that are to be explained: those of files that a machine wrote are not. */
  hunks: number;
  /** The same for each file, by the code of its section. */
  counts: ReadonlyMap<string, number>;
  /** In the order in which they are shown. */
  unexplained: UnexplainedHunk[];
}

/** Characters of a hunk in which symbols are looked for. */
const longestHunk = 50_000;

/** Everything that the texts of a patch name. */
interface Named {
  wholeFiles: ReadonlySet<DiffSection>;
  lines: ReadonlyMap<DiffSection, Required<NamedFile>[]>;
  symbols: ReadonlySet<string>;
}

/** Finds the hunks that no prose explains. @param sections in the order in which they are shown. */
export function coverageOf(sections: readonly PatchSection[]): Coverage {
  const named = namedIn(sections);
  const unexplained: UnexplainedHunk[] = [];
  const counts = new Map<string, number>();
  let follows = false;
  for (const section of sections) {
    if (section.sectionType === 'text') {
      follows = saysSomething(section.text ?? '');
    } else if (
      section.sectionType === 'diff' &&
      machineWritten(pathOf(section), section.diffPatch) === undefined
    ) {
      const changes = changesOf(section);
      counts.set(section.code, changes.length);
      const isExplained = follows || named.wholeFiles.has(section);
      for (const [index, change] of isExplained ? [] : changes.entries()) {
        if (!isNamed(change, section, named)) {
          unexplained.push({ code: section.code, change: index, place: change?.place });
        }
      }
    }
  }
  const hunks = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { hunks, counts, unexplained };
}

/** The changes of files, kept because texts change more often than they do. */
const known = new WeakMap<DiffSection, readonly (LinesChanged | undefined)[]>();

/** The hunks of a file, as its diff tells them; undefined for the file as a whole. */
export function changesOf(section: DiffSection): readonly (LinesChanged | undefined)[] {
  const changes = known.get(section) ?? changesIn(section.diffPatch ?? '');
  known.set(section, changes);
  return changes;
}

/** Characters of diffs in which the hunks are found in a few milliseconds. */
const charactersPerTurn = 400_000;

/**
 * Finds the hunks of a patch in turns of the event loop, however large it is, so that `coverageOf` has them; and follows the lines that
 * its texts name from the versions in which they were written.
 */
export async function prepareCoverage(sections: readonly PatchSection[], texts: TextsOfPatch): Promise<void> {
  let characters = 0;
  for (const section of sections) {
    if (section.sectionType === 'diff' && !known.has(section)) {
      changesOf(section);
      characters += section.diffPatch?.length ?? 0;
    }
    if (characters > charactersPerTurn) {
      characters = 0;
      await nextTurn();
    }
  }
  await followNames(sections, texts);
}

function namedIn(sections: readonly PatchSection[]): Named {
  const files = filesByName(sections);
  const wholeFiles = new Set<DiffSection>();
  const lines = new Map<DiffSection, Required<NamedFile>[]>();
  const symbols = new Set<string>();
  for (const section of sections) {
    if (section.sectionType !== 'text') {
      continue;
    }
    const names = namesIn(section.text ?? '');
    names.symbols.forEach((symbol) => symbols.add(symbol));
    for (const { path, start, end } of filesNamedBy(section)) {
      const file = files.get(path);
      if (file && start !== undefined && end !== undefined) {
        lines.set(file, [...(lines.get(file) ?? []), { path, start, end }]);
      } else if (file) {
        wholeFiles.add(file);
      }
    }
  }
  return { wholeFiles, lines, symbols };
}

function isNamed(change: LinesChanged | undefined, file: DiffSection, { lines, symbols }: Named): boolean {
  if (!change) {
    return false;
  }
  const { place, heading } = change;
  const side = file.newPath === undefined ? place.old : place.new;
  return (
    (lines.get(file) ?? []).some((range) => touches(side, range)) ||
    (symbols.size > 0 && hasSymbol([heading, ...change.lines].join('\n'), symbols))
  );
}

/**
 * Returns true when a hunk is about lines of a file. Lines that were removed without others in their place are between two that are
 * still there: both are next to them.
 */
export function touches({ start, count }: HunkPlace['new'], range: { start: number; end: number }): boolean {
  const [first, last] = count > 0 ? [start, start + count - 1] : [start - 1, start];
  return range.start <= last && first <= range.end;
}

function hasSymbol(text: string, symbols: ReadonlySet<string>): boolean {
  for (const [word] of text.slice(0, longestHunk).matchAll(/[\p{L}\p{N}_$]+/gu)) {
    if (symbols.has(word)) {
      return true;
    }
  }
  return false;
}
