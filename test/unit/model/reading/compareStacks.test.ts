import assert from 'node:assert/strict';
import type { DiffSection, Patch } from '../../../../src/api/types/patches.ts';
import { comparePatches } from '../../../../src/model/reading/comparePatches.ts';
import { compareStacks, summaryOf } from '../../../../src/model/reading/compareStacks.ts';
import { versionOf, type PatchVersion } from '../../../../src/model/reading/patchVersion.ts';
import { shownStack, StackMaker, type ModelStack } from '../../../support/modelStack.ts';
import { Random } from '../../../support/random.ts';

const section = (path: string, diffPatch: string, more: Partial<DiffSection> = {}): DiffSection => ({
  sectionType: 'diff',
  code: path,
  identifier: path,
  oldPath: path,
  newPath: path,
  diffPatch,
  ...more,
});
const id = (letter: string): string => letter.repeat(40);
const hunk = (header: string, ...lines: string[]): string =>
  ['--- a/file', '+++ b/file', header, ...lines, ''].join('\n');
const patch = (sections: Patch['sections'], more: Partial<Patch> = {}): PatchVersion =>
  versionOf({
    changeId: 'I1',
    title: 'Title',
    description: '',
    contributors: [],
    ...more,
    sections: sections ?? [],
  });

describe('a version of a patch', () => {
  it('knows modes and blobs, and what is not there before or after', () => {
    const { files } = patch([
      section('a', `index 1..2 100755\n${hunk('@@ -1 +1 @@', '-a', '+b')}`, {
        baseFileSha: id('a'),
        newFileSha: id('b'),
      }),
      section('b', `new file mode 100644\nindex 0..2\n${hunk('@@ -0,0 +1 @@', '+new file mode 100755')}`, {
        baseFileSha: id('0'),
        newFileSha: id('b'),
      }),
      section('c', `deleted file mode 100644\nindex 1..0\n${hunk('@@ -1 +0,0 @@', '-a')}`),
      section('d', 'old mode 100644\nnew mode 100755\n', { oldPath: 'e' }),
    ]);
    const told = files.map(({ oldPath, path, before, after }) => [
      oldPath,
      path,
      before && [before.mode, before.id],
      after && [after.mode, after.id],
    ]);
    assert.deepEqual(told, [
      ['a', 'a', ['100755', id('a')], ['100755', id('b')]],
      ['b', 'b', undefined, ['100644', id('b')]],
      ['c', 'c', ['100644', undefined], undefined],
      ['e', 'd', ['100644', undefined], ['100755', undefined]],
    ]);
  });
});

describe('comparing two versions of a patch', () => {
  const one = section('a', `index 1..2 100644\n${hunk('@@ -1,2 +1,2 @@', ' near', '-a', '+b')}`);
  const moved = section('a', `index 3..4 100644\n${hunk('@@ -9,2 +9,2 @@', ' near', '-a', '+b')}`);
  const text: Patch['sections'] = [{ sectionType: 'text', code: 't', identifier: 't', text: 'Some words' }];

  it('is unchanged where only places are others', () => {
    const { verdict, isFromDiffs } = comparePatches(patch([one, ...text]), patch([moved, ...text]));
    assert.deepEqual([verdict, isFromDiffs], ['unchanged', true]);
  });

  it('is the same by the ids of blobs alone', () => {
    const ids = { baseFileSha: id('a'), newFileSha: id('b') };
    const compared = comparePatches(patch([{ ...one, ...ids }]), patch([{ ...one, ...ids }]));
    assert.deepEqual([compared.verdict, compared.isFromDiffs], ['unchanged', false]);
  });

  for (const [what, newer] of Object.entries({
    title: patch([one, ...text], { title: 'Another title' }),
    message: patch([one, ...text], { description: 'A message' }),
    order: patch([...text, one]),
    prose: patch([one, { sectionType: 'text', code: 't', identifier: 't', text: 'Other words' }]),
    'section more': patch([one, ...text, { sectionType: 'text', code: 'u', identifier: 'u', text: 'More' }]),
    'section less': patch([one]),
    line: patch([section('a', hunk('@@ -1,2 +1,2 @@', ' near', '-a', '+c')), ...text]),
    file: patch([one, section('b', hunk('@@ -1,2 +1,2 @@', ' near', '-a', '+c')), ...text]),
    mode: patch([{ ...one, diffPatch: `old mode 100644\nnew mode 100755\n${one.diffPatch}` }, ...text]),
  })) {
    it(`is changed by another ${what}`, () => {
      assert.equal(comparePatches(patch([one, ...text]), newer).verdict, 'changed');
    });
  }

  it('is only rebased where that is known of the files', () => {
    const [file] = comparePatches(patch([one]), patch([moved])).files;
    assert.ok(file);
    const files = [{ ...file, verdict: 'rebased' as const }];
    assert.equal(comparePatches(patch([one]), patch([moved]), files).verdict, 'rebased');
  });
});

describe('comparing two versions of a stack', () => {
  const versions = (stack: ModelStack): PatchVersion[] => shownStack(stack).map(({ version }) => version);

  function forEachStack(count: number, visit: (stack: ModelStack, maker: StackMaker) => void): void {
    for (let seed = 0; seed < count; seed += 1) {
      const maker = new StackMaker(new Random(seed));
      const stack = maker.stack();
      if (stack.patches.length > 0) {
        visit(stack, maker);
      }
    }
  }

  it('counts what became of its patches', () => {
    forEachStack(1, (stack) => {
      const compared = compareStacks(versions(stack), versions(stack));
      assert.deepEqual(summaryOf(compared), {
        unchanged: stack.patches.length,
        rebased: 0,
        changed: 0,
        new: 0,
        removed: 0,
      });
    });
  });

  it('finds every patch again when all change ids are others, and in another order', () => {
    forEachStack(200, (stack, maker) => {
      const newer = maker.rewritten(stack, ['new change ids', 'reorder']);
      for (const { older, newer: other } of compareStacks(versions(stack), versions(newer))) {
        assert.equal(older?.title, other?.title);
      }
    });
  });

  it('calls no patch unchanged of which anything is another', () => {
    forEachStack(300, (stack, maker) => {
      const newer = maker.rewritten(stack, ['edit', 'remove', 'add', 'reword']);
      const idsOf = ({ hunks, texts }: ModelStack, changeId: string): unknown => [
        texts.get(changeId),
        hunks.flatMap((each) => (each.patch === changeId ? each.id : [])).toSorted((a, b) => a - b),
      ];
      for (const compared of compareStacks(versions(stack), versions(newer))) {
        const changeId = (compared.newer ?? compared.older)?.changeId ?? '';
        if (!compared.newer) {
          assert.ok(!newer.patches.includes(changeId));
          continue;
        }
        const [one, other] = [idsOf(stack, changeId), idsOf(newer, changeId)];
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        if (!isSame) {
          assert.equal(compared.verdict, 'changed');
        }
      }
    });
  });

  it('takes no patch for squashed into one that always did the same', () => {
    const adding = (changeId: string, ...lines: string[]): PatchVersion =>
      patch([section('a', hunk('@@ -1 +1 @@', ...lines.map((line) => `+${line}`)))], { changeId });
    const both = adding('I2', 'one', 'two', 'three', 'four', 'five');
    const older = [adding('I1', 'one', 'two'), both];
    const [, gone] = compareStacks(older, [both]);
    assert.deepEqual([gone?.verdict, gone?.squashedInto], ['removed', undefined]);
    const [, squashed] = compareStacks([adding('I1', 'one', 'two'), adding('I2', 'three')], [both]);
    assert.equal(squashed?.squashedInto, both);
  });

  it('says where a new patch was split from, and where one that is gone went', () => {
    const seen = { split: 0, squashed: 0 };
    forEachStack(300, (stack, maker) => {
      const newer = maker.rewritten(stack, ['split']);
      for (const { older, newer: patch, splitFrom } of compareStacks(versions(stack), versions(newer))) {
        if (patch && !older) {
          const own = newer.hunks.filter((each) => each.patch === patch.changeId);
          const from = new Set(own.map(({ id }) => stack.hunks.find((each) => each.id === id)?.patch));
          const isTelling = own.some(({ added }) => added.some((line) => line.includes('new')));
          if (isTelling) {
            seen.split += 1;
            assert.ok(splitFrom && from.has(splitFrom.changeId));
          }
        }
      }
      const squashed = maker.rewritten(stack, ['squash']);
      for (const { older: patch, newer: same, squashedInto } of compareStacks(
        versions(stack),
        versions(squashed),
      )) {
        const own = stack.hunks.filter((each) => each.patch === patch?.changeId);
        if (!same && own.some(({ added }) => added.some((line) => line.includes('new')))) {
          seen.squashed += 1;
          const into = squashed.hunks.find(({ id }) => id === own[0]?.id)?.patch;
          assert.equal(squashedInto?.changeId, into);
        }
      }
    });
    assert.ok(seen.split > 100 && seen.squashed > 100, JSON.stringify(seen));
  });
});
