/** Finds what somebody has read in another version of a stack, wherever it is there. */
import { isChangePrint, isTellingPrint, type HunkPrint } from './hunks.ts';

/** The ways in which a person has read a hunk. */
export interface Mark {
  /** It was on the screen for a second. */
  seen: boolean;
  /** They ticked it. */
  viewed: boolean;
}

/** A hunk, and what somebody has done with it. */
export interface MarkedHunk {
  print: HunkPrint;
  mark: Mark;
}

/** The mark of a hunk that no one has read. */
export const unread: Mark = { seen: false, viewed: false };

/** True for a hunk that was seen or viewed. */
export function isRead({ mark }: MarkedHunk): boolean {
  return mark.seen || mark.viewed;
}

/** Pairs of hunks with the same lines that are told apart by their surroundings, at most. When there are more, none of them is. */
const mostPairs = 20_000;

/** Two hunks with the same lines, and how well they go together: the larger, the better. */
interface Likeness {
  older: MarkedHunk;
  newer: HunkPrint;
  likeness: number;
}

/**
 * Carries marks to the hunks of another version: through rebase, reorder, split, squash and rename, across files and patches of
 * the stack. Where hunks cannot be told apart, all of them count as read only if all were.
 *
 * @param older every hunk of the version that was read, also those that were not.
 * @returns the mark of each newer hunk.
 */
export function carryMarks(older: readonly MarkedHunk[], newer: readonly HunkPrint[]): Mark[] {
  const marks = new Map<HunkPrint, Mark>();
  const waiting = new Map<string, { older: MarkedHunk[]; newer: HunkPrint[] }>();
  const groupOf = ({ path, lines }: HunkPrint): { older: MarkedHunk[]; newer: HunkPrint[] } => {
    const key = `${path === '' ? 'text' : 'diff'} ${lines}`;
    const group = waiting.get(key) ?? { older: [], newer: [] };
    waiting.set(key, group);
    return group;
  };
  newer.forEach((print) => groupOf(print).newer.push(print));
  older.forEach((hunk) => groupOf(hunk.print).older.push(hunk));
  for (const group of waiting.values()) {
    if (group.newer.length > 0 && group.older.some(({ mark }) => mark.seen || mark.viewed)) {
      carryInGroup(group, marks);
    }
  }
  return newer.map((print) => marks.get(print) ?? unread);
}

/** Those that go together best get each other first. */
function carryInGroup(
  group: { older: readonly MarkedHunk[]; newer: readonly HunkPrint[] },
  marks: Map<HunkPrint, Mark>,
): void {
  if (group.older.length * group.newer.length > mostPairs) {
    return;
  }
  const [older, newer] = [group.older[0], group.newer[0]];
  if (older && newer && group.older.length + group.newer.length === 2) {
    // Mostly there is but one of each, and there may be thousands.
    if (likenessOf(older.print, newer) !== undefined) {
      marks.set(newer, older.mark);
    }
    return;
  }
  const classes = new Map<number, Likeness[]>();
  for (const older of group.older) {
    for (const newer of group.newer) {
      const likeness = likenessOf(older.print, newer);
      if (likeness !== undefined) {
        classes.set(likeness, [...(classes.get(likeness) ?? []), { older, newer, likeness }]);
      }
    }
  }
  const [done, given] = [new Set<MarkedHunk>(), new Set<HunkPrint>()];
  for (const likeness of [...classes.keys()].sort((a, b) => b - a)) {
    const pairs = (classes.get(likeness) ?? []).filter(
      ({ older, newer }) => !done.has(older) && !given.has(newer),
    );
    for (const { olders, newers } of connected(pairs)) {
      olders.forEach((older) => done.add(older));
      newers.forEach((newer) => given.add(newer));
      if (newers.size <= olders.size) {
        const all = [...olders].map(({ mark }) => mark);
        const mark = { seen: all.every(({ seen }) => seen), viewed: all.every(({ viewed }) => viewed) };
        newers.forEach((newer) => marks.set(newer, mark));
      }
    }
  }
}

/** The hunks that cannot be told apart, in sets. */
function connected(pairs: readonly Likeness[]): { olders: Set<MarkedHunk>; newers: Set<HunkPrint> }[] {
  let sets: { olders: Set<MarkedHunk>; newers: Set<HunkPrint> }[] = [];
  for (const { older, newer } of pairs) {
    const touched = sets.filter(({ olders, newers }) => olders.has(older) || newers.has(newer));
    sets = [
      ...sets.filter((set) => !touched.includes(set)),
      {
        olders: new Set([older, ...touched.flatMap(({ olders }) => [...olders])]),
        newers: new Set([newer, ...touched.flatMap(({ newers }) => [...newers])]),
      },
    ];
  }
  return sets;
}

/** The likeness of a hunk and one with the same lines: the larger, the better. Undefined when it may well be another one. */
function likenessOf(older: HunkPrint, newer: HunkPrint): number | undefined {
  const isSamePath = older.path === newer.path;
  const isSamePatch = older.patch === newer.patch;
  const [before, after] = [alike(older.before, newer.before), alike(older.after, newer.after)];
  const isAlone = [older, newer].every((print) => print.before.length === 0 && print.after.length === 0);
  // Nothing is around a text, nor around all of a file.
  const isSame = isAlone
    ? isSamePath || newer.isTelling
    : (before.isNext && after.isNext && before.telling + after.telling > 0) ||
      before.isWhole ||
      after.isWhole ||
      (isSamePath && newer.isTelling && before.telling + after.telling > 1);
  return isSame ? 2 * (before.count + after.count) + (isSamePath ? 5 : 0) + (isSamePatch ? 3 : 0) : undefined;
}

/** Compares the lines next to two hunks on one side, the nearest first. */
function alike(
  one: readonly string[],
  other: readonly string[],
): { count: number; telling: number; isNext: boolean; isWhole: boolean } {
  let next = 0;
  while (next < one.length && next < other.length && one[next] === other[next]) {
    next += 1;
  }
  const shared = one.filter((print) => other.includes(print));
  const telling = shared.filter(isTellingPrint).length;
  // The end of a diff, or the beginning of another change, contradicts nothing.
  const isOver =
    next === Math.min(one.length, other.length) ||
    [one[next], other[next]].some((print) => print && isChangePrint(print));
  return {
    count: shared.length,
    telling,
    isNext: next > 0 || isOver,
    isWhole: isOver && next > 1 && telling > 0,
  };
}
