import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PatchSection } from '../../../src/api/types/patches.ts';
import { diffSides } from '../../../src/patch/diffSides.ts';
import { ViewedMarks } from '../../../src/patch/viewedMarks.ts';

const patch = { stackUuid: 's', changeId: 'constructor' };
const text = (code: string, content: string): PatchSection => ({
  sectionType: 'text',
  code,
  identifier: code,
  text: content,
});
const diff = (code: string, diffPatch: string): PatchSection => ({
  sectionType: 'diff',
  code,
  identifier: 'a.ts',
  newPath: 'a.ts',
  diffPatch,
});

describe('marks of what was viewed', () => {
  let folder: string;
  before(async () => (folder = await mkdtemp(path.join(tmpdir(), 'patch-stacks-marks-'))));
  after(() => rm(folder, { recursive: true }));

  it('are kept, for each patch apart', async () => {
    const marks = new ViewedMarks(path.join(folder, 'account'));
    await marks.set(patch, text('a', 'one'), true);
    await marks.set({ ...patch, changeId: 'other' }, text('b', 'two'), true);
    const later = new ViewedMarks(path.join(folder, 'account'));
    assert.deepEqual(await later.of(patch, [text('a', 'one'), text('b', 'two')]), ['a']);
  });

  it('go when the section changes, or when they are taken away', async () => {
    const marks = new ViewedMarks(folder);
    await marks.set(patch, text('a', 'one'), true);
    assert.deepEqual(await marks.of(patch, [text('a', 'two')]), []);
    await marks.set(patch, text('a', 'one'), false);
    assert.deepEqual(await marks.of(patch, [text('a', 'one')]), []);
  });

  it('stay when a new version of the patch has the same section, even further down in its file', async () => {
    const marks = new ViewedMarks(folder);
    await marks.set(patch, diff('a', 'index 1..2\n@@ -1 +1 @@ f\n-a\n+b\n'), true);
    const next = { stackUuid: 'next', changeId: patch.changeId };
    assert.deepEqual(await marks.of(next, [diff('b', 'index 3..4\n@@ -9 +9 @@ f\n-a\n+b\n')]), ['b']);
    assert.deepEqual(await marks.of(next, [diff('b', 'index 3..4\n@@ -9 +9 @@ f\n-a\n+c\n')]), []);
  });

  for (const content of ['', '[]', 'null', '{"constructor": {"a": 1}}', '{"__proto__": ["x"]}']) {
    it(`are none in a file with ${JSON.stringify(content)}`, async () => {
      const broken = await mkdtemp(path.join(folder, 'broken-'));
      await writeFile(path.join(broken, 'viewed.json'), content);
      assert.deepEqual(await new ViewedMarks(broken).of(patch, [text('a', 'one')]), []);
    });
  }
});

describe('both sides of a diff', () => {
  it('have each line where its number says', () => {
    assert.deepEqual(
      diffSides('@@ -2,2 +2,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n@@ -6 +6 @@\n-x\n+y\n'),
      {
        before: '\na\nb\n\n\nx',
        after: '\na\nc\n\n\ny',
      },
    );
  });

  it('are not told by what is no diff', () => {
    assert.equal(diffSides('Binary files differ'), undefined);
    assert.equal(diffSides('@@ -1,9 +1,9 @@\n-too short\n'), undefined);
  });
});
