/** The change that a commit makes to one file, in the form in which versions of the commit are compared. */

/** A file's content, as far as it is known. */
export type Content =
  /** Its text, with one character for each byte where it was read from git, so that nothing of it is lost. */
  | { kind: 'text'; text: string }
  /** Nobody reads it line by line. */
  | { kind: 'binary' }
  /** It is not to be had here. */
  | { kind: 'missing' };

/** One state of a file. */
export interface FileState {
  /** The id of the blob, if it is known. */
  id?: string | undefined;
  /** Six octal digits, as git writes them. */
  mode: string;
  content: Content;
}

/** The change that a commit makes to a file. */
export interface FileChange {
  /** The file's path before the commit; the same as `path` unless the commit renames it. */
  oldPath: string;
  path: string;
  /** Undefined when the commit adds the file. */
  before?: FileState | undefined;
  /** Undefined when the commit deletes the file. */
  after?: FileState | undefined;
  /** The unified diff, for when contents are not to be had. */
  diff?: string | undefined;
}

/** The outcome for a file's change in the newer of two versions. */
export type Verdict =
  /** Nothing changed. */
  | 'same'
  /** The author changed nothing; the file did change elsewhere, in what the commit is based on. */
  | 'rebased'
  /** The author changed it. */
  | 'changed'
  /** The author resolved a conflict. */
  | 'conflict'
  /** Only the newer version changes the file. */
  | 'added'
  /** Only the older version does. */
  | 'removed';
