import assert from 'node:assert/strict';
import { createMarkdown } from '../../../src/webview/common/markdown.ts';

const markdown = createMarkdown(false);
const rendered = (source: string): string =>
  markdown
    .render(source, { conflictText: (side: string) => `(${side})` })
    .replaceAll(/ data-[\w-]+="[^"]*"/g, '')
    .replaceAll('\n', '');
const conflict = (one: string, two: string): string =>
  `<<<<<<< earlier\n${one}\n||||||| before\nzero\n=======\n${two}\n>>>>>>> later\n`;
const shown = (one: string, two: string): string =>
  [
    ['earlier', one],
    ['later', two],
  ]
    .map(
      ([side, text]) =>
        `<blockquote class="alert alert-warning"><p class="alert-title">(${side})</p>${text}</blockquote>`,
    )
    .join('');

describe('texts that two people changed at once', () => {
  it('stand there one after the other, each with what it is', () => {
    assert.equal(
      rendered(`Before.\n${conflict('One *word*.', '- Two\n- three')}After.`),
      `<p>Before.</p>${shown('<p>One <em>word</em>.</p>', '<ul><li>Two</li><li>three</li></ul>')}<p>After.</p>`,
    );
  });

  it('end a list, a quotation, and each other', () => {
    assert.equal(
      rendered(`- a\n${conflict('- b', '- c')}${conflict('', 'd')}> e\n${conflict('f', 'g')}`),
      `<ul><li>a</li></ul>${shown('<ul><li>b</li></ul>', '<ul><li>c</li></ul>')}${shown('', '<p>d</p>')}` +
        `<blockquote><p>e</p></blockquote>${shown('<p>f</p>', '<p>g</p>')}`,
    );
  });

  it('are nothing else: half of one, one in another, or one in code', () => {
    for (const source of [
      '<<<<<<< earlier\na\n||||||| before\n=======\nb',
      '<<<<<<< earlier\na\n>>>>>>> later',
      '<<<<<<< earlier\na\n=======\nb\n>>>>>>> later',
      '<<<<<<< mine\na\n||||||| before\n=======\nb\n>>>>>>> later',
      `\`\`\`\n${conflict('a', 'b')}\`\`\``,
    ]) {
      assert.doesNotMatch(rendered(source), /alert/, source);
    }
    assert.equal(
      rendered(conflict(`a\n<<<<<<< earlier`, 'b')),
      shown('<p>a&lt;&lt;&lt;&lt;&lt;&lt;&lt; earlier</p>', '<p>b</p>'),
    );
  });
});
