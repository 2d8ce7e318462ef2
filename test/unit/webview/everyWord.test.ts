/** No word of a text disappears when it is made into HTML. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { createMarkdown } from '../../../src/webview/common/markdown.ts';

const markdown = createMarkdown(true);
const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' };

function decoded(html: string): string {
  return html.replace(/&(lt|gt|amp|quot);/g, (_all, name: string) => entities[name] ?? '');
}

/** The words that a person sees, and those of addresses and attributes. */
function shownBy(source: string): { words: Map<string, number>; html: string } {
  const html = markdown.render(source, {});
  const attributes = [...html.matchAll(/<\/?[a-z][^<>]*>/g)]
    .map(([tag]) => decodeURI(safely(decoded(tag))))
    .join(' ');
  const text = decoded(html.replaceAll(/<\/?[a-z][^<>]*>/g, ' '));
  return { words: counted(`${text} ${attributes}`), html };
}

function safely(text: string): string {
  return text.replaceAll(/%(?![0-9A-Fa-f]{2})/g, '%25');
}

function counted(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/**
 * Takes out what is a mark and no word: the numbers of lists, boxes of tasks, the rest of a fence's first line, entities, the labels of
 * links and footnotes.
 */
function withoutMarks(source: string): string {
  return source
    .replaceAll(/^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+/gm, '')
    .replaceAll(/\[[ xX]\](?=\s)/g, '')
    .replaceAll(/^([ \t>]*(?:`{3,}|~{3,})[ \t]*\S*).*$/gm, '$1')
    .replaceAll(/&(?:#\w+|\w+);/g, ' ')
    .replaceAll(/\[\^[^\]\s]+\]/g, '')
    .replaceAll(/^ {0,3}\[[^\]]+\]:/gm, '')
    .replaceAll(/\]\[[^\]]*\]/g, ']');
}

/** The words of a text that are neither shown nor in an address. */
function missingIn(source: string): string[] {
  const { words } = shownBy(source);
  return [...counted(withoutMarks(source))].flatMap(([word, count]) =>
    count > (words.get(word) ?? 0) ? [word] : [],
  );
}

const textOf = (source: string): string =>
  decoded(
    markdown
      .render(source, {})
      .replaceAll(/<\/?[a-z][^<>]*>/g, '')
      .trim(),
  );

describe('every word of a text', () => {
  it('is shown, also where it looks like HTML', () => {
    for (const source of [
      'Merge<V> takes a Vec<CommitId>, see <name>.',
      'if a <b and c> d then',
      'if a <b and c> d </b> then',
      '<V>\n**strong** <T, U>',
      '<!-- a comment -->',
      '<!-- over\n\nseveral lines -->',
      'before <!-- in a line --> after',
      '<script>\nalert(1)\n</script>',
      '<style>a { color: red }</style>',
      '<form>\n<input name="x">\n</form>',
      '<?php echo 1 ?>',
      '<![CDATA[ data ]]>',
      '<!DOCTYPE html>',
      '</nothing>',
      'generic::<'.repeat(3),
    ]) {
      assert.equal(
        textOf(source).replaceAll(/\s+/g, ' '),
        source.replaceAll('**', '').replaceAll(/\s+/g, ' ').trim(),
      );
    }
  });

  it('stands in elements that are kept as they are', () => {
    const html = markdown.render(
      '<details open>\n<summary>More</summary>\n\nA <kbd>key</kbd>, <T>.\n\n</details>\n',
      {},
    );
    assert.match(html, /<details open>\n<summary>More<\/summary>/);
    assert.match(html, /A <kbd>key<\/kbd>, &lt;T&gt;\./);
    assert.match(
      markdown.render('<div>\n<b>a</b> <V>b</V> <!-- c -->\n</div>', {}),
      /<div>\n<b>a<\/b> &lt;V>b&lt;\/V> &lt;!-- c -->\n<\/div>/,
    );
    assert.match(markdown.render('<p align="center" hidden>x</p>', {}), /<p align="center" hidden>x<\/p>/);
  });

  it('stands in a tag that begins or ends nothing', () => {
    assert.equal(
      textOf('close the <li> tag with </li>, not </b>'),
      'close the <li> tag with </li>, not </b>'.replace('<li> tag with </li>', ' tag with '),
    );
    assert.equal(textOf('Update base.html with closing </li>'), 'Update base.html with closing </li>');
    assert.equal(textOf('close <h1> and <b>bold</b>'), 'close <h1> and bold');
    assert.equal(textOf('<div>\n\ninside\n\n</div>'), 'inside');
    assert.match(markdown.render('<ul>\n<li>one\n<li>two\n</ul>', {}), /<ul>\n<li>one\n<li>two\n<\/ul>/);
    assert.match(markdown.render('a<br>b', {}), /a<br>b/);
  });

  it('is shown of a definition that nothing refers to, and of none that something does', () => {
    assert.equal(textOf('Text.\n\n[skip ci]: reason\n'), 'Text.\n[skip ci]: reason');
    assert.equal(
      textOf('[a]: https://example.org/one\n[b]: https://example.org/two\n\nSee [a].'),
      '[b]: https://example.org/two\nSee a.',
    );
    assert.equal(textOf('Text.\n\n[^1]: a footnote of nothing\n'), 'Text.\n[^1]: a footnote of nothing');
    assert.equal(textOf('![a picture][p]\n\n[p]: a.png "Title"'), '');
    // Another part may refer to it.
    assert.doesNotMatch(
      markdown.render('[b]: https://example.org/two\n\nText.', { isPart: true }),
      /example/,
    );
  });

  it('is shown whatever a text is made of', () => {
    const pieces = fc.constantFrom(
      'word', '<V>', '</V>', '<b>', '</b>', '<b and c>', '<div>', '</div>', '<!--', '-->', '<script>', '\n', '\n\n', '> ', '- ',
      '1. ', '# ', '`', '**', '[x]', '[x]: ', '(y)', '![', '$', '|', '---', '<a href="u">', '<https://example.org/z>', '<', '>', '&', '&lt;',
      '[^1]', '[^1]: ', '\\', '    ', '~~', 'https://example.org/q', '_', '<td>', '<details>', '<!DOCTYPE', ']]>', '<?', '?>',
    ); // prettier-ignore
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
        const source = parts
          .map((part, index) => (part === 'word' ? `word${'abcdefghijklmn'[index]}` : part))
          .join('');
        const written = [...withoutMarks(source).matchAll(/word[a-n]/g)].map(([word]) => word);
        const { html } = shownBy(source);
        assert.deepEqual(
          written.filter((word) => !html.includes(word)),
          [],
          html,
        );
      }),
      { numRuns: 3_000 },
    );
  });

  // Of any repository: PATCH_STACKS_TEST_REPOSITORIES=path:path
  const repositories = (process.env['PATCH_STACKS_TEST_REPOSITORIES'] ?? '')
    .split(':')
    .filter((at) => at !== '');
  for (const repository of ['.', ...repositories]) {
    it(`of the commit messages of ${repository} is shown`, function () {
      this.timeout(120_000);
      const log = execFileSync('git', ['log', '--all', '-z', '--format=%B'], {
        cwd: repository,
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
      });
      const messages = log.split('\0').filter((message) => message.length < 20_000);
      const missing = messages.flatMap((message) => {
        const words = missingIn(message);
        return words.length > 0 ? [`${words.join(' ')}: ${message.slice(0, 400)}`] : [];
      });
      assert.deepEqual(missing.slice(0, 20), [], `${missing.length} of ${messages.length}`);
    });
  }
});
