import assert from 'node:assert/strict';
import { parseFileDiff } from '../../../src/webview/patchDocument/diff/diff.ts';
import { occurrences, searchProse, searchRows } from '../../../src/webview/patchDocument/find/search.ts';

describe('find in the document', () => {
  it('finds every place of a text, with or without its case', () => {
    assert.deepEqual(occurrences('Aa aa', { text: 'aa', matchCase: false }), [0, 3]);
    assert.deepEqual(occurrences('Aa aa', { text: 'aa', matchCase: true }), [3]);
    assert.deepEqual(occurrences('aaa', { text: 'aa', matchCase: true }), [0]);
    assert.deepEqual(occurrences('anything', { text: '', matchCase: true }), []);
  });

  it('finds lines on the side that has them, and not the headers of hunks', () => {
    const rows = parseFileDiff('@@ -7,2 +9,2 @@ find me\n find me\n-find me, find me\n+gone\n')?.rows ?? [];
    assert.deepEqual(searchRows('f', rows, { text: 'find', matchCase: false }), [
      { kind: 'line', code: 'f', side: 'new', line: 9, at: 0 },
      { kind: 'line', code: 'f', side: 'old', line: 8, at: 0 },
      { kind: 'line', code: 'f', side: 'old', line: 8, at: 9 },
    ]);
  });

  it('counts the places in prose', () => {
    assert.deepEqual(searchProse('t', 'one and one', { text: 'one', matchCase: false }), [
      { kind: 'prose', code: 't', occurrence: 0 },
      { kind: 'prose', code: 't', occurrence: 1 },
    ]);
  });
});
