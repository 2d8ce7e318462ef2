import assert from 'node:assert/strict';
import type { PatchSection } from '../../../../src/api/types/patches.ts';
import type { PendingChange } from '../../../../src/model/pending/pendingChange.ts';
import { writtenSections } from '../../../../src/model/prose/writtenSections.ts';

const patch = { stackUuid: 'stack', changeId: 'change' };
const sections: PatchSection[] = [
  { sectionType: 'text', code: 'why', identifier: 'why', text: 'Why' },
  { sectionType: 'diff', code: '1', identifier: 'a.ts' },
  { sectionType: 'diff', code: '2', identifier: 'b.ts' },
];
const change = (of: Pick<PendingChange, 'subject' | 'content'>): PendingChange => ({
  id: JSON.stringify(of),
  title: '',
  state: 'editing',
  startedAt: '',
  changedAt: '',
  ...of,
});
const added = (key: string, after: string | null): PendingChange =>
  change({ subject: { kind: 'newSection', patch, key }, content: { text: key, after } });
const moved = (order: string[]): PendingChange =>
  change({ subject: { kind: 'sectionOrder', patch }, content: { base: [], order } });

const written = (...changes: PendingChange[]): string[] =>
  writtenSections(sections, changes).map((section) =>
    section.sectionType === 'text' ? `"${section.text ?? ''}"` : section.code,
  );

describe('the sections of a patch as they are written', () => {
  it('are those of the service while nothing is pending', () => {
    assert.equal(writtenSections(sections, []), sections);
  });

  it('have the text that is typed', () => {
    const subject = { kind: 'sectionText', patch, code: 'why' } as const;
    assert.deepEqual(written(change({ subject, content: { base: 'Why', text: 'Because' } })), [
      '"Because"',
      '1',
      '2',
    ]);
  });

  it('have new ones where they are put: after another, after a new one, first, and last where that is gone', () => {
    assert.deepEqual(written(added('new', '1')), ['"Why"', '1', '"new"', '2']);
    assert.deepEqual(written(added('new', '1'), added('next', 'new')), [
      '"Why"',
      '1',
      '"new"',
      '"next"',
      '2',
    ]);
    assert.deepEqual(written(added('new', null)), ['"new"', '"Why"', '1', '2']);
    assert.deepEqual(written(added('new', 'gone')), ['"Why"', '1', '2', '"new"']);
  });

  it('are in the order that is wanted, without what is deleted', () => {
    assert.deepEqual(written(moved(['b.ts', 'why', 'a.ts'])), ['2', '"Why"', '1']);
    const subject = { kind: 'sectionDeletion', patch, code: 'why' } as const;
    const deletion = change({ subject, content: { text: 'Why', after: null } });
    assert.deepEqual(written(moved(['b.ts', 'why', 'a.ts']), deletion), ['2', '1']);
  });

  it('are the files as they were, whatever is typed for their code', () => {
    const subject = { kind: 'sectionText', patch, code: '1' } as const;
    const typed = writtenSections(sections, [change({ subject, content: { base: '', text: 'Typed' } })]);
    assert.deepEqual(typed, sections);
  });
});
