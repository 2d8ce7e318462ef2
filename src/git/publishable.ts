/** The commits that an open repository's branches are ahead of their bases: only those can be published. */
import { findBases, type Base } from '../util/branchBases.ts';
import type { OpenRepository } from './repository.ts';

/** A branch that is ahead of its base. */
export interface AheadBranch {
  name: string;
  /** The commit that it is compared with. */
  base: string;
  /** The commit it is at. */
  commit: string;
  current: boolean;
}

/** A commit that only a branch has. */
export interface AheadCommit {
  sha: string;
  shortSha: string;
  title: string;
  /** ISO 8601. */
  committedAt: string;
}

/** More commits than this no one looks through; an older one can be pasted. */
const mostCommits = 300;

/** The branches that are ahead of their bases: the one that is checked out first, then those with the newest commits. */
export async function aheadBranches(
  repository: OpenRepository,
  signal?: AbortSignal,
): Promise<AheadBranch[]> {
  const bases = await findBases((args, asked) => repository.git([...args], asked), { signal });
  // A branch that is ahead of itself on a remote only needs to be pushed.
  const isTrunk = (name: string, base: Base): boolean => base.reference.endsWith(`/${name}`);
  const ahead: (AheadBranch & { time: number })[] = [];
  for (const tip of new Set([...bases.values()].map((base) => base.tip))) {
    const format = '--format=%(HEAD)%00%(objectname)%00%(committerdate:unix)%00%(refname:lstrip=2)';
    const printed = await repository.git(
      ['for-each-ref', format, `--no-merged=${tip}`, 'refs/heads'],
      signal,
    );
    for (const line of linesOf(printed)) {
      const [head, commit = '', time, name = ''] = line.split('\0');
      const base = bases.get(name);
      if (base?.tip === tip && !isTrunk(name, base)) {
        ahead.push({ name, commit, base: tip, current: head === '*', time: Number(time) });
      }
    }
  }
  return ahead
    .sort((one, other) => Number(other.current) - Number(one.current) || other.time - one.time)
    .map(({ name, commit, base, current }) => ({ name, commit, base, current }));
}

/** The commits of a branch that its base has not, newest first. */
export async function aheadCommits(
  repository: OpenRepository,
  { commit, base }: Pick<AheadBranch, 'commit' | 'base'>,
  signal?: AbortSignal,
): Promise<AheadCommit[]> {
  const printed = await repository.git(
    ['log', `--max-count=${mostCommits}`, '--format=%H%x00%h%x00%cI%x00%s', commit, `^${base}`, '--'],
    signal,
  );
  return linesOf(printed).map((line) => {
    const [sha = '', shortSha = '', committedAt = '', title = ''] = line.split('\0');
    return { sha, shortSha, title, committedAt };
  });
}

function linesOf(printed: string): string[] {
  return printed.split('\n').filter((line) => line !== '');
}
