/**
 * What the commits of a stack are called among those who share it. All come to the same, for it depends on the commits and on what was said
 * alone: a commit's author knows best which change it is a version of, and otherwise whoever said it first.
 */
import { isAfter, type Clock } from './clock.ts';

/** A name that somebody gave a commit. */
export interface GivenName {
  person: string;
  change: string;
  /** When they first did. */
  clock: Clock;
  id: string;
}

/** A commit of a stack. */
export interface StackCommit {
  commit: string;
  /** The change that it is a version of here. */
  change: string;
  /** The person who wrote it. */
  author: string;
  /** Milliseconds since the epoch. */
  authoredAt: number;
}

/** Gives the names of a commit. */
export type NamesOf = (commit: string) => readonly GivenName[];

/** The names of the commits of a stack, base to tip: each has another one, for what is said of one is not said of the other. */
export function nameCommits(commits: readonly StackCommit[], namesOf: NamesOf): Map<string, string> {
  const given = commits.flatMap((commit) =>
    namesOf(commit.commit).map((name) => ({ ...name, commit: commit.commit, rank: rankOf(name, commit) })),
  );
  const names = new Map<string, string>();
  // A commit that nobody has named is called by its own name, which is therefore no other one's.
  const taken = new Set(commits.map(({ commit }) => commit));
  for (const { commit, change } of given.sort(compare)) {
    if (!names.has(commit) && !taken.has(change)) {
      names.set(commit, change);
      taken.add(change);
    }
  }
  return new Map(commits.map(({ commit }) => [commit, names.get(commit) ?? commit]));
}

/**
 * The commits whose names this person has still to say: those that have none, or only some that others took, and one's own that somebody else
 * has called something else.
 */
export function unsaidNames(
  commits: readonly StackCommit[],
  namesOf: NamesOf,
  person: string,
): StackCommit[] {
  const names = nameCommits(commits, namesOf);
  return commits.filter(({ commit, change, author }) => {
    const name = names.get(commit);
    const given = namesOf(commit);
    return name === commit
      ? !given.some((one) => one.change === change)
      : name !== change && author === person && !given.some((one) => one.person === person);
  });
}

/** The less the better. Nobody can name a commit before it was written: such a clock was wrong. */
function rankOf({ person, clock }: GivenName, { author, authoredAt }: StackCommit): number {
  return person === author ? 0 : clock[0] >= authoredAt ? 1 : 2;
}

interface Ranked extends GivenName {
  rank: number;
}

function compare(one: Ranked, other: Ranked): number {
  if (one.rank !== other.rank) {
    return one.rank - other.rank;
  }
  if (isAfter(one.clock, other.clock) || isAfter(other.clock, one.clock)) {
    return isAfter(one.clock, other.clock) ? 1 : -1;
  }
  // The sort is stable: of what one operation says twice, the commit nearer the base has it.
  return one.id === other.id ? 0 : one.id < other.id ? -1 : 1;
}
