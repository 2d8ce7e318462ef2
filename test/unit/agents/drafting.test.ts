import assert from 'node:assert/strict';
import { draftedText, draftPrompt, findDraftPlace } from '../../../src/agents/drafting.ts';
import type { Patch, PatchSection } from '../../../src/api/types/patches.ts';
import { textsOf } from '../../support/patchVersions.ts';

const text = (code: string, words: string): PatchSection => ({
  sectionType: 'text',
  code,
  identifier: code,
  text: words,
});
const file = (code: string, added = `${code}()`): PatchSection => ({
  sectionType: 'diff',
  code,
  identifier: code,
  newPath: code,
  diffPatch: `--- a/${code}\n+++ b/${code}\n@@ -1,1 +1,2 @@\n one\n+${added}\n`,
});
const patchOf = (sections: readonly PatchSection[]): Patch => ({
  changeId: 'a',
  contributors: [],
  sections: [...sections],
});
/** The place of a draft, by codes. */
const placeIn = async (sections: readonly PatchSection[], code?: string) => {
  const place = await findDraftPlace(sections, textsOf(patchOf(sections)), code);
  return place && [place.after, ...place.files.map((one) => one.code)];
};

describe('the place of a draft', () => {
  const sections = [
    file('a.ts'),
    file('b.ts'),
    text('told', 'About these.'),
    file('c.ts'),
    text('empty', '<!-- -->'),
    file('d.ts'),
  ];

  for (const [code, ...expected] of [
    [undefined, null, 'a.ts', 'b.ts'],
    ['a.ts', null, 'a.ts', 'b.ts'],
    ['b.ts', 'a.ts', 'b.ts'],
    ['told', 'empty', 'd.ts'],
    ['c.ts', 'empty', 'd.ts'],
    ['gone', null, 'a.ts', 'b.ts'],
  ] as const) {
    it(`is after ${String(expected[0])} for ${String(code)}`, async () => {
      assert.deepEqual(await placeIn(sections, code), expected);
    });
  }

  it('leaves out files between that a text names', async () => {
    assert.deepEqual(await placeIn([file('a.ts'), file('b.ts'), file('c.ts'), text('t', 'See b.ts.')]), [
      null,
      'a.ts',
      'c.ts',
    ]);
  });

  it('is nowhere when all is explained', async () => {
    assert.equal(await placeIn([text('t', 'Why.'), file('a.ts')]), undefined);
    assert.equal(await placeIn([]), undefined);
  });
});

describe('what a model is told', () => {
  const promptOf = async (sections: readonly PatchSection[], template?: string): Promise<string> =>
    draftPrompt(
      { title: 'Greet "all"' },
      sections,
      (await findDraftPlace(sections, textsOf(patchOf(sections)))) ?? assert.fail(),
      template,
    );

  it('is the title, the template, the texts before and after, and the diffs of its files, all of it quoted', async () => {
    const prompt = await promptOf(
      [
        text('far', 'Too far away.'),
        text('before', 'It begins.'),
        file('told.ts'),
        text('blank', ' '),
        file('a.ts'),
        file('b.ts'),
        text('after', 'It goes on.'),
        file('later.ts'),
      ],
      '## Why',
    );
    const mark = /quoted ([0-9a-f]{24})/.exec(prompt)?.[1] ?? assert.fail();
    const quoted = [...prompt.matchAll(/^--- quoted \w+: (.*) ---\n([^]*?)\n--- end of quoted/gm)];
    assert.deepEqual(
      quoted.map(([, what, words]) => [what, words?.split('\n')[0]]),
      [
        ['the form that sections of this project have', '## Why'],
        ['the text before it', 'It begins.'],
        ['the text after it', 'It goes on.'],
        ['the diff of "a.ts"', '--- a/a.ts'],
        ['the diff of "b.ts"', '--- a/b.ts'],
      ],
    );
    assert.ok(prompt.includes(`[quoted ${mark}: "Greet \\"all\\""]`));
    assert.ok(
      ['Too far', 'told.ts', 'later.ts'].every((other) => !prompt.includes(other)),
      prompt,
    );
  });

  it('is bounded, however long the parts are', async () => {
    const long = 'word '.repeat(20_000);
    const prompt = await promptOf(
      [text('t', ''), file('a.ts', long), file('b.ts', long), text('after', long)],
      long,
    );
    assert.ok(prompt.length < 26_000, String(prompt.length));
    assert.ok(prompt.includes('the diff of "a.ts"'));
  });

  it('has no template where there is none', async () => {
    assert.ok(!(await promptOf([file('a.ts')], ' \n')).includes('the form that'));
  });
});

describe('the text that a model has written', () => {
  for (const [written, expected] of [
    ['\n\n## Why\nSo.', '## Why\nSo.'],
    ['```markdown\n## Why\nSo.\n```\n', '## Why\nSo.'],
    ['```md\n## Why', '## Why'],
    ['```\nSo.\n```', 'So.'],
    ['```ts\nlet a;\n```\nSo.', '```ts\nlet a;\n```\nSo.'],
    ['So\u{e0041}.', 'So.'],
  ] as const) {
    it(`is ${JSON.stringify(expected)} of ${JSON.stringify(written)}`, () => {
      assert.equal(draftedText(written), expected);
    });
  }

  it('is bounded', () => assert.equal(draftedText('x'.repeat(50_000)).length, 8_000));
});
