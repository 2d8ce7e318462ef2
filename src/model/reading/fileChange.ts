/** What a commit does to one file, as it is compared with what another version of the commit does to it. */

/** What is known of a file's content. */
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

/** What a commit does to a file. */
export interface FileChange {
  /** Where the file was before; the same as `path` unless the commit renames it. */
  oldPath: string;
  path: string;
  /** Undefined when the commit adds the file. */
  before?: FileState | undefined;
  /** Undefined when the commit deletes the file. */
  after?: FileState | undefined;
  /** The unified diff, for when contents are not to be had. */
  diff?: string | undefined;
}

/** What became of a file's change in the newer of two versions. */
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
