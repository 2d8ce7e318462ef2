import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createTwoFilesPatch } from 'diff';
import { parseFileDiff } from '../../../src/webview/patchDocument/diff/diff.ts';
import { lineEndChange } from '../../../src/webview/patchDocument/diff/lineEnds.ts';
import { arrange } from '../../../src/webview/patchDocument/diff/arrange.ts';
import { codeOfDiff } from '../../../src/webview/patchDocument/diff/copiedLines.ts';
import { bothSides } from '../../../src/webview/patchDocument/diff/wholeFile.ts';

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
const diffOf = (before: readonly string[], after: readonly string[]): string =>
  createTwoFilesPatch('a', 'b', textOf(before), textOf(after));
const rowsOf = (before: readonly string[], after: readonly string[]) =>
  parseFileDiff(diffOf(before, after))?.rows ?? [];

describe('a whole file', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', '', 'c\r', '}'), { maxLength: 30 });

  it('is known on both sides when it is on one', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const rows = rowsOf(before, after);
        assert.deepEqual(bothSides(rows, 'new', after), { old: before, new: after });
        assert.deepEqual(bothSides(rows, 'old', before), { old: before, new: after });
      }),
    );
  });

  it('is not taken for the file of another diff', () => {
    const rows = rowsOf(['a', 'b', 'c'], ['a', 'x', 'c']);
    assert.equal(bothSides(rows, 'new', ['a', 'b', 'c']), undefined);
    assert.equal(bothSides(rows, 'new', ['a']), undefined);
    assert.equal(bothSides(rows, 'old', []), undefined);
  });
});

describe('changes of line ends', () => {
  const unix = Array.from({ length: 95 }, (_value, index) => `line ${index}`);
  const windows = unix.map((line) => `${line}\r`);

  it('are told from changes of lines', () => {
    assert.equal(lineEndChange(rowsOf(unix, windows)), 'toCrlf');
    assert.equal(lineEndChange(rowsOf(windows, unix)), 'toLf');
    assert.equal(lineEndChange(rowsOf(['a\r', 'x', 'b'], ['a', 'x', 'b\r'])), 'several');
    assert.equal(lineEndChange(rowsOf(windows, windows.with(3, 'other\r'))), undefined);
    assert.equal(lineEndChange(rowsOf(unix, unix.with(3, 'other'))), undefined);
  });

  it('leave the lines that have changed otherwise', () => {
    const rows = rowsOf(unix, windows.with(40, 'other\r'));
    assert.equal(lineEndChange(rows), 'toCrlf');
    const changed = arrange(rows, {
      ignoreWhitespace: false,
      ignoreLineEnds: true,
      openings: new Map(),
    }).filter(({ type }) => type !== 'context' && type !== 'gap');
    assert.deepEqual(
      changed.map((line) => [line.type, 'text' in line && line.text]),
      [
        ['delete', 'line 40'],
        ['add', 'other\r'],
      ],
    );
  });
});

describe('what is copied of a diff', () => {
  const diff = diffOf(['one', 'two\r', 'three'], ['one', '2\r', 'three']);
  const options = { sideBySide: false, ignoreWhitespace: false };

  it('is the code of all lines, without signs and numbers', () => {
    assert.deepEqual(codeOfDiff(diff, options, 'new'), ['one', 'two', '2', 'three']);
  });

  it('is the code of one side where two stand beside each other', () => {
    assert.deepEqual(codeOfDiff(diff, { ...options, sideBySide: true }, 'old'), ['one', 'two', 'three']);
    assert.deepEqual(codeOfDiff(diff, { ...options, sideBySide: true }, 'new'), ['one', '2', 'three']);
  });
});
