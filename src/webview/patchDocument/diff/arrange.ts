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
interface NoteLine {
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
  /** True when the lines are known, so that it can be opened. */
  known: boolean;
  /** The function or the like that the lines after it stand in, as the diff says it. */
  heading: string;
}

/** One line of a diff as it is shown. */
export type Line = CodeLine | NoteLine | GapLine;

/** The numbers of a gap's lines that are shown after its start and before its end. */
export interface Opening {
  fromStart: number;
  fromEnd: number;
}

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
  return new Arranger(rows, arrangement).arrange();
}

class Arranger {
  readonly #rows: readonly DiffRow[];
  readonly #openings: Arrangement['openings'];
  readonly #file: Arrangement['file'];
  readonly #compared: ((text: string) => string) | undefined;
  readonly #lines: Line[] = [];
  /** The next line on either side. */
  #oldNext = 1;
  #newNext = 1;

  constructor(rows: readonly DiffRow[], { openings, file, ignoreWhitespace, ignoreLineEnds }: Arrangement) {
    this.#rows = rows;
    this.#openings = openings;
    this.#file = file;
    this.#compared = ignoreWhitespace ? withoutSpace : ignoreLineEnds ? withoutReturn : undefined;
  }

  arrange(): Line[] {
    const rows = this.#rows;
    for (let index = 0; index < rows.length;) {
      const row = rows[index];
      if (row?.type === 'hunk') {
        this.#addHunkStart(row.text);
        index++;
      } else {
        const isOfRun = row?.type === 'context' ? isContext : isChange;
        let end = index + 1;
        while (end < rows.length && isOfRun(rows[end])) {
          end++;
        }
        if (row?.type === 'context') {
          this.#addContext(index, end);
        } else {
          this.#addChange(rows.slice(index, end));
        }
        index = end;
      }
    }
    const file = this.#file;
    if (file && rows.length > 0 && file.length >= this.#newNext) {
      this.#addGap(file.length - this.#newNext + 1, '', file.slice(this.#newNext - 1));
    }
    return this.#lines;
  }

  /** Adds the gap between the hunk before and this one. */
  #addHunkStart(header: string): void {
    const start = hunkStart(header);
    const count = start ? start.newLine - this.#newNext : 0;
    const known = this.#file?.slice(this.#newNext - 1, this.#newNext - 1 + count);
    if (start && count > 0) {
      this.#addGap(count, start.heading, known?.length === count ? known : undefined);
    }
    this.#oldNext = start?.oldLine ?? this.#oldNext;
    this.#newNext = start?.newLine ?? this.#newNext;
  }

  /** Unchanged lines that the diff brings: those far from a change are a gap. */
  #addContext(index: number, end: number): void {
    const rows = this.#rows;
    const run = rows.slice(index, end).map(({ text }) => text);
    const head = index === 0 || rows[index - 1]?.type === 'hunk' ? 0 : contextLines;
    const tail = end >= rows.length || rows[end]?.type === 'hunk' ? 0 : contextLines;
    const hidden = run.length - head - tail;
    if (hidden < smallestGap) {
      this.#addUnchanged(run);
      return;
    }
    this.#addUnchanged(run.slice(0, head));
    this.#addGap(hidden, '', run.slice(head, head + hidden));
    this.#addUnchanged(run.slice(head + hidden));
  }

  #addUnchanged(texts: readonly string[]): void {
    for (const text of texts) {
      this.#lines.push({ type: 'context', oldLine: this.#oldNext++, newLine: this.#newNext++, text });
    }
  }

  #addChange(rows: readonly DiffRow[]): void {
    const changed = changedLines(rows, this.#compared);
    this.#lines.push(...changed);
    this.#oldNext += changed.filter(({ type }) => type === 'delete' || type === 'context').length;
    this.#newNext += changed.filter(({ type }) => type === 'add' || type === 'context').length;
  }

  /** Lines that are not shown, as far as the gap is not opened. */
  #addGap(count: number, heading: string, known: readonly string[] | undefined): void {
    const id = this.#newNext;
    const { fromStart, fromEnd } = this.#openings.get(id) ?? { fromStart: 0, fromEnd: 0 };
    const openable = known?.length ?? 0;
    const start = Math.min(fromStart, openable);
    const end = Math.min(fromEnd, openable - start);
    const hidden = count - start - end;
    this.#addUnchanged(known?.slice(0, start) ?? []);
    if (hidden > 0) {
      const place = { oldLine: this.#oldNext, newLine: this.#newNext };
      this.#lines.push({ type: 'gap', id, ...place, count: hidden, known: known !== undefined, heading });
      this.#oldNext += hidden;
      this.#newNext += hidden;
    }
    this.#addUnchanged(known?.slice(count - end) ?? []);
  }
}

function isContext(row: DiffRow | undefined): boolean {
  return row?.type === 'context';
}

function isChange(row: DiffRow | undefined): boolean {
  return row?.type === 'add' || row?.type === 'delete' || row?.type === 'note';
}

/** The lines at which a hunk begins, and the heading that git gives it. */
export function hunkStart(header: string): { oldLine: number; newLine: number; heading: string } | undefined {
  const found = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/.exec(header);
  if (!found) {
    return undefined;
  }
  const [, oldStart, oldCount, newStart, newCount, heading = ''] = found;
  return {
    // The header names the line before when a side has no lines at all.
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
