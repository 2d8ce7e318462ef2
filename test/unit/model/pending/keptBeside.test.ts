/** What an earlier page has left and what fits no other change is a change beside that one, and never in its place. */
import assert from 'node:assert/strict';
import type { ChangeSubjects } from '../../../../src/model/pending/kinds/index.ts';
import type { PendingChanges } from '../../../../src/model/pending/pendingChanges.ts';
import { PendingForm } from '../../../../src/model/pending/pendingForm.ts';
import { PendingWindows } from '../../../support/pendingWindows.ts';

const subject: ChangeSubjects['sectionText'] = {
  kind: 'sectionText',
  patch: { stackUuid: 'stack', changeId: 'change' },
  code: 'a',
};

describe('what an earlier page has left beside another change', () => {
  let windows: PendingWindows;

  beforeEach(async () => {
    windows = await PendingWindows.begin();
  });

  afterEach(() => windows.end());

  const open = (): Promise<PendingChanges> => windows.open();

  const shown = (window: PendingChanges): unknown[] => window.shown().map(({ content }) => content);
  const text = (words: string): { base: string; text: string } => ({ base: 'base', text: words });

  it('is shown when that is gone, and not before: not in the next window either', async () => {
    const first = await open();
    first.put(subject, text('shown'), 'A section', { page: 'page', edition: 5 });
    first.keepBeside(subject, text('waits'), 'A section', { page: 'gone', edition: 3 });
    assert.deepEqual(shown(first), [text('shown')]);
    first.put(subject, text('shown on'), 'A section', { page: 'page', edition: 6 });
    await first.close();

    const next = await open();
    assert.deepEqual(shown(next), [text('shown on')]);
    assert.equal(next.list().length, 2);
    assert.equal(next.isKnown(subject, { page: 'gone', edition: 3 }), true);
    const { id } = next.find(subject)!;
    assert.deepEqual(next.besides(next.find(subject)!)?.content, text('waits'));
    const bringBack = await next.discard(id);
    assert.deepEqual(shown(next), [text('waits')]);
    assert.equal(next.besides(next.find(subject)!), undefined);
    await bringBack();
    assert.equal(next.list().length, 2);
  });

  it('takes the place of nothing that no window has taken up yet', async () => {
    const first = await open();
    first.put(subject, text('shown'), 'A section', { page: 'page', edition: 5 });
    await first.close();
    const next = await open();
    next.keepBeside(subject, text('waits'), 'A section', { page: 'gone', edition: 3 });
    assert.deepEqual(shown(next), [text('shown')]);
  });

  it('stays when the other is sent from its form', async () => {
    const form = new PendingForm(await open(), 'feedback', 'Feedback');
    form.write({ message: 'shown' }, { page: 'page', edition: 5 });
    const left = { message: 'waits' };
    assert.equal(await form.restore(left, {}, { page: 'gone', edition: 3 }), 'kept');
    assert.deepEqual(form.read(), { message: 'shown' });
    // What was discarded there is none of what is shown here.
    assert.equal(await form.restore({}, left, { page: 'third', edition: 1 }), 'known');
    await form.send(async () => undefined);
    assert.deepEqual(form.read(), left);
  });
});
