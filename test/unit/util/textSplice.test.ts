import assert from 'node:assert/strict';
import fc from 'fast-check';
import { spliceBetween, type TextSplice } from '../../../src/util/textSplice.ts';

function withSplice(text: string, { from, to, insert }: TextSplice): string {
  return text.slice(0, from) + insert + text.slice(to);
}

/** Texts of few letters, so that they share much. */
const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '😀', '\ud83d'), maxLength: 40 });

describe('splices of texts', () => {
  it('make the second text of the first', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const splice = spliceBetween(before, after);
        assert.equal(splice ? withSplice(before, splice) : before, after);
        assert.equal(splice === undefined, before === after);
      }),
    );
  });

  it('are no longer than what differs', () => {
    fc.assert(
      fc.property(text, text, text, text, (start, taken, put, end) => {
        const splice = spliceBetween(start + taken + end, start + put + end);
        assert.ok((splice?.insert.length ?? 0) <= put.length);
        assert.ok((splice ? splice.to - splice.from : 0) <= taken.length);
      }),
    );
  });

  it('name the place of what was typed', () => {
    assert.deepEqual(spliceBetween('one three', 'one two three'), { from: 5, to: 5, insert: 'wo t' });
    assert.deepEqual(spliceBetween('same', 'same'), undefined);
    assert.deepEqual(spliceBetween('aaa', 'aa'), { from: 2, to: 3, insert: '' });
    assert.deepEqual(spliceBetween('', 'all'), { from: 0, to: 0, insert: 'all' });
  });
});
