import assert from 'node:assert/strict';
import { createMarkdown } from '../../../src/webview/common/markdown.ts';

const markdown = createMarkdown(false);
const rendered = (source: string, surroundings = {}): string =>
  markdown
    .render(source, surroundings)
    .replaceAll(/ data-[\w-]+="[^"]*"/g, '')
    .replaceAll('\n', '');

describe('alerts', () => {
  it('are quotations with a first line that says so, and have a title', () => {
    assert.equal(
      rendered('> [!NOTE]\n> Mind *this*.\n>\n> - and that'),
      '<blockquote class="alert alert-note"><p class="alert-title">Note</p><p>Mind <em>this</em>.</p>' +
        '<ul><li>and that</li></ul></blockquote>',
    );
    assert.equal(
      rendered('> [!caution]\n>\n> Then.', { alertText: (kind: string) => `<${kind}>` }),
      '<blockquote class="alert alert-caution"><p class="alert-title">&lt;caution&gt;</p><p>Then.</p></blockquote>',
    );
  });

  it('are found one in another, and after each other', () => {
    const html = rendered('> [!TIP]\n> One.\n>\n> > [!WARNING]\n> > Two.\n\n> [!IMPORTANT]\n> Three.');
    assert.deepEqual(html.match(/alert-(tip|warning|important)/g), [
      'alert-tip',
      'alert-warning',
      'alert-important',
    ]);
  });

  it('are nothing else that looks like one', () => {
    for (const source of [
      '> [!NOTE] and more',
      '> [!ODD]\n> a',
      '[!NOTE]\na',
      '> a\n> [!NOTE]',
      '> [!constructor]\n> a',
    ]) {
      assert.doesNotMatch(rendered(source), /alert/, source);
    }
  });
});
