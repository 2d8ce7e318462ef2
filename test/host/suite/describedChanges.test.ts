import assert from 'node:assert/strict';
import type { Patch } from '../../../src/api/types/patches.ts';
import type { Model } from '../../../src/model/model.ts';
import { describe as describeChange, describeSent } from '../../../src/unsent/describe.ts';

describe('a decision between versions of a text, in words', () => {
  const written = {
    patch: { stackUuid: 'stack', changeId: 'change' },
    code: 'a',
    before: 'two',
    after: 'both',
  };

  it('is told where no other version is left, and listed as a text where there is one', () => {
    const decided = describeSent({ title: 'Why', change: { kind: 'sharedConflict', ...written } });
    assert.deepEqual([decided.what, decided.isTold], ['Resolved the conflict in "Why".', true]);
    const text = describeSent({ title: 'Why', change: { kind: 'sectionText', ...written } });
    assert.deepEqual([text.what, text.isTold], ['Changed the text of "Why".', false]);
  });
});

describe('the order of sections, in words', () => {
  const patch = { stackUuid: 'stack', changeId: 'change' };
  const sections: Patch['sections'] = [
    { sectionType: 'text', code: 'a', identifier: '3f9c', text: '# Why\n' },
    { sectionType: 'diff', code: 'b', identifier: 'src/greet.ts', newPath: 'src/greet.ts' },
  ];
  const read = { value: { changeId: 'change', sections } };
  const model = {
    knownPatch: () => read,
    refreshPatch: async () => read,
  } as unknown as Model;
  const subject = { kind: 'sectionOrder' as const, patch };
  const orders = { base: ['3f9c', 'src/greet.ts'], order: ['src/greet.ts', '3f9c'] };
  const pending = {
    id: 'id',
    subject,
    content: orders,
    title: 'A patch',
    state: 'editing' as const,
    startedAt: '',
    changedAt: '',
  };

  it('names the sections as people read them, wherever it is compared', async () => {
    const row = describeChange(subject);
    assert.equal(row.text(pending, model), 'src/greet.ts\nWhy\n');
    assert.equal(await row.onServer(pending, model), 'Why\nsrc/greet.ts\n');
  });

  it('names them when it was sent', () => {
    const names = [
      { identifier: '3f9c', name: 'Why' },
      { identifier: 'src/greet.ts', name: 'src/greet.ts' },
    ];
    const { before, after } = describeSent({
      title: 'A patch',
      change: { kind: 'sectionOrder', patch, before: orders.base, after: orders.order, sections: names },
    });
    assert.deepEqual([before, after], ['Why\nsrc/greet.ts\n', 'src/greet.ts\nWhy\n']);
  });

  it('says of an order that takes back another one that it was restored', () => {
    const order = { patch, before: [], after: [], sections: [] };
    const sent = { title: 'A patch', change: { kind: 'sectionOrder' as const, ...order } };
    assert.equal(describeSent(sent).what, 'Reordered the sections of "A patch".');
    assert.equal(describeSent(sent, true).what, 'Restored the order of the sections of "A patch".');
  });
});
