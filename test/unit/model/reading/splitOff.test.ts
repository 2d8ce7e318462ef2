import assert from 'node:assert/strict';
import type { PatchVersion } from '../../../../src/model/reading/patchVersion.ts';
import { splitOff } from '../../../../src/model/reading/splitOff.ts';

/** A patch with these files, and the lines that each hunk of them adds. */
const patch = (changeId: string, files: Readonly<Record<string, readonly string[]>>): PatchVersion => ({
  changeId,
  title: '',
  message: '',
  sections: Object.keys(files).map((path) => ({ kind: 'diff', path })),
  files: Object.entries(files).map(([path, hunks]) => ({
    oldPath: path,
    path,
    before: undefined,
    after: undefined,
    diff: hunks
      .map((line, index) => `@@ -${index * 20 + 1},1 +${index * 20 + 1},2 @@\n context\n+${line}\n`)
      .join(''),
  })),
});

describe('files that were split off from a patch', () => {
  const older = patch('a', { 'kept.ts': ['kept'], 'one.ts': ['first', 'second'], 'two.ts': ['third'] });

  it('are those that other patches have now, in one or several', () => {
    const others = [
      patch('b', { 'one.ts': ['second'] }),
      patch('c', { 'one.ts': ['first'], 'two.ts': ['third', 'more'] }),
    ];
    assert.deepEqual(splitOff(older, ['one.ts', 'two.ts'], others), ['one.ts', 'two.ts']);
  });

  it('are not those of which something is nowhere any more', () => {
    const others = [patch('b', { 'one.ts': ['first'], 'two.ts': ['another'] })];
    assert.deepEqual(splitOff(older, ['one.ts', 'two.ts'], others), []);
    assert.deepEqual(splitOff(older, ['one.ts', 'two.ts'], []), []);
  });

  it('are not those that another file has, or that the patch still has', () => {
    const others = [patch('b', { 'elsewhere.ts': ['third'], 'kept.ts': ['kept'] })];
    assert.deepEqual(splitOff(older, ['two.ts'], others), []);
  });

  it('are told by each of their hunks, however alike those are', () => {
    const twice = patch('a', { 'two.ts': ['third', 'third'] });
    assert.deepEqual(splitOff(twice, ['two.ts'], [patch('b', { 'two.ts': ['third'] })]), []);
    assert.deepEqual(splitOff(twice, ['two.ts'], [patch('b', { 'two.ts': ['third', 'third'] })]), ['two.ts']);
  });

  it('are not those that say nothing', () => {
    const bracket = patch('a', { 'two.ts': ['}'] });
    assert.deepEqual(splitOff(bracket, ['two.ts'], [patch('b', { 'two.ts': ['}'] })]), []);
  });
});
