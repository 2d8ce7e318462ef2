/** Coming back to a patch that was read: the document shows what changed since, and nothing else. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import { Author, numberedLines } from '../support/author.ts';
import { Editor } from '../support/editor.ts';
import { expect } from '../support/expect.ts';
import { FaultServer, reply } from '../support/faultServer.ts';
import { forwardTo } from '../support/forward.ts';
import { keptContent } from '../support/keptContent.ts';
import { storageOf } from '../support/plantedChanges.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import { patienceMs } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

describe('reading what changed', function () {
  this.timeout(400_000);
  let server: FaultServer;
  let editor: Editor;
  let window: Workbench;
  let author: Author;

  before(async () => {
    server = await FaultServer.start();
    editor = await Editor.start({
      signedIn: true,
      reachedAt: async (serviceUrl) => {
        server.use(forwardTo(serviceUrl));
        return new URL(new URL(serviceUrl).pathname, server.url).href;
      },
    });
    author = new Author(editor.repository);
    author.goOnWithMain('Add lists', () =>
      author.write({ 'list.txt': numberedLines('line'), 'other.txt': numberedLines('other') }),
    );
    author.begin('tale');
    author.replace('list.txt', 'line 10\n', 'the tenth\n');
    author.replace('other.txt', 'other 10\n', 'the tenth\n');
    author.write({
      'beginning.ts': "export const beginning = 'Once';\n",
      'gone.ts': 'export const gone = true;\n',
    });
    author.commit('Begin', 'Every tale **begins** somewhere, and this one here.');
    author.replace('list.txt', 'line 30\n', 'the thirtieth\n');
    author.commit('Name a line', 'It has a name now.');
    await editor.service.importRepository();
    window = await editor.openWindow();
    await window.page.getByRole('tab', { name: 'Patch Stacks' }).click();
    await window.tree.expand('greetings');
    await window.tree.expand(/^tale/i);
    await window.tree.open('Begin');
    await rowSaying('Begin', ' of 5 read').waitFor();
    await window.webview.locator('[data-section]').last().scrollIntoViewIfNeeded();
    await rowSaying('Begin', ', read,').waitFor();
    await window.tree.open('Name a line');
    await rowSaying('Name a line', ', read,').waitFor();
    await window.runCommand('View: Close All Editors');
  });

  tidyAfterEach(() => window);
  after(async () => {
    await editor.close();
    await server.stop();
  });

  const rowSaying = (label: string | RegExp, text: string): Locator =>
    window.tree.row(label).and(window.page.locator(`[aria-label*="${text}"]`));
  const section = (name: string | RegExp): Locator => window.webview.getByRole('region', { name });
  const badge = (name: string | RegExp, text: string): Locator =>
    section(name).locator('.badge', { hasText: text });
  const toggle = (name: string): Locator => section(name).locator('.file-toggle');
  const comparison = (text: string | RegExp): Locator =>
    window.webview.getByRole('region', { name: 'Comparison' }).filter({ hasText: text });
  const hasFocus = (place: Locator): Promise<void> => place.and(window.webview.locator(':focus')).waitFor();
  /** The text in the lines of a file that are shown, each with its kind of change. */
  const rowsOf = (name: string): Promise<string[]> =>
    section(name)
      .locator('tr[data-line-type]')
      .evaluateAll((rows) =>
        rows.map((row) => {
          const mark = row.querySelector('.marker')?.getAttribute('data-marker') ?? '';
          return `${mark}${row.querySelector('.code')?.textContent ?? ''}`;
        }),
      );

  /** Waits until a file has these lines. */
  const has = (name: string, rows: readonly string[]): Promise<void> =>
    expect.poll(() => rowsOf(name)).toEqual(rows);

  it('begins with what changed since it was read, against what was read', async () => {
    author.goOnWithMain('Go on', () => {
      author.replace('list.txt', 'line 24\n', 'of the base\n');
      author.replace('list.txt', 'line 28\n', '');
      author.replace('other.txt', 'other 30\n', 'of the base\n');
    });
    author.rebase('tale');
    author.rewrite('tale', 'Begin', () => {
      author.replace('list.txt', 'line 26\n', 'the twenty-sixth\n');
      author.write({ 'new.ts': 'export const fresh = true;\n' });
      author.delete('gone.ts');
      author.amend('Begin', 'Every tale **begins** somewhere, and that one there.');
    });
    await editor.service.importRepository();
    await window.runCommand('Patch Stacks: Refresh');
    await rowSaying('Begin', 'changed since you read it').waitFor();
    await window.tree.open('Begin');
    await comparison('Compared with version 1, which you last read.').waitFor();
    await comparison('Sections: 2 changed, 1 new, 1 removed, 1 only rebased, 1 read.').waitFor();
  });

  it('folds what did not change, and shows of what did no more than that', async () => {
    await badge('beginning.ts', 'read').waitFor();
    await badge('other.txt', 'only rebased').waitFor();
    await badge('list.txt', 'changed since then').waitFor();
    await badge('new.ts', 'new since then').waitFor();
    await badge('Removed since then: gone.ts', 'removed since then').waitFor();
    await has('beginning.ts', []);
    await has('other.txt', []);
    await has('list.txt', [
      'line 23',
      '~of the base',
      'line 25',
      '−line 26',
      '+the twenty-sixth',
      'line 27',
      'line 29',
      'line 30',
    ]);
    await section('list.txt').getByText('~ 1 line removed here by the base').waitFor();
    await has('new.ts', ['+export const fresh = true;']);
    const words = section(/^Every tale/).locator('ins, del');
    await expect(words).toHaveText(['this', 'that', 'here', 'there'], { useInnerText: true });
    await window.screenshot('what-changed');
  });

  it('opens what is folded, as it is', async () => {
    await toggle('other.txt').click();
    await section('other.txt').getByText('the tenth').waitFor();
    assert.ok(!(await rowsOf('other.txt')).some((row) => row.includes('of the base')));
    await toggle('Removed since then: gone.ts').click();
    await section('Removed since then: gone.ts').getByText('export const gone = true;').waitFor();
    await toggle('other.txt').click();
    await toggle('Removed since then: gone.ts').click();
  });

  it('finds what is gone since, too', async () => {
    const gone = section('Removed since then: gone.ts');
    await window.runCommand('Patch Stacks: Find in Patch');
    await window.webview.getByRole('textbox', { name: 'Find' }).fill('gone = true');
    await window.webview.locator('.find-count', { hasText: '1' }).waitFor();
    await gone.locator('tr.marked', { hasText: 'export const gone = true;' }).waitFor();
    await window.page.keyboard.press('Escape');
    await toggle('Removed since then: gone.ts').click();
  });

  it('goes from change to change with n and p', async () => {
    await window.webview.locator('h1').focus();
    await window.pressInPatch('n');
    await hasFocus(section(/^Every tale/));
    const gone = section('Removed since then: gone.ts');
    await window.pressInPatch('n', 'section');
    await hasFocus(gone);
    await window.pressInPatch('n', 'section');
    await hasFocus(section('list.txt').locator('tr[data-line-type="delete"]'));
    await window.pressInPatch('n', 'section');
    await hasFocus(section('new.ts').locator('tr[data-line-type="add"]'));
    await window.pressInPatch('p', 'section');
    await hasFocus(section('list.txt').locator('tr[data-line-type="delete"]'));
    await window.pressInPatch('p', 'section');
    await hasFocus(gone);
    await window.pressInPatch('p', 'section');
    await hasFocus(section(/^Every tale/));
  });

  it('shows the whole patch, and what changed again', async () => {
    await comparison(/./).getByRole('button', { name: 'Show Whole Patch' }).click();
    await section('list.txt').getByText('the tenth').waitFor();
    await section('beginning.ts').getByText('Once').waitFor();
    await expect(section(/^Every tale/).locator('ins, del')).toHaveCount(0);
    await window.runCommand('Patch Stacks: Compare With…');
    await window.pick('What You Last Read');
    await comparison('which you last read').waitFor();
    await expect.poll(() => rowsOf('list.txt')).not.toContain('+the tenth');
    await window.runCommand('Patch Stacks: Compare With…');
    await window.pick('Nothing');
    await section('list.txt').getByText('the tenth').waitFor();
    await window.runCommand('Patch Stacks: Compare With…');
    await window.pick('Version 1');
    await comparison('Compared with version 1.').waitFor();
    await expect.poll(() => rowsOf('list.txt')).not.toContain('+the tenth');
  });

  it('ticks the step of the walkthrough', async () => {
    await window.webview.locator('[data-section]').last().scrollIntoViewIfNeeded();
    // A section that the tests before have shown for less than a second is not read yet: the page leads there.
    const unread = window.webview.getByRole('button', { name: /unread section/ });
    await expect(async () => {
      try {
        await rowSaying('Begin', ', read,').waitFor({ timeout: 3_000 });
      } catch (error) {
        await unread.click({ timeout: 3_000 });
        throw error;
      }
    }).toPass({ timeout: patienceMs });
    const ticked = await window.openWalkthrough('Get Started with Patch Stacks');
    await ticked.filter({ hasText: 'Read what changed' }).waitFor();
    await window.runCommand('View: Close Editor');
  });

  it('says of a patch that its author left alone that it was only rebased', async () => {
    await window.tree.open('Name a line');
    await comparison('Nothing changed but the base.').waitFor();
    await badge('list.txt', 'only rebased').waitFor();
    await has('list.txt', []);
  });

  describe('a version that was read last and can be had nowhere any more', () => {
    /** Closes the window, and takes away whatever this computer has kept of versions. */
    async function forgetVersions(): Promise<void> {
      // Once it has written down what it knows, it does not do so again as it ends.
      const known = await keptContent(editor, window);
      const [versions = ''] = globSync(path.join(storageOf(editor), '**/versions'));
      await window.close();
      await rm(known);
      await rm(versions, { recursive: true });
    }

    before(async () => {
      const { url, token } = editor.service;
      const client = new ApiClient({ serverUrl: url, getToken: async () => token });
      const [project] = (await client.projects.list()).items;
      const versions = (await client.stacks.list(project!.repositoryId, { status: 'all' })).items;
      await client.close();
      const { uuid } = versions.find(({ branchId, version }) => branchId === 'tale' && version === '2')!;
      // High enough for all of it to be seen.
      await window.page.setViewportSize({ width: 1280, height: 4000 });
      await window.tree.open('Begin');
      await rowSaying('Begin', ', read,').waitFor();
      await window.closeAllEditors();
      author.rewrite('tale', 'Begin', () => {
        author.write({ 'new.ts': 'export const fresh = false;\n' });
        author.amend();
      });
      await editor.service.importRepository();
      await window.runCommand('Patch Stacks: Refresh');
      await rowSaying('Begin', 'changed since you read it').waitFor();
      await forgetVersions();
      server.use(
        forwardTo(url, (request) =>
          request.url.includes(uuid) ? reply(410, '{"error":"This version was deleted."}') : undefined,
        ),
      );
      // Without a folder there is no git that still has its commit.
      window = await editor.openWindow({ folder: 'none' });
      await window.page.getByRole('tab', { name: 'Patch Stacks' }).click();
      await window.tree.expand('greetings');
      await window.tree.expand(/^tale/i);
      await window.tree.open('Begin');
      await window.webview.locator('.document:not(.beginning) h1', { hasText: 'Begin' }).waitFor();
    });

    it('is said to be no longer available, and cannot be chosen', async () => {
      await window.runCommand('Patch Stacks: Compare With…');
      const lastRead = window.quickPickRow('What You Last Read');
      await lastRead.getByText('Version 2, no longer available').waitFor();
      await expect(window.quickPickRow('Version 1')).not.toHaveText(/no longer/, { useInnerText: true });
      await window.screenshot('no-longer-available');
      await lastRead.click();
      await window.told("Couldn't find this version on this computer, on the server, or in Git.");
      await lastRead.waitFor();
    });

    it('leaves the others to be compared with', async () => {
      await window.runCommand('Patch Stacks: Compare With…');
      await window.pick('Version 1');
      await comparison('Compared with version 1.').waitFor();
      await window.runCommand('Patch Stacks: Compare With…');
      await window.pick('Version 2');
      await window.told(/Couldn't find this version on this computer, on the server, or in Git\./);
      await comparison('Compared with version 1.').waitFor();
    });
  });
});
