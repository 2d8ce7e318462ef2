import assert from 'node:assert/strict';
import fc from 'fast-check';
import { partsOf } from '../../../src/util/partsOf.ts';

describe('parts of a list', () => {
  it('have all of it, in its order, and are as long as they may be', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 9 }), (all, most) => {
        const parts = partsOf(all, most);
        assert.deepEqual(
          parts.flatMap(({ items }) => items),
          all,
        );
        assert.ok(parts.every(({ items }, index) => items.length === most || index === parts.length - 1));
        assert.ok(parts.every(({ items }) => items.length > 0));
        for (const { from, items } of parts) {
          assert.equal(all[from - 1], items[0]);
        }
      }),
    );
  });
});
