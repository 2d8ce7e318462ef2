import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createTwoFilesPatch } from 'diff';
import { arrange, type Arrangement, type Line } from '../../../src/webview/patchDocument/diff/arrange.ts';
import { parseFileDiff } from '../../../src/webview/patchDocument/diff/diff.ts';
import { isDeletion } from '../../../src/util/isDeletion.ts';
import { machineWritten } from '../../../src/util/machineWritten.ts';
import { changedWords, pairLines } from '../../../src/webview/patchDocument/diff/pairs.ts';

function linesOf(
  before: string[],
  after: string[],
  options: Partial<Arrangement> & { context?: number } = {},
): Line[] {
  const { context = 3, ...rest } = options;
  const text = createTwoFilesPatch('a', 'b', `${before.join('\n')}\n`, `${after.join('\n')}\n`, '', '', {
    context,
  });
  const rows = parseFileDiff(text)?.rows ?? [];
  return arrange(rows, { ignoreWhitespace: false, openings: new Map(), ...rest });
}

const numbers = (count: number): string[] =>
  Array.from({ length: count }, (_value, index) => `line ${index + 1}`);
const replaced = (lines: string[], at: number, text: string): string[] => lines.toSpliced(at - 1, 1, text);

/** The lines in short: `3 gap`, `-4`, `+4`, `4=4`. */
function shortly(lines: Line[]): string[] {
  return lines.map((line) => {
    switch (line.type) {
      case 'gap':
        return `${line.count} ${line.known ? 'known' : 'unknown'}`;
      case 'note':
        return 'note';
      case 'add':
        return `+${line.newLine}`;
      case 'delete':
        return `-${line.oldLine}`;
      case 'context':
        return `${line.oldLine}=${line.newLine}`;
    }
  });
}

describe('the lines of a diff', () => {
  const file = numbers(40);
  const changed = replaced(replaced(file, 10, 'ten'), 30, 'thirty');

  it('have gaps for what the diff leaves out, which stay closed while their lines are not known', () => {
    assert.deepEqual(shortly(linesOf(file, changed)), [
      '6 unknown', '7=7', '8=8', '9=9', '-10', '+10', '11=11', '12=12', '13=13',
      '13 unknown', '27=27', '28=28', '29=29', '-30', '+30', '31=31', '32=32', '33=33',
    ]); // prettier-ignore
  });

  it('know the lines of the gaps, and the end of the file, once the file is known', () => {
    const lines = linesOf(file, changed, { file: changed });
    assert.deepEqual(
      shortly(lines).filter((line) => line.includes('known')),
      ['6 known', '13 known', '7 known'],
    );
  });

  it('show some or all lines of a gap from either end', () => {
    const openings = new Map([
      [1, { fromStart: 6, fromEnd: 0 }],
      [14, { fromStart: 2, fromEnd: 1 }],
      [34, { fromStart: 20, fromEnd: 20 }],
    ]);
    const lines = shortly(linesOf(file, changed, { file: changed, openings }));
    assert.deepEqual(lines.slice(0, 7), ['1=1', '2=2', '3=3', '4=4', '5=5', '6=6', '7=7']);
    assert.deepEqual(lines.slice(13, 19), ['13=13', '14=14', '15=15', '10 known', '26=26', '27=27']);
    assert.deepEqual(lines.slice(-2), ['39=39', '40=40']);
  });

  it('hide unchanged lines that the diff brings far from a change', () => {
    const lines = shortly(linesOf(file, changed, { context: 100 }));
    assert.deepEqual(
      lines.filter((line) => line.includes('known')),
      ['13 known'],
    );
    assert.deepEqual(lines.slice(0, 3), ['1=1', '2=2', '3=3']);
  });

  it('are all there, numbered on both sides, however the gaps are opened', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 60 }),
        fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 60 }),
        fc.dictionary(fc.nat(60).map(String), fc.record({ fromStart: fc.nat(30), fromEnd: fc.nat(30) })),
        (before, after, opened) => {
          const openings = new Map(Object.entries(opened).map(([id, opening]) => [Number(id), opening]));
          const lines = linesOf(before, after, { file: after, openings });
          let [oldNext, newNext] = [1, 1];
          for (const line of lines) {
            if (line.type === 'note') {
              continue;
            }
            if (line.type !== 'add') {
              assert.equal(line.oldLine, oldNext);
            }
            if (line.type !== 'delete') {
              assert.equal(line.newLine, newNext);
            }
            const count = line.type === 'gap' ? line.count : 1;
            oldNext += line.type === 'add' ? 0 : count;
            newNext += line.type === 'delete' ? 0 : count;
            if (line.type === 'context') {
              assert.equal(line.text, after[line.newLine! - 1]);
            }
          }
          if (lines.length > 0) {
            assert.equal(newNext, after.length + 1);
          }
        },
      ),
    );
  });

  it('take lines that differ in whitespace alone for unchanged when that is wanted', () => {
    const before = ['if (a) {', 'b();', '}', 'old'];
    const after = ['if (a) {', '  b();', '}', 'new'];
    const lines = linesOf(before, after, { ignoreWhitespace: true });
    assert.deepEqual(shortly(lines), ['1=1', '2=2', '3=3', '-4', '+4']);
    const second = lines[1];
    assert.ok(second?.type === 'context' && second.text === '  b();');
  });
});

describe('side by side', () => {
  it('stand the lines that became each other, and what is alike to nothing below them', () => {
    const lines = linesOf(
      ['const total = price * count;', 'log(total);'],
      ['// a remark of its own', 'const total = price * amount;', 'log(total, "now");'],
    );
    const { rows, partners } = pairLines(lines);
    const text = (index: number | undefined): string | undefined => {
      const line = index === undefined ? undefined : lines[index];
      return line && 'text' in line ? line.text : undefined;
    };
    assert.deepEqual(
      rows.map(({ left, right }) => [text(left), text(right)]),
      [
        [undefined, '// a remark of its own'],
        ['const total = price * count;', 'const total = price * amount;'],
        ['log(total);', 'log(total, "now");'],
      ],
    );
    assert.equal(partners.size, 4);
  });

  it('has every line once on its side', () => {
    const some = fc.array(fc.constantFrom('a b', 'a c', 'x', 'y z', ''), { maxLength: 30 });
    fc.assert(
      fc.property(some, some, (before, after) => {
        const lines = linesOf(before, after);
        const { rows } = pairLines(lines);
        const left = rows.flatMap((row) => row.left ?? []).filter((index) => lines[index]?.type !== 'add');
        const right = rows
          .flatMap((row) => row.right ?? [])
          .filter((index) => lines[index]?.type !== 'delete');
        const indices = [...lines.keys()];
        assert.deepEqual(
          left,
          indices.filter((index) => lines[index]?.type !== 'add'),
        );
        assert.deepEqual(
          right,
          indices.filter((index) => lines[index]?.type !== 'delete'),
        );
      }),
    );
  });
});

describe('changed words', () => {
  it('are those that differ, with the space between them', () => {
    const before = 'const count = price * two;';
    const after = 'const total = price * of three;';
    const words = changedWords(before, after);
    assert.deepEqual(
      words.before.map(({ start, end }) => before.slice(start, end)),
      ['count', 'two'],
    );
    assert.deepEqual(
      words.after.map(({ start, end }) => after.slice(start, end)),
      ['total', 'of three'],
    );
  });

  it('are all of it in lines that are too long to compare', () => {
    assert.deepEqual(changedWords('a'.repeat(5000), 'b'), {
      before: [{ start: 0, end: 5000 }],
      after: [{ start: 0, end: 1 }],
    });
  });
});

describe('files that a machine wrote', () => {
  for (const [path, kind] of [
    ['package-lock.json', 'lock'],
    ['deep/down/Cargo.lock', 'lock'],
    ['go.sum', 'lock'],
    ['api/service.pb.go', 'generated'],
    ['dist/main.js', 'generated'],
    ['web/app.min.css', 'generated'],
    ['src/lock.ts', undefined],
    ['src/distance.ts', undefined],
    ['package.json', undefined],
  ] as const) {
    it(`${path}: ${kind ?? 'no'}`, () => assert.equal(machineWritten(path), kind));
  }

  for (const [name, diff, kind] of [
    ['begins with @generated', '@@ -1,3 +1,3 @@\n /* @generated */\n-a\n+b', 'generated'],
    [
      'begins with what Go says',
      '@@ -0,0 +1,2 @@\n+// Code generated by stringer. DO NOT EDIT.\n+',
      'generated',
    ],
    ['begins with what .NET says', '@@ -0,0 +1 @@\n+// <auto-generated />', 'generated'],
    ['speaks of it further down', `@@ -1 +1,12 @@\n${'+\n'.repeat(10)}+// @generated`, undefined],
    ['speaks of it elsewhere', '@@ -40,3 +40,3 @@\n // @generated', undefined],
    ['says that people write it', '@@ -1 +1 @@\n-// generated\n+// Do not edit', undefined],
  ] as const) {
    it(`${name}: ${kind ?? 'no'}`, () =>
      assert.equal(
        machineWritten('a.ts', `diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n${diff}`),
        kind,
      ));
  }

  it('are none of those that a patch deletes, whose diffs say so before their lines', () => {
    assert.ok(
      isDeletion('diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n'),
    );
    assert.ok(
      !isDeletion(
        'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n deleted file mode 1\ndeleted file mode 1\n',
      ),
    );
  });
});
