import assert from 'node:assert/strict';
import { isPatch, isSamePatch, isSameSection, patchKey, refOf } from '../../../src/util/patchRef.ts';

describe('where a patch is', () => {
  const patch = { stackUuid: 's', changeId: 'c' };

  it('is the same, whichever way it was reached', () => {
    const reached = { ...patch, serverUrl: 'https://x.test', projectId: 'p', branchId: 'b' };
    assert.ok(isSamePatch(patch, reached));
    assert.ok(isSamePatch(reached, patch));
    assert.equal(patchKey(reached), patchKey(patch));
  });

  it('is another one in another version, or for another change', () => {
    assert.ok(!isSamePatch(patch, { ...patch, stackUuid: 't' }));
    assert.ok(!isSamePatch(patch, { ...patch, changeId: 'd' }));
    assert.notEqual(patchKey(patch), patchKey({ ...patch, changeId: 'd' }));
  });

  it('is another one on another server, where both say on which', () => {
    const there = { ...patch, serverUrl: 'https://x.test' };
    assert.ok(isSamePatch(there, { ...there }));
    assert.ok(!isSamePatch(there, { ...patch, serverUrl: 'https://y.test' }));
  });

  it('is that of a section, too, which is one when its code is', () => {
    const section = { ...patch, serverUrl: 'https://x.test', sectionCode: 'T' };
    assert.ok(isSameSection(section, { ...section, projectId: 'p' }));
    assert.ok(!isSameSection(section, { ...section, sectionCode: 'U' }));
    assert.ok(!isSameSection(section, { ...section, changeId: 'd' }));
    assert.ok(isPatch(section));
    assert.ok(!isPatch({ sectionCode: 'T' }));
    assert.ok(!isPatch(undefined));
  });

  it('has a key for each thing in it', () => {
    const keys = [patchKey(patch), patchKey(patch, 'a'), patchKey(patch, 'a', 'b'), patchKey(patch, 'a,b')];
    assert.equal(new Set(keys).size, keys.length);
  });

  it('is told without what else is known of a row', () => {
    const row = { ...patch, serverUrl: 'https://x.test', sectionCode: 'T', kind: 'section', parent: {} };
    assert.deepEqual(refOf(row), {
      serverUrl: 'https://x.test',
      projectId: undefined,
      branchId: undefined,
      ...patch,
      sectionCode: 'T',
    });
  });
});
