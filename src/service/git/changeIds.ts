import { createHash } from 'node:crypto';
import type { Commit } from './commits.ts';

/** A commit to be named, with what its diff is called. */
export interface UnnamedCommit extends Commit {
  patchSha: string;
}

/** A patch that was imported before. */
export interface KnownPatch {
  changeId: string;
  commitSha: string;
  patchSha: string;
  authorKey: string;
  title: string;
}

/** What is known about a commit from every branch that was imported before. */
export interface KnownPatches {
  /** The patches of the branch's latest version, base to tip. */
  branch: readonly KnownPatch[];
  /** The change ids of this very commit, on whatever branch. */
  ofCommit(sha: string): readonly string[];
  /** The change ids of patches with this author, author date and title, on whatever branch. */
  ofAuthorAndTitle(authorKey: string, title: string): readonly string[];
}

/** The author's address and the author date in seconds: amending and rebasing keep both. */
export function authorKeyOf(commit: Commit): string {
  return `${commit.author.email} ${commit.authorTime}`;
}

/**
 * Gives each commit of a branch the id of the change it is a version of.
 *
 * Whoever amends, rebases, reorders, splits or squashes commits gives them new SHAs, so a commit is recognised by the
 * first of these that it shares with a patch imported before, and that no other commit of the branch has taken:
 * 1. its `Change-Id` trailer,
 * 2. its SHA,
 * 3. author, author date and title: rebased, or amended without a new title,
 * 4. author and author date, where only one commit and one patch of the branch are left with them: a new title,
 * 5. what it changes: picked or committed anew with another date,
 * 6. its title, where only one commit and one patch of the branch are left with it: written anew.
 *
 * A commit that shares nothing is a new change. Its id is derived from author, author date and title, so that
 * importing into an empty database names it the same way again; from the SHA too where that id is taken.
 *
 * @returns The change ids, in the order of the commits; no id stands twice.
 */
export function nameChanges(commits: readonly UnnamedCommit[], known: KnownPatches): string[] {
  const named = new Map<UnnamedCommit, string>();
  const taken = new Set<string>();
  const name = (commit: UnnamedCommit, changeId: string) => {
    named.set(commit, changeId);
    taken.add(changeId);
  };
  const unnamed = () => commits.filter((commit) => !named.has(commit));
  const firstFree = (changeIds: readonly string[]) => changeIds.find((changeId) => !taken.has(changeId));
  const left = () => known.branch.filter((patch) => !taken.has(patch.changeId));

  /** Names the commits that are the only one with a key, after the only patch left with it. */
  const nameUnique = (
    keyOfCommit: (commit: UnnamedCommit) => string,
    keyOfPatch: (patch: KnownPatch) => string,
  ) => {
    const patches = Map.groupBy(left(), keyOfPatch);
    for (const [key, [commit, ...others]] of Map.groupBy(unnamed(), keyOfCommit)) {
      const [patch, ...otherPatches] = patches.get(key) ?? [];
      if (commit && patch && key !== '' && others.length === 0 && otherPatches.length === 0) {
        name(commit, patch.changeId);
      }
    }
  };

  for (const commit of commits) {
    if (commit.changeId !== undefined && !taken.has(commit.changeId)) {
      name(commit, commit.changeId);
    }
  }
  // A commit with a trailer that another commit has taken (a copy made by hand) must still get an id of its own.
  for (const commit of unnamed()) {
    const changeId = firstFree(known.ofCommit(commit.sha));
    if (changeId !== undefined) {
      name(commit, changeId);
    }
  }
  for (const commit of unnamed()) {
    const changeId = firstFree(known.ofAuthorAndTitle(authorKeyOf(commit), commit.title));
    if (changeId !== undefined) {
      name(commit, changeId);
    }
  }
  nameUnique(authorKeyOf, (patch) => patch.authorKey);
  // Commits without any change have this in common with all of their kind.
  nameUnique(
    (commit) => (commit.patchSha === EMPTY_PATCH_SHA ? '' : commit.patchSha),
    (patch) => patch.patchSha,
  );
  nameUnique(
    (commit) => commit.title,
    (patch) => patch.title,
  );
  for (const commit of unnamed()) {
    const changeId = deriveChangeId(authorKeyOf(commit), commit.title);
    name(
      commit,
      taken.has(changeId) ? deriveChangeId(authorKeyOf(commit), commit.title, commit.sha) : changeId,
    );
  }
  return commits.map((commit) => named.get(commit) ?? commit.sha);
}

/** The patch SHA of a commit that changes no file. */
const EMPTY_PATCH_SHA = createHash('sha1').digest('hex');

/** A change id in the form that Gerrit uses. */
function deriveChangeId(...parts: string[]): string {
  return `I${createHash('sha1').update(JSON.stringify(parts)).digest('hex')}`;
}
