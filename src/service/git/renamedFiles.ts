/** Finds the files that were renamed when a commit was amended: they are the same to a reader, and keep their place. */
import type { SectionRow } from '../storage/sections.ts';

/** The share of its lines, at least, that a file has in common with the one it was before. */
const sameLines = 0.5;
/** Characters of a diff that are compared. */
const comparedCharacters = 200_000;

/**
 * Pairs the files that one version of a patch has with those that only the next one has: by what they contain, by what they
 * were before the commit, and by what it changes in them.
 *
 * @param diffOf Reads a unified diff.
 * @returns The codes of the files of the version before, each with the code that the file has now.
 */
export function pairRenamed(
  before: readonly SectionRow[],
  now: readonly SectionRow[],
  diffOf: (sha: string) => string | undefined,
): Map<string, string> {
  const codes = (sections: readonly SectionRow[]) => new Set(sections.map(({ code }) => code));
  const [codesBefore, codesNow] = [codes(before), codes(now)];
  const gone = new Set(before.filter((file) => file.section_type === 'diff' && !codesNow.has(file.code)));
  const came = new Set(now.filter((file) => file.section_type === 'diff' && !codesBefore.has(file.code)));
  const pairs = new Map<string, string>();
  const pair = (isSame: (one: SectionRow, other: SectionRow) => boolean): void => {
    for (const one of gone) {
      const other = [...came].find((candidate) => isSame(one, candidate));
      if (other) {
        pairs.set(one.code, other.code);
        gone.delete(one);
        came.delete(other);
      }
    }
  };
  pair((one, other) => one.new_file_sha !== null && one.new_file_sha === other.new_file_sha);
  pair((one, other) => one.base_file_sha !== null && one.base_file_sha === other.base_file_sha);
  const lines = new Map<SectionRow, string[]>();
  const linesOf = (file: SectionRow): string[] => {
    const known = lines.get(file) ?? changedLines(file.diff_sha === null ? undefined : diffOf(file.diff_sha));
    lines.set(file, known);
    return known;
  };
  pair((one, other) => likeness(linesOf(one), linesOf(other)) >= sameLines);
  return pairs;
}

function changedLines(diff = ''): string[] {
  return diff
    .slice(0, comparedCharacters)
    .split('\n')
    .filter((line) => /^[-+](?![-+]{2} )./.test(line));
}

/** The part of the lines that two files have in common. */
function likeness(some: readonly string[], others: readonly string[]): number {
  const left = new Map<string, number>();
  others.forEach((line) => left.set(line, (left.get(line) ?? 0) + 1));
  let same = 0;
  for (const line of some) {
    const count = left.get(line) ?? 0;
    if (count > 0) {
      left.set(line, count - 1);
      same++;
    }
  }
  return same / Math.max(some.length, others.length, 1);
}
