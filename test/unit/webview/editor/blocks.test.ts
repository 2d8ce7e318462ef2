import assert from 'node:assert/strict';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { EditorState } from '@codemirror/state';
import { markdownBlocks } from '../../../../src/webview/patchDocument/editor/blocks.ts';

function blocksOf(doc: string): [from: number, to: number, source: string][] {
  const state = EditorState.create({ doc, extensions: [markdown({ base: markdownLanguage })] });
  return (markdownBlocks(state, 10_000) ?? []).map(({ from, to, source }) => [from, to, source]);
}

describe('the blocks of a text', () => {
  it('are found in turns, where that takes long', () => {
    const doc = Array.from({ length: 5_000 }, (_value, index) => `Paragraph *${index}* of many.`).join(
      '\n\n',
    );
    const state = EditorState.create({ doc, extensions: [markdown({ base: markdownLanguage })] });
    assert.equal(markdownBlocks(state, 0), undefined);
    let blocks;
    while (!blocks) {
      blocks = markdownBlocks(state, 0);
    }
    assert.deepEqual(
      blocks.map(({ from, to, source }) => [from, to, source]),
      blocksOf(doc),
    );
    assert.equal(blocks.length, 5_000);
  });

  it('are its paragraphs, headings, lists and fences', () => {
    assert.deepEqual(blocksOf('# A\n\none\ntwo\n\n- x\n\n- y\n\n```\n\n# b\n```\n'), [
      [0, 1, '# A'],
      [2, 4, 'one\ntwo'],
      [5, 8, '- x\n\n- y'],
      [9, 13, '```\n\n# b\n```'],
    ]);
  });

  it('keep their indentation', () => {
    assert.deepEqual(blocksOf('    code\n\ntext'), [
      [0, 1, '    code'],
      [2, 3, 'text'],
    ]);
  });

  it('know the references of the whole text', () => {
    assert.deepEqual(blocksOf('see [a]\n\n[a]: https://example.org'), [
      [0, 1, 'see [a]\n\n[a]: https://example.org'],
      [2, 3, '[a]: https://example.org\n\n[a]: https://example.org'],
    ]);
  });

  it('are one from the first HTML to the last, and all where there is a footnote', () => {
    assert.deepEqual(
      blocksOf('a\n\n<details>\n\nb\n\n</details>\n\nc').map(([from, to]) => [from, to]),
      [
        [0, 1],
        [2, 7],
        [8, 9],
      ],
    );
    assert.deepEqual(blocksOf('a[^1]\n\n[^1]: note').length, 1);
  });

  it('of nothing are none', () => {
    assert.deepEqual(blocksOf(''), []);
    assert.deepEqual(blocksOf('\n\n'), []);
  });
});
