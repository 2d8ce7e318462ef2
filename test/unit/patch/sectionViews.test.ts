import assert from 'node:assert/strict';
import type { DiffSection, PatchSection } from '../../../src/api/types/patches.ts';
import { sectionViews } from '../../../src/patch/sectionViews.ts';
import { inlineDiffLength } from '../../../src/protocol/patchDocument.ts';

const diff = (code: string, rest: Partial<DiffSection> = {}): DiffSection => ({
  sectionType: 'diff',
  code,
  identifier: code,
  ...rest,
});
const added = '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1,2 @@\n a\n+b\n';

describe('the sections as the page of a patch has them', () => {
  it('are texts, with a title, the message that has changed, and the number of versions, where there are such', () => {
    const others = [{ id: 'one', text: 'One.', before: '' }];
    const changedMessage = { was: 'Before.', is: 'Now.' } as never;
    assert.deepEqual(
      sectionViews([
        { sectionType: 'text', code: 'a', identifier: 'a', text: 'Why.' },
        { sectionType: 'text', code: 'b', identifier: 'b', title: 'How', text: 'So.', changedMessage },
        { sectionType: 'text', code: 'c', identifier: 'c' },
        { sectionType: 'text', code: 'd', identifier: 'd', versions: { isOwn: true, by: 'Ada', others } },
        { sectionType: 'text', code: 'e', identifier: 'e', versions: { others: [...others, ...others] } },
      ]),
      [
        { type: 'text', code: 'a', text: 'Why.' },
        { type: 'text', code: 'b', title: 'How', text: 'So.', changedMessage },
        { type: 'text', code: 'c', text: '' },
        { type: 'text', code: 'd', text: '', versions: { count: 2, isOwn: true, by: 'Ada' } },
        { type: 'text', code: 'e', text: '', versions: { count: 3, isOwn: false } },
      ],
    );
  });

  it('are files, with all that is known of them and nothing else', () => {
    assert.deepEqual(sectionViews([diff('a.ts', { diffPatch: added })]), [
      { type: 'diff', code: 'a.ts', path: 'a.ts', diff: added, diffLength: added.length, diffLines: 5 },
    ]);
    const gone =
      'diff --git a/a.ts b/a.ts\ndeleted file mode 100644\n--- a/a.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n';
    assert.deepEqual(
      sectionViews([
        diff('a.ts', {
          oldPath: 'old.ts',
          newPath: 'new.ts',
          oldSize: 0,
          newSize: 2,
          encoding: 'shift_jis',
          lines: 0,
          deletions: 1,
          diffPatch: gone,
        }),
      ]),
      [
        {
          type: 'diff',
          code: 'a.ts',
          path: 'new.ts',
          isDeleted: true,
          oldPath: 'old.ts',
          added: 0,
          deleted: 1,
          oldSize: 0,
          newSize: 2,
          encoding: 'shift_jis',
          diff: gone,
          diffLength: gone.length,
          diffLines: 6,
        },
      ],
    );
    assert.deepEqual(sectionViews([diff('x', { oldPath: 'old.ts' })]), [
      { type: 'diff', code: 'x', path: 'old.ts', oldPath: 'old.ts', diff: '', diffLength: 0, diffLines: 0 },
    ]);
    const [lock] = sectionViews([diff('package-lock.json', { diffPatch: added })]);
    assert.equal(lock?.type === 'diff' && lock.machine, 'lock');
  });

  it('are those that nobody can read, by their title', () => {
    assert.deepEqual(
      sectionViews([
        { sectionType: 'unknown', code: 'a', identifier: 'a' },
        { sectionType: 'unknown', code: 'b', identifier: 'b', title: 'Later' },
      ] as PatchSection[]),
      [
        { type: 'unreadable', code: 'a' },
        { type: 'unreadable', code: 'b', title: 'Later' },
      ],
    );
  });

  it('have their diffs in them as long as there is room, and the others are asked for when they are wanted', () => {
    const has = (...lengths: number[]): boolean[] =>
      sectionViews(
        lengths.map((length, index) => diff(String(index), { diffPatch: 'x'.repeat(length) })),
      ).map((view) => view.type === 'diff' && view.diff !== undefined);
    assert.deepEqual(has(inlineDiffLength), [true]);
    assert.deepEqual(has(inlineDiffLength + 1), [false]);
    assert.deepEqual(has(inlineDiffLength - 1, 2, 1, 1), [true, false, true, false]);
    assert.deepEqual(has(inlineDiffLength + 1, inlineDiffLength, 1), [false, true, false]);
    const [first, second] = sectionViews([
      { sectionType: 'text', code: 't', identifier: 't', text: 'x'.repeat(inlineDiffLength) },
      diff('a', { diffPatch: 'x'.repeat(inlineDiffLength) }),
    ]);
    assert.equal(first?.type, 'text');
    assert.ok(second?.type === 'diff' && second.diff !== undefined, 'a text takes no room of the diffs');
  });
});
