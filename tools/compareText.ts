/** Says what changed between two versions of a commit or of a stack, for people who read it in a terminal. */
import { styleText } from 'node:util';
import { structuredPatch, type StructuredPatchHunk } from 'diff';
import type { ComparedFile } from '../src/model/reading/compareFiles.ts';
import type { FileChange, FileState, Verdict } from '../src/model/reading/fileChange.ts';
import { editsBetween } from '../src/model/reading/mergeLines.ts';
import type { PatchVersion } from '../src/model/reading/patchVersion.ts';
import type { ReadSoFar } from '../src/model/reading/readSoFar.ts';
import { isDisputed, pathOf, type ToldPatch } from './compareStacks.ts';

/** A version of a commit, as a person knows it. */
export interface NamedVersion {
  sha: string;
  /** Name and address. */
  author: string;
  /** The whole message; its first line is the title. */
  message: string;
}

/** Files are told in this order: first what is to be read. */
const order: readonly Verdict[] = ['conflict', 'changed', 'added', 'removed', 'rebased', 'same'];

/** Files that nobody has to read and that are named, at most. */
const mostNamed = 20;

const headings: Record<Verdict, (count: number) => string> = {
  conflict: (count) => `${count} with a conflict that the author resolved`,
  changed: (count) => `${count} changed`,
  added: (count) => `${count} newly changed`,
  removed: (count) => `${count} no longer changed`,
  rebased: (count) => `${count} only rebased`,
  same: (count) => `${count} unchanged`,
};

/** The paths of a file: bytes, each of them one character, are shown as what they mean. */
export function shown(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Text of others, in which nothing acts on the terminal, and the end of each line is seen. */
function harmless(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, (character) =>
      String.fromCharCode(character === '\u007f' ? 0x2421 : 0x2400 + character.charCodeAt(0)),
    )
    .replace(
      /[\u0080-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
      (character) => `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`,
    );
}

/** The file's path in the older version, or before the commit, if that was another one. */
export function oldPathOf({ older, newer }: ComparedFile): string | undefined {
  const path = (newer ?? older)?.path;
  return [older?.path, newer?.oldPath, older?.oldPath].find((other) => other !== undefined && other !== path);
}

/** The files by what became of them, in a few words. */
function countsOf(files: readonly ComparedFile[]): string {
  const counts = order.flatMap((verdict) => {
    const count = files.filter((file) => file.verdict === verdict).length;
    return count > 0 ? [headings[verdict](count)] : [];
  });
  return counts.length > 0 ? `Files: ${counts.join(', ')}.` : 'Neither version changes a file.';
}

/** The words of a patch's row, and that they are wrong where they are. */
function rowOf(patch: ToldPatch, textOf: (row: ReadSoFar) => string, paint: typeof styleText): string[] {
  const { row, commits } = patch;
  return [
    ...(row ? [`In the stacks view: ${harmless(textOf(row))}.`] : []),
    ...(isDisputed(patch) ? [paint('red', `The files say something else: ${commits?.outcome ?? ''}.`)] : []),
  ];
}

/**
 * What became of the patches of a stack, as text.
 *
 * @param textOf the words of a row.
 */
export function describeStacks(
  [older, newer]: readonly [readonly PatchVersion[], readonly PatchVersion[]],
  patches: readonly ToldPatch[],
  textOf: (row: ReadSoFar) => string,
  paint: typeof styleText = styleText,
): string {
  const nameOf = (versions: readonly PatchVersion[], version: PatchVersion | undefined): string =>
    version
      ? `${String(versions.indexOf(version) + 1).padStart(3)}:  ${(version.commitSha ?? '').slice(0, 10)}`
      : '  -:  ----------';
  const blocks = patches.map((patch) => {
    const { older: one, newer: other, commits, squashedInto, isMoved } = patch;
    const title = harmless((other ?? one)?.title ?? '');
    const told = [
      ...(other
        ? []
        : [`No longer there${squashedInto ? `: most of it is in "${harmless(squashedInto.title)}"` : ''}.`]),
      ...rowOf(patch, textOf, paint),
      ...(isMoved ? ['Reordered.'] : []),
      ...(commits ? [countsOf(commits.files)] : []),
    ];
    return [
      `${nameOf(older, one)} → ${nameOf(newer, other)}  ${paint('bold', title)}`,
      ...told.map((line) => `      ${line}`),
    ].join('\n');
  });
  const [compared, disputed] = [patches.filter(({ commits }) => commits), patches.filter(isDisputed)];
  const sum =
    disputed.length > 0
      ? paint('red', `Rows that say something else than the files: ${disputed.length} of ${compared.length}.`)
      : `Rows that say what the files do: ${compared.length} of ${compared.length}.`;
  return `${[...blocks, sum].join('\n\n')}\n`;
}

/**
 * The whole comparison as text.
 *
 * @param textOf the words of a row.
 */
export function describeComparison(
  older: NamedVersion,
  newer: NamedVersion,
  patch: ToldPatch,
  textOf: (row: ReadSoFar) => string,
  paint: typeof styleText = styleText,
): string {
  const { files = [] } = patch.commits ?? {};
  const blocks = [
    [older, newer]
      .map(
        ({ sha, message }, index) =>
          `${index === 0 ? 'older' : 'newer'}  ${sha.slice(0, 10)}  ${harmless(titleOf(message))}`,
      )
      .join('\n'),
    [...rowOf(patch, textOf, paint), countsOf(files)].join('\n'),
  ];
  if (older.author !== newer.author) {
    blocks.push(
      `${paint('bold', 'The author changed')}\n  ${harmless(older.author)} → ${harmless(newer.author)}`,
    );
  }
  if (older.message !== newer.message) {
    blocks.push(
      `${paint('bold', 'The message changed')}\n${diffOf(`${older.message}\n`, `${newer.message}\n`, paint)}`,
    );
  }
  const sorted = [...files].sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
  const isShort = (file: ComparedFile): boolean => file.verdict === 'rebased' || file.verdict === 'same';
  blocks.push(...sorted.filter((file) => !isShort(file)).map((file) => describeFile(file, paint)));
  const rest = sorted.filter(isShort);
  if (rest.length > 0) {
    blocks.push(
      [...rest.slice(0, mostNamed).map((file) => `${file.verdict.padEnd(8)} ${nameOf(file)}`)]
        .concat(rest.length > mostNamed ? `… and ${rest.length - mostNamed} more` : [])
        .join('\n'),
    );
  }
  return `${blocks.join('\n\n')}\n`;
}

function describeFile(file: ComparedFile, paint: typeof styleText): string {
  const { older, newer, verdict, comparison } = file;
  const lines = [paint('bold', `${verdict.padEnd(8)} ${nameOf(file)}`)];
  if (!older || !newer) {
    const change = newer ?? older;
    const whose = newer
      ? 'The older version leaves this file as it is.'
      : 'The newer version leaves this file as it is. The older one:';
    return [...lines, whose, change ? changeOf(change, paint) : ''].join('\n');
  }
  lines.push(...modesOf(older, newer));
  if (file.isMoved && older.after?.id === newer.after?.id) {
    return [...lines, '  moved, and otherwise unchanged'].join('\n');
  }
  if (comparison?.basis === 'diffs') {
    lines.push("The file contents aren't available, so only the diffs were compared.");
  }
  if (comparison?.isPartlyInBase) {
    lines.push('Part of the change is in an earlier commit now.');
  }
  const between = verdict === 'conflict' ? betweenVersions(older, newer, paint) : undefined;
  if (between !== undefined) {
    lines.push('What is another now where the author changes the file:', between);
    lines.push('All of the newer version:', changeOf(newer, paint));
  } else if (verdict === 'conflict') {
    lines.push('The older version:', changeOf(older, paint), 'The newer version:', changeOf(newer, paint));
  } else if (comparison?.expected !== undefined && newer.after?.content.kind === 'text') {
    lines.push(
      comparison.expected === newer.after.content.text && comparison.isPartlyInBase
        ? changeOf(newer, paint)
        : diffOf(comparison.expected, newer.after.content.text, paint),
    );
  } else {
    lines.push('The older version:', changeOf(older, paint), 'The newer version:', changeOf(newer, paint));
  }
  return lines.filter((line) => line !== '').join('\n');
}

/**
 * The step from what one version leaves to what the other leaves, without what the base alone has changed: of a conflict, there is
 * nothing better to compare with. Undefined where that can't be told, or tells nothing.
 */
function betweenVersions(older: FileChange, newer: FileChange, paint: typeof styleText): string | undefined {
  const [before, after] = [textOf(older.after), textOf(newer.after)];
  const [left, right] = [changedLines(older), changedLines(newer)];
  if (before === undefined || after === undefined || !left || !right) {
    return undefined;
  }
  const told = diffOf(before, after, paint, ({ oldStart, oldLines, newStart, newLines }) => {
    return touches(left, oldStart, oldLines) || touches(right, newStart, newLines);
  });
  return told === '' ? undefined : told;
}

/** The lines of a file after a change that are of that change, from one to another; the first is 1. */
function changedLines({ before, after }: FileChange): [number, number][] | undefined {
  const [one, other] = [textOf(before), textOf(after)];
  const edits = one === undefined || other === undefined ? undefined : editsBetween(one, other);
  let moved = 0;
  return edits?.map(({ start, end, lines }) => {
    const first = start + moved + 1;
    moved += lines.length - (end - start);
    return [first, first + lines.length];
  });
}

function touches(ranges: readonly [number, number][], start: number, count: number): boolean {
  return ranges.some(([first, last]) => first <= start + count && start <= last);
}

function changeOf({ before, after }: FileChange, paint: typeof styleText): string {
  const [one, other] = [textOf(before), textOf(after)];
  return one === undefined || other === undefined
    ? `  (not text: ${before?.id?.slice(0, 10) ?? 'nothing'} → ${after?.id?.slice(0, 10) ?? 'nothing'})`
    : diffOf(one, other, paint);
}

/** Undefined for what cannot be shown line by line. */
function textOf(state: FileState | undefined): string | undefined {
  if (!state) {
    return '';
  }
  return state.content.kind === 'text' ? state.content.text : undefined;
}

function modesOf(older: FileChange, newer: FileChange): string[] {
  const [one, other] = [older, newer].map(
    ({ before, after }) => `${before?.mode ?? 'none'} → ${after?.mode ?? 'none'}`,
  );
  return one === other ? [] : [`mode ${one} became ${other}`];
}

function nameOf(file: ComparedFile): string {
  const path = harmless(shown(pathOf(file)));
  const oldPath = oldPathOf(file);
  return oldPath === undefined ? path : `${path} (was ${harmless(shown(oldPath))})`;
}

function titleOf(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}

/** A unified diff without the lines that name the files. */
function diffOf(
  before: string,
  after: string,
  paint: typeof styleText,
  isTold: (hunk: StructuredPatchHunk) => boolean = () => true,
): string {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 3 });
  const all = before.split('\n');
  const lines = hunks
    .filter(isTold)
    .flatMap((hunk) => [
      `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@${headingAt(all, hunk.oldStart)}`,
      ...hunk.lines,
    ]);
  return lines.map((line) => `  ${painted(harmless(shown(line)), paint)}`).join('\n');
}

/** The function or the like that a line stands in, as git finds it: the last line before that begins with a name. */
function headingAt(lines: readonly string[], line: number): string {
  const heading = lines.slice(0, Math.max(0, line - 1)).findLast((each) => /^[A-Za-z_$]/.test(each));
  return heading === undefined ? '' : ` ${heading.trimEnd().slice(0, 80)}`;
}

function painted(line: string, paint: typeof styleText): string {
  switch (line[0]) {
    case '+':
      return paint('green', line);
    case '-':
      return paint('red', line);
    case '@':
      return paint('cyan', line);
    default:
      return line;
  }
}
