import assert from 'node:assert/strict';
import { install, type Clock } from '@sinonjs/fake-timers';
import type { Patch, PatchSection } from '../../../src/api/types/patches.ts';
import type { PendingChange } from '../../../src/model/pending/pendingChange.ts';
import { textsOf } from '../../support/patchVersions.ts';
import { Unexplained, unexplainedBySection } from '../../../src/patch/unexplained.ts';

const text = (markdown: string): PatchSection => ({
  sectionType: 'text',
  code: 'text',
  identifier: 'text',
  text: markdown,
});
const file = (diffPatch: string): PatchSection => ({
  sectionType: 'diff',
  code: 'file',
  identifier: 'a.ts',
  newPath: 'a.ts',
  diffPatch,
});
const two = '@@ -1,2 +1,3 @@\n context\n+added\n context\n@@ -20,2 +21,3 @@\n context\n+added\n context\n';
const patch = (...sections: PatchSection[]): Patch => ({ changeId: 'a', contributors: [], sections });
const typed = (markdown: string): PendingChange => ({
  id: '1',
  subject: { kind: 'sectionText', patch: { stackUuid: '', changeId: 'a' }, code: 'text' },
  content: { base: '', text: markdown },
  title: '',
  state: 'editing',
  startedAt: '',
  changedAt: markdown,
});

describe('the marks of what no prose explains', () => {
  let clock: Clock;
  let told: number;
  let marks: Unexplained;
  const bare = patch(file(two), text(''));

  beforeEach(() => {
    clock = install();
    told = 0;
    marks = new Unexplained(textsOf, () => (told += 1));
  });
  afterEach(() => {
    marks.dispose();
    clock.uninstall();
  });

  it('name the lines of a file, or all of it', () => {
    assert.deepEqual(unexplainedBySection(bare.sections ?? []), { file: 'all' });
    assert.deepEqual(unexplainedBySection([file(two), text('a.ts:2')]), {
      file: [{ old: { start: 21, count: 0 }, new: { start: 22, count: 1 } }],
    });
    assert.deepEqual(unexplainedBySection([text('Why.'), file(two)]), {});
  });

  it('wait until the document is drawn', async () => {
    assert.equal(marks.view(bare, []), undefined);
    await clock.runAllAsync();
    assert.deepEqual([told, marks.view(bare, [])], [0, undefined]);
    marks.begin();
    await clock.runAllAsync();
    assert.deepEqual([told, marks.view(bare, [])], [1, { file: 'all' }]);
    await clock.runAllAsync();
    assert.equal(told, 1);
  });

  it('stay while somebody types, and change when they rest', async () => {
    marks.begin();
    marks.view(bare, []);
    await clock.runAllAsync();
    const before = marks.view(bare, []);
    for (const word of ['S', 'Se', 'See a.ts']) {
      await clock.tickAsync(300);
      assert.equal(marks.view(bare, [typed(word)]), before);
    }
    assert.equal(told, 1);
    await clock.runAllAsync();
    assert.deepEqual([told, marks.view(bare, [typed('See a.ts')])], [2, undefined]);
  });

  it('are nothing to tell of where all is explained', async () => {
    marks.begin();
    assert.equal(marks.view(bare, [typed('See a.ts')]), undefined);
    await clock.runAllAsync();
    assert.deepEqual([told, marks.view(bare, [typed('See a.ts')])], [0, undefined]);
  });

  it('come although the document is looked at again and again', async () => {
    marks.begin();
    for (let look = 0; look < 5; look++) {
      marks.view(bare, [typed('Words')]);
      await clock.tickAsync(300);
    }
    assert.equal(told, 1);
  });

  it('are the same object, and nobody is told, when nothing of them has changed', async () => {
    marks.begin();
    marks.view(bare, []);
    await clock.runAllAsync();
    const before = marks.view(bare, []);
    marks.view(bare, [typed('Words')]);
    await clock.runAllAsync();
    assert.equal(marks.view(bare, [typed('Words')]), before);
    assert.equal(told, 1);
  });

  it('are none for a version with other lines, until they are reckoned for that', async () => {
    marks.begin();
    marks.view(bare, []);
    await clock.runAllAsync();
    const rewritten = patch(file(two.replace('+added', '+changed')), text(''));
    assert.equal(marks.view(rewritten, []), undefined);
    await clock.runAllAsync();
    assert.deepEqual([told, marks.view(rewritten, [])], [2, { file: 'all' }]);
    // The same lines with another text stay marked.
    assert.deepEqual(marks.view(patch(file(two.replace('+added', '+changed')), text('a.ts')), []), {
      file: 'all',
    });
  });

  it('come no more once the document is closed', async () => {
    marks.begin();
    marks.view(bare, []);
    marks.dispose();
    await clock.runAllAsync();
    assert.equal(told, 0);
  });

  it('are not reckoned any more once the document is gone, nor told of when it goes meanwhile', async () => {
    marks.begin();
    marks.view(bare, []);
    marks.dispose();
    await clock.runAllAsync();
    assert.equal(told, 0);
    marks.begin();
    clock.tick(0);
    marks.dispose();
    await clock.runAllAsync();
    assert.deepEqual([told, marks.view(bare, [])], [0, undefined]);
  });

  it('are the same whatever the order of the files, and none of other files', async () => {
    const [one, another] = [file(two), { ...file(two), code: 'b', identifier: 'b.ts', newPath: 'b.ts' }];
    marks.begin();
    marks.view(patch(one, another), []);
    await clock.runAllAsync();
    const all = { file: 'all', b: 'all' };
    assert.deepEqual(marks.view(patch(another, text('Words.'), one), []), all);
    assert.equal(marks.view(patch(one), []), undefined);
    assert.equal(marks.view(patch(one, { ...another, code: 'c' }), []), undefined);
    assert.equal(marks.view(patch(one, another, { ...another, code: 'c' }), []), undefined);
  });
});
