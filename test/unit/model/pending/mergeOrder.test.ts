import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mergeOrder } from '../../../../src/model/pending/mergeOrder.ts';

const order = (text: string): string[] => text.split('');
const merge = (base: string, mine: string, theirs: string): string => {
  const merged = mergeOrder(order(base), order(mine), order(theirs));
  return merged.kind === 'merged' ? merged.order.join('') : merged.kind;
};

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

  it('has nothing to decide where both have made the same move', () => {
    assert.equal(merge('abcd', 'acdb', 'acdb'), 'acdb');
  });

  it('decides nothing where both have moved the same thing to different places', () => {
    assert.equal(merge('abcd', 'acdb', 'bacd'), 'conflict');
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

  it('gives what is there now, each once, and undoes no move of either', () => {
    fc.assert(
      fc.property(shuffled, ([base, mine, some, added]) => {
        const theirs = [...added, ...some];
        const merged = mergeOrder(base, mine, theirs);
        fc.pre(merged.kind === 'merged');
        assert.deepEqual(merged.order.toSorted(), theirs.toSorted());
        for (const one of some) {
          for (const other of some) {
            const was = base.indexOf(one) < base.indexOf(other);
            const is = merged.order.indexOf(one) < merged.order.indexOf(other);
            for (const side of [mine, some]) {
              const wanted = side.indexOf(one) < side.indexOf(other);
              assert.ok(wanted === was || wanted === is);
            }
          }
        }
      }),
    );
  });

  it('gives mine where they changed nothing, and theirs where I did not', () => {
    fc.assert(
      fc.property(shuffled, ([base, mine, some]) => {
        assert.deepEqual(mergeOrder(base, mine, base), { kind: 'merged', order: mine });
        assert.deepEqual(mergeOrder(base, base, some), { kind: 'merged', order: some });
      }),
    );
  });
});
