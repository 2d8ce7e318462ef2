import assert from 'node:assert/strict';
import { carryMarks, unread, type Mark } from '../../../../src/model/reading/carryMarks.ts';
import { hunksOf, type HunkPrint } from '../../../../src/model/reading/hunks.ts';
import type { FileChange } from '../../../../src/model/reading/fileChange.ts';
import {
  rewriteKinds,
  shownStack,
  StackMaker,
  type ModelHunk,
  type ModelStack,
} from '../../../support/modelStack.ts';
import { Random } from '../../../support/random.ts';

const read: Mark = { seen: true, viewed: true };

describe('marks of what was read', () => {
  const file = (path: string, ...lines: string[]): FileChange => ({
    oldPath: path,
    path,
    diff: lines.join('\n'),
  });
  const prints = (patch: string, ...files: FileChange[]): HunkPrint[] =>
    hunksOf({
      changeId: patch,
      title: '',
      message: '',
      files,
      sections: files.map(({ path }) => ({ kind: 'diff', path })),
    });
  const header = ['diff --git a/a b/a', 'index 1..2 100644', '--- a/a', '+++ b/a'];
  const carried = (older: HunkPrint[], newer: HunkPrint[], unreadOnes: number[] = []): boolean[] =>
    carryMarks(
      older.map((print, index) => ({ print, mark: unreadOnes.includes(index) ? unread : read })),
      newer,
    ).map(({ seen }) => seen);

  it('are for each change of lines, and for what is said of a file as a whole', () => {
    const of = (...lines: string[]): number => prints('I1', file('a', ...lines)).length;
    assert.equal(of(...header, '@@ -1,3 +1,3 @@', ' x', '-a', '+b', ' y', ' z', '+c', '\\ No newline at end of file', ''), 2);
    assert.equal(of(...header, '@@ -1 +1 @@', '+b', '@@ -9 +9 @@ there', '+c', ''), 2);
    assert.equal(of(...header, '@@ -1 +1 @@', '-a', '\\ No newline at end of file', '+a', ''), 1);
    assert.equal(of('diff --git a/a b/a', 'old mode 100644', 'new mode 100755', ''), 1);
    assert.equal(of('diff --git a/a b/a', 'new file mode 100644', '@@ -0,0 +1 @@', '+a', ''), 1);
    assert.equal(of('diff --git a/b b/a', 'copy from b', 'copy to a', '@@ -1 +1 @@', '-a', '+b', ''), 2);
    assert.equal(of('diff --git a/a b/a', 'index 1..2', 'Binary files differ', ''), 1);
    assert.equal(of(), 1);
  }); // prettier-ignore

  it('tell the bytes of what is no text apart', () => {
    const binary = (id: string): HunkPrint[] =>
      prints('I1', file('a', 'diff --git a/a b/a', `index 1..${id}`, 'Binary files differ', ''));
    assert.deepEqual(carried(binary('2'), binary('2')), [true]);
    assert.deepEqual(carried(binary('2'), binary('3')), [false]);
  });

  const hunk = (path: string, before: string, ...added: string[]): FileChange =>
    file(path, ...header, '@@ -5 +5 @@', ` ${before}`, ...added.map((line) => `+${line}`), ' behind it', '');

  it('are not for another file of which nothing can be told, nor for a text that reads like a hunk', () => {
    assert.deepEqual(carried(prints('I1', file('a')), prints('I1', file('a'))), [true]);
    assert.deepEqual(carried(prints('I1', file('a')), prints('I1', file('b'))), [false]);
    const text = hunksOf({
      changeId: 'I1',
      title: '',
      message: '',
      files: [],
      sections: [{ kind: 'text', code: 't', text: '+the same words' }],
    });
    const alone = prints('I1', file('a', ...header, '@@ -0,0 +1 @@', '+the same words', ''));
    assert.deepEqual(carried(text, alone), [false]);
    assert.deepEqual(carried(alone, text), [false]);
  });

  it('follow a hunk into another patch and another file', () => {
    const older = prints('I1', hunk('a', 'in front', 'new line'));
    assert.deepEqual(carried(older, prints('I2', hunk('b', 'in front', 'new line'))), [true]);
  });

  it('are not for the same lines elsewhere, nor for one more copy of them', () => {
    const older = prints('I1', hunk('a', 'in front', 'return;'));
    const elsewhere = file('a', ...header, '@@ -5 +5 @@', ' quite another', '+return;', ' place', '');
    assert.deepEqual(carried(older, prints('I1', elsewhere)), [false]);
    const copies = prints('I1', hunk('a', 'in front', 'return;'), hunk('b', 'in front', 'return;'));
    assert.deepEqual(carried(older, copies), [true, false]);
  });

  it('are for none of those that cannot be told apart, unless all were read', () => {
    const older = prints('I1', hunk('a', 'in front', 'return;'), hunk('b', 'in front', 'return;'));
    const newer = prints('I1', hunk('c', 'in front', 'return;'));
    assert.deepEqual(carried(older, newer), [true]);
    assert.deepEqual(carried(older, newer, [1]), [false]);
    assert.deepEqual(carried(prints('I1', hunk('c', 'in front', 'return;')), older), [false, false]);
  });

  it('know a hunk by the changes next to it, where nothing else is telling, and without them', () => {
    const both = file(
      'a',
      ...header,
      '@@ -5 +5 @@',
      ' }',
      '+one line',
      ' }',
      '+two lines',
      ' }',
      '+other line',
      ' {',
      '',
    );
    assert.deepEqual(carried(prints('I1', both), prints('I1', both)), [true, true, true]);
    const between = (sign: string, after: string): FileChange =>
      file('a', ...header, '@@ -5 +5 @@', `${sign}old line`, ' }', ' in front', '+one line', after, '');
    const [behind, alone] = [between('-', ' {'), between(' ', ' [')];
    assert.deepEqual(carried(prints('I1', behind), prints('I1', alone)), [true]);
    assert.deepEqual(carried(prints('I1', behind), prints('I1', between('+', ' ['))), [false, true]);
  });

  it('stay with the hunk that is the most alike', () => {
    const both = [hunk('a', 'in front', 'return;'), hunk('b', 'in front', 'return;')];
    assert.deepEqual(carried(prints('I1', ...both), prints('I1', ...both), [0]), [false, true]);
    assert.deepEqual(carried(prints('I1', ...both), prints('I1', ...both.toReversed()), [0]), [true, false]);
  });

  it('are for texts as they were, wherever they are', () => {
    const texts = (patch: string, ...words: string[]): HunkPrint[] =>
      hunksOf({
        changeId: patch,
        title: '',
        message: '',
        files: [],
        sections: words.map((text) => ({ kind: 'text', code: text, text })),
      });
    assert.deepEqual(carried(texts('I1', 'Why', 'How'), texts('I2', 'How', 'Why not')), [true, false]);
  });

  /** Rewrites stacks, and says how many hunks kept their mark, and which got one that nobody has read. */
  function rewriteMany(count: number, variety?: number): { all: number; kept: number; wrong: string[] } {
    const found = { all: 0, kept: 0, wrong: [] as string[] };
    for (let seed = 0; seed < count; seed += 1) {
      const random = new Random(seed);
      const maker = new StackMaker(random, variety);
      const stack = maker.stack();
      const newer = maker.rewritten(stack);
      const wasRead = new Map(stack.hunks.map(({ id }) => [id, !random.oneIn(3)]));
      const after = readable(newer);
      const marks = carryMarks(
        readable(stack).map(({ print, hunk }) => ({ print, mark: wasRead.get(hunk.id) ? read : unread })),
        after.map(({ print }) => print),
      );
      after.forEach(({ hunk }, index) => {
        const isMarked = marks[index]?.seen ?? false;
        const shouldBe = wasRead.get(hunk.id) ?? false;
        found.all += shouldBe ? 1 : 0;
        found.kept += shouldBe && isMarked ? 1 : 0;
        if (isMarked && !shouldBe) {
          found.wrong.push(`${seed}: ${JSON.stringify(hunk)}`);
        }
      });
    }
    return found;
  }

  it('follow their hunks through every rewrite of a stack, and land on nothing else', () => {
    const { all, kept, wrong } = rewriteMany(500);
    assert.deepEqual(wrong, []);
    assert.ok(kept >= 0.95 * all, `${kept} of ${all} kept their mark`);
  });

  it('land on nothing else where the same few lines are everywhere', () => {
    const { all, kept, wrong } = rewriteMany(500, 10);
    assert.deepEqual(wrong, []);
    assert.ok(kept >= 0.95 * all, `${kept} of ${all} kept their mark`);
  });

  for (const kind of rewriteKinds) {
    it(`follow their hunks through ${kind}`, () => {
      const kept = { all: 0, carried: 0 };
      for (let seed = 0; seed < 60; seed += 1) {
        const maker = new StackMaker(new Random(seed));
        const stack = maker.stack();
        const after = readable(maker.rewritten(stack, [kind]));
        const ids = new Set(stack.hunks.map(({ id }) => id));
        const marks = carryMarks(
          readable(stack).map(({ print }) => ({ print, mark: read })),
          after.map(({ print }) => print),
        );
        const still = after.flatMap(({ hunk }, index) => (ids.has(hunk.id) ? [marks[index]?.viewed] : []));
        kept.all += still.length;
        kept.carried += still.filter(Boolean).length;
      }
      assert.ok(kept.carried >= 0.95 * kept.all, `${kept.carried} of ${kept.all} kept their mark`);
    });
  }
});

/** The hunks of a stack as they are read, with what the model knows of them. Texts are no hunks of it. */
function readable(stack: ModelStack): { print: HunkPrint; hunk: ModelHunk }[] {
  return shownStack(stack).flatMap(({ version, hunks }) => {
    const read = hunksOf(version).filter(({ path }) => path !== '');
    assert.equal(read.length, hunks.length);
    return read.flatMap((print, index) => {
      const hunk = hunks[index];
      return hunk ? [{ print, hunk }] : [];
    });
  });
}
