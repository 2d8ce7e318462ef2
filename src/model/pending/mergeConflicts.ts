/** The places in which two changes of one text cannot be merged, and which of them a person has resolved. */
import { diff3Merge, diffIndices } from 'node-diff3';
import type { TextConflict } from './failure.ts';

type Texts = Pick<TextConflict, 'base' | 'theirs' | 'mine'>;

/** The text that a person begins with: both sides wherever they conflict, between marks. */
export function textWithMarkers(texts: Texts, theirsLabel: string, mineLabel: string): string {
  const parts = partsOf(texts).flatMap((part) =>
    part.conflict
      ? [`${start} ${theirsLabel}`, ...part.theirs, '=======', ...part.mine, `${end} ${mineLabel}`]
      : part.lines,
  );
  return parts.join('\n');
}

/**
 * Counts the conflicts that are still open in a text: those that stand between marks, and those where it says what it said before
 * both changes, with which merge editors begin.
 */
export function openConflicts(texts: Texts, result: string): number {
  const resultLines = linesOf(result);
  const known = new Set([texts.base, texts.theirs, texts.mine].flatMap(linesOf));
  const marked = resultLines.filter(
    (line) => (line.startsWith(start) || line.startsWith(end)) && !known.has(line),
  ).length;
  if (marked > 0) {
    return Math.ceil(marked / 2);
  }
  const before: string[] = [];
  const places: { from: number; to: number }[] = [];
  for (const part of partsOf(texts)) {
    const from = before.length;
    before.push(...part.lines);
    if (part.conflict) {
      places.push({ from, to: before.length });
    }
  }
  const changes = diffIndices(before, resultLines).map(({ buffer1: [from, length] }) => ({
    from,
    to: from + length,
  }));
  const touches = (place: { from: number; to: number }): boolean =>
    changes.some(({ from, to }) =>
      // An addition at the edge of a place decides it, too; a change beside it doesn't.
      from === to || place.from === place.to
        ? from <= place.to && to >= place.from
        : from < place.to && to > place.from,
    );
  return places.filter((place) => !touches(place)).length;
}

/** A part of three texts; `lines` are those from before where they conflict. */
type Part =
  | { conflict: false; lines: string[] }
  | { conflict: true; lines: string[]; theirs: string[]; mine: string[] };

function partsOf({ base, theirs, mine }: Texts): Part[] {
  const merged = diff3Merge(linesOf(theirs), linesOf(base), linesOf(mine), {
    excludeFalseConflicts: true,
  });
  return merged.map(({ ok, conflict }) =>
    conflict
      ? { conflict: true, lines: conflict.o, theirs: conflict.a, mine: conflict.b }
      : { conflict: false, lines: ok ?? [] },
  );
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

const start = '<<<<<<<';
const end = '>>>>>>>';
