/** The title and the description of a patch stack while they are edited, without a window. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Model } from '../../../../src/model/model.ts';
import { PendingChanges } from '../../../../src/model/pending/pendingChanges.ts';
import { PendingStack, type TypedFields } from '../../../../src/model/pending/pendingStack.ts';

describe('a patch stack that is edited', () => {
  let directory: string;
  let pendingChanges: PendingChanges;
  let editing: PendingStack;
  let told: number;
  let edition: number;

  const before = { title: 'Greetings', description: 'Kind.' };
  const edited = (more: object = {}) => ({
    projectId: 'P1',
    title: 'Greetings',
    stack: { uuid: 'S1', branchId: 'greet', contributors: [], ...before, ...more },
  });
  const typedOn = () => ({ page: 'page', edition: ++edition });
  const type = (typed: TypedFields): Promise<boolean> => editing.save({ ...typed, before }, typedOn());
  const pending = () => pendingChanges.list()[0]?.content;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-pending-'));
    const ask = async (): Promise<never> => {
      throw new Error('nobody asks the service here');
    };
    pendingChanges = new PendingChanges({ ask, model: new Model(ask) });
    await pendingChanges.activate(path.join(directory, 'account', 'pending'));
    editing = new PendingStack(pendingChanges);
    told = 0;
    edition = 0;
    editing.onDidChange(() => {
      told += 1;
    });
  });

  afterEach(async () => {
    editing.dispose();
    await pendingChanges.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('is so from when somebody opens it, and keeps what is typed as a pending change', async () => {
    assert.equal(editing.editing(edited()), undefined);
    editing.open(edited());
    const { start } = editing.editing(edited()) ?? assert.fail();
    assert.equal(await type({ title: 'Kind greetings' }), true);
    assert.deepEqual(pending(), { base: before, fields: { title: 'Kind greetings' } });
    assert.deepEqual(editing.editing(edited()), {
      start,
      fields: before,
      pending: { title: 'Kind greetings' },
    });
    assert.equal(told, 0, 'the page that it was typed on is told nothing of it');
  });

  it('goes on being edited when all is typed back to what it was, or is no title yet', async () => {
    editing.open(edited());
    await type({ description: 'Kinder.' });
    await type({});
    assert.equal(pending(), undefined);
    await type({ title: 'Kinder' });
    await type({ title: '  ' });
    assert.equal(pending(), undefined);
    assert.equal(told, 0);
    assert.ok(editing.editing(edited()));
  });

  it('begins from what was there when the typing began, whatever the server has by then', async () => {
    editing.open(edited());
    editing.editing(edited({ description: 'Theirs.' }));
    await type({ description: 'Mine.' });
    assert.deepEqual(pending(), { base: before, fields: { description: 'Mine.' } });
  });

  it('goes on in the newest version with what was typed in an older one', async () => {
    editing.open(edited());
    await type({ title: 'Kind greetings' });
    const newer = edited({ uuid: 'S2' });
    const { start } = editing.editing(edited()) ?? assert.fail();
    assert.deepEqual(editing.editing(newer), { start, fields: before, pending: { title: 'Kind greetings' } });
    await type({ title: 'Kinder greetings' });
    assert.equal(pendingChanges.list().length, 1);
    assert.deepEqual(pending(), { base: before, fields: { title: 'Kinder greetings' } });
  });

  it('is edited when something is pending, and another stack is not', async () => {
    editing.open(edited());
    await type({ title: 'Kind greetings' });
    assert.equal(editing.editing(edited({ uuid: 'S9', branchId: 'other' })), undefined);
    assert.deepEqual(editing.editing(edited())?.pending, { title: 'Kind greetings' });
  });

  it('ends when what was typed is discarded elsewhere, and begins anew when it is brought back', async () => {
    editing.open(edited());
    const { start } = editing.editing(edited()) ?? assert.fail();
    await type({ title: 'Kind greetings' });
    const bringBack = await pendingChanges.discard(pendingChanges.list()[0]?.id ?? '');
    assert.equal(told, 1);
    assert.equal(editing.editing(edited()), undefined);
    await bringBack();
    assert.equal(told, 2);
    const again = editing.editing(edited()) ?? assert.fail();
    assert.deepEqual(again.pending, { title: 'Kind greetings' });
    assert.notEqual(again.start, start, 'the form begins anew');
  });

  it('discards what was typed when it is closed', async () => {
    editing.open(edited());
    await type({ title: 'Kind greetings' });
    await editing.close();
    assert.equal(pending(), undefined);
    assert.equal(editing.editing(edited()), undefined);
  });

  it('sends nothing when nothing was typed, and ends', async () => {
    editing.open(edited());
    assert.equal(await editing.send(), undefined);
    assert.equal(editing.editing(edited()), undefined);
  });

  it('stays open, and says why, when the service does not take it', async () => {
    editing.open(edited());
    await type({ title: 'Kind greetings' });
    const sent = await editing.send();
    assert.equal(sent?.outcome.kind, 'failed');
    assert.equal(editing.editing(edited())?.failure?.kind, 'unknown');
    assert.deepEqual(editing.editing(edited())?.pending, { title: 'Kind greetings' });
  });

  it('goes on with what a page had typed when its extension host ended, unless something else is pending', async () => {
    editing.editing(edited());
    const left = { title: 'Left', before };
    assert.equal(await editing.restore(left, {}, { page: 'gone', edition: 7 }), 'restored');
    assert.deepEqual(editing.editing(edited())?.pending, { title: 'Left' });
    assert.equal(await editing.restore(left, {}, { page: 'gone', edition: 7 }), 'known');
    assert.equal(
      await editing.restore({ title: 'Other', before }, {}, { page: 'third', edition: 1 }),
      'kept',
    );
    assert.deepEqual(pending(), { base: before, fields: { title: 'Left' } });
    assert.deepEqual(editing.editing(edited())?.pending, { title: 'Left' });
  });

  it('goes on with what was kept beside it once that is discarded, and discards that only when asked once more', async () => {
    editing.editing(edited());
    await editing.restore({ title: 'Left', before }, {}, { page: 'gone', edition: 7 });
    await editing.restore({ title: 'Other', before }, {}, { page: 'third', edition: 1 });
    // As the form does when it is canceled.
    await editing.discard();
    await editing.close();
    assert.deepEqual(editing.editing(edited())?.pending, { title: 'Other' });
    await editing.discard();
    await editing.close();
    assert.equal(pending(), undefined);
    assert.equal(editing.editing(edited()), undefined);
  });

  it('ends when a page had discarded what was typed, unless another one has gone on with it', async () => {
    const gone = { page: 'gone', edition: 8 };
    editing.open(edited());
    await editing.save({ title: 'Left', before }, { page: 'gone', edition: 7 });
    assert.equal(await editing.restore({}, { title: 'Left', before }, gone), 'restored');
    assert.equal(pending(), undefined);
    assert.equal(editing.editing(edited()), undefined);
    assert.equal(await editing.restore({}, {}, gone), 'known');

    editing.open(edited());
    await type({ title: 'Another' });
    assert.equal(await editing.restore({}, { title: 'Left', before }, gone), 'known');
    assert.deepEqual(pending(), { base: before, fields: { title: 'Another' } });
  });

  it('is followed no more when its page is gone', async () => {
    editing.open(edited());
    await type({ title: 'Kind greetings' });
    editing.dispose();
    await pendingChanges.discard(pendingChanges.list()[0]?.id ?? '');
    assert.deepEqual(editing.editing(edited())?.pending, { title: 'Kind greetings' });
    assert.equal(told, 0);
  });

  it('keeps nothing for nobody', async () => {
    editing.open(edited());
    await pendingChanges.activate(undefined);
    assert.equal(await type({ title: 'Kind greetings' }), false);
    assert.equal(editing.editing(edited()), undefined);
  });
});
