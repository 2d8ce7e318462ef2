/**
 * The branches of remotes that have stacks although there are no local ones of their names: what colleagues have pushed lately, as
 * soon as it is fetched, and whatever somebody shares.
 */
import {
  integrationBranchesOf,
  withNewer,
  type BranchList,
  type RemoteBranches,
} from '../../util/branchBases.ts';
import type { ListedBranch } from './branchCommits.ts';
import type { Branch } from './repository.ts';

/** What says which branches of remotes have stacks. */
export interface OthersBranches {
  /** Those that somebody shares: they have one whatever they are. */
  shared: RemoteBranches | undefined;
  /** The time in milliseconds since the epoch. */
  now: number;
}

/** A branch without a commit for this long is not being worked on. */
const recentDays = 14;

/** Beyond this only the newest are shown, of a repository that many people push to. */
const mostBranches = 30;

/** A branch with more commits is another line of development, such as a site's or a fork's, and no stack to be reviewed. */
const mostCommits = 200;

/** Programs that commit have this in their addresses, such as `dependabot[bot]@users.noreply.github.com`. */
const bot = '[bot]@';

/** Where shared reviews are kept at a host that takes only branches. */
const reviews = 'patch-stacks/';

/**
 * Finds the branches that others are working on: those whose last commit somebody else has made, not a program, at most two weeks
 * ago. Not those that are merged into or released from, nor one that a local branch tracks: that is there already.
 *
 * @param now The time in milliseconds since the epoch.
 * @returns Full names, such as `refs/remotes/origin/topic`, the newest first.
 */
export function findRecent(listed: BranchList, now: number): string[] {
  const { locals, remotes, settings } = listed;
  const tracked = new Set(locals.map(({ upstream }) => upstream));
  const integrations = integrationBranchesOf(listed);
  const own = settings.user.email.toLowerCase();
  const oldest = now - recentDays * 24 * 60 * 60 * 1000;
  return remotes
    .filter(
      (branch) =>
        branch.committedAt >= oldest &&
        branch.author.toLowerCase() !== own &&
        !branch.author.includes(bot) &&
        !branch.branch.startsWith(reviews) &&
        !tracked.has(branch.reference) &&
        !integrations.has(branch),
    )
    .sort((one, other) => other.committedAt - one.committedAt)
    .slice(0, mostBranches)
    .map(({ reference }) => reference);
}

/** The full names of the branches that somebody shares. */
export function findShared({ remotes }: BranchList, shared: RemoteBranches | undefined): string[] {
  return remotes
    .filter(({ remote, branch }) => shared && remote === shared.remote && shared.branches.has(branch))
    .map(({ reference }) => reference);
}

/**
 * The branches of a remote of which stacks are shown, or with which they are compared, and those that are shared.
 *
 * @param shared Whatever of the remote has a stack, also what isn't in the repository.
 * @param now The time in milliseconds since the epoch.
 * @returns Their names, with the commits at which they are in the repository; `''` for one that isn't.
 */
export function findWanted(here: BranchList, shared: RemoteBranches, now: number): Map<string, string> {
  const listed = withNewer(here, shared);
  const wanted = new Set([...findShared(listed, shared), ...findRecent(listed, now)]);
  integrationBranchesOf(listed).forEach(({ reference }) => wanted.add(reference));
  const tips = new Map(here.remotes.map(({ reference, tip }) => [reference, tip]));
  const found = new Map([...shared.branches].map((branch) => [branch, '']));
  for (const { remote, branch, reference } of listed.remotes) {
    if (remote === shared.remote && wanted.has(reference)) {
      found.set(branch, tips.get(reference) ?? '');
    }
  }
  return found;
}

/** A branch as it was listed; without its commits where it is too long to be shown unasked. */
export function leaveOutLong<Job extends { branch: Branch; standsAt?: string }>(
  listed: ListedBranch<Job>,
): ListedBranch<Job> {
  const { job, commits } = listed;
  return job.branch.isUnasked && commits.length > mostCommits
    ? { ...listed, commits: [], job: { ...job, standsAt: leftOutAt(job.branch) } }
    : listed;
}

/** What is noted of a branch that was left out in the place of the commit that it stands at: once somebody shares it, it is read. */
export function leftOutAt({ tip }: Branch): string {
  return `left out at ${tip}`;
}
