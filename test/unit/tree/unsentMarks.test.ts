import assert from 'node:assert/strict';
import type { PatchSection } from '../../../src/api/types/patches.ts';
import { unsentMarks } from '../../../src/tree/unsentMarks.ts';

const patch = { projectId: '1', stackUuid: 's', changeId: 'I1' };
const section = (identifier: string): PatchSection => ({ sectionType: 'text', code: identifier, identifier });

describe('the marks of unsent changes', () => {
  it('stand at the section, its patch, its stack and its project, and nowhere else', () => {
    const marks = unsentMarks([
      { subject: { kind: 'sectionText', patch, code: 'c1' }, content: { base: '', text: 'new' } },
    ]);
    assert.ok(marks.hasSection({ ...patch, sectionCode: 'c1' }));
    assert.ok(!marks.hasSection({ ...patch, sectionCode: 'c2' }));
    assert.ok(marks.hasPatch(patch));
    assert.ok(!marks.hasPatch({ ...patch, changeId: 'I2' }));
    assert.deepEqual([[...marks.stacks], [...marks.projects]], [['s'], ['1']]);
  });

  it('stand at the project that a form is about, if it is about one', () => {
    const { stacks, projects } = unsentMarks([
      { subject: { kind: 'form', form: 'createProject' }, content: { fields: {} } },
      { subject: { kind: 'form', form: 'editProject', about: '1' }, content: { fields: {} } },
    ]);
    assert.deepEqual([[...stacks], [...projects]], [[], ['1']]);
  });

  it('give the order that the person wants, with what came since behind what it followed', () => {
    const marks = unsentMarks([
      {
        subject: { kind: 'sectionOrder', patch },
        content: { base: ['a', 'b', 'c'], order: ['c', 'a', 'b'] },
      },
    ]);
    const order = marks.inOrder(patch, ['a', 'new', 'b', 'c'].map(section));
    assert.deepEqual(
      order.map(({ identifier }) => identifier),
      ['c', 'a', 'new', 'b'],
    );
    assert.deepEqual(marks.inOrder({ ...patch, changeId: 'I2' }, [section('b'), section('a')]).length, 2);
  });
});
