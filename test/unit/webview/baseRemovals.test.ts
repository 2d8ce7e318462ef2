import assert from 'node:assert/strict';
import { arrange, type Line } from '../../../src/webview/patchDocument/diff/arrange.ts';
import { withBaseRemovals } from '../../../src/webview/patchDocument/diff/baseRemovals.ts';
import { parseFileDiff } from '../../../src/webview/patchDocument/diff/diff.ts';
import type { RemovedLines } from '../../../src/util/shownComparison.ts';

describe('lines that the base has removed', () => {
  const diff = [
    '--- a/a.txt',
    '+++ b/a.txt',
    '@@ -5,3 +5,3 @@',
    ' five',
    '-six',
    '+sixth',
    ' seven',
    '@@ -30,2 +30,3 @@',
    ' thirty',
    '+more',
    ' thirty-one',
    '',
  ].join('\n');
  const lines = arrange(parseFileDiff(diff)?.rows ?? [], { ignoreWhitespace: false, openings: new Map() });
  const shown = (...removals: RemovedLines[]): string[] =>
    withBaseRemovals(lines, removals).map((line: Line) => (line.type === 'gap' ? 'gap' : line.text));

  it('are noted where they were', () => {
    const note = '~ 1 line removed here by the base';
    assert.deepEqual(
      shown(
        { before: 5, count: 1 },
        { before: 7, count: 2 },
        { before: 8, count: 1 },
        { before: 32, count: 1 },
      ),
      [
        'gap',
        note,
        'five',
        'six',
        'sixth',
        '~ 2 lines removed here by the base',
        'seven',
        note,
        'gap',
        'thirty',
        'more',
        'thirty-one',
        note,
      ],
    );
  });

  it('are not where nothing of the file is shown', () => {
    assert.deepEqual(
      shown({ before: 3, count: 1 }, { before: 20, count: 1 }, { before: 40, count: 1 }),
      shown(),
    );
    assert.equal(withBaseRemovals(lines, undefined), lines);
  });
});
