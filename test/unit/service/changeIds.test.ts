import assert from 'node:assert/strict';
import { nameChanges, type KnownPatch, type UnnamedCommit } from '../../../src/service/git/changeIds.ts';

function commit(sha: string, parts: Partial<UnnamedCommit> = {}): UnnamedCommit {
  return {
    sha,
    parents: [],
    author: { name: 'Ada', email: 'ada@example.com' },
    authorTime: `1000${sha}`,
    title: `Title of ${sha}`,
    changeId: undefined,
    patchSha: `patch of ${sha}`,
    ...parts,
  };
}

function patch(changeId: string, of: UnnamedCommit): KnownPatch {
  return {
    changeId,
    commitSha: of.sha,
    patchSha: of.patchSha,
    authorKey: `${of.author.email} ${of.authorTime}`,
    title: of.title,
  };
}

/** Names commits, knowing patches of the same branch and of others. */
function name(commits: UnnamedCommit[], branch: KnownPatch[] = [], elsewhere: KnownPatch[] = []): string[] {
  const all = [...branch, ...elsewhere];
  return nameChanges(commits, {
    branch,
    ofCommit: (sha) => all.filter((known) => known.commitSha === sha).map(({ changeId }) => changeId),
    ofAuthorAndTitle: (authorKey, title) =>
      all
        .filter((known) => known.authorKey === authorKey && known.title === title)
        .map(({ changeId }) => changeId),
  });
}

describe('change ids', () => {
  it('are the Change-Id trailers', () => {
    assert.deepEqual(name([commit('1', { changeId: 'Iabc' })]), ['Iabc']);
  });

  it('are derived from author, date and title, whatever the SHA', () => {
    const [first] = name([commit('1')]);
    const [again] = name([commit('2', { authorTime: '10001', title: 'Title of 1' })]);
    assert.match(first!, /^I[0-9a-f]{40}$/);
    assert.equal(first, again);
  });

  it('never stand twice, whatever the commits share', () => {
    const same = { authorTime: '1', title: 'wip', patchSha: 'same' };
    const ids = name([
      commit('1', same),
      commit('2', same),
      commit('3', same),
      commit('4', { ...same, changeId: 'Ix' }),
      commit('5', { ...same, changeId: 'Ix' }),
    ]);
    assert.equal(new Set(ids).size, 5);
    assert.equal(ids[3], 'Ix');
  });

  it('are kept by a commit that did not change, on any branch', () => {
    assert.deepEqual(name([commit('1')], [], [patch('Iold', commit('1', { title: 'x', authorTime: '5' }))]), [
      'Iold',
    ]);
  });

  it('are kept by a rebase: other SHA, same author, date and title', () => {
    const before = commit('1');
    const after = { ...before, sha: '9', patchSha: 'changed' };
    assert.deepEqual(name([after], [patch('Iold', before)]), ['Iold']);
    assert.deepEqual(name([after], [], [patch('Iold', before)]), ['Iold']);
  });

  it('are kept by an amend with a new title', () => {
    const before = commit('1');
    const after = { ...before, sha: '9', title: 'Better title', patchSha: 'changed' };
    assert.deepEqual(name([after], [patch('Iold', before)]), ['Iold']);
  });

  it('are not guessed when two commits have one author date and new titles', () => {
    const before = [commit('1', { authorTime: '1' }), commit('2', { authorTime: '1' })];
    const after = before.map((one, index) => ({
      ...one,
      sha: `9${index}`,
      title: `New ${index}`,
      patchSha: `n${index}`,
    }));
    const ids = name(after, [patch('Ia', before[0]!), patch('Ib', before[1]!)]);
    assert.deepEqual(
      ids.filter((id) => id === 'Ia' || id === 'Ib'),
      [],
    );
  });

  it('are kept by a commit made anew with the same change', () => {
    const before = commit('1');
    const after = commit('9', { patchSha: before.patchSha });
    assert.deepEqual(name([after], [patch('Iold', before)]), ['Iold']);
  });

  it('are kept by a commit made anew with the same title', () => {
    const before = commit('1');
    const after = commit('9', { title: before.title });
    assert.deepEqual(name([after], [patch('Iold', before)]), ['Iold']);
  });

  it('follow the commits when those are reordered and one is dropped', () => {
    const [a, b, c] = [commit('1'), commit('2'), commit('3')] as const;
    const known = [patch('Ia', a), patch('Ib', b), patch('Ic', c)];
    assert.deepEqual(
      name(
        [
          { ...c, sha: '7' },
          { ...a, sha: '8' },
        ],
        known,
      ),
      ['Ic', 'Ia'],
    );
  });

  it('do not move to a commit without changes from another one without changes', () => {
    const empty = { patchSha: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' };
    const ids = name([commit('9', empty)], [patch('Iold', commit('1', empty))]);
    assert.notEqual(ids[0], 'Iold');
  });
});
