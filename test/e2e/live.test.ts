/** What changes elsewhere is on the screen by itself, whatever of the window shows it, and nothing asks for it at intervals. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import type { PatchStack } from '../../src/api/types/stacks.ts';
import { Editor } from '../support/editor.ts';
import { expect } from '../support/expect.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import type { Workbench } from '../support/workbench.ts';

describe('what changes elsewhere', function () {
  this.timeout(180_000);
  let editor: Editor;
  let window: Workbench;
  /** The same person's, as another window has it. */
  let mine: ApiClient;
  let theirs: ApiClient;
  let stack: PatchStack;

  const changeOf = (index: number): string => stack.patches?.[index]?.changeId ?? assert.fail();
  const write = async (index: number, text: string): Promise<unknown> =>
    mine.patches.createSection(stack.uuid, changeOf(index), { type: 'text', text });

  before(async () => {
    // With this, only what the service tells of is ever asked for.
    editor = await Editor.start({ signedIn: true, settings: { 'patchStacks.refreshInterval': 0 } });
    const { service } = editor;
    mine = new ApiClient({ serverUrl: service.url, getToken: async () => service.token });
    const [project] = (await mine.projects.list()).items;
    [stack = assert.fail()] = (await mine.stacks.list(project!.repositoryId)).items;
    await mine.stacks.update(stack.uuid, { title: 'Greetings' });
    await mine.projects.update(project!.repositoryId, { shareLevel: 'public' });
    service.addUser({ login: 'emmy', name: 'Emmy', email: 'emmy@example.org' });
    theirs = new ApiClient({ serverUrl: service.url, getToken: async () => service.issueToken('emmy') });
    window = await editor.openWindow();
    await window.tree.expand('greetings');
  });

  tidyAfterEach(() => window);

  afterEach(async () => {
    await window.closeAllEditors();
  });

  after(async () => {
    await mine.close();
    await theirs.close();
    await editor.close();
  });

  it('is in the view', async () => {
    await window.tree.row('Greetings').waitFor();
    await mine.stacks.update(stack.uuid, { title: 'Salutations' });
    await window.tree.row('Salutations').waitFor();
    await mine.stacks.update(stack.uuid, { title: 'Greetings' });
    await window.tree.row('Greetings').waitFor();
  });

  describe('while the view is hidden', () => {
    const hideView = async (): Promise<void> => {
      await window.runCommand('View: Show Explorer');
      await window.tree.row('Greetings').waitFor({ state: 'hidden' });
    };

    it('is in a document', async () => {
      await window.tree.expand('Greetings');
      await window.tree.open('Call names people');
      await window.webview
        .locator('.document:not(.beginning) h1', { hasText: 'Call names people' })
        .waitFor();
      await hideView();
      await write(1, '# From another window\n\nIt comes by itself.');
      await window.webview.getByText('It comes by itself.').waitFor();
      await theirs.patches.update(stack.uuid, changeOf(1), { signOff: true });
      await window.webview.locator('.reviewers').getByText('Emmy').first().waitFor();
    });

    it('is on the page of a stack', async () => {
      await window.runCommand('View: Show Patch Stacks');
      await window.tree.open('Greetings');
      const line = window.webview.getByRole('listitem').filter({ hasText: 'Greet people by name' });
      await line.waitFor();
      await hideView();
      await theirs.patches.update(stack.uuid, changeOf(0), { signOff: true });
      await line.getByText('Emmy').first().waitFor({ state: 'attached' });
    });

    it('is in the table of statuses', async () => {
      await window.runCommand('View: Show Patch Stacks');
      await window.tree.chooseFromMenu('Greetings', 'Show Patch Statuses');
      const cells = (title: string): Locator =>
        window.webview
          .getByRole('row')
          .filter({ has: window.webview.getByRole('rowheader', { name: title }) })
          .locator('td');
      await expect(cells('Greet people by name').nth(2)).toHaveText('no one');
      await hideView();
      await theirs.patches.update(stack.uuid, changeOf(0), { signOff: false });
      await expect(cells('Greet people by name').nth(2)).toHaveText(/Emmy/);
    });
  });
});
