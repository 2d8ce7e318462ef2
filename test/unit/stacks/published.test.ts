import assert from 'node:assert/strict';
import type { PatchStack } from '../../../src/api/types/stacks.ts';
import { isPublished, newestOf } from '../../../src/stacks/published.ts';

describe('the stack of a branch', () => {
  const branch = { name: 'feature', commit: 'c2' };
  const stack = (uuid: string, more: Partial<PatchStack> = {}): PatchStack => ({
    uuid,
    branchId: 'feature',
    status: 'active',
    contributors: [],
    ...more,
  });
  const patch = (commitSha: string) => ({ changeId: commitSha, commitSha, contributors: [] });

  it('is the one that no newer version follows, whatever has become of it', () => {
    const closed = stack('new', { status: 'closed' });
    const all = [stack('other', { branchId: 'other' }), stack('old', { status: 'inactive' }), closed];
    assert.equal(newestOf(branch, all), closed);
    assert.equal(newestOf(branch, all.slice(0, 2)), undefined);
  });

  it('is published where it was made from the commit of the branch, or ends there', () => {
    const cases: [boolean, Partial<PatchStack>][] = [
      [true, { oplogSha: 'c2' }],
      [true, { oplogSha: 'event', patches: [patch('c1'), patch('c2')] }],
      [false, { patches: [patch('c2'), patch('c1')] }],
      [false, { oplogSha: 'c1', patches: [] }],
      [false, {}],
    ];
    for (const [expected, more] of cases) {
      assert.equal(isPublished(branch, [stack('s', more)]), expected, JSON.stringify(more));
    }
    assert.equal(isPublished(branch, []), false);
  });
});
