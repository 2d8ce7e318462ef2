import assert from 'node:assert/strict';
import { compareStacks } from '../../../../src/model/reading/compareStacks.ts';
import type { FileState } from '../../../../src/model/reading/fileChange.ts';
import type { PatchVersion } from '../../../../src/model/reading/patchVersion.ts';
import { decideSignOffs, type SignOffDecision } from '../../../../src/model/reading/signOffUnchanged.ts';
import { shownStack, StackMaker, type ModelStack } from '../../../support/modelStack.ts';
import { Random } from '../../../support/random.ts';

const version = (changeId: string, text: string, added = `line of ${changeId}`): PatchVersion => {
  const state = (id: string): FileState => ({ id, mode: '100644', content: { kind: 'missing' } });
  const diff = `--- a/a\n+++ b/a\n@@ -5 +5,2 @@\n in front\n+${added}\n behind\n`;
  return {
    changeId,
    title: `Title of ${changeId}`,
    message: '',
    sections: [
      { kind: 'text', code: 't', text },
      { kind: 'diff', path: 'a' },
    ],
    files: [{ oldPath: 'a', path: 'a', before: state('a'), after: state(added), diff }],
  };
};
/** A version of whose files nothing but the diffs is known. */
const onlyDiffs = (of: PatchVersion): PatchVersion => ({
  ...of,
  files: of.files.map(({ before, after, ...file }) => ({
    ...file,
    before: before && { ...before, id: undefined },
    after: after && { ...after, id: undefined },
  })),
});
const told = (decisions: readonly SignOffDecision[]): string[] =>
  decisions.map((each) => `${each.kind}${'reason' in each ? `, ${each.reason}` : ''}`);
const signed = (...versions: PatchVersion[]): { changeId: string; version: PatchVersion }[] =>
  versions.map((each) => ({ changeId: each.changeId, version: each }));

describe('signing unchanged patches off again', () => {
  it('says of each patch whether it is offered, and why', () => {
    const current = [
      version('I1', 'One'),
      version('I2', 'Two, reworded'),
      version('I3', 'Three'),
      version('I4', 'Four'),
      version('I5', 'Five'),
    ];
    const older = signed(version('I1', 'One'), version('I2', 'Two'), version('I5', 'Five'));
    const decisions = decideSignOffs(
      [...older, { changeId: 'I4', version: undefined }],
      current,
      (patch) => patch.changeId === 'I5',
    );
    assert.deepEqual(told(decisions), [
      'offered, unchanged',
      'refused, changed',
      'neverSigned',
      'refused, lost',
      'alreadySigned',
    ]);
  });

  it('refuses what was split from a patch that was signed off', () => {
    const adding = (changeId: string, ...lines: string[]): PatchVersion =>
      version(changeId, changeId, lines.join('\n+'));
    const whole = adding('I1', 'first line', 'second line', 'third line', 'fourth line', 'fifth line');
    const current = [
      adding('I1', 'first line', 'second line', 'third line'),
      adding('I2', 'fourth line', 'fifth line'),
    ];
    assert.deepEqual(told(decideSignOffs(signed(whole), current)), ['refused, changed', 'refused, split']);
  });

  it('is certain of no diff: what looks alike may be of another place', () => {
    const [older, newer] = [onlyDiffs(version('I1', 'One')), onlyDiffs(version('I1', 'One'))];
    assert.equal(compareStacks([older], [newer])[0]?.verdict, 'unchanged');
    assert.deepEqual(told(decideSignOffs(signed(older), [newer])), ['refused, uncertain']);
  });

  /** Signs stacks off, rewrites them, and counts what is offered of what changed and of what did not. */
  function signMany(count: number, hasContents: boolean, variety?: number): Record<string, number> {
    const counts = { unchanged: 0, offered: 0, changed: 0, wrong: 0 };
    for (let seed = 0; seed < count; seed += 1) {
      const maker = new StackMaker(new Random(seed), variety);
      const stack = maker.stack();
      const newer = maker.rewritten(stack, [
        'rebase elsewhere',
        'rebase elsewhere',
        'reorder',
        'split',
        'squash',
        'edit',
        'remove',
        'add',
        'copy',
        'move',
        'reword',
      ]);
      const versions = (of: ModelStack): PatchVersion[] =>
        shownStack(of, hasContents).map((each) => each.version);
      for (const { patch, kind } of decideSignOffs(signed(...versions(stack)), versions(newer))) {
        const [one, other] = [stack, newer].map((of) => contentOf(of, patch.changeId));
        const isSame = one === other;
        counts[isSame ? 'unchanged' : 'changed'] += 1;
        counts.offered += isSame && kind === 'offered' ? 1 : 0;
        counts.wrong += !isSame && kind === 'offered' ? 1 : 0;
      }
    }
    return counts;
  }

  it('offers all patches of rebased stacks of which nothing changed, and no other', () => {
    const { unchanged, offered, changed, wrong } = signMany(500, true);
    assert.equal(wrong, 0);
    assert.equal(offered, unchanged);
    assert.ok(Number(changed) > 300 && Number(unchanged) > 1000);
  });

  it('offers nothing from the diffs alone', () => {
    const { unchanged, offered, wrong } = signMany(100, false);
    assert.deepEqual([offered, wrong], [0, 0]);
    assert.ok(Number(unchanged) > 200);
  });
});

/** All there is of a patch in the model. */
function contentOf(stack: ModelStack, changeId: string): string {
  const hunks = stack.hunks
    .flatMap((hunk) => (hunk.patch === changeId ? hunk.id : []))
    .toSorted((a, b) => a - b);
  return JSON.stringify([stack.titles.get(changeId), stack.texts.get(changeId), hunks]);
}
