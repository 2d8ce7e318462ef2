/** The markdown file of a patch stack: what it says, what may be written into it, and what that comes to. */
import assert from 'node:assert/strict';
import { printOf } from '../../../../src/model/stackText/lines.ts';
import { planEdits, type PatchPlan } from '../../../../src/model/stackText/planEdits.ts';
import {
  readStackMarkdown,
  type MarkdownProblem,
} from '../../../../src/model/stackText/readStackMarkdown.ts';
import { diffLines, stackAsMarkdown } from '../../../../src/model/stackText/stackAsMarkdown.ts';
import type {
  FixedPart,
  PatchText,
  StackText,
  WrittenText,
} from '../../../../src/model/stackText/stackText.ts';

describe("a patch stack's markdown file", () => {
  const diff = (identifier: string): FixedPart => {
    const lines = linesOfPart({} as PatchText, { identifier } as FixedPart);
    return {
      kind: 'fixed',
      code: `d-${identifier}`,
      identifier,
      lineCount: lines.length,
      print: printOf(lines),
    };
  };
  const text = (code: string, words = `Text ${code}.`): WrittenText => ({
    kind: 'text',
    code,
    identifier: code,
    text: words,
  });
  const stackOf = (...sections: PatchText['sections']): StackText => ({
    title: 'Greetings',
    description: 'Greets.\n',
    patches: [{ changeId: 'I1', title: 'Greet', sections }],
  });
  const fileOf = (stack: StackText): string => stackAsMarkdown(stack, 'Write -- here', linesOfPart);
  const problemOf = (typed: string, base: StackText): MarkdownProblem | undefined => {
    const result = readStackMarkdown(typed, base);
    return result.kind === 'problem' ? result.problem : undefined;
  };
  const planOf = (typed: string, base: StackText): PatchPlan => {
    const result = readStackMarkdown(typed, base);
    assert.equal(result.kind, 'stack', JSON.stringify(result));
    return planEdits(base, result.stack).patches[0]!;
  };
  /** A plan in short. */
  const told = ({ texts, deletions, order, additions }: PatchPlan): unknown[] => [
    ...texts.map(({ section, text: words }) => ['text', section.code, words]),
    ...deletions.map(({ section }) => ['delete', section.code]),
    ...(order ? [['order', ...order.order]] : []),
    ...additions.map(({ text: words, follows }) => ['add', words, follows]),
  ];

  it('reads as the stack does', () => {
    assert.equal(
      fileOf(stackOf(text('a'), diff('src/a b.ts'))),
      [
        '<!-- Write — here -->',
        '',
        '# Greetings',
        '',
        'Greets.',
        '',
        '<!-- patch I1 -->',
        '',
        '## 1. Greet',
        '',
        '<!-- text a -->',
        'Text a.',
        '',
        '<!-- diff src/a%20b.ts -->',
        '### src/a b.ts',
        '',
        '````diff',
        '-a',
        '+```',
        ' ',
        '````',
        '',
      ].join('\n'),
    );
  });

  it('is no change until somebody writes, whatever the texts hold and however an editor saves it', () => {
    const base = stackOf(
      text('a', '\n\r\n  indented\r\nline\r\n\r\n'),
      diff('a.ts'),
      text('b', '<!-- text x -->\n\\<!-- patch -->\n# Heading'),
      text('c', ''),
    );
    const file = fileOf(base);
    for (const saved of [
      file,
      file.replaceAll('\n', '\r\n'),
      file.replaceAll(/[ ]+$/gm, ''),
      `${file}\n\n`,
    ]) {
      assert.deepEqual(told(planOf(saved, base)), []);
    }
    assert.deepEqual(told(planOf(file.replace('line', 'lines'), base)), [
      ['text', 'a', '\n\r\n  indented\r\nlines\r\n\r\n'.replace('\n\r\n', '\r\n\r\n')],
    ]);
    assert.deepEqual(told(planOf(file.replace('# Heading', '# Headings'), base)), [
      ['text', 'b', '<!-- text x -->\n\\<!-- patch -->\n# Headings'],
    ]);
  });

  it('has titles and names of files on one line, as they read', () => {
    const hostile = 'one\n# two\u2028three\r\u0085\u202efour';
    const base = stackOf(diff(hostile));
    base.title = hostile;
    base.patches[0]!.title = hostile;
    const file = fileOf(base);
    const plain = 'one # two three four';
    assert.deepEqual(
      file.split(/[\n\r\u0085\u2028\u2029]/).filter((line) => line.startsWith('#')),
      [`# ${plain}`, `## 1. ${plain}`, `### ${plain}`],
    );
    assert.ok(!file.includes('\u202e'));
    const { texts, deletions, additions } = planOf(file, base);
    assert.deepEqual([texts, deletions, additions], [[], [], []]);
  });

  it('takes what stands below a diff, a heading or an empty comment for a new text', () => {
    const base = stackOf(diff('a.ts'), text('a'));
    const typed = fileOf(base)
      .replace('## 1. Greet\n', '## 1. Greet\n\nFirst.\n')
      .replace('````\n', '````\n\nSecond.\n\n<!-- text -->\nThird.\n');
    assert.deepEqual(told(planOf(typed, base)), [
      ['add', 'First.', null],
      ['add', 'Second.', 'd-a.ts'],
      ['add', 'Third.', 1],
    ]);
  });

  it('writes into a section rather than to delete it and to add another one, where that is less', () => {
    const base = stackOf(text('a'), diff('a.ts'), text('b'), diff('b.ts'), text('c'));
    const [head, a, dA, b, dB, c] = fileOf(base).split(/^(?=<!-- (?:text|diff) )/mu) as [string, ...string[]];
    const added = (words: string): string => `<!-- text -->\n${words}\n\n`;
    const plan = (...blocks: (string | undefined)[]): unknown[] =>
      told(planOf([head, ...blocks].join(''), base));
    // In its place.
    assert.deepEqual(plan(added('New.'), dA, b, dB, c), [['text', 'a', 'New.']]);
    // A comment that somebody took away.
    assert.deepEqual(plan(a, dA, 'Text b.\n', dB, c), []);
    // Elsewhere: as many requests as with an order, and another section.
    assert.deepEqual(plan(dA, b, dB, c, added('New.')), [
      ['delete', 'a'],
      ['add', 'New.', 'c'],
    ]);
    // An order is to be written anyway.
    assert.deepEqual(plan(dB, dA, b, c, added('New.')), [
      ['text', 'a', 'New.'],
      ['order', 'b.ts', 'a.ts', 'b', 'c', 'a'],
    ]);
    // Two of them are worth an order.
    assert.deepEqual(plan(dA, dB, c, added('One.'), added('Two.')), [
      ['text', 'a', 'One.'],
      ['text', 'b', 'Two.'],
      ['order', 'a.ts', 'b.ts', 'c', 'a', 'b'],
    ]);
  });

  it('writes two texts in the place of two others, the first into the first', () => {
    const base = stackOf(text('a'), text('b'), diff('a.ts'));
    const typed = fileOf(base)
      .replace('<!-- text a -->\nText a.', '<!-- text -->\nOne.')
      .replace('<!-- text b -->\nText b.', '<!-- text -->\nTwo.');
    assert.deepEqual(told(planOf(typed, base)), [
      ['text', 'a', 'One.'],
      ['text', 'b', 'Two.'],
    ]);
  });

  it('says which line is wrong', () => {
    const base = stackOf(diff('a.ts'), text('a'));
    const file = fileOf(base);
    const wrong = (from: string | RegExp, to: string): unknown => {
      const problem = problemOf(file.replace(from, to), base);
      return problem && [problem.kind, problem.line, problem.name];
    };
    assert.deepEqual(wrong('# Greetings', 'Greetings'), ['title', 2, '']);
    assert.deepEqual(wrong('here -->', 'here --> A word.'), ['title', 0, '']);
    assert.deepEqual(wrong('<!-- patch I1 -->', ''), ['patch', 10, 'Greet']);
    assert.deepEqual(wrong('## 1. Greet', '## 1. Greets'), ['heading', 8, 'Greet']);
    assert.deepEqual(wrong('+```', '+``'), ['diff', 10, 'a.ts']);
    assert.deepEqual(wrong('+```\n', '+```\nA word.\n'), ['diff', 10, 'a.ts']);
    assert.deepEqual(wrong(/<!-- diff[\s\S]*(?=<!-- text)/, ''), ['diff', 6, 'a.ts']);
    assert.deepEqual(wrong(/$/, '\n<!-- diff a.ts -->\n'), ['diff', 22, 'a.ts']);
    assert.deepEqual(wrong(/$/, '\n<!-- patch I2 -->\n'), ['patch', 22, 'I2']);
    assert.equal(wrong('Text a.', 'Texts.'), undefined);
  });

  it('shows the beginning of a diff that is long, from its first lines on', () => {
    const lines = diffLines('a', '+a\n'.repeat(500), (count) => `${count} more`);
    assert.equal(lines.at(-1), '100 more');
    assert.deepEqual(diffLines('a', 'diff --git a b\nindex 1..2\n@@ -1 +1 @@\n-a\n', String).slice(3, 5), [
      '@@ -1 +1 @@',
      '-a',
    ]);
    assert.deepEqual(diffLines('a', '', String), ['### a', '']);
  });
});

function linesOfPart(_patch: PatchText, { identifier }: FixedPart): string[] {
  return diffLines(identifier, '-a\n+```\n \n', String);
}
