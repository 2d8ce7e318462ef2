import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pieces, runs } from '../../../src/webview/patchDocument/diff/pieces.ts';

describe('the pieces of a line', () => {
  it('end where a color, a change or a hidden character does', () => {
    assert.deepEqual(
      pieces('ab\u202ecd', [{ text: 'ab', className: 'x' }, { text: '\u202ecd' }], [{ start: 1, end: 4 }]),
      [
        { text: 'a', className: 'x', changed: false },
        { text: 'b', className: 'x', changed: true },
        { text: '\u202e', changed: true, hidden: 'U+202E' },
        { text: 'c', changed: true },
        { text: 'd', changed: false },
      ],
    );
  });

  it('are marked together when they have changed together, whatever their colors', () => {
    const [a, b, c] = [
      { text: 'a', className: 'x', changed: true },
      { text: 'b', changed: true },
      { text: 'c', changed: false },
    ];
    assert.deepEqual(runs([a, b, c, a]), [
      { changed: true, pieces: [a, b] },
      { changed: false, pieces: [c] },
      { changed: true, pieces: [a] },
    ]);
  });

  it('are the whole line, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(fc.nat(12)),
        fc.array(fc.tuple(fc.nat(6), fc.integer({ min: 1, max: 6 }))),
        (text, lengths, gaps) => {
          let at = 0;
          const tokens = lengths.map((length) => ({ text: text.slice(at, (at += length)) }));
          let end = 0;
          const ranges = gaps.map(([gap, length]) => ({ start: end + gap, end: (end += gap + length) }));
          const cut = pieces(text, tokens, ranges);
          assert.equal(cut.map((piece) => piece.text).join(''), text);
        },
      ),
    );
  });
});
