/** A file's unified diff as rows to draw. */
import { parsePatch } from 'diff';

/** One row of a diff. */
export interface DiffRow {
  type: 'add' | 'delete' | 'context' | 'hunk' | 'note';
  /** One-based line number on either side, where the row has one. */
  oldLine?: number;
  newLine?: number;
  /** The line without its marker; of a hunk, where it is and what it stands in. */
  text: string;
}

export interface FileDiff {
  rows: DiffRow[];
  change: 'modified' | 'created' | 'deleted' | 'renamed' | 'copied';
  binary: boolean;
  /** File modes, when the diff changes them: `100644`. */
  oldMode?: string;
  newMode?: string;
}

/**
 * Reads the unified diff of one file.
 *
 * @returns undefined when the text is no unified diff: it is then to be shown as it is.
 */
export function parseFileDiff(text: string): FileDiff | undefined {
  let parsed;
  try {
    parsed = parsePatch(text)[0];
  } catch {
    return undefined;
  }
  if (!parsed || (parsed.hunks.length === 0 && !parsed.isGit && !parsed.isBinary)) {
    return undefined;
  }
  // As the diff says it: the library leaves out what a hunk stands in. No other line of a diff begins like this.
  const headers = text.match(/^@@ .*$/gm) ?? [];
  const rows: DiffRow[] = [];
  parsed.hunks.forEach((hunk, index) => {
    rows.push({ type: 'hunk', text: headers[index] ?? '' });
    let oldLine = hunk.oldStart;
    let newLine = hunk.newStart;
    for (const line of hunk.lines) {
      const content = line.slice(1);
      switch (line[0]) {
        case '+':
          rows.push({ type: 'add', newLine: newLine++, text: content });
          break;
        case '-':
          rows.push({ type: 'delete', oldLine: oldLine++, text: content });
          break;
        case '\\':
          rows.push({ type: 'note', text: content.trim() });
          break;
        default:
          rows.push({ type: 'context', oldLine: oldLine++, newLine: newLine++, text: content });
      }
    }
  });
  const modeChanged = parsed.oldMode !== undefined && parsed.newMode !== undefined;
  return {
    rows,
    change: parsed.isRename
      ? 'renamed'
      : parsed.isCopy
        ? 'copied'
        : parsed.isCreate
          ? 'created'
          : parsed.isDelete
            ? 'deleted'
            : 'modified',
    binary: parsed.isBinary ?? /^GIT binary patch$/m.test(text),
    ...(modeChanged && { oldMode: parsed.oldMode, newMode: parsed.newMode }),
  };
}

export function countChanges(rows: DiffRow[]): { added: number; deleted: number } {
  return {
    added: rows.filter((row) => row.type === 'add').length,
    deleted: rows.filter((row) => row.type === 'delete').length,
  };
}
