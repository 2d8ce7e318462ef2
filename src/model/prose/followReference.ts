/** Follows what a text says of the lines of a file into the version of the patch that is shown. */
import type { DiffSection, Patch, PatchSection } from '../../api/types/patches.ts';
import type { LinkTarget } from '../../util/proseLink.ts';
import { followLines, type KnownLines } from './followLines.ts';
import { filesByName, pathOf } from './filesByName.ts';
import { linesInDiff } from './knownLines.ts';

/** Gives the lines of a file as a patch leaves it; undefined when that is not to be had, or there is no such file. */
export type LinesOfFile = (
  patch: Patch,
  path: string,
  file: DiffSection | undefined,
) => Promise<KnownLines | undefined>;

/** Lines of a file as a text names them. */
export interface NamedLines {
  path: string;
  start: number;
  end: number;
}

/** Lines that are shown of those that are named. */
const mostShown = 12;

/**
 * The lines that a text means, as they are now; lost when nobody can tell.
 *
 * @param written the patch as it was when the text was written: the oldest version that has the text.
 */
export async function followReference(
  named: NamedLines,
  written: Patch,
  now: Patch,
  linesOfFile: LinesOfFile,
): Promise<LinkTarget | undefined> {
  const before = fileOf(written, named.path);
  const path = before ? pathOf(before) : named.path;
  const file = fileOf(now, path) ?? filesOf(now).find(({ oldPath }) => oldPath === path);
  const newPath = file ? pathOf(file) : path;
  const lines = (await linesOfFile(now, newPath, file)) ?? (file && linesInDiff(file.diffPatch ?? ''));
  if (!lines) {
    return undefined;
  }
  const { start, end } = named;
  const isSame =
    written === now || (before !== undefined && file !== undefined && isSameContent(before, file));
  const older = isSame
    ? lines
    : ((await linesOfFile(written, path, before)) ?? (before && linesInDiff(before.diffPatch ?? '')));
  const found =
    older === lines ? withinFile(lines, { start, end }) : older && followLines(older, lines, { start, end });
  if (!found) {
    return { kind: 'lost', path: newPath };
  }
  const shown: string[] = [];
  for (const line of lines.slice(found.start - 1, Math.min(found.end, found.start - 1 + mostShown))) {
    // Of a file that only its diff is known of, there is nothing to show from here on.
    if (line === undefined) {
      break;
    }
    shown.push(line);
  }
  return { kind: 'file', path: newPath, ...found, lines: shown };
}

/** The file of a patch that a name means: its path, or the end of it that no other has. */
export function fileOf({ sections = noSections }: Patch, name: string): DiffSection | undefined {
  return filesByName(sections).get(name);
}

const noSections: PatchSection[] = [];

function filesOf({ sections = [] }: Patch): DiffSection[] {
  return sections.filter((section) => section.sectionType === 'diff');
}

function isSameContent(one: DiffSection, other: DiffSection): boolean {
  return one.newFileSha !== undefined && one.newFileSha === other.newFileSha && !/^0*$/.test(one.newFileSha);
}

/** Lines that nothing is known of may be there; those behind the end are not. */
function withinFile(lines: KnownLines, { start, end }: { start: number; end: number }) {
  const isPartial = lines.length > 0 && lines.at(-1) === undefined;
  return start >= 1 && start <= end && (isPartial || end <= lines.length) ? { start, end } : undefined;
}
