import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fitOrder } from '../../../src/util/fitOrder.ts';
import { isSameOrder, moveBy, moveTo } from '../../../src/webview/patchDocument/writing/order.ts';

const order = ['a', 'b', 'c', 'd', 'e'];
const move = (codes: string, gap: number): string => moveTo(order, new Set(codes), gap).join('');
const step = (codes: string, by: -1 | 1): string => moveBy(order, new Set(codes), by).join('');

describe('moving sections', () => {
  it('puts one into a gap', () => {
    assert.equal(move('a', 3), 'bcade');
    assert.equal(move('e', 0), 'eabcd');
    assert.equal(move('b', 5), 'acdeb');
  });

  it('into the gaps beside itself changes nothing', () => {
    assert.equal(move('b', 1), 'abcde');
    assert.equal(move('b', 2), 'abcde');
  });

  it('puts several into a gap together, in their order', () => {
    assert.equal(move('da', 3), 'bcade');
    assert.equal(move('ace', 5), 'bdace');
    assert.equal(move('bc', 2), 'abcde');
  });

  it('moves by one place, and not past an end', () => {
    assert.equal(step('c', -1), 'acbde');
    assert.equal(step('c', 1), 'abdce');
    assert.equal(step('a', -1), 'abcde');
    assert.equal(step('e', 1), 'abcde');
    assert.equal(step('bc', 1), 'adbce');
    assert.equal(step('bc', -1), 'bcade');
  });

  it('brings together first those that are apart', () => {
    assert.equal(step('bd', -1), 'abdce');
    assert.equal(step('bd', 1), 'acbde');
  });

  it('of none changes nothing', () => {
    assert.equal(step('', 1), 'abcde');
    assert.equal(step('x', -1), 'abcde');
  });

  const moves = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 12 }).chain((list) =>
    fc.record({
      list: fc.constant(list),
      moved: fc.subarray(list, { minLength: 1 }),
      gap: fc.nat(list.length),
    }),
  );

  it('loses no section, doubles none, and leaves the others in their order', () => {
    fc.assert(
      fc.property(moves, ({ list, moved, gap }) => {
        const set = new Set(moved);
        const result = moveTo(list, set, gap);
        assert.deepEqual([...result].sort(), [...list].sort());
        const others = (codes: string[]): string[] => codes.filter((code) => !set.has(code));
        assert.deepEqual(others(result), others(list));
        const first = result.findIndex((code) => set.has(code));
        assert.deepEqual(
          result.slice(first, first + set.size),
          list.filter((code) => set.has(code)),
        );
      }),
    );
  });

  it('up and down again is where it was, when they stood together and there was room', () => {
    fc.assert(
      fc.property(moves, ({ list, moved }) => {
        const set = new Set(moved);
        const together = moveTo(list, set, list.indexOf(moved[0]!));
        const up = moveBy(together, set, -1);
        assert.ok(isSameOrder(up, together) || isSameOrder(moveBy(up, set, 1), together));
      }),
    );
  });
});

describe('an order that was wanted', () => {
  it('leaves out what is gone and takes in what came, after the section that it follows', () => {
    assert.deepEqual(fitOrder(['c', 'a', 'b'], ['a', 'new', 'c', 'last']), ['c', 'last', 'a', 'new']);
    assert.deepEqual(fitOrder(['b', 'a'], ['new', 'a', 'b']), ['new', 'b', 'a']);
    assert.deepEqual(fitOrder(['b', 'a'], ['a', 'x', 'y', 'b']), ['b', 'a', 'x', 'y']);
  });

  it('has each section that there is, once', () => {
    const list = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 2 }), { maxLength: 10 });
    fc.assert(
      fc.property(list, list, (wanted, present) => {
        assert.deepEqual([...fitOrder(wanted, present)].sort(), [...present].sort());
      }),
    );
  });
});
