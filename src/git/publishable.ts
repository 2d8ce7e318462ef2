/** What the branches of an open repository have that the default branch has not: that alone can be published. */
import type { OpenRepository } from './repository.ts';

/** A branch that is ahead of the default branch. */
export interface AheadBranch {
  name: string;
  /** The commit it is at. */
  commit: string;
  /** Whether it is checked out. */
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

/** The branches that are ahead of the default branch: the one that is checked out first, then those with the newest commits. */
export async function aheadBranches(
  repository: OpenRepository,
  signal?: AbortSignal,
): Promise<{ base: string | undefined; branches: AheadBranch[] }> {
  const base = await defaultBranch(repository, signal);
  const printed = await repository.git(
    [
      'for-each-ref',
      '--sort=-committerdate',
      '--format=%(HEAD)%00%(objectname)%00%(refname:lstrip=2)',
      ...(base === undefined ? [] : [`--no-merged=${base}`]),
      'refs/heads',
    ],
    signal,
  );
  const branches = linesOf(printed).map((line) => {
    const [head, commit = '', name = ''] = line.split('\0');
    return { name, commit, current: head === '*' };
  });
  const others = branches.filter(({ name }) => base === undefined || name !== nameOf(base));
  return { base, branches: others.sort((one, other) => Number(other.current) - Number(one.current)) };
}

/** The commits of a branch that the default branch has not, newest first. */
export async function aheadCommits(
  repository: OpenRepository,
  commit: string,
  base: string | undefined,
  signal?: AbortSignal,
): Promise<AheadCommit[]> {
  const printed = await repository.git(
    [
      'log',
      `--max-count=${mostCommits}`,
      '--format=%H%x00%h%x00%cI%x00%s',
      commit,
      ...(base === undefined ? [] : [`^${base}`]),
      '--',
    ],
    signal,
  );
  return linesOf(printed).map((line) => {
    const [sha = '', shortSha = '', committedAt = '', title = ''] = line.split('\0');
    return { sha, shortSha, title, committedAt };
  });
}

/** What branches are compared with: what the remote says, else what it is mostly called; undefined when there is none. */
async function defaultBranch(repository: OpenRepository, signal?: AbortSignal): Promise<string | undefined> {
  const ask = async (...args: string[]): Promise<string | undefined> =>
    (await repository.git(args, signal).catch(() => '')).trim() || undefined;
  const configured = await ask('config', '--get', 'init.defaultBranch');
  const candidates = [
    await ask('symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD'),
    'refs/heads/main',
    'refs/heads/master',
    configured && `refs/heads/${configured}`,
  ];
  for (const candidate of candidates) {
    if (candidate && (await ask('rev-parse', '--verify', '--quiet', `${candidate}^{commit}`))) {
      return candidate;
    }
  }
  return undefined;
}

function nameOf(reference: string): string {
  return reference.replace(/^refs\/(?:heads|remotes\/[^/]+)\//, '');
}

function linesOf(printed: string): string[] {
  return printed.split('\n').filter((line) => line !== '');
}
