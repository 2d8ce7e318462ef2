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
function name(
  commits: UnnamedCommit[],
  branch: KnownPatch[] = [],
  elsewhere: KnownPatch[] = [],
  trailers: Readonly<Record<string, string>> = {},
): string[] {
  const all = [...branch, ...elsewhere];
  return nameChanges(commits, {
    branch,
    ofTrailer: (trailer) => [
      ...all.filter(({ changeId }) => changeId === trailer).map(({ changeId }) => changeId),
      ...(trailers[trailer] === undefined ? [] : [trailers[trailer]]),
    ],
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

  it('are kept by a trailer that was added later, then and ever after', () => {
    const before = commit('1');
    const added = { ...before, sha: '2', changeId: 'Inew' };
    assert.deepEqual(name([added], [patch('Iold', before)]), ['Iold']);
    const rewritten = commit('3', { changeId: 'Inew' });
    assert.deepEqual(name([rewritten], [patch('Iold', added)], [], { Inew: 'Iold' }), ['Iold']);
  });

  it('stay where they are when the first of several that look alike is dropped', () => {
    const alike = { authorTime: '1', title: 'wip' };
    const all = ['1', '2', '3', '4'].map((sha) => commit(sha, alike));
    const known = all.map((one) => patch(`I${one.sha}`, one));
    const rebased = all.slice(1).map((one) => ({ ...one, sha: `9${one.sha}` }));
    assert.deepEqual(name(rebased, known), ['I2', 'I3', 'I4']);
    // Whatever else a rebase does to them, none gets the texts of another one.
    const changed = rebased.map((one) => ({ ...one, patchSha: `other ${one.sha}` }));
    assert.deepEqual(
      name(changed, known).filter((id) => known.some(({ changeId }) => changeId === id)),
      [],
    );
  });

  it('go by the order of several that look alike where none was added or dropped', () => {
    const alike = { authorTime: '1', title: 'wip' };
    const all = ['1', '2', '3'].map((sha) => commit(sha, alike));
    const changed = all.map((one) => ({ ...one, sha: `9${one.sha}`, patchSha: `other ${one.sha}` }));
    assert.deepEqual(
      name(
        changed,
        all.map((one) => patch(`I${one.sha}`, one)),
      ),
      ['I1', 'I2', 'I3'],
    );
    const swapped = [all[1]!, all[0]!, all[2]!].map((one) => ({ ...one, sha: `9${one.sha}` }));
    assert.deepEqual(
      name(
        swapped,
        all.map((one) => patch(`I${one.sha}`, one)),
      ),
      ['I2', 'I1', 'I3'],
    );
  });

  it('go by what a commit does before they go by what it is called', () => {
    const [one, other] = [commit('1'), commit('2')];
    const renamed = [
      { ...one, sha: '8', title: other.title, authorTime: other.authorTime },
      { ...other, sha: '9', title: one.title, authorTime: one.authorTime },
    ];
    assert.deepEqual(name(renamed, [patch('Ia', one), patch('Ib', other)]), ['Ia', 'Ib']);
  });
});
