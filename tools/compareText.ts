/** Says what changed between two versions of a commit, for people who read it in a terminal. */
import { styleText } from 'node:util';
import { structuredPatch } from 'diff';
import type { ComparedFile } from '../src/model/reading/compareFiles.ts';
import type { FileChange, FileState, Verdict } from '../src/model/reading/fileChange.ts';

/** A version of a commit, as a person knows it. */
export interface NamedVersion {
  sha: string;
  /** The whole message; its first line is the title. */
  message: string;
}

/** Files are told in this order: first what is to be read. */
const order: readonly Verdict[] = ['conflict', 'changed', 'added', 'removed', 'rebased', 'same'];

const headings: Record<Verdict, (count: number) => string> = {
  conflict: (count) => `${count} with a conflict that the author resolved`,
  changed: (count) => `${count} changed`,
  added: (count) => `${count} added`,
  removed: (count) => `${count} no longer changed`,
  rebased: (count) => `${count} only rebased`,
  same: (count) => `${count} unchanged`,
};

/** The paths of a file: bytes, each of them one character, are shown as what they mean. */
export function shown(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The file's path in the older version, or before the commit, if that was another one. */
export function oldPathOf({ older, newer }: ComparedFile): string | undefined {
  const path = (newer ?? older)?.path;
  return [older?.path, newer?.oldPath, older?.oldPath].find((other) => other !== undefined && other !== path);
}

/** The whole comparison as text. */
export function describeComparison(
  older: NamedVersion,
  newer: NamedVersion,
  files: readonly ComparedFile[],
  paint: typeof styleText = styleText,
): string {
  const counts = order.flatMap((verdict) => {
    const count = files.filter((file) => file.verdict === verdict).length;
    return count > 0 ? [headings[verdict](count)] : [];
  });
  const blocks = [
    [older, newer]
      .map(
        ({ sha, message }, index) =>
          `${index === 0 ? 'older' : 'newer'}  ${sha.slice(0, 10)}  ${titleOf(message)}`,
      )
      .join('\n'),
    counts.length > 0 ? `Files: ${counts.join(', ')}.` : 'Neither version changes a file.',
  ];
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
    blocks.push(rest.map((file) => `${file.verdict.padEnd(8)} ${nameOf(file)}`).join('\n'));
  }
  return `${blocks.join('\n\n')}\n`;
}

function describeFile(file: ComparedFile, paint: typeof styleText): string {
  const { older, newer, verdict, comparison } = file;
  const lines = [paint('bold', `${verdict.padEnd(8)} ${nameOf(file)}`)];
  if (!older || !newer) {
    const change = newer ?? older;
    return [...lines, change ? changeOf(change, paint) : ''].join('\n');
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
  if (verdict === 'conflict') {
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
  const path = shown((file.newer ?? file.older)?.path ?? '');
  const oldPath = oldPathOf(file);
  return oldPath === undefined ? path : `${path} (was ${shown(oldPath)})`;
}

function titleOf(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}

/** A unified diff without the lines that name the files. */
function diffOf(before: string, after: string, paint: typeof styleText): string {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 3 });
  const lines = hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines,
  ]);
  return lines.map((line) => `  ${painted(shown(line), paint)}`).join('\n');
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
