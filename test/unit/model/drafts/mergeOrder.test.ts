import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mergeOrder } from '../../../../src/model/drafts/mergeOrder.ts';

const order = (text: string): string[] => text.split('');
const merge = (base: string, mine: string, theirs: string): string =>
  mergeOrder(order(base), order(mine), order(theirs)).join('');

describe('mergeOrder', () => {
  it('makes my move in their order', () => {
    assert.equal(merge('abcd', 'dabc', 'abcd'), 'dabc');
    assert.equal(merge('abcd', 'dabc', 'bacd'), 'dbac');
    assert.equal(merge('abcd', 'acbd', 'abcdx'), 'acbdx');
    assert.equal(merge('abcd', 'bcda', 'xabcd'), 'xbcda');
  });

  it('does without what they have deleted', () => {
    assert.equal(merge('abcd', 'dabc', 'abc'), 'abc');
    assert.equal(merge('abcd', 'adbc', 'bcd'), 'dbc');
  });

  it('prefers my place for what both have moved', () => {
    assert.equal(merge('abcd', 'acdb', 'bacd'), 'acdb');
  });

  const items = fc.uniqueArray(fc.constantFrom(...order('abcdefgh')), { maxLength: 8 });
  const shuffled = items.chain((base) =>
    fc.tuple(
      fc.constant(base),
      fc.shuffledSubarray(base, { minLength: base.length }),
      fc.shuffledSubarray(base),
      fc.subarray(order('xyz')),
    ),
  );

  it('always gives what is there now, each once', () => {
    fc.assert(
      fc.property(shuffled, ([base, mine, some, added]) => {
        const theirs = [...added, ...some];
        assert.deepEqual(mergeOrder(base, mine, theirs).sort(), theirs.toSorted());
      }),
    );
  });

  it('gives mine where they changed nothing, and theirs where I did not', () => {
    fc.assert(
      fc.property(shuffled, ([base, mine, some]) => {
        assert.deepEqual(mergeOrder(base, mine, base), mine);
        assert.deepEqual(mergeOrder(base, base, some), some);
      }),
    );
  });
});
