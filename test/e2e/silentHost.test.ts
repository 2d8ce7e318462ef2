/** Somebody goes on typing after the extension host has died, or while it does nothing. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import type { ChangeContents } from '../../src/model/pending/kinds/index.ts';
import { Editor } from '../support/editor.ts';
import { expect, expectNone } from '../support/expect.ts';
import { endExtensionHosts, extensionHostOf } from '../support/extensionHost.ts';
import { itInFull } from '../support/full.ts';
import { changesOnDisk, forgetChanges, nothingOnDisk } from '../support/plantedChanges.ts';
import { keptInBrowser } from '../support/keptInBrowser.ts';
import { pictureAfterFailure } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

const patch = 'Greet people by name';

describe('somebody who goes on typing after the extension host has died', function () {
  this.timeout(400_000);
  let editor: Editor;
  let window: Workbench;
  /** True when the next test is to have a window of its own. */
  let isNewWindow = true;
  /** The number of extension hosts of the window that were killed: after the third, VS Code begins no other one by itself. */
  let killed = 0;

  before(async () => {
    editor = await Editor.start({ signedIn: true });
  });

  beforeEach(async () => {
    if (isNewWindow) {
      window = await editor.openWindow();
      killed = 0;
    }
    await window.tree.expand('greetings');
    await window.tree.expand(/größer/i);
  });

  pictureAfterFailure(() => window);

  afterEach(async function () {
    const isTidy = this.currentTest?.state !== 'failed' && (await changesOnDisk(editor)).length === 0;
    isNewWindow = !isTidy || killed === 2;
    if (isNewWindow) {
      // The next one has a browser and an extension host of its own, and nothing that was typed before.
      await window.close();
      endExtensionHosts(editor);
      await forgetChanges(editor);
    } else {
      await window.closeAllEditors();
      await window.clearNotifications();
    }
  });

  after(() => editor.close());

  const text = (): Locator => window.webview.getByRole('textbox', { name: 'Section text (Markdown)' });
  const note = (): Locator => window.webview.locator('.silence-note');
  const button = (name: string): Locator => window.webview.getByRole('button', { name, exact: true });

  async function killHost(): Promise<void> {
    process.kill(await extensionHostOf(editor), 'SIGKILL');
    killed += 1;
  }

  async function write(words: string): Promise<void> {
    await text().click();
    await window.page.keyboard.press('Control+End');
    await window.page.keyboard.type(words);
  }

  async function beginSection(words: string): Promise<void> {
    await window.tree.open(patch);
    await window.webview.getByRole('button', { name: 'Edit section' }).first().click();
    await text().click();
    await window.page.keyboard.press('Control+A');
    await window.page.keyboard.type(words);
  }

  async function textOnService(): Promise<string | undefined> {
    const { url, token } = editor.service;
    await using client = new ApiClient({ serverUrl: url, getToken: async () => token });
    const projectId = (await client.projects.list()).items[0]!.repositoryId;
    const [stack] = (await client.stacks.list(projectId)).items;
    const { sections = [] } = await client.patches.get(stack!.uuid, stack!.patches![0]!.changeId);
    return sections.flatMap((section) => (section.sectionType === 'text' ? [section.text] : []))[0];
  }

  it('is told so where they type, once, and finds every word in the next one', async () => {
    await beginSection('Before.');
    const announced = window.webview.locator('.visually-hidden[role="status"]').first();
    await killHost();
    await write(' After.');
    await note().waitFor();
    await expect(announced).toHaveText(/isn't responding/);
    // No alert at each key.
    const unconfirmed = window.webview.getByText('Not confirmed');
    await expectNone(window.webview.locator('[role="alert"]'), { once: unconfirmed });
    // VS Code has begun another extension host meanwhile, which knows nothing of this page.
    await write(' And on.');
    await button('Save').click();
    await window.webview.getByText(/^Not saved: /).waitFor();
    await until(async () =>
      (await keptInBrowser(window.page)).some((kept) => kept.includes('Before. After. And on.')),
    );

    await window.tree.open(patch);
    await window.webview.locator('.writing-note').getByText("was restored. It isn't saved yet.").waitFor();
    await expect(text()).toHaveText('Before. After. And on.', { useInnerText: true });
    await window.webview.getByText('Saved locally').waitFor();
    await expect
      .poll(() => keptInBrowser(window.page), { message: 'it is on disk, and nowhere else' })
      .toEqual([]);
    assert.equal((await changesOnDisk(editor)).length, 1);

    await button('Save').click();
    await text().waitFor({ state: 'detached' });
    assert.equal(await textOnService(), 'Before. After. And on.');
    assert.deepEqual(await changesOnDisk(editor), []);
    await expect.poll(() => keptInBrowser(window.page)).toEqual([]);

    // The remains of the tab before say what has become of it.
    await window.editorTab(patch).first().click();
    await window.webview.getByText('If it has stopped, close this tab and open the page again.').waitFor();
  });

  // In every run: the test before, and a reload in writing.test.ts.
  itInFull('finds it also after the window was loaded again, in the same tab or in another', async () => {
    await beginSection('Before.');
    await killHost();
    await write(' After.');
    await note().waitFor();
    await window.page.reload();
    await window.page.locator('.monaco-workbench .part.statusbar').waitFor();
    await window.tree.open(patch);
    await text().getByText('Before. After.').waitFor();
    await until(async () => (await keptInBrowser(window.page)).length === 0);
    const [pending] = await changesOnDisk(editor);
    assert.equal((pending?.content as ChangeContents['sectionText']).text, 'Before. After.');
  });

  it('is not bothered any more when it was only busy', async () => {
    await beginSection('Before.');
    const host = await extensionHostOf(editor);
    process.kill(host, 'SIGSTOP');
    try {
      await write(' While it sleeps.');
      await note().waitFor();
      await button('Save').click();
      await window.webview.getByText(/^Not saved: /).waitFor();
      await write(' And on.');
    } finally {
      process.kill(host, 'SIGCONT');
    }
    await note().waitFor({ state: 'detached' });
    // It saves what it was asked to save before, and the rest is a pending change; nothing is there twice.
    await window.webview.getByText('Saved locally').waitFor();
    await expect(text()).toHaveText('Before. While it sleeps. And on.', { useInnerText: true });
    await expect.poll(() => keptInBrowser(window.page)).toEqual([]);
    await button('Save').click();
    await text().waitFor({ state: 'detached' });
    assert.equal(await textOnService(), 'Before. While it sleeps. And on.');
  });

  it('is told so on the page of a stack, as long as it is so, when they press something there', async () => {
    await beginSection('Before.');
    const host = await extensionHostOf(editor);
    await window.tree.open(/größer/i);
    const signOff = button('Sign Off').first();
    await signOff.waitFor();
    const told = window.webview.getByRole('alert').getByText("isn't responding");
    await expect(told).toHaveCount(0);
    process.kill(host, 'SIGSTOP');
    try {
      await signOff.click();
      await told.waitFor();
    } finally {
      process.kill(host, 'SIGCONT');
    }
    await told.waitFor({ state: 'detached' });
    await window.tree.open(patch);
    await button('Cancel').click();
    await nothingOnDisk(editor);
  });

  it('finds what stood in a form again', async () => {
    const message = (): Locator => window.webview.getByLabel('Message');
    await window.runCommand('Patch Stacks: Send Feedback');
    await message().fill('Before.');
    await killHost();
    await message().pressSequentially(' After.');
    await note().waitFor();
    await button('Send').click();
    await window.webview
      .locator('.problem')
      .getByText("VS Code's extension host isn't responding.")
      .waitFor();

    await window.runCommand('Patch Stacks: Send Feedback');
    await window.webview.getByText("was restored. It isn't saved yet.").waitFor();
    await expect(message()).toHaveValue('Before. After.');
    await expect.poll(() => keptInBrowser(window.page)).toEqual([]);
    const [pending] = await changesOnDisk(editor);
    assert.equal((pending?.content as ChangeContents['form']).fields['message'], 'Before. After.');
  });

  // In every run: the test before, and test/unit/webview/unconfirmedFields.test.ts.
  itInFull('finds it also where the form was open again before its first page had given up', async () => {
    const message = (): Locator => window.webview.getByLabel('Message');
    await window.runCommand('Patch Stacks: Send Feedback');
    await message().fill('Before.');
    await until(async () => (await changesOnDisk(editor)).length === 1);
    await killHost();
    await message().pressSequentially(' After.');

    // The command is there again some time after the page is told that its host is gone.
    await until(async () => {
      await window.runCommand('Patch Stacks: Send Feedback');
      return (
        (await message().inputValue()) === 'Before. After.' && (await keptInBrowser(window.page)).length === 0
      );
    });
  });

  // In every run: the test before the last, and test/unit/webview/unconfirmedFields.test.ts.
  itInFull('finds nothing again that they discarded in a form', async () => {
    const name = (): Locator => window.webview.getByLabel('Given name');
    await window.runCommand('Patch Stacks: Edit Profile');
    const before = await name().inputValue();
    await name().fill('Augusta');
    await until(async () => (await changesOnDisk(editor)).length === 1);
    await killHost();
    await button('Discard Changes').click();
    await note().waitFor();

    await window.runCommand('Patch Stacks: Edit Profile');
    await note().waitFor({ state: 'detached' });
    await until(async () => (await changesOnDisk(editor)).length === 0);
    await until(async () => (await name().inputValue()) === before);
    await until(async () => (await keptInBrowser(window.page)).length === 0);
    // They may have it back all the same.
    await window.notifications.getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await name().inputValue()) === 'Augusta');
    await button('Discard Changes').click();
    await nothingOnDisk(editor);
  });

  it('leaves nothing of it in the browser when they sign out and have everything deleted', async () => {
    await beginSection('Before.');
    await killHost();
    await write(' After.');
    await note().waitFor();
    await until(async () => (await keptInBrowser(window.page)).length > 0);
    // A page of the next extension host, of another patch.
    await window.tree.open('Call names people');
    await window.webview.locator('.document:not(.beginning) h1', { hasText: 'Call names people' }).waitFor();
    await window.runCommand('Patch Stacks: Sign Out');
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.getByRole('button', { name: 'Sign Out and Delete Local Data' }).click();
    await window.tree.welcome.waitFor();
    await until(async () => (await keptInBrowser(window.page)).length === 0);
    assert.deepEqual(await changesOnDisk(editor), []);
  });
});
