import assert from 'node:assert/strict';
import { mergeOrder } from '../../../src/service/git/carryTexts.ts';

describe('the order of sections in a new version', () => {
  it('stays as people made it', () => {
    assert.deepEqual(mergeOrder(['b', 'text', 'a'], ['a', 'b'], new Set(['a', 'b', 'text'])), [
      'b',
      'text',
      'a',
    ]);
  });

  it('loses the files that are gone', () => {
    assert.deepEqual(mergeOrder(['a', 'text', 'b'], ['a'], new Set(['a', 'text'])), ['a', 'text']);
  });

  it('has a new file after the one it follows in the import', () => {
    assert.deepEqual(
      mergeOrder(['m', 'a', 'text', 'c'], ['m', 'a', 'b', 'c'], new Set(['m', 'a', 'b', 'c', 'text'])),
      ['m', 'a', 'b', 'text', 'c'],
    );
  });

  it('has a new message first', () => {
    assert.deepEqual(mergeOrder(['a'], ['m', 'a'], new Set(['m', 'a'])), ['m', 'a']);
  });
});
