/**
 * Pairs each deleted line with the added one that it became: for showing them side by side, and for the words that changed
 * between them.
 */
import { diffArrays, diffWordsWithSpace } from 'diff';
import type { Line } from './arrange.ts';

/** A row of a side-by-side diff: indices of lines. A line on both sides at once is a gap, a note, or unchanged. */
export interface SideBySideRow {
  left?: number;
  right?: number;
}

/** Deleted and added lines of one change above which they are paired in order, without comparing them. */
const largestBlock = 60;

/** The part of their words that two lines must share to be one line that was changed. */
const similarEnough = 0.4;

/** Characters of a line above which its words are not compared; of a longer one, those between what both lines begin and end with. */
const longestLine = 1_000;

/** Characters of a word up to which it is marked as a whole in a long line. */
const longestWord = 60;

/** Differences between two long lines that are looked for, and milliseconds for it. */
const mostDifferences = 200;
const patienceMs = 100;

/** The lines side by side, and for each changed line the one that it became or was. */
export function pairLines(lines: readonly Line[]): { rows: SideBySideRow[]; partners: Map<number, number> } {
  const rows: SideBySideRow[] = [];
  const partners = new Map<number, number>();
  let index = 0;
  while (index < lines.length) {
    const type = lines[index]?.type;
    if (type !== 'add' && type !== 'delete') {
      rows.push({ left: index, right: index });
      index++;
      continue;
    }
    const deleted: number[] = [];
    const added: number[] = [];
    const notes: number[] = [];
    for (; index < lines.length; index++) {
      const list = { delete: deleted, add: added, note: notes, context: undefined, gap: undefined }[
        lines[index]?.type ?? 'gap'
      ];
      if (!list) {
        break;
      }
      list.push(index);
    }
    rows.push(...pairBlock(lines, deleted, added, partners));
    rows.push(...notes.map((note) => ({ left: note, right: note })));
  }
  return { rows, partners };
}

function pairBlock(
  lines: readonly Line[],
  deleted: readonly number[],
  added: readonly number[],
  partners: Map<number, number>,
): SideBySideRow[] {
  const rows: SideBySideRow[] = [];
  let [oldAt, newAt] = [0, 0];
  /** Puts the lines before the next pair side by side as far as they go, though nothing about them is alike. */
  const fillTo = (oldEnd: number, newEnd: number): void => {
    while (oldAt < oldEnd || newAt < newEnd) {
      const left = oldAt < oldEnd ? deleted[oldAt++] : undefined;
      const right = newAt < newEnd ? added[newAt++] : undefined;
      rows.push({ ...(left !== undefined && { left }), ...(right !== undefined && { right }) });
    }
  };
  for (const [oldIndex, newIndex] of alikeLines(texts(lines, deleted), texts(lines, added))) {
    fillTo(oldIndex, newIndex);
    const [left, right] = [deleted[oldAt++], added[newAt++]];
    if (left !== undefined && right !== undefined) {
      rows.push({ left, right });
      partners.set(left, right).set(right, left);
    }
  }
  fillTo(deleted.length, added.length);
  return rows;
}

function texts(lines: readonly Line[], indices: readonly number[]): string[] {
  return indices.map((index) => {
    const line = lines[index];
    return line && 'text' in line ? line.text : '';
  });
}

/** The pairs of alike lines, in order on both sides, that share the most in all. */
function alikeLines(before: readonly string[], after: readonly string[]): [number, number][] {
  if (before.length === 0 || after.length === 0) {
    return [];
  }
  const [oldWords, newWords] = [before.map(words), after.map(words)];
  const alike = (oldIndex: number, newIndex: number): number =>
    similarity(oldWords[oldIndex] ?? new Map(), newWords[newIndex] ?? new Map());
  if (before.length > largestBlock || after.length > largestBlock) {
    const count = Math.min(before.length, after.length);
    return Array.from({ length: count }, (_value, index): [number, number] => [index, index]).filter(
      ([oldIndex, newIndex]) => alike(oldIndex, newIndex) >= similarEnough,
    );
  }
  // The longest common subsequence, weighted by likeness, from the end to the start.
  const width = after.length + 1;
  const best = new Float64Array((before.length + 1) * width);
  const scores = new Float64Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const score = alike(i, j);
      scores[i * width + j] = score >= similarEnough ? score : 0;
      const together = (best[(i + 1) * width + j + 1] ?? 0) + (scores[i * width + j] ?? 0);
      best[i * width + j] = Math.max(together, best[(i + 1) * width + j] ?? 0, best[i * width + j + 1] ?? 0);
    }
  }
  const pairs: [number, number][] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    const here = best[i * width + j] ?? 0;
    const score = scores[i * width + j] ?? 0;
    if (score > 0 && here === (best[(i + 1) * width + j + 1] ?? 0) + score) {
      pairs.push([i++, j++]);
    } else if (here === (best[(i + 1) * width + j] ?? 0)) {
      i++;
    } else {
      j++;
    }
  }
  return pairs;
}

function words(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.slice(0, longestLine).matchAll(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** The part of two lines' words that they share: 0 to 1. */
function similarity(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): number {
  let [shared, all] = [0, 0];
  for (const [word, count] of before) {
    const weight = word.length;
    shared += 2 * weight * Math.min(count, after.get(word) ?? 0);
    all += weight * count;
  }
  for (const [word, count] of after) {
    all += word.length * count;
  }
  return all === 0 ? 1 : shared / all;
}

/** A part of a line, in characters. */
export interface Range {
  start: number;
  end: number;
}

/**
 * The parts of a changed line that differ from the line it was before.
 *
 * @param timeoutMs milliseconds for a long line, after which it is compared as a whole.
 */
export function changedWords(
  before: string,
  after: string,
  timeoutMs = patienceMs,
): { before: Range[]; after: Range[] } {
  const result: { before: Range[]; after: Range[] } = { before: [], after: [] };
  const isLong = before.length > longestLine || after.length > longestLine;
  const same = isLong ? commonEnds(before, after) : { start: 0, end: 0 };
  let [oldAt, newAt] = [same.start, same.start];
  const [oldMiddle, newMiddle] = [before, after].map((text) =>
    text.slice(same.start, text.length - same.end),
  );
  for (const { length, added, removed } of differences(oldMiddle ?? '', newMiddle ?? '', timeoutMs)) {
    if (removed) {
      result.before.push({ start: oldAt, end: oldAt + length });
    }
    if (added) {
      result.after.push({ start: newAt, end: newAt + length });
    }
    oldAt += added ? 0 : length;
    newAt += removed ? 0 : length;
  }
  return { before: joined(result.before, before), after: joined(result.after, after) };
}

/** The number of characters that two lines begin and end with alike, in whole words. */
function commonEnds(before: string, after: string): { start: number; end: number } {
  const shorter = Math.min(before.length, after.length);
  const isInWord = (text: string, at: number): boolean =>
    /^[\p{L}\p{N}_]{2}$/u.test(text.slice(at - 1, at + 1));
  let start = 0;
  while (start < shorter && before[start] === after[start]) {
    start++;
  }
  const differs = start;
  while (start > 0 && differs - start < longestWord && (isInWord(before, start) || isInWord(after, start))) {
    start--;
  }
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) {
    end++;
  }
  const ends = end;
  while (
    end > 0 &&
    ends - end < longestWord &&
    (isInWord(before, before.length - end) || isInWord(after, after.length - end))
  ) {
    end--;
  }
  return { start, end };
}

interface Difference {
  /** Characters. */
  length: number;
  added: boolean;
  removed: boolean;
}

/** The differences of two texts, word for word; of one too long for that, in larger pieces, and at last as a whole. */
function differences(before: string, after: string, timeoutMs: number): Difference[] {
  if (before.length <= longestLine && after.length <= longestLine) {
    return diffWordsWithSpace(before, after).map(({ value, added, removed }) => ({
      length: value.length,
      added,
      removed,
    }));
  }
  const limits = { maxEditLength: mostDifferences, timeout: timeoutMs };
  const found = diffArrays(piecesOf(before), piecesOf(after), limits);
  return (
    found?.map(({ value, added, removed }) => ({ length: value.join('').length, added, removed })) ?? [
      { length: before.length, added: false, removed: true },
      { length: after.length, added: true, removed: false },
    ]
  );
}

/** A long text in words with what stands between them; what has no words, in parts. */
function piecesOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]{1,60}|[^\p{L}\p{N}_]{1,60}/gu) ?? [];
}

/** Ranges that have only whitespace between them, as one. */
function joined(ranges: readonly Range[], text: string): Range[] {
  const result: Range[] = [];
  for (const range of ranges) {
    const last = result.at(-1);
    if (last && text.slice(last.end, range.start).trim() === '') {
      last.end = range.end;
    } else {
      result.push({ ...range });
    }
  }
  return result;
}
