import assert from 'node:assert/strict';
import { findReferences, readReference } from '../../../src/webview/common/references.ts';

describe('references to lines of files', () => {
  for (const [text, expected] of [
    ['src/a.ts#L10-L20', { path: 'src/a.ts', start: 10, end: 20 }],
    ['src/a.ts#L10-20', { path: 'src/a.ts', start: 10, end: 20 }],
    ['Makefile#L3', { path: 'Makefile', start: 3 }],
    ['größe/日本.txt#L1', { path: 'größe/日本.txt', start: 1 }],
    ['src/a.ts', { path: 'src/a.ts' }],
    ['../../etc/passwd#L1', undefined],
    ['src/../../a#L1', undefined],
    ['/etc/passwd#L1', undefined],
    ['javascript:alert(1)#L1', undefined],
    ['https://example.org/a#L1', undefined],
    ['', undefined],
  ] as const) {
    it(`${text} is ${expected ? JSON.stringify(expected) : 'none'}`, () => {
      assert.deepEqual(readReference(text), expected);
    });
  }

  it('are found in running text, but not in addresses', () => {
    const text = 'See src/a.ts#L3, (b.ts#L4-L5). Not https://x.org/c.ts#L6 nor d.ts#L7x; e.ts#L8';
    assert.deepEqual(
      findReferences(text).map((found) => found.text),
      ['src/a.ts#L3', 'b.ts#L4-L5', 'e.ts#L8'],
    );
  });
});
