import assert from 'node:assert/strict';
import { compareStacks } from '../../../../src/model/reading/compareStacks.ts';
import type { PatchVersion } from '../../../../src/model/reading/patchVersion.ts';
import { decideSignOffs, type SignOffDecision } from '../../../../src/model/reading/signOffUnchanged.ts';
import { shownStack, StackMaker, type ModelStack } from '../../../support/modelStack.ts';
import { Random } from '../../../support/random.ts';

const version = (changeId: string, text: string, added = `line of ${changeId}`): PatchVersion => {
  const state = { mode: '100644', content: { kind: 'missing' as const } };
  const diff = `--- a/a\n+++ b/a\n@@ -5 +5,2 @@\n in front\n+${added}\n behind\n`;
  return {
    changeId,
    title: `Title of ${changeId}`,
    message: '',
    sections: [
      { kind: 'text', code: 't', text },
      { kind: 'diff', path: 'a' },
    ],
    files: [{ oldPath: 'a', path: 'a', before: state, after: state, diff }],
  };
};
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

  it('is not certain of a diff that may be of another place', () => {
    const at = (...around: [string, string]): PatchVersion => {
      const one = version('I1', 'One');
      const diff = `--- a/a\n+++ b/a\n@@ -5 +5,2 @@\n ${around[0]}\n }\n+}\n {\n ${around[1]}\n`;
      return { ...one, files: one.files.map((file) => ({ ...file, diff })) };
    };
    const older = signed(at('the one place', 'and after it'));
    assert.deepEqual(told(decideSignOffs(older, [at('the one place', 'and after it')])), [
      'offered, unchanged',
    ]);
    assert.deepEqual(told(decideSignOffs(older, [at('another place', 'elsewhere')])), ['refused, uncertain']);
  });

  it('is not certain of diffs of which one has something less, or more', () => {
    const times = (count: number): PatchVersion => {
      const one = version('I1', 'One');
      const hunk = '@@ -5 +5,2 @@\n in front of it\n+the line that is added\n and behind it\n';
      const diff = `--- a/a\n+++ b/a\n${hunk.repeat(count)}`;
      return { ...one, files: one.files.map((file) => ({ ...file, diff })) };
    };
    const decide = (before: number, after: number): string[] => {
      const [older, newer] = [times(before), times(after)];
      const comparison = { ...compareStacks([older], [newer])[0]!, verdict: 'rebased' as const };
      return told(decideSignOffs(signed(older), [newer], undefined, () => [comparison]));
    };
    assert.deepEqual(decide(2, 2), ['offered, rebased']);
    assert.deepEqual(decide(2, 1), ['refused, uncertain']);
    assert.deepEqual(decide(1, 2), ['refused, uncertain']);
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

  it('offers no changed one from the diffs alone either', () => {
    for (const variety of [undefined, 10]) {
      const { unchanged, offered, wrong } = signMany(500, false, variety);
      assert.equal(wrong, 0);
      assert.ok(Number(offered) >= 0.95 * Number(unchanged), `${offered} of ${unchanged}`);
    }
  });
});

/** All there is of a patch in the model. */
function contentOf(stack: ModelStack, changeId: string): string {
  const hunks = stack.hunks
    .flatMap((hunk) => (hunk.patch === changeId ? hunk.id : []))
    .toSorted((a, b) => a - b);
  return JSON.stringify([stack.titles.get(changeId), stack.texts.get(changeId), hunks]);
}
