/** What happens to changes that are not on the service yet. */
import assert from 'node:assert/strict';
import { ApiClient } from '../../src/api/client.ts';
import type { Draft } from '../../src/model/drafts/draft.ts';
import type { PatchAddress } from '../../src/model/model.ts';
import { Editor } from '../support/editor.ts';
import { FaultServer, resetBeforeHeaders } from '../support/faultServer.ts';
import { forwardTo } from '../support/forward.ts';
import { draftsOnDisk, plantDraft } from '../support/plantedDrafts.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

describe('unsent changes', function () {
  this.timeout(180_000);
  let editor: Editor;
  let proxy: FaultServer;
  let window: Workbench;
  let client: ApiClient;
  let patch: PatchAddress;

  before(async () => {
    proxy = await FaultServer.start();
    editor = await Editor.start({
      signedIn: true,
      reachedAt: async (serviceUrl) => {
        proxy.use(forwardTo(serviceUrl));
        return proxy.url;
      },
    });
    client = new ApiClient({ serverUrl: editor.service.url, getToken: async () => editor.service.token });
    const projectId = (await client.projects.list()).items[0]!.repositoryId;
    const [stack] = (await client.stacks.list(projectId)).items;
    const { changeId } = stack!.patches![0]!;
    patch = { projectId, branchId: stack!.branchId, stackUuid: stack!.uuid, changeId };
    window = await editor.openWindow();
    await window.tree.row('greetings').waitFor();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      console.log(`--- a picture: ${await window.screenshot(`failed-${Date.now()}`)}`);
    }
    proxy.use(forwardTo(editor.service.url));
    await window.page.keyboard.press('Escape');
    await window.runCommand('View: Close All Editors');
    await window.runCommand('Notifications: Clear All Notifications');
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

  /** Leaves a change of a section behind, as a window that was killed does. */
  async function leave(code: string, title: string, base: string, text: string): Promise<void> {
    const draft: Pick<Draft, 'subject' | 'content' | 'title'> & Partial<Draft> = {
      subject: { kind: 'sectionText', patch, code },
      content: { base, text },
      title,
      state: 'unsent',
      failure: { kind: 'connection', mayHaveArrived: false },
    };
    await plantDraft(editor, draft);
  }

  /** Opens what can be done with a draft. */
  async function openDraft(title: string): Promise<void> {
    await window.runCommand('Patch Stacks: Show Unsent Changes');
    await window.pick(title);
  }

  it('are counted and listed, and all sent, joined with what others wrote', async () => {
    const [one, two] = [await addSection('one\n\ntwo\n'), await addSection('three\n')];
    await leave(one, 'First', 'one\n\ntwo\n', 'one\n\nTWO\n');
    await leave(two, 'Second', 'three\n', 'THREE\n');
    await othersWrite(one, 'ONE\n\ntwo\n');
    await window.reload();
    await window.page
      .getByRole('button', { name: 'Patch Stacks: 2 changes are not on the service yet' })
      .click();
    await window.quickPickRow('First').waitFor();
    await window.quickPickRow('Second').waitFor();
    await window.quickInputWidget
      .getByText(/The service cannot be reached/)
      .first()
      .waitFor();
    await window.pick('Send All');
    await window.notification('All changes are on the service.').waitFor();
    assert.deepEqual([await textOf(one), await textOf(two)], ['ONE\n\nTWO\n', 'THREE\n']);
    assert.deepEqual(await draftsOnDisk(editor), []);
  });

  it('in conflict are decided in the merge editor, and not sent before', async () => {
    const code = await addSection('first\n\nsecond\n');
    await leave(code, 'Both', 'first\n\nsecond\n', 'first\n\nsecond, by me\n');
    await othersWrite(code, 'first\n\nsecond, by them\n');
    await openDraft('Both');
    await window.pick('Send');
    const result = window.page.locator('.merge-editor .code-view.result');
    await result.getByText('1 Conflict Remaining').waitFor();
    assert.equal(await textOf(code), 'first\n\nsecond, by them\n');
    await window.page.getByRole('button', { name: 'Accept Combination (Yours First)' }).click();
    await result.getByText('0 Conflicts Remaining').waitFor();
    await window.page.keyboard.press('Control+S');
    await window.answerNotification('The text of “Both” is decided.', 'Send');
    await until(async () => (await draftsOnDisk(editor)).length === 0);
    assert.match((await textOf(code)) ?? '', /by me/);
    assert.match((await textOf(code)) ?? '', /by them/);
  });

  it('are compared, discarded, and brought back', async () => {
    const code = await addSection('one\n');
    await leave(code, 'Compared', 'one\n', 'mine\n');
    await openDraft('Compared');
    await window.pick('Compare with the Service');
    await window.editorTab('Compared (on the service ↔ yours)').waitFor();
    const diff = window.page.locator('.monaco-diff-editor');
    await diff.locator('.editor.original', { hasText: 'one' }).waitFor();
    await diff.locator('.editor.modified', { hasText: 'mine' }).waitFor();
    await openDraft('Compared');
    await window.pick('Discard');
    await window.notification('Your change of “Compared” is discarded.').waitFor();
    assert.deepEqual(await draftsOnDisk(editor), []);
    await window.page.keyboard.press('Escape');
    await window.answerNotification('Your change of “Compared” is discarded.', 'Undo');
    await openDraft('Compared');
    await window.pick('Send');
    await until(async () => (await draftsOnDisk(editor)).length === 0);
    assert.equal(await textOf(code), 'mine\n');
  });

  it('of a section that somebody has deleted are added as a new one', async () => {
    const code = await addSection('gone\n');
    await leave(code, 'Gone', 'gone\n', 'gone, and edited\n');
    await client.patches.deleteSection(patch.stackUuid, patch.changeId, code);
    await openDraft('Gone');
    await window.pick('Send');
    await window.answerNotification(/“Gone” is not sent: Somebody has deleted it/, 'Add as New Section');
    await until(async () => (await texts()).includes('gone, and edited\n'));
  });

  it('are among the recent changes once they are sent, and can be undone there', async () => {
    const code = await addSection('before\n');
    await leave(code, 'Regretted', 'before\n', 'after\n');
    await openDraft('Regretted');
    await window.pick('Send');
    await until(async () => (await textOf(code)) === 'after\n');
    await window.runCommand('Patch Stacks: Recent Changes');
    await window.pick('The text of “Regretted” is changed.');
    await window.pick('Show Before and After');
    await window.page.locator('.monaco-diff-editor .editor.original', { hasText: 'before' }).waitFor();
    await window.runCommand('Patch Stacks: Recent Changes');
    await window.pick('The text of “Regretted” is changed.');
    await window.pick('Undo');
    await until(async () => (await textOf(code)) === 'before\n');
  });

  it('are offered to be sent when the service is back', async () => {
    const code = await addSection('one\n');
    await leave(code, 'Offline', 'one\n', 'two\n');
    proxy.use(resetBeforeHeaders);
    await openDraft('Offline');
    await window.pick('Send');
    await window.notification(/“Offline” is not sent/).waitFor();
    assert.equal(await textOf(code), 'one\n');
    proxy.use(forwardTo(editor.service.url));
    await window.runCommand('Patch Stacks: Refresh');
    await window.answerNotification('The service can be reached again.', 'Send All');
    await window.notification('All changes are on the service.').waitFor();
    assert.equal(await textOf(code), 'two\n');
  });

  it('are named when their owner signs out, and stay', async () => {
    await leave(await addSection('one\n'), 'Kept', 'one\n', 'two\n');
    await window.runCommand('Patch Stacks: Sign Out');
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.getByText('1 change is not on the service yet.').waitFor();
    await dialog.getByRole('button', { name: 'Sign Out', exact: true }).click();
    await window.statusBarItem('Patch Stacks: Sign In').waitFor();
    assert.equal((await draftsOnDisk(editor)).length, 1);
  });
});
