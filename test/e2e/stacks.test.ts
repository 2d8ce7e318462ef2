/** Creating, finding, changing, closing and reopening patch stacks, as a person does it. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import type { PatchStack } from '../../src/api/types/stacks.ts';
import { Editor } from '../support/editor.ts';
import { StackForm } from '../support/stackForm.ts';
import { git } from '../support/exampleRepository.ts';
import { expect, expectNone } from '../support/expect.ts';
import { until } from '../support/until.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import type { Workbench } from '../support/workbench.ts';

describe('patch stacks', function () {
  this.timeout(120_000);
  const branch = 'greet/größer';
  let editor: Editor;
  let window: Workbench;
  let client: ApiClient;
  let form: StackForm;
  let projectId: string;

  before(async () => {
    editor = await Editor.start({ signedIn: true });
    client = new ApiClient({ serverUrl: editor.service.url, getToken: async () => editor.service.token });
    projectId = (await client.projects.list()).items[0]?.repositoryId ?? assert.fail();
    const context = await editor.openContext();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    window = await editor.openWindow({ context });
    form = new StackForm(window);
    await window.tree.expand('greetings');
  });

  beforeEach(async () => {
    await client.stacks.update((await latest()).uuid, { title: 'Greetings', description: '' });
    await window.runCommand('Patch Stacks: Refresh');
    await row().waitFor();
  });

  tidyAfterEach(() => window);

  afterEach(async () => {
    await client.stacks.update((await latest()).uuid, { status: 'active' });
  });

  after(async () => {
    await client.close();
    await editor.close();
  });

  const latest = (): Promise<PatchStack> => client.stacks.latestForBranch(projectId, branch);
  const row = (): Locator => window.tree.row('Greetings').first();
  const saying = (text: string | RegExp): Locator => window.quickInputWidget.getByText(text);

  /** Answers a step of a form once it is there. */
  async function answer(prompt: string | RegExp, text?: string): Promise<void> {
    await saying(prompt).first().waitFor();
    if (text !== undefined) {
      await window.quickInput.fill(text);
    }
    await window.acceptInput();
  }

  const focused = (): Locator => window.webview.locator(':focus');

  it('are edited from their row', async () => {
    await window.tree.chooseFromMenu('Greetings', 'Edit Patch Stack');
    await form.title.and(window.webview.locator(':focus')).waitFor();
    await expect(form.title).toHaveValue('Greetings');
    await form.typeTitle(' ');
    await form.save();
    await form.says('Enter a title.').waitFor();
    await form.typeTitle('Kind greetings');
    // The heading has the focus then, and not the nearest to the form that could have it.
    const kind = 'To be **kind**\n\n[to all](https://example.org)';
    await form.typeDescription(kind);
    await window.webview.locator('.editor-preview strong', { hasText: 'kind' }).waitFor();
    await window.screenshot('stack-edited-in-place');
    // From a field, which keeps the focus; the button loses it while it is disabled.
    await form.title.press('Control+Enter');
    await form.closed();
    await window.webview.getByRole('heading', { name: 'Kind greetings' }).and(focused()).waitFor();
    await window.webview.locator('.prose strong', { hasText: 'kind' }).waitFor();
    await window.tree.row('Kind greetings').waitFor();
    const { title, description } = await latest();
    assert.deepEqual([title, description], ['Kind greetings', kind]);
    await window.runCommand('View: Close All Editors');
  });

  it('leave the person where they have gone by the time that they are saved', async () => {
    const elsewhere = window.webview.getByRole('button', { name: 'Refresh', exact: true });
    await window.tree.chooseFromMenu('Greetings', 'Edit Patch Stack');
    await form.typeTitle('Greetings to all');
    await elsewhere.evaluate((button: HTMLElement) => {
      const goThere = new MutationObserver(() => {
        if (document.querySelector('.stack-form[aria-busy="true"]')) {
          goThere.disconnect();
          button.focus();
        }
      });
      goThere.observe(document, { subtree: true, attributes: true });
    });
    await form.save();
    await form.closed();
    await window.webview.getByRole('heading', { name: 'Greetings to all' }).waitFor();
    await elsewhere.and(focused()).waitFor();
    await window.runCommand('View: Close All Editors');
  });

  it('are told in place what the service refuses, and nothing typed is lost', async () => {
    const tooLong = 'x'.repeat(1001);
    await window.runCommand('Patch Stacks: Edit Patch Stack');
    await window.pick('greetings');
    await window
      .quickPickRow('Greetings')
      .getByText(/ · Active$/)
      .waitFor();
    await window.pick('Greetings');
    await form.typeTitle(tooLong);
    await form.typeDescription('kept');
    await form.save();
    await form.says('The server rejected this value.').waitFor();
    // Escape, which the palette begins with, gives up the form that has the focus.
    await window.tree.focusRow('Greetings');
    await window.reload();
    await form.says('The server rejected this value.').waitFor();
    await expect(form.title).toHaveValue(tooLong);
    await expect(form.description).toHaveText('kept');
    await form.typeTitle('Short');
    await form.save();
    await form.closed();
    await window.webview.getByRole('heading', { name: 'Short' }).and(focused()).waitFor();
    assert.equal((await latest()).title, 'Short');
    assert.equal((await latest()).description, 'kept');
    await window.runCommand('View: Close All Editors');
  });

  it('are closed from their row, which can be undone', async () => {
    await window.tree.chooseFromMenu('Greetings', 'Close Patch Stack');
    await window.told('Closed patch stack "Greetings".');
    await row().waitFor({ state: 'detached' });
    assert.equal((await latest()).status, 'closed');
    await window.answerNotification('Closed patch stack "Greetings".', 'Undo');
    await window.told('Reopened patch stack "Greetings".');
    await row().waitFor();
    assert.equal((await latest()).status, 'active');

    await window.tree.chooseFromMenu('Greetings', 'Close Patch Stack');
    await row().waitFor({ state: 'detached' });
    await window.undoRecentChange('Closed patch stack "Greetings".');
    await row().waitFor();
    assert.equal((await latest()).status, 'active');
  });

  it('are reopened from the palette, chosen among those that are closed', async () => {
    await client.stacks.update((await latest()).uuid, { status: 'closed' });
    await window.runCommand('Patch Stacks: Refresh');
    await row().waitFor({ state: 'detached' });
    await window.runCommand('Patch Stacks: Reopen Patch Stack');
    await window.pick('greetings');
    await window.pick('Greetings');
    await window.told('Reopened patch stack "Greetings".');
    await row().waitFor();
    assert.equal((await latest()).status, 'active');
  });

  it('are shown by their state, and reopened from their row', async () => {
    await client.stacks.update((await latest()).uuid, { status: 'closed' });
    await window.runCommand('Patch Stacks: Filter by Status');
    await window.pick('Closed');
    await window.page.locator('.part.sidebar').getByText('Filter: Closed').waitFor();
    await row().locator('.codicon-git-pull-request-closed').waitFor();
    // By more than the icon.
    await row()
      .locator('.label-description', { hasText: /(^| · )Closed · / })
      .waitFor();
    await window.tree.chooseFromMenu('Greetings', 'Reopen Patch Stack');
    await window.told('Reopened patch stack "Greetings".');
    await window.tree.row('No patch stacks with the status "closed"').waitFor();
    await window.runCommand('Patch Stacks: Filter by Status');
    await window.pick('Loading');
    await window.tree.row('No patch stacks with the status "loading"').waitFor();
    await window.runCommand('Patch Stacks: Filter by Status');
    await window.pick('All');
    await row().waitFor();
    await window.runCommand('Patch Stacks: Filter by Status');
    await window.pick('Active');
    await row().waitFor();
  });

  it('show again when the service refuses to close them, and it can be tried again', async () => {
    // Somebody else's project, which everybody may read and nobody else may write.
    const { token } = editor.service.addUser({ login: 'grace', name: 'Grace', email: 'grace@example.org' });
    const theirs = new ApiClient({ serverUrl: editor.service.url, getToken: async () => token });
    try {
      const { repositoryId } = await theirs.projects.create({ name: 'Compiler', slug: 'compiler' });
      await theirs.projects.update(repositoryId, { shareLevel: 'public' });
      const creation = { projectId: repositoryId, branchId: 'parser', oplogSha: 'e1' };
      const { uuid, title } = await theirs.stacks.create(creation);
      await window.runCommand('Patch Stacks: Open Project by Owner and Slug');
      await answer('Project owner and slug', 'grace/compiler');
      // Opening a project shows what is in it.
      await window.tree.row(title ?? '').waitFor();
      await window.tree.chooseFromMenu(title ?? '', 'Close Patch Stack');
      await window.told(/Couldn't close the patch stack ".*": You don't have permission to do this\./);
      await window.tree.row(title ?? '').waitFor();
      assert.equal((await theirs.stacks.latestForBranch(repositoryId, 'parser')).uuid, uuid);

      await theirs.stacks.update(uuid, { status: 'closed' });
      await window.runCommand('Patch Stacks: Reopen Patch Stack');
      await window.pick('Compiler');
      await window.pick(title ?? '');
      await window.told(/Couldn't reopen the patch stack ".*": You don't have permission to do this\./);
      assert.equal((await theirs.stacks.latestForBranch(repositoryId, 'parser')).status, 'closed');

      // Another refusal the second time shows that it was tried again.
      await theirs.projects.delete(repositoryId);
      await window.answerNotification(/Couldn't close the patch stack ".*": /, 'Retry');
      await window.told(/Couldn't close the patch stack ".*": This item no longer exists\./);
      await window.runCommand('Patch Stacks: Refresh');
    } finally {
      await theirs.close();
    }
  });

  it('are opened by their branch: the one that is checked out comes first', async () => {
    await client.stacks.update((await latest()).uuid, { status: 'closed' });
    await window.tree.chooseFromMenu('greetings', 'Open Latest Stack for a Branch');
    await window.quickPickRow(branch).getByText('checked out').waitFor();
    await window.pick(branch);
    // The filter hides closed ones: it gives way.
    await window.tree.row('Greetings').and(window.page.locator('.selected')).waitFor();
    await window.runCommand('Patch Stacks: Filter by Status');
    await window.pick('Active');
  });

  it('are not found for a branch without one, and the person is told', async () => {
    await window.runCommand('Patch Stacks: Open Latest Stack for a Branch');
    await window.pick('greetings');
    await window.pick('Enter a branch name…');
    await answer(/^Branch name/, 'no such branch');
    await saying("Branch names can't contain spaces.").waitFor();
    await answer("Branch names can't contain spaces.", 'none');
    await window.told('Project "greetings" doesn\'t have a patch stack for branch "none".');
  });

  it('show who has seen and signed off each patch, as a table', async () => {
    const { uuid, patches = [] } = await latest();
    await client.patches.update(uuid, patches[0]?.changeId ?? '', { signOff: true });
    const { token } = editor.service.addUser({ login: 'emmy', name: 'Emmy', email: 'emmy@example.org' });
    await client.projects.update(projectId, { shareLevel: 'public' });
    const theirs = new ApiClient({ serverUrl: editor.service.url, getToken: async () => token });
    await theirs.patches.get(uuid, patches[1]?.changeId ?? '');
    await theirs.close();

    await window.tree.chooseFromMenu('Greetings', 'Show Patch Statuses');
    const table = window.webview.getByRole('table', { name: 'Patch Statuses' });
    const cells = (title: string): Locator =>
      table.getByRole('row').filter({ has: window.webview.getByRole('rowheader', { name: title }) });
    await cells('Greet people by name').getByText('(you)').last().waitFor();
    // The second column says who signed off.
    await expect(cells('Greet people by name').locator('td').nth(1)).toHaveText(/\(you\)/);
    await expect(cells('Call names people').locator('td')).toHaveText([/Emmy/, 'no one', 'no one']);
    await expect(table.getByRole('row')).toHaveCount(1 + patches.length);

    await window.webview.getByRole('button', { name: 'Call names people' }).click();
    await window.webview.locator('.document:not(.beginning) h1', { hasText: 'Call names people' }).waitFor();
    await window.runCommand('View: Close All Editors');
  });

  it('have statuses that are there again after a reload of the window', async () => {
    await window.tree.chooseFromMenu('Greetings', 'Show Patch Statuses');
    await window.webview.getByRole('rowheader', { name: 'Call names people' }).waitFor();
    await window.reload();
    await window.webview.getByRole('rowheader', { name: 'Call names people' }).waitFor();
    await window.webview.getByRole('button', { name: 'Call names people' }).click();
    await window.webview.locator('.document:not(.beginning) h1', { hasText: 'Call names people' }).waitFor();
    await window.runCommand('View: Close All Editors');
    await window.tree.expand('greetings');
  });

  it('have no statuses when they are gone meanwhile, and the panel says so', async () => {
    const { repositoryId } = await client.projects.create({ name: 'Doomed', slug: 'doomed' });
    const { title = '' } = await client.stacks.create({
      projectId: repositoryId,
      branchId: 'last',
      oplogSha: 'e1',
    });
    await window.runCommand('Patch Stacks: Refresh');
    await window.tree.expand('Doomed');
    await window.tree.row(title).waitFor();
    await client.projects.delete(repositoryId);
    await window.tree.chooseFromMenu(title, 'Show Patch Statuses');
    await window.webview.getByText('This item no longer exists.').waitFor();
    await window.runCommand('View: Close All Editors');
    await window.runCommand('Patch Stacks: Refresh');
    await window.tree.row('Doomed').waitFor({ state: 'detached' });
  });

  it('have statuses that are found with the keyboard alone', async () => {
    // The command is for the row that is selected.
    await window.tree.focusRow('greetings');
    await window.page.keyboard.press('Escape');
    await window.tree.rows.and(window.page.locator('.selected')).waitFor({ state: 'detached' });
    await window.runCommand('Patch Stacks: Show Patch Statuses');
    for (const placeholder of ['Select a project', 'Select a patch stack']) {
      await window.page.getByPlaceholder(placeholder).waitFor();
      const focused = window.quickPickRows.and(window.page.locator('.focused'));
      await focused.waitFor();
      await window.page.keyboard.type('greetings');
      await focused.filter({ hasText: /greetings/i }).waitFor();
      await window.page.keyboard.press('Enter');
    }
    await window.webview.getByRole('table', { name: 'Patch Statuses' }).waitFor();
    await window.runCommand('View: Close All Editors');
  });

  it('are what commands of the palette are for, by the row that is selected or the patch that is open', async () => {
    const asks = (prompt: string): Promise<void> =>
      window.page.getByPlaceholder(prompt, { exact: true }).waitFor();
    const forAll = async (): Promise<void> => {
      await window.runCommandHere('Patch Stacks: Edit Patch Stack');
      await form.title.and(window.webview.locator(':focus')).waitFor();
      await expect(form.title).toHaveValue('Greetings');
      await window.page.keyboard.press('Escape');
      await form.closed();
      await window.runCommandHere('Patch Stacks: Connect Project to Organization');
      await asks('Select an organization');
      await window.page.keyboard.press('Escape');
      await window.runCommandHere('Patch Stacks: Create Patch Stack');
      await window.quickInputWidget.getByText('Create Patch Stack: greetings').waitFor();
      await asks('Select a branch');
      await window.page.keyboard.press('Escape');
      await window.runCommandHere('Patch Stacks: Show Patch Statuses');
      await window.webview.getByRole('table', { name: 'Patch Statuses' }).waitFor();
    };
    await window.tree.settled();
    await row().click();
    await row().and(window.page.locator('.selected')).waitFor();
    await forAll();
    await window.runCommand('View: Close All Editors');

    await window.tree.expand('Greetings');
    await window.tree.open('Call names people');
    await window.webview.locator('.document:not(.beginning) h1', { hasText: 'Call names people' }).waitFor();
    await forAll();
    await window.runCommand('View: Close All Editors');

    // The document is active all the time: a row that was selected counts no more once the person is back in its page.
    await window.tree.open('Call names people');
    const title = window.webview.locator('.document:not(.beginning) h1', { hasText: 'Call names people' });
    await title.waitFor();
    await row().click();
    await row().and(window.page.locator('.selected')).waitFor();
    await window.webview.locator('.stack-page h1').waitFor();
    await window.editorTab('Call names people').click();
    await title.click();
    await window.webview.locator('html[data-keys="document"]').waitFor();
    await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await window.runCommandHere('Patch Stacks: Copy ID');
    const { patches = [] } = await latest();
    const shown = patches.find((patch) => patch.title === 'Call names people')!.changeId;
    await until(async () => (await window.page.evaluate(() => navigator.clipboard.readText())) === shown);
    await window.runCommand('View: Close All Editors');

    // Of a project, what is in it is still asked for; but never the project.
    await window.tree.row('greetings').click();
    await window.runCommandHere('Patch Stacks: Edit Patch Stack');
    await asks('Select a patch stack');
    await window.page.keyboard.press('Escape');
    await window.tree.expand('greetings');
  });

  it('have ids that can be copied, like every other row', async () => {
    const { uuid, patches = [] } = await latest();
    await window.tree.expand('Greetings');
    await window.tree.expand('Greet people by name');
    const changeId = patches[0]?.changeId ?? '';
    const section = (await client.patches.get(uuid, changeId)).sections?.find(
      ({ sectionType }) => sectionType === 'diff',
    );
    const rows: [string, string | undefined][] = [
      ['greetings', projectId],
      ['Greetings', uuid],
      ['Greet people by name', changeId],
      ['src/greet.ts', section?.code],
    ];
    for (const [label, id] of rows) {
      await window.tree.chooseFromMenu(label, 'Copy ID');
      await window.statusBarItem(`Copied the ID ${id}.`).waitFor();
      await expect.poll(() => window.page.evaluate('navigator.clipboard.readText()')).toBe(id);
    }
  });

  it('are created of a branch, at its newest commit unless another is wanted', async () => {
    const before = await latest();
    await window.tree.chooseFromMenu('greetings', 'Create Patch Stack');
    await window.quickPickRow('Nothing to publish.').getByText('Commit to a branch').waitFor();
    await window.page.keyboard.press('Escape');

    await writeFile(path.join(editor.repository, 'published.txt'), 'new');
    git(editor.repository, 'add', 'published.txt');
    git(editor.repository, 'commit', '-qm', 'Something to publish');
    const head = git(editor.repository, 'rev-parse', 'HEAD').trim();
    await window.tree.chooseFromMenu('greetings', 'Create Patch Stack');
    const published = window.quickPickRow(branch).getByText('checked out · has a patch stack');
    // It has nothing to publish.
    await expectNone(window.quickPickRow('main'), { once: published });
    await window.pick(branch);
    const newest = window.quickPickRow('Something to publish').and(window.page.locator('.focused'));
    await newest.getByText(head.slice(0, 7)).waitFor();
    await window.quickInput.fill(head);
    await window.quickPickRow(`Publish commit "${head}"`).waitFor();
    await window.quickInput.fill('');
    await newest.waitFor();
    await window.acceptInput();
    await window.told(/Created patch stack ".*"\./);
    const made = await latest();
    assert.notEqual(made.uuid, before.uuid);
    assert.equal(made.oplogSha, head);
    await window.tree.rows.and(window.page.locator('.selected')).getByText(`v${made.version}`).waitFor();
  });

  it('are not created of a branch that the service does not have, and what was typed stays', async () => {
    await window.runCommand('Patch Stacks: Create Patch Stack');
    await window.pick('greetings');
    await window.pick('Enter a branch name…');
    await answer(/^Branch name/, 'none');
    await answer('Select the commit of "none" to publish', 'e1');
    await saying(/Server message: .*branch none/).waitFor();
    await expect(window.quickInput).toHaveValue('e1');
  });

  it('leave nothing behind when their form is given up', async () => {
    const unsent = window.page.getByRole('button', { name: /^Patch Stacks: \d+ / });
    // The test before has left one that the service has refused: that stays.
    await unsent.waitFor();
    const before = await unsent.getAttribute('aria-label');
    await window.tree.chooseFromMenu('Greetings', 'Edit Patch Stack');
    await form.typeTitle('Never mind');
    await window.page.getByRole('button', { name: /^Patch Stacks: 2 / }).waitFor();
    await form.title.press('Escape');
    await form.closed();
    await window.page.getByRole('button', { name: before ?? '', exact: true }).waitFor();
    await window.answerNotification('Discarded your change to "Greetings".', 'Undo');
    await form.title.waitFor();
    await expect(form.title).toHaveValue('Never mind');
    await form.title.press('Escape');
    await form.closed();
    await window.page.getByRole('button', { name: before ?? '', exact: true }).waitFor();
  });
});
