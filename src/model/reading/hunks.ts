/** The smallest things that somebody reads: single changes of lines, and texts. */
import { hash } from 'node:crypto';
import { nextTurn } from '../../util/nextTurn.ts';
import type { HunkPlace } from '../../util/hunkPlace.ts';
import type { FileChange, FileState } from './fileChange.ts';
import { headerOf, type PatchVersion, type VersionSection } from './patchVersion.ts';

/** The traits by which a hunk is found again in another version of the stack; it holds none of the hunk's words. */
export interface HunkPrint {
  /** The change id of its patch. */
  patch: string;
  /** The file that it is in; empty for a text section. */
  path: string;
  /** Stands for its lines: those that it removes and those that it adds. */
  lines: string;
  /** Stand for the lines around it in the diff, the nearest first. */
  before: readonly string[];
  after: readonly string[];
  /** True when its lines say something; lines like a lone bracket are everywhere. */
  isTelling: boolean;
}

/** The characters that the prints of lines around a hunk begin with; telling ones say something, see `HunkPrint.isTelling`. */
const kindsOfPrints = {
  context: { telling: '+', other: '-' },
  /** Another change of the same patch, which may be in another one later. */
  changed: { telling: '#', other: '*' },
};

/** Lines around a hunk that count, on each side. */
const mostContext = 3;

/** Everything there is to read in a patch: its texts, and the hunks of its files, in the order in which they are shown. */
export function hunksOf(version: PatchVersion): HunkPrint[] {
  return hunksBySection(version).flat();
}

/** Hunks and contents of versions, kept because they are asked for again and again while someone reads. */
const made = new WeakMap<PatchVersion, { hunks?: readonly HunkPrint[][]; content?: string }>();

/** The same, for each section apart: at least one, so that it can be told whether it was read. */
export function hunksBySection(version: PatchVersion): readonly HunkPrint[][] {
  const known = made.get(version);
  const hunks = known?.hunks ?? [...hunksOneByOne(version)].map(({ hunks }) => hunks);
  made.set(version, { ...known, hunks });
  return hunks;
}

/** Characters of texts and diffs of which the hunks are found in a few milliseconds. */
const charactersPerTurn = 400_000;

/** Finds the hunks of a version in turns of the event loop, however large it is, so that `hunksBySection` has them. */
export async function prepareHunks(version: PatchVersion): Promise<void> {
  if (made.get(version)?.hunks) {
    return;
  }
  const found: HunkPrint[][] = [];
  let characters = 0;
  for (const { hunks, size } of hunksOneByOne(version)) {
    found.push(hunks);
    characters += size;
    if (characters > charactersPerTurn) {
      characters = 0;
      await nextTurn();
    }
  }
  made.set(version, { ...made.get(version), hunks: found });
  await nextTurn();
}

/** The hunks of each section, with the characters that they were found in. */
function* hunksOneByOne(version: PatchVersion): Generator<{ hunks: HunkPrint[]; size: number }> {
  const changes = new Map(version.files.map((file) => [file.path, file]));
  for (const section of version.sections) {
    const change = section.kind === 'diff' ? changes.get(section.path) : undefined;
    const size = (section.kind === 'text' ? section.text : change?.diff)?.length ?? 0;
    yield { hunks: hunksOfSection(version.changeId, section, change), size };
  }
}

function hunksOfSection(
  changeId: string,
  section: VersionSection,
  { diff = '', before, after }: Partial<FileChange> = {},
): HunkPrint[] {
  switch (section.kind) {
    case 'text':
      return [wholePrint(changeId, '', section.text, isTellingLine(section.text))];
    case 'diff': {
      const hunks = hunksOfDiff(changeId, section.path, diff);
      const unknown = JSON.stringify([before?.id, after?.id]);
      return hunks.length > 0 ? hunks : [wholePrint(changeId, section.path, unknown, false)];
    }
    case 'unknown':
      return [wholePrint(changeId, '', JSON.stringify(['unknown', section.code]), false)];
  }
}

/** Stands for something around which there is nothing. */
function wholePrint(patch: string, path: string, content: string, isTelling: boolean): HunkPrint {
  return { patch, path, lines: printOf(content), before: [], after: [], isTelling };
}

/**
 * Stands for all that the sections of a patch say and do, wherever in the history that is; empty where the ids of the contents aren't
 * known: diffs may be alike, and be of other places.
 */
export function contentOf(version: PatchVersion): string {
  const known = made.get(version);
  const content = known?.content ?? printContent(version);
  made.set(version, { ...known, content });
  return content;
}

function printContent({ sections, files }: PatchVersion): string {
  const isKnown = (state: FileState | undefined): boolean => !state || state.id !== undefined;
  if (files.some(({ before, after }) => !isKnown(before) || !isKnown(after))) {
    return '';
  }
  const changes = new Map(
    files.map(({ path, diff, before, after }) => [path, [diff, before?.id, after?.id]]),
  );
  const told = sections.map((section) => {
    switch (section.kind) {
      case 'text':
        return section.text;
      case 'diff':
        return [section.path, changes.get(section.path)];
      case 'unknown':
        return [section.code];
    }
  });
  return printOf(JSON.stringify(told));
}

/** Stands for the title and the message of a patch. */
export function wordingOf({ title, message }: PatchVersion): string {
  return printOf(JSON.stringify([title, message]));
}

function hunksOfDiff(patch: string, path: string, diff: string): HunkPrint[] {
  const hunks: HunkPrint[] = [];
  const add = (lines: readonly string[], before: readonly string[], after: readonly string[]): void => {
    hunks.push({
      patch,
      path,
      lines: printOf(lines.join('\n')),
      before: before.toReversed().map(linePrint),
      after: after.map(linePrint),
      isTelling: lines.some(isTellingLine),
    });
  };
  const start = diff.search(/^@@ /m);
  const whole = wholeOf(diff, start);
  if (whole.length > 0) {
    add(whole, [], []);
  }
  for (const { lines, before, after } of changesOf(diff, start)) {
    add(lines, before, after);
  }
  return hunks;
}

/** Lines that a diff changes, one after the other, and what is around them. */
export interface LinesChanged {
  lines: readonly string[];
  before: readonly string[];
  after: readonly string[];
  place: HunkPlace;
  /** The function or the like that they stand in, as the diff says it. */
  heading: string;
}

/** @param start where the first hunk begins; negative when there is none. */
function* changesOf(diff: string, start: number): Generator<LinesChanged> {
  // Lines on both sides of a hunk's header aren't next to each other.
  const [, ...blocks] =
    start < 0
      ? []
      : diff
          .slice(start)
          .replace(/\n$/, '')
          .split(/^@@ (.*)\n?/m);
  for (let block = 0; block < blocks.length; block += 2) {
    const header = blocks[block] ?? '';
    const [, oldStart, newStart] = /^-(\d+)(?:,\d+)? \+(\d+)/.exec(header) ?? [];
    const heading = header.slice(header.indexOf('@@') + 2);
    const lines = (blocks[block + 1] ?? '').replace(/\n$/, '').split('\n');
    const at = { old: Number(oldStart), new: Number(newStart) };
    for (let from = 0; from < lines.length; from += 1) {
      let end = from;
      while (end < lines.length && isChange(lines[end])) {
        end += 1;
      }
      if (end > from) {
        const changed = lines.slice(from, end);
        const [removed, added] = ['-', '+'].map(
          (mark) => changed.filter((line) => line.startsWith(mark)).length,
        );
        const place = {
          old: { start: at.old, count: removed ?? 0 },
          new: { start: at.new, count: added ?? 0 },
        };
        yield {
          lines: changed,
          before: lines.slice(Math.max(0, from - mostContext), from),
          after: lines.slice(end, end + mostContext),
          place,
          heading,
        };
        at.old += place.old.count;
        at.new += place.new.count;
        from = end;
      }
      at.old += 1;
      at.new += 1;
    }
  }
}

/** The place of each hunk in a file's diff, in the order of `hunksBySection`; undefined for the file as a whole. */
export function placesOf(diff: string): (HunkPlace | undefined)[] {
  return changesIn(diff).map((change) => change?.place);
}

/** The changes in a file's diff, in the order of `hunksBySection`; undefined for the file as a whole. */
export function changesIn(diff: string): (LinesChanged | undefined)[] {
  const start = diff.search(/^@@ /m);
  const changes = [...changesOf(diff, start)];
  return changes.length === 0 || wholeOf(diff, start).length > 0 ? [undefined, ...changes] : changes;
}

function isChange(line = ''): boolean {
  return line.startsWith('+') || line.startsWith('-') || line.startsWith('\\');
}

/** The lines of a diff that are about the file as a whole: its mode, a new name, other bytes. */
function wholeOf(diff: string, start: number): string[] {
  const isText = start >= 0;
  const header = headerOf(diff).filter((line) =>
    /^(?:old mode|new mode|rename |copy |(?:new|deleted) file mode (?!100644))/.test(line),
  );
  return isText || diff === '' ? header : [...header, diff.replace(/^(?:diff --git|similarity index) .*\n/gm, '')];
} // prettier-ignore

function linePrint(line: string): string {
  const kinds = isChange(line) ? kindsOfPrints.changed : kindsOfPrints.context;
  const print = printOf(isChange(line) ? line : line.slice(1)).slice(0, 11);
  return `${isTellingLine(line) ? kinds.telling : kinds.other}${print}`;
}

/** Returns true for a line that says something: what says nothing is everywhere. */
export function isTellingLine(line: string): boolean {
  return (line.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 3;
}

/** Returns true when the print of a line around a hunk is that of a line that says something. */
export function isTellingPrint(print: string): boolean {
  return print.startsWith(kindsOfPrints.context.telling) || print.startsWith(kindsOfPrints.changed.telling);
}

/** Returns true when the print of a line around a hunk is that of another change. */
export function isChangePrint(print: string): boolean {
  return print.startsWith(kindsOfPrints.changed.telling) || print.startsWith(kindsOfPrints.changed.other);
}

function printOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}
