/** Merges two changes of the lines of one text, as git would. */
import { diffArrays } from 'diff';

/** Lines of the old text that were replaced, and by what. */
export interface LineEdit {
  /** The first of the lines that were replaced; zero-based. */
  start: number;
  /** The first line after them; `start` for a mere insertion. */
  end: number;
  lines: readonly string[];
}

/** The result of a merge. */
export type LineMerge =
  | {
      kind: 'clean';
      text: string;
      /** True when both changed some lines alike: a change in one version may be part of the other's base. */
      isShared: boolean;
    }
  | { kind: 'conflict' }
  /** The texts differ so much that it would take too long to find out. */
  | { kind: 'unknown' };

/** Lines that may differ, at most: the time that comparing takes grows with their square. */
const mostDifferences = 2000;

/** Characters that are compared at once: that is many times as quick as one by one. */
const block = 512;

/** The lines of a text with their ends, so that joining them gives it back. */
export function linesOf(text: string): string[] {
  const lines: string[] = [];
  // Of large files, an expression that looks at every character takes most of the time of a comparison.
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start) + 1 || text.length;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

/**
 * The edits that turn one text into another; undefined when they differ too much.
 *
 * @param lines those of the text before, where somebody has them.
 */
export function editsBetween(
  before: string,
  after: string,
  lines: readonly string[] = linesOf(before),
): LineEdit[] | undefined {
  const { start, end, text } = changedPart(before, after, lines);
  const changes = diffArrays(lines.slice(start, end), linesOf(text), { maxEditLength: mostDifferences });
  if (!changes) {
    return undefined;
  }
  const edits: { start: number; end: number; lines: string[] }[] = [];
  let at = start;
  let open: (typeof edits)[number] | undefined;
  for (const { added, removed, value } of changes) {
    if (!added && !removed) {
      at += value.length;
      open = undefined;
      continue;
    }
    if (!open) {
      open = { start: at, end: at, lines: [] };
      edits.push(open);
    }
    if (removed) {
      at += value.length;
      open.end = at;
    } else {
      open.lines = open.lines.concat(value);
    }
  }
  return slidDown(lines, edits);
}

/**
 * The lines of one text from the first to the last that another one hasn't got alike, and what the other one has there. Characters are
 * compared: most of a file is left as it is, and needn't be taken apart into lines for that.
 */
function changedPart(
  before: string,
  after: string,
  lines: readonly string[],
): { start: number; end: number; text: string } {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from + block <= shorter && isAlike(before, after, from, from)) {
    from += block;
  }
  while (from < shorter && before.charCodeAt(from) === after.charCodeAt(from)) {
    from += 1;
  }
  if (from < Math.max(before.length, after.length)) {
    from = before.slice(0, from).lastIndexOf('\n') + 1;
  }
  let [oldEnd, newEnd] = [before.length, after.length];
  while (Math.min(oldEnd, newEnd) - block >= from && isAlike(before, after, oldEnd - block, newEnd - block)) {
    oldEnd -= block;
    newEnd -= block;
  }
  while (oldEnd > from && newEnd > from && before.charCodeAt(oldEnd - 1) === after.charCodeAt(newEnd - 1)) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  const begins = (text: string, at: number): boolean => at === from || text[at - 1] === '\n';
  if (!begins(before, oldEnd) || !begins(after, newEnd)) {
    const next = before.indexOf('\n', oldEnd) + 1 || before.length;
    [oldEnd, newEnd] = [next, newEnd + next - oldEnd];
  }
  const [start, end] = [countOf(lines, from), countOf(lines, oldEnd)];
  return { start, end, text: after.slice(from, newEnd) };
}

/** True when two texts have the same block from these places on. */
function isAlike(one: string, other: string, at: number, otherAt: number): boolean {
  return one.slice(at, at + block) === other.slice(otherAt, otherAt + block);
}

/** The number of lines that have so many characters together. */
function countOf(lines: readonly string[], characters: number): number {
  let count = 0;
  for (let at = 0; at < characters; count += 1) {
    at += lines[count]?.length ?? characters;
  }
  return count;
}

/** Merges what two sides made of one text. Changes that touch each other are a conflict, unless they are alike. */
export function mergeLines(base: string, one: string, other: string): LineMerge {
  const lines = linesOf(base);
  const left = editsBetween(base, one, lines);
  const right = editsBetween(base, other, lines);
  if (!left || !right) {
    return { kind: 'unknown' };
  }
  const merged: (readonly string[])[] = [];
  let isShared = false;
  let at = 0;
  const take = (edit: LineEdit): void => {
    merged.push(lines.slice(at, edit.start), edit.lines);
    at = edit.end;
  };
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const a = left[i];
    const b = right[j];
    if (a && (!b || a.end < b.start)) {
      take(a);
      i += 1;
    } else if (b && (!a || b.end < a.start)) {
      take(b);
      j += 1;
    } else if (a && b && isSameEdit(a, b)) {
      take(a);
      isShared = true;
      i += 1;
      j += 1;
    } else {
      return { kind: 'conflict' };
    }
  }
  take({ start: lines.length, end: lines.length, lines: [] });
  return { kind: 'clean', text: merged.flat().join(''), isShared };
}

function isSameEdit(a: LineEdit, b: LineEdit): boolean {
  return (
    a.start === b.start &&
    a.end === b.end &&
    a.lines.length === b.lines.length &&
    a.lines.every((line, index) => line === b.lines[index])
  );
}

/**
 * The same edits where git puts them: lines that were only added or only removed can often be told to have been so a few lines
 * later just as well, and two sides must be told alike.
 */
function slidDown(before: readonly string[], edits: readonly LineEdit[]): LineEdit[] {
  const slid: LineEdit[] = [];
  for (let edit of [...edits].reverse()) {
    const limit = slid[0]?.start ?? before.length;
    if (edit.lines.length === 0) {
      let { start, end } = edit;
      while (end < limit && before[start] === before[end]) {
        start += 1;
        end += 1;
      }
      edit = { start, end, lines: [] };
    } else if (edit.start === edit.end) {
      let { start } = edit;
      const lines = [...edit.lines];
      while (start < limit && lines[0] === before[start]) {
        lines.push(...lines.splice(0, 1));
        start += 1;
      }
      edit = { start, end: start, lines };
    }
    const next = slid[0];
    if (edit.end === next?.start) {
      slid[0] = { start: edit.start, end: next.end, lines: [...edit.lines, ...next.lines] };
    } else {
      slid.unshift(edit);
    }
  }
  return slid;
}
