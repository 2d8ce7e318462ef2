import assert from 'node:assert/strict';
import type { DiffSection, PatchSection } from '../../../../src/api/types/patches.ts';
import { filesByName, pathOf } from '../../../../src/model/prose/filesByName.ts';

const file = (identifier: string, more: Partial<DiffSection> = {}): DiffSection => ({
  sectionType: 'diff',
  code: identifier,
  identifier,
  ...more,
});

describe('the files of a patch by what they are called', () => {
  it('are found by their paths, of before and after, and by the ends of those', () => {
    const moved = file('lib/new/a.ts', { oldPath: 'src/old/b.ts', newPath: 'lib/new/a.ts' });
    const sections: PatchSection[] = [
      { sectionType: 'text', code: 't', identifier: 't', text: 'c.ts' },
      moved,
    ];
    const found = filesByName(sections);
    for (const name of ['lib/new/a.ts', 'new/a.ts', 'a.ts', 'src/old/b.ts', 'old/b.ts', 'b.ts']) {
      assert.equal(found.get(name), moved, name);
    }
    assert.deepEqual([...found.keys()].toSorted(), [
      'a.ts',
      'b.ts',
      'lib/new/a.ts',
      'new/a.ts',
      'old/b.ts',
      'src/old/b.ts',
    ]);
    assert.equal(filesByName(sections), found, 'they are looked for once');
  });

  it('are none by an end that several have, but that which is a whole path', () => {
    const [outer, inner, third] = [file('a.ts'), file('src/a.ts'), file('lib/src/a.ts')];
    for (const sections of [
      [outer, inner, third],
      [third, inner, outer],
    ]) {
      const found = filesByName(sections);
      assert.equal(found.get('a.ts'), outer);
      assert.equal(found.get('src/a.ts'), inner);
      assert.equal(found.get('lib/src/a.ts'), third);
    }
    assert.equal(filesByName([inner, third]).get('a.ts'), undefined);
    assert.ok(filesByName([inner, third]).has('a.ts'));
  });

  it('have the path that their patch leaves them with', () => {
    assert.equal(pathOf(file('id', { oldPath: 'old', newPath: 'new' })), 'new');
    assert.equal(pathOf(file('id', { oldPath: 'old' })), 'old');
    assert.equal(pathOf(file('id')), 'id');
  });
});
