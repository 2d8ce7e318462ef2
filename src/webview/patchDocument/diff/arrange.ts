/** The lines of a file's diff as they are shown: what is unchanged and far from a change is a gap that can be opened. */
import type { DiffRow } from './diff.ts';
import { equalPairs } from './equalPairs.ts';
import { withoutReturn } from './lineEnds.ts';

/** A line of code on one side or both. */
export interface CodeLine {
  type: 'add' | 'delete' | 'context';
  /** One-based, on the sides that have it. */
  oldLine?: number;
  newLine?: number;
  text: string;
}

/** A remark of the diff about the line before, such as a missing end of line. */
export interface NoteLine {
  type: 'note';
  text: string;
}

/** Unchanged lines that are not shown. */
export interface GapLine {
  type: 'gap';
  /** Tells the gaps of a file apart, however far they are opened. */
  id: number;
  /** The first line that is not shown, on either side. */
  oldLine: number;
  newLine: number;
  count: number;
  /** Whether the lines are known, so that it can be opened. */
  known: boolean;
  /** The function or the like that the lines after it stand in, as the diff says it. */
  heading: string;
}

/** One line of a diff as it is shown. */
export type Line = CodeLine | NoteLine | GapLine;

/** How many lines of a gap are shown after its start and before its end. */
export interface Opening {
  fromStart: number;
  fromEnd: number;
}

/** How the lines are to be arranged. */
export interface Arrangement {
  /** Lines that differ in whitespace alone count as unchanged. */
  ignoreWhitespace: boolean;
  /** So do lines that differ in their end alone. */
  ignoreLineEnds?: boolean;
  openings: ReadonlyMap<number, Opening>;
  /** All lines of the file after the change, when they are known. */
  file?: readonly string[] | undefined;
}

/** Unchanged lines shown next to a change, when the diff brings more. */
const contextLines = 3;

/** The fewest unchanged lines that are worth hiding. */
const smallestGap = 12;

/** Arranges the rows of a diff. */
export function arrange(rows: readonly DiffRow[], arrangement: Arrangement): Line[] {
  const lines: Line[] = [];
  const { openings, file } = arrangement;
  const compared = arrangement.ignoreWhitespace
    ? withoutSpace
    : arrangement.ignoreLineEnds
      ? withoutReturn
      : undefined;
  /** The next line on either side. */
  let oldNext = 1;
  let newNext = 1;

  const addGap = (count: number, heading: string, known: readonly string[] | undefined): void => {
    const id = newNext;
    const { fromStart, fromEnd } = openings.get(id) ?? { fromStart: 0, fromEnd: 0 };
    const shown = known ? known.length : 0;
    const start = Math.min(fromStart, shown);
    const end = Math.min(fromEnd, shown - start);
    for (let index = 0; index < count; index++) {
      const isShown = known && (index < start || index >= count - end);
      if (isShown) {
        const text = known[index] ?? '';
        lines.push({ type: 'context', oldLine: oldNext + index, newLine: newNext + index, text });
      } else if (index === start) {
        const hidden = count - start - end;
        const place = { oldLine: oldNext + index, newLine: newNext + index };
        lines.push({ type: 'gap', id, ...place, count: hidden, known: known !== undefined, heading });
        index += hidden - 1;
      }
    }
    oldNext += count;
    newNext += count;
  };

  let index = 0;
  while (index < rows.length) {
    const row = rows[index];
    if (row?.type === 'hunk') {
      const start = hunkStart(row.text);
      const count = start ? start.newLine - newNext : 0;
      const known = file?.slice(newNext - 1, newNext - 1 + count);
      if (start && count > 0) {
        addGap(count, start.heading, known?.length === count ? known : undefined);
      }
      oldNext = start?.oldLine ?? oldNext;
      newNext = start?.newLine ?? newNext;
      index++;
      continue;
    }
    let end = index;
    if (row?.type === 'context') {
      while (rows[end]?.type === 'context') {
        end++;
      }
      const run = rows.slice(index, end);
      const atStart = rows[index - 1]?.type === 'hunk' || index === 0;
      const atEnd = end >= rows.length || rows[end]?.type === 'hunk';
      const head = atStart ? 0 : contextLines;
      const tail = atEnd ? 0 : contextLines;
      const hidden = run.length - head - tail;
      const show = (part: readonly DiffRow[]): void => {
        for (const { text } of part) {
          lines.push({ type: 'context', oldLine: oldNext++, newLine: newNext++, text });
        }
      };
      if (hidden >= smallestGap) {
        show(run.slice(0, head));
        addGap(
          hidden,
          '',
          run.slice(head, head + hidden).map(({ text }) => text),
        );
        show(run.slice(head + hidden));
      } else {
        show(run);
      }
    } else {
      while (end < rows.length && isChange(rows[end])) {
        end++;
      }
      const changed = changedLines(rows.slice(index, end), compared);
      lines.push(...changed);
      oldNext += changed.filter((line) => line.type === 'delete' || line.type === 'context').length;
      newNext += changed.filter((line) => line.type === 'add' || line.type === 'context').length;
    }
    index = end;
  }
  if (file && rows.length > 0 && file.length >= newNext) {
    addGap(file.length - newNext + 1, '', file.slice(newNext - 1));
  }
  return lines;
}

function isChange(row: DiffRow | undefined): boolean {
  return row?.type === 'add' || row?.type === 'delete' || row?.type === 'note';
}

/** Where a hunk begins, and what it stands in. */
export function hunkStart(header: string): { oldLine: number; newLine: number; heading: string } | undefined {
  const found = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/.exec(header);
  if (!found) {
    return undefined;
  }
  const [, oldStart, oldCount, newStart, newCount, heading = ''] = found;
  return {
    // Where a side has no lines at all, the line before is named.
    oldLine: Number(oldStart) + (oldCount === '0' ? 1 : 0),
    newLine: Number(newStart) + (newCount === '0' ? 1 : 0),
    heading,
  };
}

/** A block of deleted and added lines, with those as unchanged of which what is compared is the same. */
function changedLines(
  rows: readonly DiffRow[],
  compared: ((text: string) => string) | undefined,
): (CodeLine | NoteLine)[] {
  const lines = rows.map(({ type, oldLine, newLine, text }): CodeLine | NoteLine =>
    type === 'add' || type === 'delete'
      ? { type, ...(oldLine !== undefined && { oldLine }), ...(newLine !== undefined && { newLine }), text }
      : { type: 'note', text },
  );
  if (!compared) {
    return lines;
  }
  const deleted = lines.filter((line): line is CodeLine => line.type === 'delete');
  const added = lines.filter((line): line is CodeLine => line.type === 'add');
  const pairs = equalPairs(
    deleted.map(({ text }) => compared(text)),
    added.map(({ text }) => compared(text)),
  );
  if (pairs.length === 0) {
    return lines;
  }
  const result: CodeLine[] = [];
  let [oldIndex, newIndex] = [0, 0];
  for (const [before, after] of [...pairs, [deleted.length, added.length] as const]) {
    result.push(...deleted.slice(oldIndex, before), ...added.slice(newIndex, after));
    const [oldLine, newLine] = [deleted[before], added[after]];
    if (oldLine && newLine) {
      result.push({ ...oldLine, ...newLine, type: 'context' });
    }
    [oldIndex, newIndex] = [before + 1, after + 1];
  }
  return result;
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
