import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import {
  compareFile,
  type ComparisonContext,
  type FileComparison,
  type GitMerge,
} from '../../../../src/model/reading/compareFile.ts';
import type { FileChange, FileState } from '../../../../src/model/reading/fileChange.ts';

const text = (content: string, mode = '100644'): FileState => ({
  mode,
  content: { kind: 'text', text: content },
});
const change = (before: FileState | undefined, after: FileState | undefined, diff?: string): FileChange => ({
  oldPath: 'file',
  path: 'file',
  before,
  after,
  ...(diff !== undefined && { diff }),
});
const texts = (before: string, after: string): FileChange => change(text(before), text(after));
const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index}\n`);
const edited = (lines: readonly string[], at: number, ...by: string[]): string =>
  lines.toSpliced(at, 1, ...by).join('');
const verdictOf = (older: FileChange, newer: FileChange): FileComparison['verdict'] =>
  compareFile(older, newer).verdict;

describe('comparing what two versions do to a file', () => {
  const base = numbered(40);
  const older = texts(base.join(''), edited(base, 20, 'mine\n'));

  it('calls it the same when nothing is another', () => {
    assert.equal(verdictOf(older, texts(base.join(''), edited(base, 20, 'mine\n'))), 'same');
  });

  it('calls it rebased when only the base is another, and says what was expected', () => {
    const newBase = base.toSpliced(2, 1, 'theirs\n', 'theirs, too\n');
    const after = newBase.toSpliced(21, 1, 'mine\n').join('');
    const compared = compareFile(older, texts(newBase.join(''), after));
    assert.deepEqual(compared, { verdict: 'rebased', basis: 'contents', expected: after });
  });

  it('calls it changed when the author did more on the same base', () => {
    const compared = compareFile(older, texts(base.join(''), edited(base, 20, 'mine\n', 'more\n')));
    assert.deepEqual(compared, {
      verdict: 'changed',
      basis: 'contents',
      expected: edited(base, 20, 'mine\n'),
    });
  });

  it('calls it changed when the author did more on another base', () => {
    const newBase = base.toSpliced(2, 1, 'theirs\n');
    const expected = newBase.toSpliced(20, 1, 'mine\n').join('');
    const compared = compareFile(older, texts(newBase.join(''), newBase.toSpliced(20, 1, 'ours\n').join('')));
    assert.deepEqual(compared, { verdict: 'changed', basis: 'contents', expected });
  });

  it('calls it a conflict when both changed the same lines, however that was resolved', () => {
    const newBase = edited(base, 20, 'theirs\n');
    assert.equal(verdictOf(older, texts(newBase, edited(base, 20, 'mine\n'))), 'conflict');
    assert.equal(verdictOf(older, texts(newBase, edited(base, 20, 'theirs and mine\n'))), 'conflict');
  });

  it('calls it a conflict when the base changed a file that both versions delete', () => {
    const deleted = change(text('one\n'), undefined);
    assert.equal(verdictOf(deleted, change(text('two\n'), undefined)), 'conflict');
    assert.equal(verdictOf(deleted, deleted), 'same');
  });

  it('sees a change that was moved into an earlier commit', () => {
    const both = texts(
      base.join(''),
      base.toSpliced(30, 1, 'mine, too\n').toSpliced(10, 1, 'mine\n').join(''),
    );
    const newBase = edited(base, 10, 'mine\n');
    const rest = texts(newBase, base.toSpliced(30, 1, 'mine, too\n').toSpliced(10, 1, 'mine\n').join(''));
    const { verdict, isPartlyInBase } = compareFile(both, rest);
    assert.deepEqual([verdict, isPartlyInBase], ['changed', true]);
    assert.equal(compareFile(both, rest, { isBaseOlder: true }).verdict, 'rebased');
  });

  it('does not say what went into the base where there are too many lines to count, but where git has counted them', () => {
    const long = Array.from({ length: 2_500 }, (_, index) => `mine ${index}\n`).join('');
    const newBase = edited(base, 2, 'theirs\n');
    const compare = (context: ComparisonContext): FileComparison =>
      compareFile(texts(base.join(''), base.join('') + long), texts(newBase, newBase + long), {
        gitMerge: { kind: 'clean', text: newBase + long },
        ...context,
      });
    const expected = newBase + long;
    assert.deepEqual(compare({}), { verdict: 'changed', basis: 'contents', isSizeUnknown: true });
    const counted = { removed: 0, added: 2_500 };
    assert.deepEqual(compare({ changedLines: { older: counted, newer: counted } }), {
      verdict: 'rebased',
      basis: 'contents',
      expected,
    });
    for (const newer of [
      { removed: 0, added: 2_499 },
      { removed: 1, added: 2_500 },
    ]) {
      assert.deepEqual(compare({ changedLines: { older: counted, newer } }), {
        verdict: 'changed',
        basis: 'contents',
        expected,
        isPartlyInBase: true,
      });
    }
    assert.equal(compare({ isBaseOlder: true }).verdict, 'rebased');
  });

  it('sees no change of a mode that the older base had already', () => {
    const run = (mode: string): FileChange => change(text('one\n', mode), text('two\n', '100644'));
    assert.equal(compareFile(run('100755'), run('100644'), { isBaseOlder: true }).verdict, 'rebased');
    // It may have been moved into a commit before this one since.
    assert.equal(verdictOf(run('100755'), run('100644')), 'changed');
    const backAgain = change(text('one\n', '100644'), text('two\n', '100755'));
    assert.equal(compareFile(run('100755'), backAgain, { isBaseOlder: true }).verdict, 'changed');
  });

  for (const [what, newer] of [
    ['the end of its lines', texts(base.join(''), edited(base, 20, 'mine\r\n'))],
    ['the newline at its end', texts(base.join(''), edited(base, 20, 'mine\n').replace(/\n$/, ''))],
    ['its mode', change(text(base.join('')), text(edited(base, 20, 'mine\n'), '100755'))],
    ['that it is there before', change(undefined, text(edited(base, 20, 'mine\n')))],
    ['that it is there after', change(text(base.join('')), undefined)],
  ] as const) {
    it(`sees a change of ${what}`, () => {
      assert.equal(verdictOf(older, newer), 'changed');
    });
  }

  it('sees that a file was moved, whatever is in it', () => {
    assert.equal(compareFile(older, older, { isMoved: true }).verdict, 'changed');
    const newBase = base.toSpliced(2, 1, 'theirs\n');
    const onto = texts(newBase.join(''), edited(newBase, 20, 'mine\n'));
    assert.equal(compareFile(older, onto).verdict, 'rebased');
    assert.equal(compareFile(older, onto, { isMoved: true }).verdict, 'changed');
  });

  it('compares what is no text by its id', () => {
    const binary = (id: string): FileState => ({ id, mode: '100644', content: { kind: 'binary' } });
    const picture = change(binary('a'), binary('b'));
    assert.equal(verdictOf(picture, change(binary('a'), binary('b'))), 'same');
    assert.equal(verdictOf(picture, change(binary('a'), binary('c'))), 'changed');
    assert.equal(verdictOf(picture, change(binary('c'), binary('b'))), 'conflict');
  });

  it('trusts the ids of blobs more than what is to be read of them', () => {
    const state = (id: string): FileState => ({ ...text('same\n'), id });
    assert.equal(verdictOf(change(undefined, state('a')), change(undefined, state('b'))), 'changed');
  });

  describe('from the diffs alone', () => {
    const missing: FileState = { mode: '100644', content: { kind: 'missing' } };
    const hunk = (header: string, ...lines: string[]): string =>
      [
        'diff --git a/file b/file',
        `index ${header.length}..2`,
        '--- a/file',
        '+++ b/file',
        header,
        ...lines,
        '',
      ].join('\n');
    const diff = hunk('@@ -1,4 +1,4 @@ before', ' far', ' near', '-old', '+new', ' next');
    const compare = (newer: string): FileComparison =>
      compareFile(change(missing, missing, diff), change(missing, missing, newer));

    it('never says that it was only rebased', () => {
      const moved = compare(hunk('@@ -11,4 +15,4 @@ after', ' far', ' near', '-old', '+new', ' next'));
      assert.deepEqual(moved, { verdict: 'same', basis: 'diffs' });
      const farther = compare(hunk('@@ -1,4 +1,4 @@', ' FAR', ' near', '-old', '+new', ' next'));
      assert.deepEqual(farther, { verdict: 'same', basis: 'diffs' });
    });

    for (const [what, newer] of [
      ['another line', hunk('@@ -1,4 +1,4 @@', ' far', ' near', '-old', '+other', ' next')],
      ['other lines beside it', hunk('@@ -1,4 +1,4 @@', ' far', ' NEAR', '-old', '+new', ' next')],
      ['other lines after it', hunk('@@ -1,4 +1,4 @@', ' far', ' near', '-old', '+new', ' NEXT')],
      ['one change more', `${diff}@@ -9,2 +9,3 @@\n far below\n+more\n below that\n`],
      ['one change less', hunk('@@ -1,3 +1,2 @@', ' far', ' near', '-old', ' next')],
      [
        'no newline at the end',
        hunk('@@ -1,3 +1,3 @@', ' near', '-old', '+new', '\\ No newline at end of file'),
      ],
      ['another name', diff.replaceAll('b/file', 'b/other')],
    ] as const) {
      it(`sees ${what}`, () => {
        assert.deepEqual(compare(newer), { verdict: 'changed', basis: 'diffs' });
      });
    }

    describe('and the ids of blobs', () => {
      const at = (id: string): FileState => ({ ...missing, id });
      const compareAt = (older: [string, string], newer: [string, string]): FileComparison =>
        compareFile(change(at(older[0]), at(older[1]), diff), change(at(newer[0]), at(newer[1]), diff));

      it('says that it is the same when both blobs are', () => {
        assert.deepEqual(compareAt(['a', 'b'], ['a', 'b']), { verdict: 'same', basis: 'ids' });
      });

      it('says that it was changed when the same blob has become another one, however alike the diffs are', () => {
        assert.deepEqual(compareAt(['a', 'b'], ['a', 'c']), { verdict: 'changed', basis: 'ids' });
      });

      it('leaves it to the diffs when the base is another one', () => {
        assert.deepEqual(compareAt(['a', 'b'], ['c', 'd']), { verdict: 'same', basis: 'diffs' });
      });

      it('says of a binary file that it was changed', () => {
        const binary = (id: string): FileChange =>
          change(at('a'), at(id), 'Binary files a/logo.png and b/logo.png differ\n');
        assert.deepEqual(compareFile(binary('b'), binary('c')), { verdict: 'changed', basis: 'ids' });
      });
    });

    it('takes what it cannot compare for changed', () => {
      assert.equal(verdictOf(change(missing, missing), change(missing, missing)), 'changed');
    });
  });

  describe('beside git', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-compare-'));
    after(() => rmSync(folder, { recursive: true, force: true }));

    function mergeFile(ours: string, original: string, theirs: string): GitMerge {
      const files = Object.entries({ ours, original, theirs }).map(([name, content]) => {
        const file = path.join(folder, name);
        writeFileSync(file, content);
        return file;
      });
      const { status, stdout } = spawnSync('git', ['merge-file', '-p', ...files], { encoding: 'utf8' });
      return status === 0 ? { kind: 'clean', text: stdout } : { kind: 'conflict' };
    }

    // Few different lines: then there are many ways to tell what was changed.
    const line = fc.constantFrom('a\n', 'b\n', 'c\n', '}\n');
    const edits = fc.array(
      fc.record({ at: fc.nat(30), removed: fc.nat(2), added: fc.array(line, { maxLength: 2 }) }),
      { minLength: 1, maxLength: 2 },
    );
    const apply = (
      lines: readonly string[],
      by: readonly { at: number; removed: number; added: string[] }[],
    ) =>
      by.reduce<readonly string[]>(
        (done, { at, removed, added }) => done.toSpliced(at % (done.length + 1), removed, ...added),
        lines,
      );

    /** How many more of each line there are after a change; fewer, where it is negative. */
    function gainedLines(before: string, after: string): Record<string, number> {
      const count = (text: string, each: string): number =>
        text.split(/(?<=\n)/).filter((one) => one === each).length;
      return Object.fromEntries(
        ['a\n', 'b\n', 'c\n', '}\n'].map((each) => [each, count(after, each) - count(before, each)]),
      );
    }

    it('leaves it to git what of lines that are alike went into an older base', () => {
      // The base removes the second brace. Ours takes that for one that the author removes as well; git takes that for the first.
      const lines = (all: string): string => all.replaceAll(/./g, '$&\n');
      const older = texts(lines('aaaaaaa}a}aaaa'), lines('aaaaaaba}aac}aa'));
      const newBase = lines('aaaaaaa}aaaaa');
      const newer = texts(newBase, lines('aaaaaaba}aac}aa'));
      const gitMerge = mergeFile(newBase, lines('aaaaaaa}a}aaaa'), lines('aaaaaaba}aac}aa'));
      assert.deepEqual(gitMerge, { kind: 'clean', text: lines('aaaaaabaaac}aa') });
      assert.equal(compareFile(older, newer, { isBaseOlder: true }).verdict, 'rebased');
      assert.deepEqual(compareFile(older, newer, { gitMerge, isBaseOlder: true }), {
        verdict: 'changed',
        basis: 'contents',
        expected: lines('aaaaaabaaac}aa'),
      });
    });

    it('calls rebased what git merges, and changed what anybody has changed beyond that', () => {
      fc.assert(
        fc.property(
          fc.array(line, { minLength: 8, maxLength: 30 }),
          edits,
          edits,
          edits,
          (lines, mine, theirs, more) => {
            const [b1, f1, b2] = [lines, apply(lines, mine), apply(lines, theirs)].map((each) =>
              each.join(''),
            ) as [string, string, string];
            const gitMerge = mergeFile(b2, b1, f1);
            const f2 = gitMerge.kind === 'clean' ? gitMerge.text : undefined;
            fc.pre(f2 !== undefined && b1 !== b2 && f2 !== b2);
            const context = { gitMerge, isBaseOlder: true };
            assert.equal(compareFile(texts(b1, f1), texts(b2, f2), context).verdict, 'rebased');
            const other = apply(f2.split(/(?<=\n)/), more).join('');
            fc.pre(other !== f2);
            assert.equal(compareFile(texts(b1, f1), texts(b2, other), context).verdict, 'changed');
            // Without git it may see a conflict where there was none. Lines that are alike can be merged in several ways: where
            // it sees no change, the version removes and adds the same lines.
            const alone = compareFile(texts(b1, f1), texts(b2, other)).verdict;
            assert.notEqual(alone, 'same');
            if (alone === 'rebased') {
              assert.deepEqual(gainedLines(b2, other), gainedLines(b1, f1));
            }
          },
        ),
        { numRuns: 100 },
      );
    });
  });
});
