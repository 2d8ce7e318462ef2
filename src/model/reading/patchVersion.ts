/** A version of a patch, with its words and its changes, in the form in which it is compared with another one. */
import type { DiffSection, Patch } from '../../api/types/patches.ts';
import type { FileChange, FileState } from './fileChange.ts';

/** A section in its place among the others. */
export type VersionSection =
  | { kind: 'text'; code: string; text: string }
  /** Shows what is done to a file; see `FileChange`. */
  | { kind: 'diff'; path: string }
  | { kind: 'unknown'; code: string };

/** See the module. */
export interface PatchVersion {
  changeId: string;
  /** The commit that it is, if that is known. */
  commitSha?: string;
  title: string;
  message: string;
  /** In the author's order. */
  sections: readonly VersionSection[];
  files: readonly FileChange[];
}

/** The version of a patch that the service has. Contents of files are still missing: there are diffs, and ids of blobs. */
export function versionOf({
  changeId,
  commitSha,
  title = '',
  description = '',
  sections = [],
}: Patch): PatchVersion {
  const files: FileChange[] = [];
  const told = sections.map((section): VersionSection => {
    switch (section.sectionType) {
      case 'text':
        return { kind: 'text', code: section.code, text: section.text ?? '' };
      case 'diff': {
        const change = fileChangeOf(section);
        files.push(change);
        return { kind: 'diff', path: change.path };
      }
      case 'unknown':
        return { kind: 'unknown', code: section.code };
    }
  });
  return {
    changeId,
    ...(commitSha !== undefined && { commitSha }),
    title,
    message: description,
    sections: told,
    files,
  };
}

/** The change that a diff section makes to its file. */
export function fileChangeOf(section: DiffSection): FileChange {
  const { identifier, diffPatch, baseFileSha, newFileSha } = section;
  const path = section.newPath ?? section.oldPath ?? identifier;
  const oldPath = section.oldPath ?? path;
  const { before, after } = modesOf(diffPatch ?? '');
  const state = (mode: string | undefined, id: string | undefined): FileState | undefined =>
    mode === undefined ? undefined : { id: idOf(id), mode, content: { kind: 'missing' } };
  return {
    oldPath,
    path,
    before: state(before, baseFileSha),
    after: state(after, newFileSha),
    diff: diffPatch,
  };
}

/** The modes of a file that its diff tells, if it is there; empty where nothing is said of one that is. */
function modesOf(diff: string): { before: string | undefined; after: string | undefined } {
  let before: string | undefined = '';
  let after: string | undefined = '';
  for (const line of headerOf(diff)) {
    const [, what = '', mode = ''] =
      /^(old mode|new mode|new file mode|deleted file mode|index \S+) (\d{6})$/.exec(line) ?? [];
    if (what === 'new file mode') {
      [before, after] = [undefined, mode];
    } else if (what === 'deleted file mode') {
      [before, after] = [mode, undefined];
    } else if (what === 'old mode') {
      before = mode;
    } else if (what === 'new mode') {
      after = mode;
    } else if (what !== '') {
      [before, after] = [mode, mode];
    }
  }
  return { before, after };
}

/** The lines of a unified diff before its first hunk. */
export function headerOf(diff: string): string[] {
  const end = diff.search(/^(?:@@ |GIT binary patch|Binary files )/m);
  return (end < 0 ? diff : diff.slice(0, end)).split('\n').filter((line) => line !== '');
}

/** The id of a blob; that of no file is none. */
function idOf(id: string | undefined): string | undefined {
  return id !== undefined && /^[0-9a-f]{40,64}$/.test(id) && !/^0+$/.test(id) ? id : undefined;
}
