/**
 * Lines that a patch removes in one place and adds in another: found among all of its files, as `git diff --color-moved` does it,
 * whatever became of their indentation.
 */
import { parsePatch } from 'diff';
import type { PatchSection } from '../api/types/patches.ts';
import type { MovedLines } from '../protocol/patchDocument.ts';

/** Characters of diffs in which lines are looked for. */
const longestDiffs = 4_000_000;

/** Letters and digits that moved lines must have at least, as with git: fewer are the same by chance. */
const fewestCharacters = 20;

/** Letters and digits of a line with which moved lines begin: a bracket is everywhere. */
const fewestAtStart = 4;

/** Places at which a line is looked for. */
const mostPlaces = 20;

/** A line that is removed or added. */
interface ChangedLine {
  code: string;
  line: number;
  text: string;
  /** Letters and digits of it. */
  characters: number;
  /** Tells apart the changes between which something stays as it is. */
  change: number;
}

/** See the module. Gives them by the codes of their sections. */
export function movedLines(sections: readonly PatchSection[]): Record<string, MovedLines[]> {
  const { removed, added } = changedLines(sections);
  const places = new Map<string, number[]>();
  added.forEach(({ text }, index) => {
    const known = places.get(text);
    if (!known) {
      places.set(text, [index]);
    } else if (known.length < mostPlaces) {
      known.push(index);
    }
  });
  const taken = new Set<number>();
  const moved: Record<string, MovedLines[]> = {};
  const note = (side: MovedLines['side'], own: ChangedLine, other: ChangedLine, count: number): void => {
    (moved[own.code] ??= []).push({
      side,
      start: own.line,
      count,
      other: { code: other.code, line: other.line },
    });
  };
  for (let index = 0; index < removed.length;) {
    const from = removed[index];
    const best =
      from && from.characters >= fewestAtStart
        ? longestOf(
            (places.get(from.text) ?? []).map((place) => blockAt(removed, index, added, place, taken)),
          )
        : undefined;
    const to = best && added[best.place];
    if (from && best && to) {
      note('old', from, to, best.count);
      note('new', to, from, best.count);
      for (let offset = 0; offset < best.count; offset += 1) {
        taken.add(best.place + offset);
      }
    }
    index += best?.count ?? 1;
  }
  return moved;
}

/** Lines that are the same from a place on. */
interface Block {
  /** The index among the added lines. */
  place: number;
  count: number;
  characters: number;
}

function longestOf(blocks: readonly Block[]): Block | undefined {
  return blocks
    .filter(({ characters }) => characters >= fewestCharacters)
    .reduce<Block | undefined>(
      (best, one) => (best && best.characters >= one.characters ? best : one),
      undefined,
    );
}

function blockAt(
  removed: readonly ChangedLine[],
  from: number,
  added: readonly ChangedLine[],
  place: number,
  taken: ReadonlySet<number>,
): Block {
  let count = 0;
  let characters = 0;
  for (;;) {
    const [before, after] = [removed[from + count], added[place + count]];
    if (!before || !after || taken.has(place + count) || !isMoved(before, after)) {
      return { place, count, characters };
    }
    if (!follows(before, removed[from], count) || !follows(after, added[place], count)) {
      return { place, count, characters };
    }
    characters += before.characters;
    count += 1;
  }
}

/** In one change a line has stayed where it was, but for its indentation. */
function isMoved(before: ChangedLine, after: ChangedLine): boolean {
  return before.text === after.text && before.change !== after.change;
}

function follows(line: ChangedLine, first: ChangedLine | undefined, count: number): boolean {
  return line.change === first?.change && line.line === first.line + count;
}

function changedLines(sections: readonly PatchSection[]): { removed: ChangedLine[]; added: ChangedLine[] } {
  const removed: ChangedLine[] = [];
  const added: ChangedLine[] = [];
  let left = longestDiffs;
  let change = 0;
  for (const section of sections) {
    const diff = section.sectionType === 'diff' ? (section.diffPatch ?? '') : '';
    left -= diff.length;
    for (const hunk of left < 0 ? [] : hunksOf(diff)) {
      let [oldLine, newLine] = [hunk.oldStart, hunk.newStart];
      change += 1;
      for (const line of hunk.lines) {
        const { code } = section;
        const text = line.slice(1).trim();
        const characters = text.replaceAll(/[^\p{L}\p{N}]/gu, '').length;
        if (line.startsWith('-')) {
          removed.push({ code, line: oldLine++, text, characters, change });
        } else if (line.startsWith('+')) {
          added.push({ code, line: newLine++, text, characters, change });
        } else if (!line.startsWith('\\')) {
          change += 1;
          oldLine++;
          newLine++;
        }
      }
    }
  }
  return { removed, added };
}

function hunksOf(diff: string): ReturnType<typeof parsePatch>[number]['hunks'] {
  try {
    return parsePatch(diff)[0]?.hunks ?? [];
  } catch {
    // A text that is no diff is shown as it is.
    return [];
  }
}
