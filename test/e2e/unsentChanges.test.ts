/** Changes that are not on the service yet. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import type { FormName } from '../../src/model/pending/kinds/form.ts';
import type { ChangeContents } from '../../src/model/pending/kinds/index.ts';
import type { PendingChange } from '../../src/model/pending/pendingChange.ts';
import { fingerprintOf } from '../../src/model/fingerprint.ts';
import { Editor } from '../support/editor.ts';
import { expect } from '../support/expect.ts';
import { FaultServer, resetBeforeHeaders, stalledHeaders, type SeenRequest } from '../support/faultServer.ts';
import { forwardTo, reachedThrough } from '../support/forward.ts';
import { changesOnDisk, plantChange, nothingOnDisk } from '../support/plantedChanges.ts';
import { StackForm } from '../support/stackForm.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';
import type { PatchRef } from '../../src/util/patchRef.ts';

describe('unsent changes', function () {
  this.timeout(400_000);
  let editor: Editor;
  let proxy: FaultServer;
  let window: Workbench;
  let form: StackForm;
  let client: ApiClient;
  let patch: PatchRef;

  before(async () => {
    proxy = await FaultServer.start();
    editor = await Editor.start({ signedIn: true, reachedAt: reachedThrough(proxy) });
    client = new ApiClient({ serverUrl: editor.service.url, getToken: async () => editor.service.token });
    const projectId = (await client.projects.list()).items[0]!.repositoryId;
    const [stack] = (await client.stacks.list(projectId)).items;
    const { changeId } = stack!.patches![0]!;
    patch = { projectId, branchId: stack!.branchId, stackUuid: stack!.uuid, changeId };
    window = await editor.openWindow();
    await window.tree.row('greetings').waitFor();
  });

  afterEach(() => proxy.use(forwardTo(editor.service.url)));
  tidyAfterEach(() => window, { editors: true });
  // A change that a failed test has left unsent would make the next fail, too.
  afterEach(async function () {
    if (this.currentTest?.state === 'passed') {
      return;
    }
    for (let left = await changesOnDisk(editor); left.length > 0; left = await changesOnDisk(editor)) {
      await openChange(left[0]!.title);
      await window.pick('Discard');
      await until(async () => (await changesOnDisk(editor)).length < left.length);
    }
  });

  after(async () => {
    await client.close();
    await editor.close();
    await proxy.stop();
  });

  async function addSection(text: string): Promise<string> {
    const { stackUuid, changeId } = patch;
    return (await client.patches.createSection(stackUuid, changeId, { type: 'text', text })).code;
  }

  async function othersWrite(code: string, text: string): Promise<void> {
    await client.patches.updateSection(patch.stackUuid, patch.changeId, code, { text });
  }

  async function textOf(code: string): Promise<string | undefined> {
    const section = await client.patches.getSection(patch.stackUuid, patch.changeId, code);
    return section.sectionType === 'text' ? section.text : undefined;
  }

  const texts = async (): Promise<(string | undefined)[]> =>
    ((await client.patches.get(patch.stackUuid, patch.changeId)).sections ?? []).map((section) =>
      section.sectionType === 'text' ? section.text : undefined,
    );

  const isUnsent = {
    state: 'failed' as const,
    failure: { kind: 'connection' as const },
  };

  const diff = (): Locator => window.page.locator('.monaco-diff-editor');

  /** Waits for the diff editor with these texts. */
  async function seeDiff(title: string, left: string | RegExp, right: string | RegExp): Promise<void> {
    await window.editorTab(title).waitFor();
    await diff().locator('.editor.original', { hasText: left }).waitFor();
    await diff().locator('.editor.modified', { hasText: right }).waitFor();
  }

  /** Leaves a change of a section behind, as a window that was killed does. */
  async function leave(code: string, title: string, base: string, text: string): Promise<void> {
    const pending: Pick<PendingChange, 'subject' | 'content' | 'title'> & Partial<PendingChange> = {
      subject: { kind: 'sectionText', patch, code },
      content: { base, text },
      title,
      ...isUnsent,
    };
    await plantChange(editor, pending);
  }

  /** Opens what can be done with a pending change. */
  async function openChange(title: string): Promise<void> {
    await window.runCommand('Patch Stacks: Show Unsent Changes');
    await window.pick(title);
  }

  /** The item of the status bar when one change is unsent. */
  const unsentOne = (): Locator => window.page.getByRole('button', { name: 'Patch Stacks: 1 unsent change' });

  it('are counted and listed, and all sent, joined with what others wrote', async () => {
    const [one, two] = [await addSection('one\n\ntwo\n'), await addSection('three\n')];
    await leave(one, 'First', 'one\n\ntwo\n', 'one\n\nTWO\n');
    await leave(two, 'Second', 'three\n', 'THREE\n');
    await othersWrite(one, 'ONE\n\ntwo\n');
    await window.reload();
    await window.page.getByRole('button', { name: 'Patch Stacks: 2 unsent changes' }).click();
    await window.quickPickRow('First').waitFor();
    await window.quickPickRow('Second').waitFor();
    await window.quickInputWidget
      .getByText(/The server can't be reached/)
      .first()
      .waitFor();
    const isWrite = ({ method }: SeenRequest): boolean => method !== 'GET';
    proxy.use(forwardTo(editor.service.url, (request) => (isWrite(request) ? stalledHeaders : undefined)));
    await window.pick('Send All');
    await until(async () => proxy.seen.some(isWrite));
    await window.answerNotification('Sending changes', 'Cancel');
    await window.told('Changes not sent: 2 of 2');
    assert.deepEqual([await textOf(one), await textOf(two)], ['ONE\n\ntwo\n', 'three\n']);

    proxy.use(forwardTo(editor.service.url));
    await window.page.getByRole('button', { name: 'Patch Stacks: 2 unsent changes' }).click();
    await window.pick('Send All');
    await window.told('All changes sent.');
    assert.deepEqual([await textOf(one), await textOf(two)], ['ONE\n\nTWO\n', 'THREE\n']);
    await nothingOnDisk(editor);
  });

  it('in conflict are resolved in the merge editor, when the person says so and nothing is open, and not sent before', async () => {
    const code = await addSection('first\n\nsecond\n');
    await leave(code, 'Both', 'first\n\nsecond\n', 'first\n\nsecond, by me\n');
    await othersWrite(code, 'first\n\nsecond, by them\n');
    await openChange('Both');
    await window.pick('Send');
    const result = window.page.locator('.merge-editor .code-view.result');
    await result.getByText('1 Conflict Remaining').waitFor();
    // The editor saves by itself what it begins with, which nobody has chosen.
    await window.page.keyboard.press('Control+S');
    await window.runCommand('Patch Stacks: Resolve Conflict');
    await window.told('1 conflict in "Both" is still open.');
    await result.getByText('1 Conflict Remaining').waitFor();
    assert.equal(await textOf(code), 'first\n\nsecond, by them\n');
    await window.page.getByRole('button', { name: 'Accept Combination (Yours First)' }).click();
    await result.getByText('0 Conflicts Remaining').waitFor();
    // Saving and closing sends nothing, and it is said what does.
    await window.page.keyboard.press('Control+S');
    await window.page.locator('.tab.dirty').waitFor({ state: 'detached' });
    await window.runCommand('View: Close All Editors');
    await window.told('Conflict in "Both" resolved. Send your changes?');
    assert.equal(await textOf(code), 'first\n\nsecond, by them\n');
    await window.answerNotification('Conflict in "Both" resolved.', 'Send');
    await nothingOnDisk(editor);
    assert.match((await textOf(code)) ?? '', /by me/);
    assert.match((await textOf(code)) ?? '', /by them/);
  });

  it('are compared, discarded, and brought back', async () => {
    const code = await addSection('one\n');
    await leave(code, 'Compared', 'one\n', 'mine\n');
    await openChange('Compared');
    await window.pick('Compare with Server');
    await window.editorTab('Compared (On the Server ↔ Yours)').waitFor();
    const diff = window.page.locator('.monaco-diff-editor');
    await diff.locator('.editor.original', { hasText: 'one' }).waitFor();
    await diff.locator('.editor.modified', { hasText: 'mine' }).waitFor();
    await openChange('Compared');
    await window.pick('Discard');
    await window.told('Discarded your change to "Compared".');
    await nothingOnDisk(editor);
    await window.page.keyboard.press('Escape');
    await window.answerNotification('Discarded your change to "Compared".', 'Undo');
    await openChange('Compared');
    await window.pick('Send');
    await nothingOnDisk(editor);
    assert.equal(await textOf(code), 'mine\n');
  });

  it('of a section that somebody has deleted are added as a new one', async () => {
    const code = await addSection('gone\n');
    await leave(code, 'Gone', 'gone\n', 'gone, and edited\n');
    await client.patches.deleteSection(patch.stackUuid, patch.changeId, code);
    await openChange('Gone');
    await window.pick('Send');
    await seeDiff('Gone (Before Deletion ↔ Yours)', 'gone', 'gone, and edited');
    assert.ok(!(await texts()).includes('gone, and edited\n'));
    await window.answerNotification('Someone else deleted "Gone"', 'Add as New Section');
    await until(async () => (await texts()).includes('gone, and edited\n'));
    await diff().waitFor({ state: 'detached' });
  });

  it('of a deleted section that somebody has edited are decided beside what they wrote', async () => {
    const code = await addSection('as it was\n');
    await plantChange(editor, {
      subject: { kind: 'sectionDeletion', patch, code },
      content: { text: 'as it was\n', after: null },
      title: 'Edited since',
      ...isUnsent,
    });
    await othersWrite(code, 'as they wrote it\n');
    await openChange('Edited since');
    await window.pick('Send');
    await seeDiff('Edited since (As You Deleted It ↔ On the Server)', 'as it was', 'as they wrote it');
    assert.equal(await textOf(code), 'as they wrote it\n');
    // The question is where the texts are, however long the person thinks about it.
    await window.told('Someone else changed "Edited since" after you deleted it.');
    await window.runCommand('Notifications: Clear All Notifications');
    await window.page.getByRole('button', { name: 'Resolve Conflict' }).first().click();
    await window.answerNotification('Someone else changed "Edited since"', 'Delete');
    await until(async () => !(await texts()).includes('as they wrote it\n'));
    await diff().waitFor({ state: 'detached' });
    await nothingOnDisk(editor);
  });

  it('of an order are decided where somebody else has moved the same sections elsewhere', async () => {
    const { stackUuid, changeId } = patch;
    const order = async (): Promise<string[]> =>
      ((await client.patches.get(stackUuid, changeId)).sections ?? []).map(({ identifier }) => identifier);
    for (const text of ['# Alpha\n', '# Beta\n', '# Gamma\n']) {
      await addSection(text);
    }
    const base = await order();
    const rest = base.slice(0, -3);
    const [alpha, beta, gamma] = base.slice(-3) as [string, string, string];
    const theirs = [...rest, beta, alpha, gamma];
    const mine = [...rest, alpha, gamma, beta];
    await plantChange(editor, {
      subject: { kind: 'sectionOrder', patch },
      content: { base, order: mine },
      title: 'Moved twice',
      ...isUnsent,
    });
    await client.patches.update(stackUuid, changeId, { sectionOrder: theirs });
    await openChange('Moved twice');
    await window.pick('Send');
    await seeDiff('Moved twice (On the Server ↔ Yours)', /Beta.*Alpha.*Gamma/s, /Alpha.*Gamma.*Beta/s);
    assert.deepEqual(await order(), theirs);
    const question = 'Someone else reordered the same sections of "Moved twice"';
    await window.answerNotification(question, 'Show Previous Order');
    await seeDiff('Moved twice (Before ↔ On the Server)', /Alpha.*Beta.*Gamma/s, /Beta.*Alpha.*Gamma/s);
    await window.answerNotification(question, 'Keep Mine');
    await until(async () => (await order()).join() === mine.join());
    await nothingOnDisk(editor);
    await diff().waitFor({ state: 'detached' });
  });

  it('that sign off what has another content by now are not sent, and lead to that', async () => {
    await plantChange(editor, {
      subject: { kind: 'signOff', patch },
      content: { review: 'signedOff', seen: 'as it was' },
      title: 'Signed too early',
      ...isUnsent,
    });
    await openChange('Signed too early');
    await window.pick('Send');
    await window.answerNotification(
      'Couldn\'t sign off on "Signed too early": The patch has changed',
      'Open Patch',
    );
    await window.webview.locator('.patch-header h1').waitFor();
    await nothingOnDisk(editor);
    const { reviewAll } = await client.patches.get(patch.stackUuid, patch.changeId);
    assert.deepEqual(reviewAll?.signedOff, []);
  });

  it('are among the recent changes once they are sent, and can be undone there', async () => {
    const code = await addSection('before\n');
    await leave(code, 'Regretted', 'before\n', 'after\n');
    await openChange('Regretted');
    await window.pick('Send');
    await until(async () => (await textOf(code)) === 'after\n');
    await window.runCommand('Patch Stacks: Show Recent Changes');
    await window.pick('Changed the text of "Regretted".');
    await window.pick('Show Before and After');
    await window.page.locator('.monaco-diff-editor .editor.original', { hasText: 'before' }).waitFor();
    await window.undoRecentChange('Changed the text of "Regretted".');
    await until(async () => (await textOf(code)) === 'before\n');
  });

  it('are offered to be sent when the service is back', async () => {
    const code = await addSection('one\n');
    await leave(code, 'Offline', 'one\n', 'two\n');
    proxy.use(resetBeforeHeaders);
    await openChange('Offline');
    await window.pick('Send');
    await window.told(/Couldn't send "Offline"/);
    assert.equal(await textOf(code), 'one\n');
    proxy.use(forwardTo(editor.service.url));
    await window.runCommand('Patch Stacks: Refresh');
    await window.answerNotification('Back online.', 'Send All');
    await window.toldInList('All changes sent.');
    assert.equal(await textOf(code), 'two\n');
  });

  it('of every kind can be undone among the recent changes when they are sent', async () => {
    const { stackUuid, changeId } = patch;
    const code = await addSection('to be deleted\n');
    const { sections = [] } = await client.patches.get(stackUuid, changeId);
    const base = sections.map(({ identifier }) => identifier);
    const after = sections.at(-2)?.code ?? null;
    await plantChange(editor, {
      subject: { kind: 'sectionOrder', patch },
      content: { base, order: base.toReversed() },
      title: 'Turned around',
      ...isUnsent,
    });
    // Of another patch: one that has changed since is not signed off.
    const [, signed] = (await client.stacks.latestForBranch(patch.projectId ?? '', patch.branchId ?? ''))
      .patches!;
    const other = { ...patch, changeId: signed!.changeId };
    await plantChange(editor, {
      subject: { kind: 'signOff', patch: other },
      content: {
        review: 'signedOff',
        seen: fingerprintOf(await client.patches.get(stackUuid, other.changeId)),
      },
      title: 'Signed',
      ...isUnsent,
    });
    await plantChange(editor, {
      subject: { kind: 'sectionDeletion', patch, code },
      content: { text: 'to be deleted\n', after },
      title: 'Deleted',
      ...isUnsent,
    });
    await window.runCommand('Patch Stacks: Show Unsent Changes');
    await window.quickPickRow('Turned around').waitFor();
    await window.quickPickRow('Signed').waitFor();
    await window.quickPickRow('Deleted').waitFor();
    await window.pick('Send All');
    await nothingOnDisk(editor);
    const order = async (): Promise<string[]> =>
      ((await client.patches.get(stackUuid, changeId)).sections ?? []).map(({ identifier }) => identifier);
    const signedOff = async (): Promise<boolean> =>
      ((await client.patches.get(stackUuid, other.changeId)).reviewAll?.signedOff.length ?? 0) > 0;
    const others = base.slice(0, -1);
    assert.deepEqual(await order(), others.toReversed());
    assert.ok(await signedOff());
    await window.undoRecentChange('Reordered the sections of "Turned around".');
    await until(async () => (await order())[0] === others[0]);
    await window.undoRecentChange('Deleted section "Deleted".');
    await until(async () => (await texts()).at(-1) === 'to be deleted\n');
  });

  it('that are discarded are among the recent changes, whatever they are', async () => {
    await plantChange(editor, {
      subject: { kind: 'form', form: 'createProject' },
      content: { fields: { name: 'Half a project' } },
      title: 'Create Project',
    });
    await openChange('Create Project');
    await window.pick('Discard');
    await nothingOnDisk(editor);
    await window.page.keyboard.press('Escape');
    await window.undoRecentChange('Discarded your change to "Create Project".');
    await until(async () => (await changesOnDisk(editor)).length === 1);
    await openChange('Create Project');
    await window.pick('Open');
    await window.step('Project name');
    await expect(window.quickInput).toHaveValue('Half a project');
    await window.quickInput.fill('');
    await nothingOnDisk(editor);
  });

  describe('of a form', () => {
    // A stack that a test has created must not be in the way of the next, or of its second try.
    afterEach(async () => {
      for (const { repositoryId, name } of (await client.projects.list()).items) {
        if (name !== 'greetings') {
          await client.projects.delete(repositoryId);
        }
      }
    });

    const plantForm = (title: string, form: FormName, fields: Record<string, unknown>): Promise<void> =>
      plantChange(editor, {
        subject: { kind: 'form', form, about: patch.projectId },
        content: { fields },
        title,
      });

    async function open(title: string): Promise<void> {
      await openChange(title);
      await window.pick('Open');
    }

    it('are compared with the service, and go on in the form about the same project', async () => {
      await plantForm('A project', 'editProject', { name: 'Renamed' });
      await openChange('A project');
      await window.pick('Compare with Server');
      const diff = window.page.locator('.monaco-diff-editor');
      await diff.locator('.editor.original', { hasText: 'name: greetings' }).waitFor();
      await diff.locator('.editor.modified', { hasText: 'name: Renamed' }).waitFor();
      await open('A project');
      await window.step('Project name');
      await expect(window.quickInput).toHaveValue('Renamed');
      await window.quickInput.fill('greetings');
      await nothingOnDisk(editor);
    });

    it('are there again for a new patch stack, a release and feedback', async () => {
      await plantForm('A stack', 'createStack', { branch: 'greet/größer', event: 'half an event' });
      await open('A stack');
      await window.pick('greet/größer');
      await window.step(/Create Patch Stack: greetings \(2\/2\)/);
      await expect(window.quickInput).toHaveValue('half an event');
      // A form that was given up leaves nothing behind.
      await window.quickInput.press('Escape');
      await nothingOnDisk(editor);
      await plantChange(editor, {
        subject: { kind: 'form', form: 'release' },
        content: { fields: { version: '9.8.7' } },
        title: 'A release',
      });
      await open('A release');
      const version = window.webview.getByLabel('Version', { exact: true });
      await version.waitFor();
      await expect(version).toHaveValue('9.8.7');
      await openChange('A release');
      await window.pick('Discard');
      await plantChange(editor, {
        subject: { kind: 'form', form: 'feedback' },
        content: { fields: { message: 'Do not lose me' } },
        title: 'Some feedback',
      });
      await open('Some feedback');
      const message = window.webview.getByLabel('Message');
      await message.waitFor();
      await expect(message).toHaveValue('Do not lose me');
      await openChange('Some feedback');
      await window.pick('Discard');
      await nothingOnDisk(editor);
      await window.runCommand('View: Close Editor');
    });

    it('are on disk while the typing goes on, and come back when they were thrown away', async () => {
      await window.runCommand('Patch Stacks: Send Feedback');
      const message = window.webview.getByLabel('Message');
      await message.click();
      const kept = async (): Promise<unknown> => {
        const [pending] = await changesOnDisk(editor);
        return (pending?.content as ChangeContents['form'] | undefined)?.fields['message'];
      };
      let keys = 0;
      for (; (await kept()) === undefined; keys += 1) {
        assert.ok(keys < 200, 'nothing is kept as long as somebody types');
        await window.page.keyboard.press('a');
      }
      const typed = 'a'.repeat(keys);
      await until(async () => (await kept()) === typed);
      await window.webview.getByRole('button', { name: 'Clear Form' }).click();
      await until(async () => (await kept()) === undefined);
      await expect(message).toHaveValue('');
      await window.answerNotification('Discarded your change to "Send Feedback".', 'Undo');
      await window.webview.getByText('Your unsent changes were restored.').waitFor();
      await expect(message).toHaveValue(typed);
      // The form shows what becomes of its pending change in the list.
      await openChange('Send Feedback');
      await window.pick('Discard');
      await until(async () => (await message.inputValue()) === '');
      await window.page.keyboard.press('Escape');
      await window.answerNotification('Discarded your change to "Send Feedback".', 'Undo');
      await until(async () => (await message.inputValue()) === typed);
      await window.webview.getByRole('button', { name: 'Clear Form' }).click();
      await until(async () => (await kept()) === undefined);
    });

    it('open with the reason for which they were not sent, ready to be sent again', async () => {
      await plantChange(editor, {
        subject: { kind: 'form', form: 'feedback' },
        content: { fields: { message: 'Once more' } },
        title: 'Send Feedback',
        ...isUnsent,
      });
      await open('Send Feedback');
      await window.webview.locator('.problem', { hasText: "The server can't be reached." }).waitFor();
      await expect(window.webview.getByLabel('Message')).toHaveValue('Once more');
      await window.webview
        .getByRole('button', { name: 'Send Again' })
        .and(window.webview.locator(':focus'))
        .waitFor();
      await window.page.keyboard.press('Enter');
      await window.webview.getByText('Sent. Thank you.').waitFor();
      await nothingOnDisk(editor);
    });

    it('say that they failed, and why', async () => {
      await window.runCommand('Patch Stacks: Create Project');
      await window.step('Project name');
      await window.type('Taken');
      await window.step('Description');
      await window.acceptInput();
      await window.step('Project slug');
      await window.type('greetings');
      await window.quickInputWidget.getByText(/already has a project greetings/).waitFor();
      await window.page.keyboard.press('Escape');
      await unsentOne().click();
      await window.quickInputWidget
        .getByText(/already has a project greetings/)
        .first()
        .waitFor();
      await window.pick('Create Project');
      await window.pick('Open');
      await window.step(/Project name · .*already has a project greetings/);
      await expect(window.quickInput).toHaveValue('Taken');
      await window.acceptInput();
      await window.step('Description');
      await window.acceptInput();
      await window.step('Project slug');
      await expect(window.quickInput).toHaveValue('greetings');
      await window.type('taken');
      await window.told('Created project "Taken".');
      await window.tree.row('Taken').waitFor();
      await nothingOnDisk(editor);
    });
  });

  describe('of a patch stack', () => {
    const before = { title: 'Greetings', description: 'one\n\ntwo\n' };

    beforeEach(async () => {
      await client.stacks.update(patch.stackUuid, before);
      await window.runCommand('Patch Stacks: Refresh');
      await window.tree.expand('greetings');
      await window.tree.row('Greetings').first().waitFor();
    });

    const stack = () => client.stacks.latestForBranch(patch.projectId ?? '', patch.branchId ?? '');
    /** Writes another text into the merge editor. */
    async function saveResult(text: string): Promise<void> {
      await window.page.locator('.merge-editor .code-view.result .view-line').first().click();
      await window.page.keyboard.press('Control+A');
      await window.page.keyboard.insertText(text);
      await window.page.keyboard.press('Control+S');
    }

    /** Types a title into the form. */
    async function typeTitle(title: string): Promise<void> {
      form = new StackForm(window);
      await window.tree.chooseFromMenu('Greetings', 'Edit Patch Stack');
      await form.typeTitle(title);
    }

    it('stay while the service is away, marked on their row, and are sent from the list', async () => {
      await typeTitle('Kept greetings');
      proxy.use(resetBeforeHeaders);
      await form.save();
      await form.says("The server can't be reached").waitFor();
      await window.tree.row('Greetings').and(window.page.locator('[aria-label*="Unsent changes"]')).waitFor();
      proxy.use(forwardTo(editor.service.url));
      await unsentOne().click();
      await window.quickInputWidget.getByText("The server can't be reached").first().waitFor();
      await window.pick('Greetings');
      await window.pick('Send');
      await until(async () => (await stack()).title === 'Kept greetings');
      assert.equal((await stack()).description, before.description);
      await window.tree.row('Kept greetings').waitFor();
      await nothingOnDisk(editor);
      await window.page.keyboard.press('Escape');
      await window.undoRecentChange('Changed the title or description of "Greetings".');
      await until(async () => (await stack()).title === 'Greetings');
    });

    it('are refused in place, and go on from the list', async () => {
      await typeTitle('x'.repeat(1001));
      await form.save();
      await form.says('The server rejected this value.').waitFor();
      // Escape, which the palette begins with, gives up the form that has the focus.
      await window.tree.focusRow('Greetings');
      await window.runCommand('View: Close All Editors');
      await openChange('Greetings');
      await window.pick('Open');
      await form.says('The server rejected this value.').waitFor();
      await expect(form.title).toHaveValue('x'.repeat(1001));
      await form.typeTitle('Short');
      await form.save();
      await form.closed();
      await until(async () => (await stack()).title === 'Short');
      assert.equal((await stack()).description, before.description);
    });

    it('are joined with a description that somebody else has changed meanwhile', async () => {
      await typeTitle('My greetings');
      await client.stacks.update(patch.stackUuid, { description: 'one\n\ntwo, by them\n' });
      await form.save();
      await form.closed();
      await until(async () => (await stack()).title === 'My greetings');
      assert.equal((await stack()).description, 'one\n\ntwo, by them\n');
    });

    it('are decided by the person where somebody else has changed the title as well', async () => {
      await typeTitle('My greetings');
      await client.stacks.update(patch.stackUuid, { title: 'Their greetings' });
      await form.save();
      const result = window.page.locator('.merge-editor .code-view.result');
      await result.getByText('1 Conflict Remaining').waitFor();
      assert.equal((await stack()).title, 'Their greetings');
      await window.runCommand('View: Close All Editors');
      await openChange('Greetings');
      await window.pick('Resolve Conflict');
      await result.getByText('1 Conflict Remaining').waitFor();
      await saveResult('Our\ngreetings');
      await window.runCommand('Patch Stacks: Resolve Conflict');
      await window.told("Titles can't contain line breaks.");
      await saveResult('Our greetings');
      await window.runCommand('Patch Stacks: Resolve Conflict');
      await until(async () => (await stack()).title === 'Our greetings');
      await nothingOnDisk(editor);
    });

    it('are decided in the merge editor where both have changed the same of the description', async () => {
      await plantChange(editor, {
        subject: { kind: 'stack', projectId: patch.projectId ?? '', stackUuid: patch.stackUuid },
        content: { base: before, fields: { description: 'one\n\ntwo, by me\n' } },
        title: 'About greetings',
      });
      await client.stacks.update(patch.stackUuid, { description: 'one\n\ntwo, by them\n' });
      await openChange('About greetings');
      await window.pick('Send');
      const result = window.page.locator('.merge-editor .code-view.result');
      await result.getByText('1 Conflict Remaining').waitFor();
      await window.page.getByRole('button', { name: 'Accept Combination (Yours First)' }).click();
      await result.getByText('0 Conflicts Remaining').waitFor();
      await window.page.getByRole('button', { name: 'Resolve Conflict' }).first().click();
      await until(async () => /by me[^]*by them/.test((await stack()).description ?? ''));
      await nothingOnDisk(editor);
    });
  });

  it('in a section that may have arrived, and was rewritten since, are decided and not added twice', async () => {
    const { stackUuid, changeId } = patch;
    const known = (await client.patches.get(stackUuid, changeId)).sections ?? [];
    const code = await addSection('arrived\n\nrewritten\n');
    await plantChange(editor, {
      subject: { kind: 'newSection', patch, key: 'arrived' },
      content: { text: 'arrived\n\nas it was\n', after: null },
      title: 'Arrived',
      state: 'failed',
      failure: { kind: 'timeout' },
      attempt: { text: 'arrived\n\nas it was\n', codes: known.map((section) => section.code) },
    });
    await openChange('Arrived');
    await window.pick('Send');
    await seeDiff('Arrived (On the Server ↔ Yours)', 'rewritten', 'as it was');
    await window.answerNotification('"Arrived" may already have been added.', "It's the Same");
    await nothingOnDisk(editor);
    assert.equal(await textOf(code), 'arrived\n\nrewritten\n');
    assert.equal((await client.patches.get(stackUuid, changeId)).sections?.length, known.length + 1);
  });

  // Last: the window is signed out after it.
  describe('of an account', () => {
    it('stay when their owner signs out, unless they are to be deleted', async () => {
      await leave(await addSection('one\n'), 'Kept', 'one\n', 'two\n');
      const dialog = window.page.locator('.monaco-dialog-box');
      await window.runCommand('Patch Stacks: Sign Out');
      await dialog.getByText('1 unsent change.').waitFor();
      await dialog.getByRole('button', { name: 'Sign Out', exact: true }).click();
      await window.statusBarItem('Patch Stacks: Sign In').waitFor();
      assert.equal((await changesOnDisk(editor)).length, 1);
      await window.runCommand('Patch Stacks: Sign In with Access Token');
      await window.step('address');
      await window.type(proxy.url);
      await window.step('Your access token for');
      await window.type(editor.service.token);
      await unsentOne().click();
      await window.quickPickRow('Kept').waitFor();
      await window.runCommand('Patch Stacks: Sign Out');
      await dialog.getByRole('button', { name: 'Sign Out and Delete Local Data' }).click();
      await window.statusBarItem('Patch Stacks: Sign In').waitFor();
      await nothingOnDisk(editor);
    });
  });
});
