import assert from 'node:assert/strict';
import type { UnexplainedHunks } from '../../../src/protocol/patchDocument.ts';
import { arrange } from '../../../src/webview/patchDocument/diff/arrange.ts';
import { Colors } from '../../../src/webview/patchDocument/diff/colors.ts';
import { parseFileDiff } from '../../../src/webview/patchDocument/diff/diff.ts';
import { pairLines } from '../../../src/webview/patchDocument/diff/pairs.ts';
import { unexplainedPart } from '../../../src/webview/patchDocument/diff/unexplained.ts';

const diff = `--- a/a
+++ b/a
@@ -1,5 +1,5 @@
 context
-removed
\\ No newline at end of file
+added
+added
 context
-gone
 context
`;

/** A letter for each row: `f` for the first of a hunk, `o` for another of it, `.` for the others. */
function partsOf(
  hunks: UnexplainedHunks | undefined,
  { sideBySide = false, isFromBase = true } = {},
): string {
  const lines = arrange(parseFileDiff(diff)?.rows ?? [], { ignoreWhitespace: false, openings: new Map() });
  const { rows, partners } = pairLines(lines);
  const drawing = {
    lines,
    partners,
    colors: new Colors(lines, { color: undefined, guessed: new Map(), onNews: () => undefined }),
    rows: sideBySide ? rows : lines.map((_line, index) => ({ left: index, right: index })),
    sideBySide,
    asked: new Map(),
    baseLines: [],
    moved: [],
    isFromBase,
  };
  return drawing.rows.map((_row, index) => unexplainedPart(drawing, index, hunks)?.[0] ?? '.').join('');
}

describe('the lines that no text explains', () => {
  const hunks = [
    { old: { start: 2, count: 1 }, new: { start: 2, count: 2 } },
    { old: { start: 4, count: 1 }, new: { start: 5, count: 0 } },
  ];

  it('are those of its hunks, of each the first apart', () => {
    assert.equal(partsOf(hunks), '.f.oo.f.');
    assert.equal(partsOf(hunks.slice(1)), '......f.');
    assert.equal(partsOf('all'), '.f.oo.f.');
    assert.equal(partsOf(undefined), '........');
    assert.equal(partsOf([]), '........');
  });

  it('are the same side by side', () => {
    assert.equal(partsOf(hunks, { sideBySide: true }), partsOf('all', { sideBySide: true }));
    assert.match(partsOf(hunks.slice(1), { sideBySide: true }), /^\.+f\.$/);
  });

  it('are not those that only the older version had, in a comparison', () => {
    assert.equal(partsOf(hunks, { isFromBase: false }), '...fo...');
    assert.equal(partsOf('all', { isFromBase: false }), '...fo...');
  });
});
