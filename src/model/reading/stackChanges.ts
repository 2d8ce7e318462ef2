/** Tells what became of each patch of a stack between two of its versions: nothing that went, came, moved or was put elsewhere is left out. */
import { changesIn, isTellingLine } from './hunks.ts';
import type { Outcome, VersionPair } from './outcome.ts';
import { pairPatches, type PatchPair } from './pairPatches.ts';
import type { PatchVersion } from './patchVersion.ts';
import type { StackChange } from './stackChange.ts';

/** A patch in its version of the stack. */
export interface PlacedVersion extends PatchVersion {
  /** Set where no more than its title is to be had. */
  isMissing?: true;
}

/**
 * See the module.
 *
 * @param compare says what became of the patches that both versions have, in their order.
 * @returns the newer version's patches in their order, and those that are gone where they were among them.
 */
export async function stackChanges(
  older: readonly PlacedVersion[],
  newer: readonly PlacedVersion[],
  compare: (pairs: readonly VersionPair[]) => Promise<readonly Outcome[]>,
): Promise<StackChange[]> {
  const pairs = pairPatches(older, newer);
  const [olderPlaces, newerPlaces] = [placesOf(older), placesOf(newer)];
  const missing = new Set<Side>([...older, ...newer].filter((patch) => patch.isMissing));
  const isMissing = (pair: PatchPair): boolean => missing.has(pair.older) || missing.has(pair.newer);
  // Nobody knows which lines came or went where not all of them are to be had.
  const lines = movedLines(pairs.filter((pair) => !isMissing(pair)));
  const parts = new Map<Side, number[]>();
  const joined = new Map<Side, number[]>();
  for (const { older: before, newer: now, splitFrom, squashedInto } of pairs) {
    note(parts, splitFrom, newerPlaces.get(now));
    note(joined, squashedInto, olderPlaces.get(before));
  }
  const inBoth = pairs.flatMap(({ older: before, newer: now }): VersionPair[] =>
    before && now && !missing.has(before) && !missing.has(now) ? [[before, now]] : [],
  );
  const compared = await compare(inBoth);
  const outcomes = new Map<Side, Outcome | undefined>(inBoth.map(([, now], index) => [now, compared[index]]));
  const changes: StackChange[] = [];
  for (const pair of pairs) {
    const [before, now] = [olderPlaces.get(pair.older), newerPlaces.get(pair.newer)];
    const outcome: Outcome | undefined =
      pair.older && pair.newer && isMissing(pair)
        ? { since: 'unknown', isCertain: true }
        : outcomes.get(pair.newer);
    const splitFrom = olderPlaces.get(pair.splitFrom);
    const joinedInto = newerPlaces.get(pair.squashedInto);
    const joinedFrom = joined.get(pair.newer) ?? [];
    changes.push({
      ...(before !== undefined && { older: before }),
      ...(now !== undefined && { newer: now }),
      ...(outcome && { outcome }),
      isMoved: pair.isMoved,
      splitInto: parts.get(pair.older) ?? [],
      ...(splitFrom !== undefined && { splitFrom }),
      ...(joinedInto !== undefined && { joinedInto }),
      joinedFrom,
      movedFrom: [...(lines.get(pair.newer) ?? [])].flatMap(([from, count]) => {
        const place = olderPlaces.get(from);
        // Of one that was split or joined, that is said already.
        return place === undefined || place === splitFrom || joinedFrom.includes(place)
          ? []
          : [{ older: place, lines: count }];
      }),
    });
  }
  return inPlace(changes);
}

type Side = PatchVersion | undefined;

function placesOf(patches: readonly PatchVersion[]): Map<Side, number> {
  return new Map(patches.map((patch, place) => [patch, place]));
}

function note(places: Map<Side, number[]>, of: Side, place: number | undefined): void {
  if (of && place !== undefined) {
    places.set(of, [...(places.get(of) ?? []), place]);
  }
}

/** Those that are gone come after the one that was before them. */
function inPlace(changes: readonly StackChange[]): StackChange[] {
  const after = new Map<number, StackChange[]>();
  const there = new Set(changes.flatMap(({ older, newer }) => (newer === undefined ? [] : (older ?? []))));
  for (const change of changes) {
    if (change.newer === undefined) {
      let before = (change.older ?? 0) - 1;
      while (before >= 0 && !there.has(before)) {
        before -= 1;
      }
      after.set(before, [...(after.get(before) ?? []), change]);
    }
  }
  return [
    ...(after.get(-1) ?? []),
    ...changes
      .filter(({ newer }) => newer !== undefined)
      .flatMap((change) => [change, ...(after.get(change.older ?? NaN) ?? [])]),
  ];
}

type Lines = Map<string, number>;

/** The number of lines that newer patches have got from older ones that have them no longer. */
function movedLines(pairs: readonly PatchPair[]): Map<Side, Map<PatchVersion, number>> {
  const given = new Map<string, { from: PatchVersion; count: number }[]>();
  const got = new Map<PatchVersion, Lines>();
  for (const { older, newer } of pairs) {
    const [before, now] = [linesOf(older), linesOf(newer)];
    if (older) {
      without(before, now).forEach((count, line) => {
        given.set(line, [...(given.get(line) ?? []), { from: older, count }]);
      });
    }
    if (newer) {
      got.set(newer, without(now, before));
    }
  }
  const moved = new Map<Side, Map<PatchVersion, number>>();
  got.forEach((lines, patch) => {
    const sources = new Map<PatchVersion, number>();
    lines.forEach((count, line) => {
      let wanted = count;
      for (const source of given.get(line) ?? []) {
        const taken = Math.min(wanted, source.count);
        source.count -= taken;
        wanted -= taken;
        if (taken > 0) {
          sources.set(source.from, (sources.get(source.from) ?? 0) + taken);
        }
      }
    });
    moved.set(patch, sources);
  });
  return moved;
}

/** The lines that a patch adds and removes, each with its file: those that say something, for the others are everywhere. */
function linesOf(patch: Side): Lines {
  const counts: Lines = new Map();
  for (const { path, diff = '' } of patch?.files ?? []) {
    for (const line of changesIn(diff).flatMap((change) => change?.lines ?? [])) {
      if (isTellingLine(line)) {
        const key = `${path}\n${line}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
  }
  return counts;
}

function without(lines: Lines, others: Lines): Lines {
  return new Map(
    [...lines].flatMap(([line, count]): [string, number][] => {
      const left = count - (others.get(line) ?? 0);
      return left > 0 ? [[line, left]] : [];
    }),
  );
}
