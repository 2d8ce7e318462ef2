import assert from 'node:assert/strict';
import { checkProse, targetsIn, type ProseFix } from '../../../src/util/proseChecks.ts';

const fixed = (text: string, { start, end, insert }: ProseFix): string =>
  text.slice(0, start) + insert + text.slice(end);

describe('the checks of a text', () => {
  for (const [text, kind, place, expected] of [
    ['## \nWhy', 'emptyHeading', '## ', 'Why'],
    ['Why\n# #', 'emptyHeading', '# #', 'Why\n'],
    ['a\n```\nb\n```\n', 'fenceWithoutLanguage', '```', 'a\n```text\nb\n```\n'],
    ['~~~ \nb\n~~~~', 'fenceWithoutLanguage', '~~~', '~~~text \nb\n~~~~'],
    [
      'Why\n\nSigned-off-by: Ada <ada@example.org>\n',
      'trailer',
      'Signed-off-by: Ada <ada@example.org>',
      'Why\n\n\n',
    ],
    ['Why\nChange-Id: I1', 'trailer', 'Change-Id: I1', 'Why'],
  ] as const) {
    it(`find in ${JSON.stringify(text)} and make it ${JSON.stringify(expected)}`, () => {
      const [found, ...others] = checkProse(text);
      assert.ok(found);
      assert.deepEqual(others, []);
      assert.deepEqual([found.kind, text.slice(found.start, found.end)], [kind, place]);
      assert.equal(fixed(text, found.fix), expected);
    });
  }

  for (const text of [
    '',
    '## Why',
    '#hash',
    '```ts\n# \n\n```\n',
    '```ts\nChange-Id: I1',
    '```\nnot closed',
    'Note: this is it.\n\nAnd more.',
    '    ```\n    code\n    ```',
  ]) {
    it(`find nothing in ${JSON.stringify(text)}`, () => assert.deepEqual(checkProse(text), []));
  }
});

describe('the links of a text', () => {
  it('are found with their places, and not in code', () => {
    const text = '[a](b.ts) ![c](<d.png>) []() `[e](f)`\n```\n[g](h)\n```\n[i](j) `k`';
    const found = targetsIn(text);
    assert.deepEqual(
      found.map(({ target }) => target),
      ['b.ts', 'd.png', '', 'j'],
    );
    assert.deepEqual(
      found.map(({ start, end }) => text.slice(start, end)),
      ['b.ts', '<d.png>', '', 'j'],
    );
  });
});
