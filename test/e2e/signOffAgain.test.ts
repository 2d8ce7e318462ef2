/** Signing off what was read, and again what the author has only rebased since: a reviewer, and an author who rewrites the branch. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import { Author, numberedLines } from '../support/author.ts';
import { Editor } from '../support/editor.ts';
import { expect } from '../support/expect.ts';
import { FaultServer } from '../support/faultServer.ts';
import { forwardTo } from '../support/forward.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

describe('signing off', function () {
  this.timeout(180_000);
  let server: FaultServer;
  let editor: Editor;
  let window: Workbench;
  let author: Author;
  /** Asks the service past the window. */
  let client: ApiClient;

  before(async () => {
    server = await FaultServer.start();
    editor = await Editor.start({
      signedIn: true,
      reachedAt: async (serviceUrl) => {
        server.use(forwardTo(serviceUrl));
        return new URL(new URL(serviceUrl).pathname, server.url).href;
      },
    });
    const { url, token } = editor.service;
    client = new ApiClient({ serverUrl: url, getToken: async () => token });
    author = new Author(editor.repository);
    author.goOnWithMain('Add two lists', () =>
      author.write({ 'list.txt': numberedLines('line'), 'other.txt': numberedLines('line') }),
    );
    author.begin('tale');
    author.write({ 'beginning.ts': "export const beginning = 'Once';\n" });
    author.commit('Begin', 'Every tale **begins**.');
    author.replace('list.txt', 'line 30\n', 'the thirtieth\n');
    author.commit('Name a line');
    author.replace('other.txt', 'line 30\n', 'the other thirtieth\n');
    author.commit('Name another line');
    author.write({ 'long.txt': numberedLines('word', {}, 150), 'short.txt': 'the last word\n' });
    author.commit('Go on', 'It takes long.');
    author.write({ 'end.ts': numberedLines('// The end', {}, 100) });
    author.commit('End', `And every tale ends.\n\n${numberedLines('- And')}`);
    await editor.service.importRepository();
    window = await editor.openWindow();
    await window.page.getByRole('tab', { name: 'Patch Stacks' }).click();
    await window.tree.expand('greetings');
    await window.tree.expand(/^tale/i);
  });

  tidyAfterEach(() => window);
  after(async () => {
    await client.close();
    await editor.close();
    await server.stop();
  });

  const rowSaying = (label: string | RegExp, text: string): Locator =>
    window.tree.row(label).and(window.page.locator(`[aria-label*="${text}"]`));
  const section = (name: string | RegExp): Locator => window.webview.getByRole('region', { name });
  const focused = (of: Locator): Promise<void> => of.and(window.webview.locator(':focus')).waitFor();
  const button = (name: string): Locator => window.webview.getByRole('button', { name, exact: true });
  const note = (): Locator => window.webview.locator('.unseen-note');
  const titled = (title: string): Locator =>
    window.webview.locator('.document:not(.beginning) h1', { hasText: title });
  /** The sign-offs and requests for changes that were sent. */
  const sent = (): unknown[] =>
    server.seen.flatMap(({ method, body }): unknown[] =>
      method === 'PATCH' ? [JSON.parse(String(body))] : [],
    );
  const signedOffBy = (): Locator => window.webview.locator('.reviewers', { hasText: 'Signed off by' });

  describe('a patch that was not all on the screen', () => {
    it('says which sections were not, and goes to the first of them', async () => {
      await window.tree.open('Go on');
      await titled('Go on').waitFor();
      await button('Sign Off and Next').click();
      await note()
        .getByText(/Not signed off: you haven't read/)
        .waitFor();
      await note().getByText('"long.txt"').waitFor();
      await note().getByText('"short.txt"').waitFor();
      // Sections that are on the screen meanwhile are not named any longer.
      await note().getByText('2 sections: "long.txt" and "short.txt"').waitFor();
      await button('Sign Off and Next').waitFor();
      await window.screenshot('sign-off-unseen');
      assert.deepEqual(sent(), []);
    });

    it('leads to the next one, and says no more of it when all was seen', async () => {
      await section('short.txt').scrollIntoViewIfNeeded();
      await note().getByText('you haven\'t read the section "long.txt"').waitFor();
      await note().getByRole('button', { name: 'Show' }).press('Enter');
      await focused(section('long.txt'));
      await window.page.setViewportSize({ width: 1280, height: 4000 });
      await note().waitFor({ state: 'detached' });
      await window.page.setViewportSize({ width: 1280, height: 800 });
      await rowSaying('Go on', ', read,').waitFor();
      await window.runCommand('Patch Stacks: Sign Off Patch');
      await signedOffBy().waitFor();
      assert.deepEqual(sent(), [{ sign_off: true }]);
    });

    it('is the same from the row of a patch that nobody has opened, and from the palette', async () => {
      await window.tree.chooseFromMenu('End', 'Sign Off Patch');
      await titled('End').waitFor();
      await note().getByText('2 sections: "And every tale ends." and "end.ts"').waitFor();
      await focused(section('And every tale ends.'));
      await window.page.setViewportSize({ width: 1280, height: 4000 });
      await note().waitFor({ state: 'detached' });
      // Too low for its file to be seen, however long the palette takes.
      await window.page.setViewportSize({ width: 1280, height: 300 });
      await window.tree.open('Name a line');
      await titled('Name a line').waitFor();
      await window.runCommand('Patch Stacks: Sign Off Patch');
      await note().getByText('"list.txt"').waitFor();
      await window.page.setViewportSize({ width: 1280, height: 800 });
      await window.runCommand('Patch Stacks: Sign Off Patch Anyway');
      await note().waitFor({ state: 'detached' });
      await signedOffBy().waitFor();
      assert.equal(sent().length, 2);
    });
  });

  describe('patches of which the author has rewritten the branch since', () => {
    const row = (title: string): Locator =>
      window.quickPickRows.filter({ has: window.page.locator('.label-name', { hasText: title }) });
    const box = (title: string): Locator => row(title).getByRole('checkbox');
    const changed = "can't be selected: changed since version 1, which you signed off";

    before(async () => {
      for (const title of ['Begin', 'Name another line', 'End']) {
        await window.tree.open(title);
        await titled(title).waitFor();
        await rowSaying(title, ', read,').waitFor();
        await window.runCommand('Patch Stacks: Sign Off Patch Anyway');
        await button('Signed Off').waitFor();
      }
      await until(async () => sent().length === 5);
      await signedOffBy().waitFor();
      await window.closeAllEditors();
      server.use(forwardTo(editor.service.url));
      author.goOnWithMain('Name two lines', () => {
        author.replace('list.txt', 'line 27\n', 'the twenty-seventh\n');
        author.replace('other.txt', 'line 27\n', 'the twenty-seventh\n');
      });
      author.rebase('tale');
      author.rewrite('tale', 'Begin', () => {
        author.replace('beginning.ts', "';\n", "';\nexport const place = 'upon a time';\n");
        author.amend();
      });
      await editor.service.importRepository();
      await window.runCommand('Patch Stacks: Refresh');
      await rowSaying('Begin', 'changed since you read it').waitFor();
    });

    it('say in their documents what has changed since', async () => {
      await window.tree.open('Begin');
      await window.webview.getByText('You signed off version 1. Since then: 1 file changed.').waitFor();
      await window.screenshot('since-sign-off-changed');
      await window.webview
        .locator('.since-sign-off')
        .getByRole('button', { name: 'Show What Changed' })
        .click();
      await window.webview
        .getByRole('region', { name: 'Comparison' })
        .getByText('Compared with version 1, which you signed off on.')
        .waitFor();
      await expect(window.webview.locator('.since-sign-off').getByRole('button')).toHaveCount(0);
      await window.tree.open('Name a line');
      await window.webview.getByText('You signed off version 1. Since then: 1 file only rebased.').waitFor();
      await window.screenshot('since-sign-off-rebased');
    });

    it('are listed with the reason, and none that has changed can be chosen', async () => {
      await window.tree.chooseFromMenu(/^tale/i, 'Sign Off Unchanged Patches Again');
      await row('Name a line').getByText('only rebased since version 1').waitFor();
      await expect(box('Name a line')).toBeChecked();
      await row('Begin').getByText(changed).waitFor();
      await expect(box('Begin')).not.toBeChecked();
      await box('Begin').click();
      await expect(box('Begin')).not.toBeChecked();
      await window.screenshot('sign-off-again');
      // A patch that the server still has as signed off is not listed twice.
      await expect(window.quickPickRows).toHaveCount(3);
      await window.page.keyboard.press('Escape');
      assert.deepEqual(sent(), []);
    });

    it('are signed off again in one act, but for what the author changes at that moment, and no others', async () => {
      await window.tree.focusRow(/^tale/i);
      await window.runCommandHere('Patch Stacks: Sign Off Unchanged Patches Again');
      await row('Name another line').waitFor();
      await window.page.keyboard.press('Enter');
      await window.told('Signing off in a few seconds. Patches: 2.');
      const [project] = (await client.projects.list()).items;
      const reviews = async (): Promise<unknown> => {
        const { patches = [] } = await client.stacks.latestForBranch(project!.repositoryId, 'tale');
        return patches.map(({ title, reviewAll }) => [title, reviewAll?.signedOff.length]);
      };
      const { uuid, patches = [] } = await client.stacks.latestForBranch(project!.repositoryId, 'tale');
      const { changeId } = patches.find(({ title }) => title === 'Name another line')!;
      await client.patches.createSection(uuid, changeId, { type: 'text', text: 'Nobody has read this.' });
      await window.told('Signed off on 1 of 2 patches.');
      await window.told(
        /Couldn't sign off on "Name another line": The patch has changed since you read it.* Since then: 1 new text\./,
      );
      assert.deepEqual(sent(), [{ sign_off: true }]);
      assert.deepEqual(await reviews(), [
        ['Begin', 0],
        ['Name a line', 1],
        ['Name another line', 0],
        ['Go on', 1],
        ['End', 1],
      ]);
      await window.answerNotification(/Couldn't sign off on "Name another line"/, 'Show What Changed');
      await titled('Name another line').waitFor();
      await focused(section('Nobody has read this.'));
      await window.webview
        .getByText('You signed off version 1. Since then: 1 new text, 1 file only rebased.')
        .waitFor();
    });

    it('are not offered any more once they are signed off, or changed', async () => {
      await window.tree.focusRow(/^tale/i);
      await window.runCommandHere('Patch Stacks: Sign Off Unchanged Patches Again');
      await row('Begin').getByText(changed).waitFor();
      await row('Name another line').getByText(changed).waitFor();
      await expect(window.quickPickRows).toHaveCount(2);
      await window.quickInputWidget.getByPlaceholder(/^None of your sign-offs can be renewed/).waitFor();
      await window.page.keyboard.press('Enter');
      assert.deepEqual(sent(), [{ sign_off: true }]);
    });
  });
});
