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

/** The patches of all branches that were imported before, by which a commit is recognized. */
export interface KnownPatches {
  /** The patches of the branch's latest version, base to tip. */
  branch: readonly KnownPatch[];
  /** The change ids that commits with this trailer have, on whatever branch: the trailer itself, as a rule. */
  ofTrailer(trailer: string): readonly string[];
  /** The change ids of this very commit, on whatever branch: looked up one by one, because the first is wanted as a rule. */
  ofCommit(sha: string): Iterable<string>;
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
 * Whoever amends, rebases, reorders, splits or squashes commits gives them new SHAs, so a commit is recognized by the
 * first of these that it shares with a patch imported before, and that no other commit of the branch has taken. What
 * several commits or several patches share tells them apart only where there are as many of both, which are then taken in
 * their order: a text that has no patch is better than one that has moved to another.
 * 1. its `Change-Id` trailer, where a change is known by it,
 * 2. its SHA,
 * 3. what it changes: rebased, reordered, committed anew, with another message or with a trailer since,
 * 4. author, author date and title: amended without a new title,
 * 5. author and author date: amended with a new title,
 * 6. its title: written anew.
 *
 * A commit that shares nothing is a new change. It is called by its trailer; without one its id is derived from author,
 * author date and title, so that importing into an empty database names it the same way again; from the SHA too where that id
 * is taken.
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
  const left = () => known.branch.filter((patch) => !taken.has(patch.changeId));

  /** Names each commit after the first change that is known by something of it and is free. */
  const nameFirst = (changesOf: (commit: UnnamedCommit) => Iterable<string>) => {
    for (const commit of unnamed()) {
      for (const changeId of changesOf(commit)) {
        if (!taken.has(changeId)) {
          name(commit, changeId);
          break;
        }
      }
    }
  };

  /** Names the commits with a key after the patches left with it, where there are as many. An empty key is none. */
  const nameAlike = (
    keyOfCommit: (commit: UnnamedCommit) => string,
    keyOfPatch: (patch: KnownPatch) => string,
    most = Infinity,
  ) => {
    const patches = Map.groupBy(left(), keyOfPatch);
    for (const [key, alike] of Map.groupBy(unnamed(), keyOfCommit)) {
      const same = patches.get(key) ?? [];
      if (key !== '' && alike.length === same.length && alike.length <= most) {
        alike.forEach((commit, index) => name(commit, same[index]?.changeId ?? commit.sha));
      }
    }
  };

  // A copy made by hand has the trailer of what it was copied from.
  const trailers = Map.groupBy(commits, ({ changeId }) => changeId);
  nameFirst(({ changeId }) =>
    changeId === undefined || trailers.get(changeId)?.length !== 1 ? [] : known.ofTrailer(changeId),
  );
  nameFirst(({ sha }) => known.ofCommit(sha));
  // Commits without any change have this in common with all of their kind.
  const contentOf = ({ patchSha }: { patchSha: string }) => (patchSha === emptyPatchSha ? '' : patchSha);
  nameAlike(contentOf, contentOf);
  nameAlike(
    (commit) => JSON.stringify([authorKeyOf(commit), commit.title]),
    (patch) => JSON.stringify([patch.authorKey, patch.title]),
  );
  // On other branches, such as the one that this was renamed from, there may be others with the same.
  const titles = Map.groupBy(unnamed(), (commit) => JSON.stringify([authorKeyOf(commit), commit.title]));
  const branch = new Set(known.branch.map(({ changeId }) => changeId));
  for (const [commit, ...others] of titles.values()) {
    const elsewhere = commit ? known.ofAuthorAndTitle(authorKeyOf(commit), commit.title) : [];
    const [changeId, ...more] = elsewhere.filter((one) => !taken.has(one) && !branch.has(one));
    if (commit && changeId !== undefined && others.length === 0 && more.length === 0) {
      name(commit, changeId);
    }
  }
  nameAlike(authorKeyOf, (patch) => patch.authorKey, 1);
  nameAlike(
    (commit) => commit.title,
    (patch) => patch.title,
    1,
  );
  // A commit with a trailer that another commit has taken (a copy made by hand) must still get an id of its own.
  nameFirst(({ changeId }) => (changeId === undefined ? [] : [changeId]));
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
const emptyPatchSha = createHash('sha1').digest('hex');

/** A change id in the form that Gerrit uses. */
function deriveChangeId(...parts: string[]): string {
  return `I${createHash('sha1').update(JSON.stringify(parts)).digest('hex')}`;
}
