import assert from 'node:assert/strict';
import { comparePatches } from '../../../../src/model/reading/comparePatches.ts';
import { outcomeOf, type Outcome, type VersionPair } from '../../../../src/model/reading/outcome.ts';
import { countsOf, kindOf, type StackChange } from '../../../../src/model/reading/stackChange.ts';
import { stackChanges, type PlacedVersion } from '../../../../src/model/reading/stackChanges.ts';

/** A patch that adds lines to files, each written as `file: line`. */
const patch = (changeId: string, ...added: string[]): PlacedVersion => {
  const byFile = Map.groupBy(added, (line) => line.split(': ')[0] ?? '');
  return {
    changeId,
    title: `Title of ${changeId}`,
    message: '',
    sections: [],
    files: [...byFile].map(([path, lines]) => ({
      oldPath: path,
      path,
      before: { id: undefined, mode: '100644', content: { kind: 'missing' } },
      after: { id: undefined, mode: '100644', content: { kind: 'missing' } },
      diff: [
        `--- a/${path}`,
        `+++ b/${path}`,
        `@@ -1,1 +1,${lines.length + 1} @@`,
        ' context',
        ...lines.map((line) => `+${line.split(': ')[1] ?? ''}`),
        '',
      ].join('\n'),
    })),
  };
};

const byDiffs = async (pair: VersionPair): Promise<Outcome> => outcomeOf(comparePatches(...pair));

const changesOf = (
  older: readonly PlacedVersion[],
  newer: readonly PlacedVersion[],
  compare = byDiffs,
): Promise<StackChange[]> => stackChanges(older, newer, (pairs) => Promise.all(pairs.map(compare)));

const [one, two, three] = [
  patch('I1', 'a: first line', 'a: first again'),
  patch('I2', 'b: second line', 'b: second again'),
  patch('I3', 'c: third line', 'c: third again'),
] as const;

const told = (changes: readonly StackChange[]): unknown[] =>
  changes.map((change) => [change.older, kindOf(change), change.newer]);

describe('what became of the patches of a stack', () => {
  it('is what comparing each tells, and nothing else where nothing happened', async () => {
    const sinces = ['unchanged', 'rebased', 'changed'] as const;
    const changes = await changesOf(
      [one, two, three],
      [{ ...one }, { ...two }, { ...three }],
      async ([{ changeId }]) => ({
        since: sinces[Number(changeId.slice(1)) - 1] ?? 'unknown',
        isCertain: true,
      }),
    );
    assert.deepEqual(told(changes), [
      [0, 'unchanged', 0],
      [1, 'rebased', 1],
      [2, 'changed', 2],
    ]);
    for (const { isMoved, splitInto, joinedFrom, movedFrom } of changes) {
      assert.deepEqual([isMoved, splitInto, joinedFrom, movedFrom], [false, [], [], []]);
    }
    assert.deepEqual(
      [...countsOf(changes)],
      [
        ['unchanged', 1],
        ['rebased', 1],
        ['changed', 1],
      ],
    );
  });

  it('is as far as the diffs show where nothing else is at hand', async () => {
    assert.deepEqual(told(await changesOf([one], [{ ...one }])), [[0, 'alike', 0]]);
  });

  it('tells drops where they were, and what is new', async () => {
    const changes = await changesOf([one, two, three], [one, patch('I4', 'd: something'), three]);
    assert.deepEqual(told(changes), [
      [0, 'alike', 0],
      [1, 'dropped', undefined],
      [undefined, 'new', 1],
      [2, 'alike', 2],
    ]);
    assert.deepEqual(told(await changesOf([one, two, three], [three])), [
      [0, 'dropped', undefined],
      [1, 'dropped', undefined],
      [2, 'alike', 0],
    ]);
  });

  it('tells a split and all its parts, and no split where a patch is merely new', async () => {
    const both = patch('I1', 'a: first line', 'b: second line', 'b: second again');
    const changes = await changesOf(
      [both, three],
      [patch('I1', 'a: first line'), patch('I9', 'b: second line', 'b: second again'), three],
    );
    assert.deepEqual(told(changes), [
      [0, 'split', 0],
      [undefined, 'part', 1],
      [1, 'alike', 2],
    ]);
    assert.deepEqual([changes[0]?.splitInto, changes[1]?.splitFrom], [[1], 0]);
    // What the other one always had was not split off.
    const [, added] = await changesOf([both], [both, patch('I9', 'b: second line', 'b: second again')]);
    assert.equal(added && kindOf(added), 'new');
  });

  it('tells a split of which each part is less than half, and under no name of before', async () => {
    const lines = ['a: one line', 'b: two lines', 'c: three lines'];
    const changes = await changesOf(
      [patch('I1', ...lines)],
      lines.map((line, index) => patch(`N${index}`, line)),
    );
    assert.deepEqual(changes.map(kindOf), ['split', 'part', 'part', 'part']);
    assert.deepEqual(changes[0]?.splitInto, [0, 1, 2]);
  });

  it('tells which patch one went into, and no joining where that one had the same lines before', async () => {
    const joined = patch('I1', 'a: first line', 'a: first again', 'b: second line', 'b: second again');
    const changes = await changesOf([one, two], [joined]);
    assert.deepEqual(told(changes), [
      [0, 'changed', 0],
      [1, 'joined', undefined],
    ]);
    assert.deepEqual([changes[0]?.joinedFrom, changes[1]?.joinedInto], [[1], 0]);
    assert.deepEqual(changes[0]?.movedFrom, []);
    assert.deepEqual((await changesOf([joined, two], [joined])).map(kindOf), ['alike', 'dropped']);
  });

  it('tells lines that moved from one patch to another, by their files', async () => {
    const giver = patch('I1', 'a: first line', 'a: moved line', 'a: }');
    const taker = patch('I2', 'b: second line', 'a: moved line', 'a: }');
    const changes = await changesOf([giver, two], [patch('I1', 'a: first line'), taker]);
    assert.deepEqual(
      changes.map(({ movedFrom }) => movedFrom),
      [[], [{ older: 0, lines: 1 }]],
    );
    const elsewhere = patch('I2', 'b: second line', 'b: moved line');
    const copied = await changesOf([giver, two], [giver, taker]);
    const ofOtherFile = await changesOf([giver, two], [patch('I1', 'a: first line'), elsewhere]);
    const always = await changesOf([giver, taker], [patch('I1', 'a: first line'), taker]);
    for (const { movedFrom } of [...copied, ...ofOtherFile, ...always]) {
      assert.deepEqual(movedFrom, []);
    }
    // One line can have moved to one place alone.
    const twice = await changesOf(
      [giver, two, three],
      [patch('I1', 'a: first line'), taker, patch('I3', 'c: third line', 'a: moved line')],
    );
    assert.deepEqual(
      twice.map(({ movedFrom }) => movedFrom.length),
      [0, 1, 0],
    );
  });

  it('tells what was reordered, and not what only has another number', async () => {
    const reordered = await changesOf([one, two, three], [three, one, two]);
    assert.deepEqual(
      reordered.map(({ older, newer, isMoved }) => [older, newer, isMoved]),
      [
        [2, 0, true],
        [0, 1, false],
        [1, 2, false],
      ],
    );
    assert.equal(countsOf(reordered).get('moved'), 1);
    const later = await changesOf([one, two], [patch('I0', 'z: before all'), one, two]);
    assert.ok(later.every(({ isMoved }) => !isMoved));
  });

  it('says nothing of what is not to be had but that, and takes no line for moved there', async () => {
    const missing = { ...patch('I2'), isMissing: true as const };
    const changes = await changesOf(
      [patch('I1', 'a: first line', 'a: moved line'), missing],
      [patch('I1', 'a: first line'), patch('I2', 'a: moved line')],
    );
    assert.deepEqual(told(changes), [
      [0, 'changed', 0],
      [1, 'unknown', 1],
    ]);
    assert.deepEqual(changes[1]?.movedFrom, []);
  });
});
