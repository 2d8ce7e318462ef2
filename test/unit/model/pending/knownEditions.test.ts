/** Old text that a browser gives back never comes back over newer text: how far each page had got is on disk. */
import assert from 'node:assert/strict';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ChangeSubjects } from '../../../../src/model/pending/kinds/index.ts';
import { KnownEditions } from '../../../../src/model/pending/knownEditions.ts';
import type { PendingChanges } from '../../../../src/model/pending/pendingChanges.ts';
import { PendingForm } from '../../../../src/model/pending/pendingForm.ts';
import { replaceFile } from '../../../../src/util/atomicFile.ts';
import { PendingWindows } from '../../../support/pendingWindows.ts';

const subject: ChangeSubjects['sectionText'] = {
  kind: 'sectionText',
  patch: { stackUuid: 'stack', changeId: 'change' },
  code: 'a',
};

describe('what was typed on a page', () => {
  let windows: PendingWindows;
  let directory: string;

  beforeEach(async () => {
    windows = await PendingWindows.begin();
    ({ directory } = windows);
  });

  afterEach(() => windows.end());

  const open = (): Promise<PendingChanges> => windows.open();

  const type = (window: PendingChanges, text: string, page: string, edition: number): void =>
    window.put(subject, { base: 'base', text }, 'A section', { page, edition });

  /** Asks a window that was opened since. */
  async function known(...asked: [page: string, edition: number][]): Promise<boolean[]> {
    const window = await open();
    return asked.map(([page, edition]) => window.isKnown(subject, { page, edition }));
  }

  it('is known as far as it was discarded, also where it was never written so far', async () => {
    const window = await open();
    type(window, 'typed', 'page', 5);
    await window.flush();
    await window.discard(window.find(subject)!.id, { typedOn: { page: 'page', edition: 8 } });
    assert.deepEqual(await known(['page', 5], ['page', 8], ['page', 9], ['other', 1]), [
      true,
      true,
      false,
      false,
    ]);
    const other = { ...subject, code: 'b' };
    assert.equal((await open()).isKnown(other, { page: 'page', edition: 1 }), false);
  });

  it('is known when it was typed back to what it was', async () => {
    const window = await open();
    type(window, 'typed', 'page', 5);
    await window.flush();
    type(window, 'base', 'page', 7);
    await window.flush();
    assert.deepEqual(await known(['page', 7], ['page', 8]), [true, false]);
  });

  it('is known when another page has gone on with it, and is no further than before', async () => {
    const window = await open();
    type(window, 'typed', 'page', 5);
    await window.flush();
    type(window, 'typed on', 'next', 1);
    await window.flush();
    assert.deepEqual(await known(['page', 5], ['page', 6], ['next', 1]), [true, false, true]);
    type(window, 'and back', 'page', 3);
    await window.flush();
    type(window, 'again', 'next', 2);
    await window.flush();
    assert.deepEqual(await known(['page', 5], ['next', 1]), [true, true]);
  });

  it('is known under the name that it had, once it is a change of something else', async () => {
    const window = await open();
    type(window, 'typed', 'page', 5);
    await window.flush();
    type(window, 'typed on', 'page', 6);
    window.makeNew(window.find(subject)!.id);
    await window.flush();
    assert.deepEqual(
      window.list().map(({ subject: { kind } }) => kind),
      ['newSection'],
    );
    assert.deepEqual(await known(['page', 6], ['page', 7]), [true, false]);
  });

  it('is known while another window holds it', async () => {
    const window = await open();
    type(window, 'typed', 'page', 5);
    await window.flush();
    const next = await open();
    assert.equal(next.find(subject), undefined, 'it is held elsewhere');
    assert.equal(next.isKnown({ ...subject, code: 'b' }, { page: 'page', edition: 1 }), false);
    assert.deepEqual(await known(['page', 5], ['page', 6], ['other', 1]), [true, false, false]);
  });

  it('goes on with what it is in another window, where it got further before that page was gone', async () => {
    const window = await open();
    type(window, 'typed', 'page', 5);
    await window.flush();
    const next = await open();
    const find = (): unknown => next.find(subject)?.content.text;
    await next.takeUp(subject, { page: 'page', edition: 5 });
    await next.takeUp(subject, { page: 'other', edition: 9 });
    await next.takeUp({ ...subject, code: 'b' }, { page: 'page', edition: 9 });
    assert.equal(find(), undefined);
    await next.takeUp(subject, { page: 'page', edition: 6 });
    assert.equal(find(), 'typed');
  });

  it('is known in whichever version of a stack it was typed', async () => {
    const stack = (stackUuid: string): ChangeSubjects['stack'] => ({
      kind: 'stack',
      projectId: 'project',
      branchId: 'branch',
      stackUuid,
    });
    const base = { title: 'base', description: '' };
    const window = await open();
    const typedOn = { page: 'page', edition: 5 };
    window.put(stack('older'), { base, fields: { title: 'typed' } }, 'A stack', typedOn);
    await window.flush();
    window.put(stack('older'), { base, fields: {} }, 'A stack', typedOn);
    await window.flush();
    assert.equal((await open()).isKnown(stack('newer'), typedOn), true);
  });

  it('does not stand in a form again that was sent', async () => {
    const form = new PendingForm(await open(), 'feedback', 'Feedback');
    form.write({ message: 'new' }, { page: 'page', edition: 5 });
    await form.send(async () => undefined);
    const next = new PendingForm(await open(), 'feedback', 'Feedback');
    const old = { message: 'old' };
    assert.equal(await next.restore(old, {}, { page: 'page', edition: 4 }), 'known');
    assert.deepEqual(next.read(), {});
    const newer = { message: 'newer' };
    assert.equal(await next.restore(newer, {}, { page: 'page', edition: 6 }), 'restored');
    assert.deepEqual(next.read(), newer);
  });

  it('is forgotten after a month, and nothing is known of what can’t be read', async () => {
    const folder = path.join(directory, 'pages');
    const editions = new KnownEditions(folder, replaceFile);
    const typedOn = { page: 'page', edition: 5 };
    await editions.note('text', typedOn);
    assert.equal(editions.has('text', typedOn), true);
    await editions.sweep(Date.now());
    const [name] = await readdir(folder);
    const file = path.join(folder, name!);
    const then = new Date(Date.now() - 32 * 24 * 60 * 60_000);
    await utimes(file, then, then);
    await editions.sweep(Date.now());
    assert.deepEqual(await readdir(folder), []);
    await editions.note('text', typedOn);
    await writeFile(file, '{"text": "far"}');
    assert.equal(editions.has('text', typedOn), false);
  });
});
