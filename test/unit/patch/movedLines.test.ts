import assert from 'node:assert/strict';
import { movedLines } from '../../../src/patch/movedLines.ts';

const file = (code: string, ...hunks: string[]) => ({
  sectionType: 'diff' as const,
  code,
  identifier: code,
  diffPatch: `diff --git a/${code} b/${code}\n--- a/${code}\n+++ b/${code}\n${hunks.join('')}`,
});
const body = ['function plan() {', '  step("of the plan that moves");', '}'];
const lines = (mark: string, texts: readonly string[]): string =>
  texts.map((text) => `${mark}${text}\n`).join('');
const removal = `@@ -5,4 +5,1 @@\n kept\n${lines('-', body)}`;

describe('lines that a patch moves', () => {
  it('are told on both sides, in one file and between files, whatever their indentation', () => {
    const indented = body.map((text) => `    ${text}`);
    const addition = `@@ -40,1 +37,4 @@\n kept\n${lines('+', indented)}`;
    const moved = (code: string, line: number, side: 'old' | 'new', start: number) => ({
      side,
      start,
      count: 3,
      other: { code, line },
    });
    assert.deepEqual(movedLines([file('a', removal, addition)]), {
      a: [moved('a', 38, 'old', 6), moved('a', 6, 'new', 38)],
    });
    assert.deepEqual(movedLines([file('a', removal), file('b', addition)]), {
      a: [moved('b', 38, 'old', 6)],
      b: [moved('a', 6, 'new', 38)],
    });
  });

  it('are as many as follow one another on both sides, and the longest of several places', () => {
    const once = `@@ -40,1 +37,2 @@\n kept\n${lines('+', body.slice(1, 2))}`;
    const whole = `@@ -60,1 +58,5 @@\n kept\n${lines('+', [...body, 'something else'])}`;
    const { a = [] } = movedLines([file('a', removal, once, whole)]);
    assert.deepEqual(
      a.map(({ side, start, count }) => [side, start, count]),
      [
        ['old', 6, 3],
        ['new', 59, 3],
      ],
    );
  });

  it('are none that stay in their place, that are the same by chance, or that are removed alone', () => {
    const inPlace = `@@ -5,3 +5,3 @@\n${lines('-', body)}${lines(
      '+',
      body.map((text) => `  ${text}`),
    )}`;
    assert.deepEqual(movedLines([file('a', inPlace)]), {});
    const brackets = ['}', '', 'return a;'];
    assert.deepEqual(
      movedLines([
        file('a', `@@ -5,3 +4,0 @@\n${lines('-', brackets)}`, `@@ -50,0 +47,3 @@\n${lines('+', brackets)}`),
      ]),
      {},
    );
    assert.deepEqual(
      movedLines([file('a', removal), { sectionType: 'text', code: 't', identifier: 't', text: 'a' }]),
      {},
    );
  });

  it('are moved to one place each', () => {
    const twice = [file('a', removal, removal.replace('@@ -5,4 +5,1', '@@ -25,4 +22,1'))];
    const { a = [] } = movedLines([...twice, file('b', `@@ -1,0 +1,3 @@\n${lines('+', body)}`)]);
    assert.deepEqual(
      a.map(({ start }) => start),
      [6],
    );
  });

  it('are found in a moment, however alike the lines of a stranger are', () => {
    const many = Array.from({ length: 20_000 }, (_value, index) => (index % 2 === 0 ? 'abcd' : '}'));
    const found = movedLines([
      file('a', `@@ -1,20000 +0,0 @@\n${lines('-', many)}`),
      file('b', `@@ -0,0 +1,20000 @@\n${lines('+', many)}`),
    ]);
    assert.equal(found['a']?.[0]?.count, 20_000);
  });

  it('end where something stays between them, on either side', () => {
    const [first, second, third] = [
      'the first line that moves',
      'the second line of it',
      'the third line, which moves alone',
    ];
    const whole = (mark: string, at: string): string => `${at}\n${lines(mark, [first, second, third])}`;
    const parted = (mark: string, at: string): string =>
      `${at}\n${lines(mark, [first, second])} stays\n${lines(mark, [third])}`;
    const found = (...hunks: string[]): unknown[] =>
      (movedLines([file('a', ...hunks)])['a'] ?? []).map(({ side, start, count }) => [side, start, count]);
    assert.deepEqual(found(parted('-', '@@ -5,4 +5,1 @@'), whole('+', '@@ -40,0 +37,3 @@')), [
      ['old', 5, 2],
      ['new', 37, 2],
      ['old', 8, 1],
      ['new', 39, 1],
    ]);
    assert.deepEqual(found(whole('-', '@@ -5,3 +4,0 @@'), parted('+', '@@ -40,1 +37,4 @@')), [
      ['old', 5, 2],
      ['new', 37, 2],
      ['old', 7, 1],
      ['new', 40, 1],
    ]);
  });

  it('are counted as git counts them where a file ends without a line feed', () => {
    const removed = `@@ -5,1 +4,0 @@\n-the only line that moves here\n\\ No newline at end of file\n`;
    const added = `@@ -40,1 +37,2 @@\n+the only line that moves here\n kept\n\\ No newline at end of file\n`;
    const { a = [], b = [] } = movedLines([file('a', removed), file('b', added)]);
    assert.deepEqual(
      [...a, ...b].map(({ side, start, count }) => [side, start, count]),
      [
        ['old', 5, 1],
        ['new', 37, 1],
      ],
    );
  });

  it('are not looked for in a text that is no diff, in a section without one, nor in very long ones', () => {
    const addition = `@@ -40,1 +37,4 @@\n kept\n${lines('+', body)}`;
    const broken = { ...file('x'), diffPatch: '--- a\n+++ b\n@@ -1,9 +1,9 @@\n-a\n' };
    const empty = { sectionType: 'diff' as const, code: 'y', identifier: 'y' };
    assert.deepEqual(movedLines([broken, empty]), {});
    const both = movedLines([broken, empty, file('a', removal), file('b', addition)]);
    assert.deepEqual(Object.keys(both), ['a', 'b']);
    const length = (of: { diffPatch: string }): number => of.diffPatch.length;
    const used = length(file('a', removal)) + length(file('b', addition));
    const filler = (characters: number) => ({ ...file('z'), diffPatch: 'x'.repeat(characters) });
    assert.deepEqual(
      Object.keys(movedLines([filler(4_000_000 - used), file('a', removal), file('b', addition)])),
      ['a', 'b'],
    );
    assert.deepEqual(movedLines([filler(4_000_001 - used), file('a', removal), file('b', addition)]), {});
  });
});
