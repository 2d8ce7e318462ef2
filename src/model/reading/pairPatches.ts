/** Finds for each patch of one version of a stack what became of it in another, as `git range-diff` does. */
import { diffArrays } from 'diff';
import type { PatchVersion } from './patchVersion.ts';

/** A patch of either version of a stack. */
export interface PatchPair {
  older?: PatchVersion;
  newer?: PatchVersion;
  /** True when it is at another place among the patches that both versions have. */
  isMoved: boolean;
  /** Of a new patch: the older one that most of it comes from. */
  splitFrom?: PatchVersion;
  /** Of a patch that is gone: the newer one that most of it went into. */
  squashedInto?: PatchVersion;
}

/** The share of two patches that must be the same for them to be one. */
const mostlySame = 0.5;

type LineCounts = ReadonlyMap<string, number>;

/**
 * Pairs the patches of two versions of a stack: by their change ids, and what is left by what they do.
 *
 * @returns the newer version's patches in their order, then those that are gone.
 */
export function pairPatches(older: readonly PatchVersion[], newer: readonly PatchVersion[]): PatchPair[] {
  const partners = new Map<PatchVersion, PatchVersion>();
  const byId = new Map(newer.map((patch) => [patch.changeId, patch]));
  for (const patch of older) {
    const partner = byId.get(patch.changeId);
    if (partner) {
      partners.set(patch, partner);
      byId.delete(patch.changeId);
    }
  }
  const open = new Set(byId.values());
  const left = new Set(older.filter((patch) => !partners.has(patch)));
  const lines = new Map([...older, ...newer].map((patch) => [patch, lazyLines(patch)]));
  const linesOf = (patch: PatchVersion | undefined): LineCounts => (patch && lines.get(patch)?.()) ?? noLines;
  pairByContent(left, open, linesOf, partners);
  const olderOf = new Map([...partners].map(([one, other]) => [other, one]));
  const before = older.flatMap((patch) => partners.get(patch) ?? []);
  const after = newer.filter((patch) => olderOf.has(patch));
  const moved = new Set(diffArrays(before, after).flatMap(({ added, value }) => (added ? value : [])));
  return [
    ...newer.map((patch): PatchPair => {
      const partner = olderOf.get(patch);
      if (partner) {
        return { older: partner, newer: patch, isMoved: moved.has(patch) };
      }
      const source = mostOf(linesOf(patch), older, (one) => [linesOf(one), linesOf(partners.get(one))]);
      return { newer: patch, isMoved: false, ...(source && { splitFrom: source }) };
    }),
    ...older
      .filter((patch) => !partners.has(patch))
      .map((patch): PatchPair => {
        const into = mostOf(linesOf(patch), newer, (one) => [linesOf(one), linesOf(olderOf.get(one))]);
        return { older: patch, isMoved: false, ...(into && { squashedInto: into }) };
      }),
  ];
}

/** Pairs the most alike first; of those that are as much so, the ones with the same title. */
function pairByContent(
  left: Set<PatchVersion>,
  open: Set<PatchVersion>,
  linesOf: (patch: PatchVersion) => LineCounts,
  partners: Map<PatchVersion, PatchVersion>,
): void {
  const alike: { one: PatchVersion; other: PatchVersion; likeness: number }[] = [];
  for (const one of left) {
    for (const other of open) {
      const [a, b] = [linesOf(one), linesOf(other)];
      const size = Math.max(sizeOf(a), sizeOf(b));
      const isTitled = one.title !== '' && one.title === other.title;
      const likeness = size === 0 ? (isTitled ? 1 : 0) : sharedLines(a, b) / size;
      if (likeness >= mostlySame) {
        alike.push({ one, other, likeness: isTitled ? likeness + 0.1 : likeness });
      }
    }
  }
  for (const { one, other } of alike.sort((a, b) => b.likeness - a.likeness)) {
    if (left.has(one) && open.has(other)) {
      partners.set(one, other);
      left.delete(one);
      open.delete(other);
    }
  }
}

/** The patch that has most of these lines where its other version does not have them; undefined when none has half. */
function mostOf(
  lines: LineCounts,
  patches: readonly PatchVersion[],
  versionsOf: (patch: PatchVersion) => [LineCounts, LineCounts],
): PatchVersion | undefined {
  let best: { patch: PatchVersion; shared: number } | undefined;
  for (const patch of patches) {
    const [there, elsewhere] = versionsOf(patch);
    const shared = sharedLines(lines, there, elsewhere);
    if (shared > 0 && shared >= mostlySame * sizeOf(lines) && shared > (best?.shared ?? 0)) {
      best = { patch, shared };
    }
  }
  return best?.patch;
}

const noLines: LineCounts = new Map();

/** Counts of added and of removed lines. Lines without a letter or digit say nothing, and are left out. */
function changedLines({ files }: PatchVersion): LineCounts {
  const counts = new Map<string, number>();
  for (const { diff = '' } of files) {
    let isInHunk = false;
    for (const line of diff.split('\n')) {
      isInHunk ||= line.startsWith('@@ ');
      if (isInHunk && (line.startsWith('+') || line.startsWith('-')) && /[\p{L}\p{N}]/u.test(line)) {
        counts.set(line, (counts.get(line) ?? 0) + 1);
      }
    }
  }
  return counts;
}

/** Reads the lines when they are first asked for: of most patches nobody asks. */
function lazyLines(patch: PatchVersion): () => LineCounts {
  let lines: LineCounts | undefined;
  return () => (lines ??= changedLines(patch));
}

function sizeOf(lines: LineCounts): number {
  let size = 0;
  lines.forEach((count) => (size += count));
  return size;
}

/** The number of lines that both have, without those that a third one has, too. */
function sharedLines(one: LineCounts, other: LineCounts, without: LineCounts = noLines): number {
  let shared = 0;
  one.forEach((count, line) => {
    shared += Math.min(count, Math.max(0, (other.get(line) ?? 0) - (without.get(line) ?? 0)));
  });
  return shared;
}
