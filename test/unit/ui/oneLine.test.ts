import assert from 'node:assert/strict';
import { oneLine } from '../../../src/ui/oneLine.ts';

describe('a text of several lines in a box of one', () => {
  it('is lost neither by looking at it nor by changing nothing', () => {
    const text = oneLine('first\n\n  second\r\nthird');
    assert.equal(text.shown, 'first second third');
    assert.ok(text.flattened);
    assert.equal(text.changed('first second third'), undefined);
    assert.equal(text.changed('first'), 'first');
  });

  it('is what it is when it has one line', () => {
    const text = oneLine('only  one ');
    assert.equal(text.shown, 'only  one ');
    assert.ok(!text.flattened);
  });
});
