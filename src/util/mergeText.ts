import { diff3Merge } from 'node-diff3';
import { atOnce, type Steps } from './inTurns.ts';

/** A part of a text that two people changed: merged, or with what it was before (`o`) and what each made of it. */
interface Region {
  ok?: string[];
  conflict?: { o: string[]; a: string[]; b: string[] };
}

type TextMerge = { kind: 'merged'; text: string } | { kind: 'conflict' };

/** So many pairs of equal pieces are compared at once: twice as many take six times as long, and this many 50 ms. */
const mostPairs = 100_000;
/** Pieces of the three texts that are looked at for such pairs, without those that all have at both ends. */
const mostPieces = 100_000;

/** What may still be compared, for one text or several. */
export interface MergeBudget {
  /** Pairs of equal pieces. */
  pairs: number;
}

/**
 * Joins two changes of one text: line by line, and where both changed the same lines, word by word. The lines end as in
 * their text. Where nearly everything differs in a text of many thousand words, that is a conflict.
 */
export function mergeText(base: string, mine: string, theirs: string): TextMerge {
  return atOnce(mergingText(base, mine, theirs));
}

/** The same in short steps. */
export function* mergingText(
  base: string,
  mine: string,
  theirs: string,
  budget: MergeBudget = { pairs: 5 * mostPairs },
): Steps<TextMerge> {
  if (mine === theirs || theirs === base) {
    return { kind: 'merged', text: mine };
  }
  if (mine === base) {
    return { kind: 'merged', text: theirs };
  }
  const merged: string[] = [];
  yield;
  for (const { ok = [], conflict } of merge3(lines(base), lines(mine), lines(theirs), budget)) {
    yield;
    const inner = conflict
      ? merge3(words(conflict.o), words(conflict.a), words(conflict.b), budget)
      : [{ ok }];
    if (inner.some((piece) => piece.conflict)) {
      return { kind: 'conflict' };
    }
    merged.push(...inner.flatMap((piece) => piece.ok ?? []));
  }
  const text = merged.join('');
  return { kind: 'merged', text: theirs.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text };
}

function merge3(base: string[], mine: string[], theirs: string[], budget: MergeBudget): Region[] {
  const least = Math.min(base.length, mine.length, theirs.length);
  const isCommon = (place: number): boolean =>
    base.at(place) === mine.at(place) && base.at(place) === theirs.at(place);
  let start = 0;
  while (start < least && isCommon(start)) {
    start++;
  }
  let end = 0;
  while (end < least - start && isCommon(-1 - end)) {
    end++;
  }
  const middle = (all: readonly string[]): string[] => all.slice(start, all.length - end);
  const [o, a, b] = [middle(base), middle(mine), middle(theirs)];
  return [
    { ok: base.slice(0, start) },
    ...(o.length + a.length + b.length > mostPieces
      ? [{ conflict: { o, a, b } }]
      : (mergeSoon(o, a, b, budget) ??
        mergeSoon(tellApart(o), tellApart(a), tellApart(b), budget)?.map(withoutContext) ?? [
          { conflict: { o, a, b } },
        ])),
    { ok: base.slice(base.length - end) },
  ];
}

/** Merges two changes of a list; nothing where that would take too long. */
function mergeSoon(o: string[], a: string[], b: string[], budget: MergeBudget): Region[] | undefined {
  const count = pairs(o, a) + pairs(o, b);
  if (count > Math.min(mostPairs, budget.pairs)) {
    return undefined;
  }
  budget.pairs -= count;
  return diff3Merge(a, o, b, { excludeFalseConflicts: true });
}

/**
 * Tells pieces that are equal apart by what stands before them: hundreds of empty lines are each one of their own then. A piece
 * behind one that was changed counts as changed, too.
 */
function tellApart(pieces: readonly string[]): string[] {
  let before = '';
  return pieces.map((piece) => {
    const told = `${piece.length}:${piece}${before}`;
    before = piece.trim() === '' ? before : piece;
    return told;
  });
}

function withoutContext({ ok = [], conflict }: Region): Region {
  const plain = (all: readonly string[]): string[] =>
    all.map((told) => {
      const begin = told.indexOf(':') + 1;
      return told.slice(begin, begin + Number.parseInt(told, 10));
    });
  return conflict
    ? { conflict: { o: plain(conflict.o), a: plain(conflict.a), b: plain(conflict.b) } }
    : { ok: plain(ok) };
}

/** The number of pairs of equal pieces: it takes that long, or longer, to find what two lists have in common. */
function pairs(one: readonly string[], other: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const piece of one) {
    counts.set(piece, (counts.get(piece) ?? 0) + 1);
  }
  return other.reduce((sum, piece) => sum + (counts.get(piece) ?? 0), 0);
}

/** The lines of a text with their ends, so that joining them gives it back. */
function lines(text: string): string[] {
  return text.replaceAll('\r\n', '\n').split(/(?<=\n)/);
}

function words(parts: string[]): string[] {
  return parts.join('').split(/(\s+)/);
}
