/**
 * Lines so long that they are drawn in parts: what changed, with what is around it, and the rest when somebody asks for it. A file
 * that was written on one line would otherwise be thousands of screens high.
 */
import type { CodeLine } from './arrange.ts';
import type { Range } from './pairs.ts';

/** Characters of a line up to which all of it is drawn. */
const longestDrawn = 5_000;

/** Characters of a long line that are drawn around what changed, and at its beginning where nothing is known to have. */
const around = 200;
const beginning = 1_000;

/** Characters of what changed in a long line that are drawn at first. */
const mostChanged = 2_000;

/** Characters of a long line that one press shows. */
export const shownAtOnce = 5_000;

/** Tells the lines of a file apart, however many of them are shown. */
export function keyOf({ oldLine, newLine }: CodeLine): string {
  return newLine === undefined ? `old ${oldLine}` : `new ${newLine}`;
}

/** True for a line that is drawn in parts. */
export function isLong(text: string): boolean {
  return text.length > longestDrawn;
}

/**
 * The parts of a line that are drawn, in order.
 *
 * @param changed what differs from the line that it was or became, in order.
 * @param asked parts that somebody wants to see.
 */
export function drawnParts(text: string, changed: readonly Range[], asked: readonly Range[] = []): Range[] {
  const { length } = text;
  if (!isLong(text)) {
    return [{ start: 0, end: length }];
  }
  const wanted: Range[] = [...asked];
  let left = mostChanged;
  for (const { start, end } of changed) {
    if (left <= 0) {
      break;
    }
    const shown = Math.min(end - start, left);
    // The text around a change matters even where nothing is left of what was there.
    left -= Math.max(shown, around);
    wanted.push({ start: start - around, end: start + shown + around });
  }
  if (changed.length === 0) {
    wanted.push({ start: 0, end: beginning });
  }
  return joinedParts(
    wanted.map(({ start, end }) => ({ start: Math.max(0, start), end: Math.min(length, end) })),
    length,
  );
}

/** Parts that touch, or nearly do, as one. */
function joinedParts(parts: readonly Range[], length: number): Range[] {
  const joined: Range[] = [];
  for (const part of parts.filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && part.start - last.end < around) {
      last.end = Math.max(last.end, part.end);
    } else {
      joined.push({ ...part });
    }
  }
  const [first, last] = [joined[0], joined.at(-1)];
  if (first && first.start < around) {
    first.start = 0;
  }
  if (last && length - last.end < around) {
    last.end = length;
  }
  return joined;
}

/** About how many characters of a line are drawn at first. */
export function shownLength(text: string): number {
  return isLong(text) ? beginning : text.length;
}
