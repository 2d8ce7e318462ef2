/** Finds which patches came of others that their author has split since somebody read them. */
import { isRead } from './carryMarks.ts';
import { hunksOf, type HunkPrint } from './hunks.ts';
import type { PatchVersion } from './patchVersion.ts';
import type { StackRecord } from './readingRecords.ts';

/** The share of a patch that must come from another one for it to be split from that. */
const mostOf = 0.5;

type Counts = Map<string, number>;

/** A patch that nobody has read under its change id, and how much of it was in one that was read. */
interface Part {
  patch: PatchVersion;
  from: string;
  shared: number;
}

/**
 * The patches that were split from others, with what those are called now.
 *
 * @param current all patches of the stack as they are now.
 */
export function splitSources(
  { patches, elsewhere }: StackRecord,
  current: readonly PatchVersion[],
): ReadonlyMap<PatchVersion, string> {
  const known = new Set(patches.map(({ changeId }) => changeId));
  const strangers = current.filter(({ changeId }) => !known.has(changeId));
  if (strangers.length === 0) {
    return new Map();
  }
  const read = [...patches.flatMap(({ hunks }) => hunks), ...elsewhere].filter(isRead);
  const given = new Map<string, Counts>();
  for (const { print } of read) {
    const counts = given.get(print.patch) ?? new Map<string, number>();
    given.set(print.patch, counts);
    count(counts, print, 1);
  }
  const byId = new Map(current.map((patch) => [patch.changeId, patch]));
  for (const [changeId, counts] of given) {
    // A patch has given away nothing that it still has.
    const there = byId.get(changeId);
    (there ? hunksOf(there) : []).forEach((print) => count(counts, print, -1));
  }
  const parts = strangers.flatMap((patch) => partOf(patch, given) ?? []);
  const found = new Map<PatchVersion, string>();
  for (const { patch, from } of parts) {
    const heir = byId.get(from) ?? heirOf(from, parts);
    if (heir && heir !== patch) {
      found.set(patch, heir.title);
    }
  }
  return found;
}

/** The patch that most of this one comes from; undefined when that wasn't read. */
function partOf(
  patch: PatchVersion,
  given: ReadonlyMap<string, ReadonlyMap<string, number>>,
): Part | undefined {
  const own: Counts = new Map();
  hunksOf(patch).forEach((print) => count(own, print, 1));
  const size = [...own.values()].reduce((sum, each) => sum + each, 0);
  let best: Part | undefined;
  for (const [from, counts] of given) {
    let shared = 0;
    own.forEach((times, lines) => (shared += Math.min(times, Math.max(0, counts.get(lines) ?? 0))));
    if (shared > 0 && shared >= mostOf * size && shared > (best?.shared ?? 0)) {
      best = { patch, from, shared };
    }
  }
  return best;
}

/** The patch that goes on with one whose change id is gone: the part that has most of it. */
function heirOf(changeId: string, parts: readonly Part[]): PatchVersion | undefined {
  return parts
    .filter(({ from }) => from === changeId)
    .reduce<Part | undefined>((most, part) => (part.shared > (most?.shared ?? 0) ? part : most), undefined)
    ?.patch;
}

/** Counts a hunk of a file that says something: what says nothing is everywhere, and who splits a patch writes new texts. */
function count(counts: Counts, { path, lines, isTelling }: HunkPrint, by: number): void {
  if (isTelling && path !== '') {
    counts.set(lines, (counts.get(lines) ?? 0) + by);
  }
}
