import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ExportedStack } from '../../../../src/protocol/stackExport.ts';
import { plainText } from '../../../../src/util/visibleText.ts';
import { createMarkdown } from '../../../../src/webview/common/markdown.ts';
import { stackAsMarkdown, withHeadingsBelow } from '../../../../src/webview/stackExport/markdown.ts';

const reader = createMarkdown(true);

/** The headings of a text, with their levels. */
function headings(text: string): { level: number; words: string }[] {
  const tokens = reader.parse(text, {});
  return tokens.flatMap(({ type, tag }, index) =>
    type === 'heading_open'
      ? [
          {
            level: Number(tag.slice(1)),
            words: (tokens[index + 1]?.content ?? '').replaceAll(/\s*\n\s*/g, ' '),
          },
        ]
      : [],
  );
}

/** Everything else that a text becomes. */
function blocks(text: string): string[] {
  return reader
    .parse(text, {})
    .filter(
      ({ type }, index, all) =>
        !type.startsWith('heading') && !all[index - 1]?.type.startsWith('heading_open'),
    )
    .map(({ type, content }) => `${type} ${content}`);
}

const stack = (patch: Partial<ExportedStack['patches'][number]>): ExportedStack => ({
  title: 'Greet *people*',
  facts: ['Branch greet', 'Version 2'],
  description: '# Why\n\nBecause.',
  patches: [{ title: '<b>First', changeId: 'I1', facts: ['Authors: Ada'], sections: [], ...patch }],
  language: 'en',
  bundle: {},
});

describe('a patch stack as markdown', () => {
  it('has the texts as they were written, below the titles that they are about, and the diffs in fences', () => {
    const text = stackAsMarkdown(
      stack({
        sections: [
          { type: 'text', text: 'Setext\n===\n\n* one\n* two' },
          {
            type: 'diff',
            path: 'b`.ts',
            oldPath: 'a.ts',
            diff: '--- a/a.ts\n+++ b/b.ts\n@@ -1 +1 @@\n-```x\n+y\n',
          },
          { type: 'diff', path: 'empty', diff: '' },
        ],
      }),
    );
    assert.equal(
      text,
      [
        '# Greet \\*people\\*',
        'Branch greet · Version 2',
        '## Why',
        'Because.',
        '## 1. \\<b\\>First',
        '- Authors: Ada',
        '### Setext',
        '* one\n* two',
        '### `a.ts` → `` b`.ts ``',
        '````diff\n--- a/a.ts\n+++ b/b.ts\n@@ -1 +1 @@\n-```x\n+y\n````',
        '### `empty`',
        'The content is unchanged.\n',
      ].join('\n\n'),
    );
  });

  it('moves headings down and nothing else, in whatever they stand', () => {
    const line = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          '# One',
          '### Two ###',
          '> # Three',
          '- # Four',
          'Five\n===',
          'Six\nlines\n---',
          '> Seven\n> ===',
          '1. Eight\n   ---',
        ),
      },
      fc.constantFrom(
        '```\n# code\n```',
        '    # code',
        '<div>\n# html\n</div>',
        'words',
        '',
        '- item',
        '> quote',
        '####### seven',
        '#no',
        '| a |\n|---|\n| # |',
      ),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.integer({ min: 0, max: 5 }), (parts, below) => {
        const text = parts.join('\n\n');
        const moved = withHeadingsBelow(text, below);
        assert.deepEqual(
          headings(moved),
          headings(text).map(({ level, words }) => ({ level: Math.min(6, level + below), words })),
        );
        assert.deepEqual(blocks(moved), blocks(text));
      }),
      { numRuns: 500 },
    );
  });

  it('leaves a text as it is of which a page wouldn’t draw all', () => {
    const text = `# Heading\n\n${'word '.repeat(5_000)}`;
    assert.equal(withHeadingsBelow(text, 2), text);
  });

  it('has the whole name of a file in its heading, also one with line breaks', () => {
    const text = stackAsMarkdown(
      stack({ title: 'T', sections: [{ type: 'diff', path: 'a\n# b\r\u0007.txt', diff: '+x' }] }),
    );
    assert.match(text, /^### `a\\n# b\\r\\u0007\.txt`$/m);
    assert.equal(headings(text).length, 4);
  });

  it('has titles, people and names of files of any characters on their one line, as what they are', () => {
    const hostile = fc
      .array(
        fc.constantFrom(
          ...[
            '\n',
            '\r',
            '\v',
            '\f',
            '\u0085',
            '\u2028',
            '\u2029',
            '\u202e',
            '\u2066',
            '\u200f',
            '\0',
            '\t',
            ' ',
          ],
          ...[
            '#',
            '`',
            '*',
            '<b>',
            '&lt;',
            '$x$',
            '[a](b)',
            '![a](b)',
            '|',
            '- ',
            '1. ',
            '> ',
            '---',
            '===',
            '\\',
            'word',
          ],
        ),
        { minLength: 1, maxLength: 12 },
      )
      .map((parts) => `x${parts.join('')}x`);
    fc.assert(
      fc.property(hostile, (name) => {
        const text = stackAsMarkdown({
          ...stack({
            title: name,
            facts: [`Authors: ${name}`],
            sections: [{ type: 'diff', path: name, diff: '+x' }],
          }),
          title: name,
          facts: [`Branch ${name}`],
          description: '',
        });
        const lines = text.split(/[\n\r\v\f\u0085\u2028\u2029]/);
        assert.equal(lines.length, '# \n\nfact\n\n## \n\n- fact\n\n### \n\n```\n\n```\n'.split('\n').length);
        assert.doesNotMatch(text, /[\u200f\u202e\u2066\0]/);
        const words = reader
          .parse(text, {})
          .filter(({ type }) => type === 'inline')
          .map(({ children }) => {
            const kinds = children?.map(({ type }) => type) ?? [];
            assert.deepEqual(
              kinds.filter((kind) => !['text', 'text_special', 'code_inline'].includes(kind)),
              [],
            );
            return children?.map(({ content }) => content).join('') ?? '';
          });
        const title = plainText(name);
        const shown = words.slice(0, 4).map((each) => each.replaceAll(/\s+/g, ' '));
        const plain = title.replaceAll(/\s+/g, ' ');
        assert.deepEqual(shown, [plain, `Branch ${plain}`, `1. ${plain}`, `Authors: ${plain}`]);
      }),
      { numRuns: 300 },
    );
  });

  it('lets no diff and no name end what it stands in', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[`~#\n -]{0,40}$/),
        fc.stringMatching(/^[`*_<>#ab -]{1,20}$/),
        (diff, name) => {
          const text = stackAsMarkdown(
            stack({ title: name, sections: [{ type: 'diff', path: `a${name}b`, diff: `+${diff}x` }] }),
          );
          const fences = reader.parse(text, {}).filter(({ type }) => type === 'fence');
          assert.deepEqual(
            fences.map(({ content }) => content),
            [`+${diff}x\n`],
          );
          assert.equal(headings(text).length, 4);
        },
      ),
    );
  });
});
