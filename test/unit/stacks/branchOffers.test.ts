import assert from 'node:assert/strict';
import { branchesOfStacks } from '../../../src/stacks/branchOffers.ts';

describe('the branches that have stacks', () => {
  const stack = (uuid: string, branchId?: string) => ({
    uuid,
    contributors: [],
    ...(branchId !== undefined && { branchId }),
  });

  it('are each offered once, the one that is checked out first, with its commit', () => {
    const offers = branchesOfStacks(
      [stack('1', 'one'), stack('2', 'two'), stack('3', 'one'), stack('4')],
      [
        { name: 'main', commit: 'c0', current: false },
        { name: 'two', commit: 'c2', current: true },
      ],
    );
    assert.deepEqual(offers, [
      { name: 'two', commit: 'c2', current: true },
      { name: 'one', commit: undefined, current: false },
    ]);
  });
});
