/** Tells what an author changed in the text sections of a patch, and in the order of all sections. */
import { diffArrays } from 'diff';
import { compareProse, type WordChange } from '../../util/compareProse.ts';
import type { Verdict } from './fileChange.ts';
import type { VersionSection } from './patchVersion.ts';

/** A section of either version. */
export interface ComparedSection {
  older?: VersionSection | undefined;
  newer?: VersionSection | undefined;
  /** That of a diff section says only whether it is in both versions: what became of its file is told with the files. */
  verdict: Exclude<Verdict, 'rebased' | 'conflict'>;
  /** True when it is at another place among the sections that both versions have. */
  isMoved: boolean;
  /** The words of a text section that changed. */
  words?: WordChange[];
}

/** Beyond that, sections whose order changed are all told as moved. */
const mostMoves = 2000;

/** Pairs of texts that are compared to find which became which, at most: no one waits for more. */
const mostPairs = 10_000;

/** The share of two texts that must be the same for them to be one that was changed; see `isAlike`. */
const mostlySame = 0.5;

/**
 * Compares the sections of two versions.
 *
 * @param pathOf where a file of the older version is in the newer one, if it is there.
 * @returns the newer version's sections in their order, and those that are gone after the section that they came after.
 */
export function compareSections(
  older: readonly VersionSection[],
  newer: readonly VersionSection[],
  pathOf: (path: string) => string | undefined = (path) => path,
): ComparedSection[] {
  const partners = pairSections(older, newer, pathOf);
  const moved = movedSections(older, newer, partners);
  const olderOf = new Map([...partners].map(([one, other]) => [other, one]));
  const compared = newer.map((section): ComparedSection => {
    const one = olderOf.get(section);
    return one
      ? { older: one, newer: section, isMoved: moved.has(section), ...compareSection(one, section) }
      : { newer: section, verdict: 'added', isMoved: false };
  });
  for (const [index, section] of older.entries()) {
    if (!partners.has(section)) {
      const previous = older[index - 1];
      const at = compared.findIndex((each) => each.older !== undefined && each.older === previous);
      compared.splice(at + 1, 0, { older: section, verdict: 'removed', isMoved: false });
    }
  }
  return compared;
}

function compareSection(
  older: VersionSection,
  newer: VersionSection,
): Pick<ComparedSection, 'verdict' | 'words'> {
  return older.kind === 'text' && newer.kind === 'text' && older.text !== newer.text
    ? { verdict: 'changed', words: compareProse(older.text, newer.text) }
    : { verdict: 'same' };
}

/** Finds for each section of the older version the same one in the newer, by what they are called and what they say. */
function pairSections(
  older: readonly VersionSection[],
  newer: readonly VersionSection[],
  pathOf: (path: string) => string | undefined,
): Map<VersionSection, VersionSection> {
  const partners = new Map<VersionSection, VersionSection>();
  const open = new Set(newer);
  const pairBy = (keyOf: (section: VersionSection, isOlder: boolean) => string | undefined): void => {
    const waiting = new Map<string, VersionSection[]>();
    for (const section of open) {
      const key = keyOf(section, false);
      if (key !== undefined) {
        waiting.set(key, [...(waiting.get(key) ?? []), section]);
      }
    }
    for (const section of older) {
      const key = partners.has(section) ? undefined : keyOf(section, true);
      const partner = key === undefined ? undefined : waiting.get(key)?.shift();
      if (partner) {
        partners.set(section, partner);
        open.delete(partner);
      }
    }
  };
  const ofText =
    (key: (section: VersionSection & { kind: 'text' }) => unknown) => (section: VersionSection) =>
      section.kind === 'text' ? JSON.stringify(key(section)) : undefined;
  pairBy((section, isOlder) =>
    section.kind === 'diff' ? (isOlder ? pathOf(section.path) : section.path) : undefined,
  );
  pairBy((section) => (section.kind === 'unknown' ? section.code : undefined));
  pairBy(ofText(({ code, text }) => [code, text]));
  pairBy(ofText(({ text }) => text));
  pairAlike(older, partners, open);
  pairBy(ofText(({ code }) => code));
  return partners;
}

/** Pairs what is left by how much of it is the same, the most alike first; of two that are, the ones with the same code. */
function pairAlike(
  older: readonly VersionSection[],
  partners: Map<VersionSection, VersionSection>,
  open: Set<VersionSection>,
): void {
  const left = older.filter((section) => section.kind === 'text' && !partners.has(section));
  if (left.length * open.size > mostPairs) {
    return;
  }
  const words = new Map([...left, ...open].map((section) => [section, wordCounts(section)]));
  const alike: { one: VersionSection; other: VersionSection; likeness: number }[] = [];
  for (const one of left) {
    for (const other of open) {
      if (one.kind === 'text' && other.kind === 'text') {
        const likeness = likenessOf(words.get(one), words.get(other));
        if (likeness >= mostlySame) {
          alike.push({ one, other, likeness: one.code === other.code ? likeness + 1 : likeness });
        }
      }
    }
  }
  for (const { one, other } of alike.sort((a, b) => b.likeness - a.likeness)) {
    if (!partners.has(one) && open.has(other)) {
      partners.set(one, other);
      open.delete(other);
    }
  }
}

function wordCounts(section: VersionSection): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of section.kind === 'text' ? (section.text.match(/[\p{L}\p{N}]+/gu) ?? []) : []) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** The share of the words that two texts have in common, of the longer one's. */
function likenessOf(
  one: ReadonlyMap<string, number> = new Map(),
  other: ReadonlyMap<string, number> = new Map(),
): number {
  let [same, left, right] = [0, 0, 0];
  one.forEach((count, word) => {
    left += count;
    same += Math.min(count, other.get(word) ?? 0);
  });
  other.forEach((count) => (right += count));
  return same / Math.max(left, right, 1);
}

/** The sections of the newer version that are not where they were: as few as explain the order. */
function movedSections(
  older: readonly VersionSection[],
  newer: readonly VersionSection[],
  partners: ReadonlyMap<VersionSection, VersionSection>,
): Set<VersionSection> {
  const before = older.flatMap((section) => partners.get(section) ?? []);
  const staying = new Set(before);
  const after = newer.filter((section) => staying.has(section));
  const changes = diffArrays(before, after, { maxEditLength: mostMoves });
  if (!changes) {
    return new Set(after.filter((section, index) => before[index] !== section));
  }
  return new Set(changes.flatMap(({ added, value }) => (added ? value : [])));
}
