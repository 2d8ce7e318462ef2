/**
 * Coverage: the hunks of a patch that no prose explains. A text explains what it names, which is files, lines of them and symbols,
 * wherever that is in the patch; one that names nothing of the patch explains the file that comes next.
 */
import type { DiffSection, PatchSection, TextSection } from '../../api/types/patches.ts';
import type { HunkPlace } from '../../util/hunkPlace.ts';
import { nextTurn } from '../../util/nextTurn.ts';
import { machineWritten } from '../../util/machineWritten.ts';
import { saysSomething, type NamedFile } from '../../util/proseNames.ts';
import { filesNamedBy, followNames, namesOf, type TextsOfPatch } from './followNames.ts';
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
  /** Whether the patch has them or not. */
  symbols: ReadonlySet<string>;
  /** The texts that name something of the patch. */
  texts: ReadonlySet<TextSection>;
}

/** Finds the hunks that no prose explains. @param sections in the order in which they are shown. */
export function coverageOf(sections: readonly PatchSection[]): Coverage {
  const named = namedIn(sections);
  const unexplained: UnexplainedHunk[] = [];
  const counts = new Map<string, number>();
  const followed = new Set(followersOf(sections, named.texts).values());
  for (const section of sections) {
    if (isToExplain(section)) {
      const changes = changesOf(section);
      counts.set(section.code, changes.length);
      const isExplained = followed.has(section) || named.wholeFiles.has(section);
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

function isToExplain(section: PatchSection): section is DiffSection {
  return section.sectionType === 'diff' && machineWritten(pathOf(section), section.diffPatch) === undefined;
}

/** The texts that name something of the patch. */
export function namingTexts(sections: readonly PatchSection[]): ReadonlySet<TextSection> {
  return namedIn(sections).texts;
}

/**
 * The file that each text is about which says something, and names nothing of the patch: the one that comes next.
 *
 * @param naming the texts that name something.
 */
export function followersOf(
  sections: readonly PatchSection[],
  naming: ReadonlySet<TextSection>,
): ReadonlyMap<TextSection, DiffSection> {
  const followers = new Map<TextSection, DiffSection>();
  let texts: TextSection[] = [];
  for (const section of sections) {
    if (section.sectionType === 'text' && !naming.has(section) && saysSomething(section.text ?? '')) {
      texts.push(section);
    } else if (isToExplain(section)) {
      texts.forEach((text) => followers.set(text, section));
      texts = [];
    }
  }
  return followers;
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
  const texts = new Set<TextSection>();
  const symbolsOf = new Map<TextSection, readonly string[]>();
  for (const section of sections) {
    if (section.sectionType !== 'text') {
      continue;
    }
    symbolsOf.set(section, namesOf(section).symbols);
    for (const { path, start, end } of filesNamedBy(section)) {
      const file = files.get(path);
      if (!file) {
        continue;
      }
      texts.add(section);
      if (start !== undefined && end !== undefined) {
        lines.set(file, [...(lines.get(file) ?? []), { path, start, end }]);
      } else {
        wholeFiles.add(file);
      }
    }
  }
  const symbols = new Set([...symbolsOf.values()].flat());
  // Looking through all hunks takes a while: most texts name a file, too.
  const others = [...symbolsOf].filter(([section]) => !texts.has(section));
  const present = presentOf(new Set(others.flatMap(([, own]) => own)), sections);
  for (const [section, own] of others) {
    if (own.some((symbol) => present.has(symbol))) {
      texts.add(section);
    }
  }
  return { wholeFiles, lines, symbols, texts };
}

/** The symbols that a hunk has, or is in. */
function presentOf(symbols: ReadonlySet<string>, sections: readonly PatchSection[]): Set<string> {
  const missing = new Set(symbols);
  const present = new Set<string>();
  for (const section of sections) {
    for (const change of section.sectionType === 'diff' && missing.size > 0 ? changesOf(section) : []) {
      for (const symbol of change ? symbolsIn(change, missing) : []) {
        missing.delete(symbol);
        present.add(symbol);
      }
    }
  }
  return present;
}

function isNamed(change: LinesChanged | undefined, file: DiffSection, { lines, symbols }: Named): boolean {
  if (!change) {
    return false;
  }
  const { place } = change;
  const side = file.newPath === undefined ? place.old : place.new;
  return (
    (lines.get(file) ?? []).some((range) => touches(side, range)) ||
    (symbols.size > 0 && symbolsIn(change, symbols).next().done !== true)
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

/** Those of the symbols that a hunk has, or is in. */
function* symbolsIn({ heading, lines }: LinesChanged, symbols: ReadonlySet<string>): Generator<string> {
  const text = [heading, ...lines].join('\n');
  for (const [word] of text.slice(0, longestHunk).matchAll(/[\p{L}\p{N}_$]+/gu)) {
    if (symbols.has(word)) {
      yield word;
    }
  }
}
