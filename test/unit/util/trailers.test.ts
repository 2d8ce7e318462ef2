import assert from 'node:assert/strict';
import { trailersFrom } from '../../../src/util/trailers.ts';

describe('trailers', () => {
  it('are the lines of a paragraph that look like one', () => {
    assert.equal(trailersFrom(['Signed-off-by: Ada <ada@example.org>', 'Change-Id: I12']), 0);
    assert.equal(trailersFrom(['Bug: 12', 'Test: none']), 0);
  });

  it('may follow prose in the same paragraph when they are well known', () => {
    assert.equal(trailersFrom(['Mend it.', 'Bug: 12', 'Reviewed-by: Grace']), 1);
    assert.equal(trailersFrom(['Mend', 'what is broken: this']), 2);
    assert.equal(trailersFrom(['Mend it.', 'Note: twice']), 2);
  });

  it('are no prose', () => {
    assert.equal(trailersFrom(['One line', 'and another']), 2);
    assert.equal(trailersFrom(['Signed-off-by: Ada', 'and more']), 2);
  });
});
