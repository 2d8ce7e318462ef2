import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createTwoFilesPatch } from 'diff';
import { highlightLines, languageOfPath } from '../../../src/webview/common/highlight.ts';
import { arrange } from '../../../src/webview/patchDocument/diff/arrange.ts';
import { Colours } from '../../../src/webview/patchDocument/diff/colours.ts';
import { parseFileDiff } from '../../../src/webview/patchDocument/diff/diff.ts';
import { pieces, runs } from '../../../src/webview/patchDocument/diff/pieces.ts';

const whole = { ignoreWhitespace: false, openings: new Map() };

describe('syntax colors', () => {
  it('knows languages by path', () => {
    assert.equal(languageOfPath('src/a.mts'), 'typescript');
    assert.equal(languageOfPath('Makefile'), 'makefile');
    assert.equal(languageOfPath('.github/workflows/x.YML'), 'yaml');
    assert.equal(languageOfPath('data.unheardof'), undefined);
    assert.equal(languageOfPath('constructor'), undefined);
  });

  it('are tokens with a class, over several lines where a token is', () => {
    assert.deepEqual(highlightLines('let a = `1\n2`;', 'typescript'), [
      [
        { text: 'let', className: 'hljs-keyword' },
        { text: ' a = ' },
        { text: '`1', className: 'hljs-string' },
      ],
      [{ text: '2`', className: 'hljs-string' }, { text: ';' }],
    ]);
  });

  it('lose and add no character, whatever the code is', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('<', '&', '>', '"', "'", '`', '/', '*', '\n', ' ', 'a', '&lt;', '</span>'),
        }),
        fc.constantFrom('typescript', 'xml', 'css', 'markdown', 'cpp'),
        (code, language) => {
          const lines = highlightLines(code, language);
          assert.equal(lines?.map((line) => line.map(({ text }) => text).join('')).join('\n'), code);
        },
      ),
    );
  });

  it('color each side of a change as a whole', () => {
    const rows =
      parseFileDiff('@@ -1,3 +1,3 @@\n /* a comment\n-of the old\n+of the new\n over lines */\n')?.rows ?? [];
    const lines = arrange(rows, whole);
    const colours = new Colours(lines, 'typescript');
    for (const index of lines.keys()) {
      assert.deepEqual(
        colours.of(index)?.map(({ className }) => className),
        ['hljs-comment'],
      );
    }
  });

  it('color what comes after the first screen as what it belongs to', () => {
    const comment = ['/*', ...Array.from({ length: 300 }, (_value, index) => `line ${index}`), '*/'];
    const diff = `@@ -0,0 +1,302 @@\n${comment.map((line) => `+${line}\n`).join('')}`;
    const lines = arrange(parseFileDiff(diff)?.rows ?? [], whole);
    const colours = new Colours(lines, 'typescript');
    for (const index of [0, 119, 120, 301]) {
      assert.deepEqual(
        colours.of(index)?.map(({ className }) => className),
        ['hljs-comment'],
      );
    }
  });

  it('take nothing for a string of several lines when the diff begins in the middle of a file', () => {
    const diff =
      '@@ -10,5 +10,5 @@\n   <p>inside</p>\n-  <p>old</p>\n+  <p>new</p>\n `;\n const a = 1;\n const b = 2;\n';
    const lines = arrange(parseFileDiff(diff)?.rows ?? [], whole);
    const classes = (colours: Colours, text: string) =>
      colours
        .of(lines.findIndex((line) => 'text' in line && line.text === text))
        ?.map(({ className }) => className);
    const guessed = new Colours(lines, 'typescript');
    assert.deepEqual(classes(guessed, 'const a = 1;'), ['hljs-keyword', undefined, 'hljs-number', undefined]);
    assert.deepEqual(classes(guessed, 'const b = 2;'), ['hljs-keyword', undefined, 'hljs-number', undefined]);
  });

  it('keep a comment that begins and ends in what is shown', () => {
    const diff = '@@ -10,4 +10,4 @@\n /**\n- * Old const.\n+ * New const.\n  */\n const a = 1;\n';
    const lines = arrange(parseFileDiff(diff)?.rows ?? [], whole);
    const guessed = new Colours(lines, 'typescript');
    const comments = lines.map((line, index) => 'text' in line && guessed.of(index)?.[0]?.className);
    assert.deepEqual(comments, [
      false, 'hljs-comment', 'hljs-comment', 'hljs-comment', 'hljs-comment', 'hljs-keyword',
    ]); // prettier-ignore
  });

  it('are those of the whole file once it is known', () => {
    const before = [
      'const page = `',
      ...Array.from({ length: 9 }, (_value, index) => `line ${index}`),
      '`;',
      'let a;',
    ];
    const after = before.with(8, 'const inside = 1;');
    const rows =
      parseFileDiff(createTwoFilesPatch('a', 'b', before.join('\n'), after.join('\n')))?.rows ?? [];
    const lines = arrange(rows, whole);
    const colours = new Colours(lines, 'typescript', {
      old: highlightLines(before.join('\n'), 'typescript'),
      new: highlightLines(after.join('\n'), 'typescript'),
    });
    for (const [index, line] of lines.entries()) {
      if ('text' in line && line.type !== 'note') {
        const inside = (line.newLine ?? line.oldLine ?? 0) < 12;
        assert.equal(colours.of(index)?.[0]?.className, inside ? 'hljs-string' : 'hljs-keyword', line.text);
      }
    }
  });

  it('leave the lines plain when the language is not known', () => {
    const lines = arrange(parseFileDiff('@@ -1 +1 @@\n-a\n+b\n')?.rows ?? [], whole);
    assert.equal(new Colours(lines, undefined).of(0), undefined);
  });
});

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
