import assert from 'node:assert/strict';
import type { Line } from '../../../src/webview/patchDocument/diff/arrange.ts';
import type { DiffDrawing } from '../../../src/webview/patchDocument/diff/drawings.ts';
import { hangOf, linesHigh, longestLine } from '../../../src/webview/patchDocument/diff/rowHeights.ts';

const lineOf = (text: string): Line => ({ type: 'context', oldLine: 1, newLine: 1, text });
const code = 'x'.repeat(60);

describe('a line that goes on below', () => {
  it('stands further in there than its code begins, but never far from the edge', () => {
    assert.equal(hangOf(code), 2);
    assert.equal(hangOf(`    ${code}`), 6);
    assert.equal(hangOf(`\t\t${code}`), 10);
    assert.equal(hangOf(`${' '.repeat(200)}${code}`), 26);
  });

  it('is none where it is short', () => {
    assert.equal(hangOf('    short'), 0);
  });

  it('has less room from its second row on', () => {
    const lines = [lineOf(`        ${code}`), lineOf('a')];
    const drawing = { lines, rows: lines.map((_line, index) => ({ left: index, right: index })) };
    assert.deepEqual(linesHigh(drawing as unknown as DiffDrawing, 68), [1, 1]);
    assert.deepEqual(linesHigh(drawing as unknown as DiffDrawing, 67), [2, 1]);
    // 30 columns of its 68, and 20 in each row below.
    assert.deepEqual(linesHigh(drawing as unknown as DiffDrawing, 30), [3, 1]);
    assert.deepEqual(linesHigh(drawing as unknown as DiffDrawing, 29), [4, 1]);
  });

  it('needs as many columns as the longest, with its tabs, where nothing goes on below', () => {
    assert.equal(longestLine([lineOf('ab'), lineOf('\tc'), { type: 'note', text: 'a long note' }]), 5);
    assert.equal(longestLine([]), 0);
  });
});
