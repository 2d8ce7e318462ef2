/** A service that gives no contents, and a clone that lacks them in a folder that nobody has trusted yet: what is said, and how they come. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { Author, numberedLines } from '../support/author.ts';
import { Editor } from '../support/editor.ts';
import { expectNone } from '../support/expect.ts';
import { FaultServer } from '../support/faultServer.ts';
import { reachedThrough } from '../support/forward.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import type { Workbench } from '../support/workbench.ts';

describe('a patch whose contents are missing', function () {
  this.timeout(400_000);
  let editor: Editor;
  let window: Workbench;
  let proxy: FaultServer;
  let author: Author;

  before(async () => {
    proxy = await FaultServer.start();
    // It passes on nothing of what the local service offers beside the contract.
    editor = await Editor.start({
      signedIn: true,
      trustsFolders: false,
      reachedAt: reachedThrough(proxy),
    });
    author = new Author(editor.repository);
    author.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
    author.goOnWithMain('Add a list', () => author.write({ 'list.txt': numberedLines('line') }));
    const clone = path.join(editor.directory, 'clone');
    execFileSync('git', ['clone', '--quiet', '--branch', 'main', editor.repository, clone]);
    author.begin('tale');
    author.replace('list.txt', 'line 10\n', 'the tenth\n');
    author.commit('Name a line');
    author.replace('list.txt', 'line 20\n', 'the twentieth\n');
    author.commit('Name another');
    author.write({ 'end.ts': "export const end = 'The end';\n" });
    author.commit('End');
    await editor.service.importRepository();
    window = await editor.openWindow({ folder: clone });
    await window.page.getByRole('tab', { name: 'Patch Stacks' }).click();
    await window.tree.expand('greetings');
    await window.tree.expand(/^tale/i);
    for (const title of ['Name a line', 'Name another']) {
      await window.tree.open(title);
      await rowSaying(', read,', title).waitFor();
    }
    await window.closeAllEditors();
    author.goOnWithMain('Go on', () => author.replace('list.txt', 'line 2\n', 'line 2\nand another\n'));
    author.rebase('tale');
    await editor.service.importRepository();
    await window.runCommand('Patch Stacks: Refresh');
  });

  tidyAfterEach(() => window);

  after(async () => {
    await editor.close();
    await proxy.stop();
  });

  /** The row of a patch: unless it is told which, of one that isn't open, so that nobody reads what is said to have changed in it. */
  const rowSaying = (text: string, title = 'Name a line'): Locator =>
    window.tree.row(title).and(window.page.locator(`[aria-label*='${text}']`));
  const comparison = (): Locator => window.webview.getByRole('region', { name: 'Comparison' });

  it('is alike as far as the diffs show, and says that Git does not run, until its folder is trusted', async () => {
    await rowSaying('alike as far as the diffs show').waitFor();
    await window.tree.open('Name another');
    await comparison().getByText('Alike as far as the diffs show.').waitFor();
    await comparison().getByText("Git isn't run in untrusted folders.").waitFor();
    await window.screenshot('contents-untrusted');
    await comparison().getByRole('button', { name: 'Manage Workspace Trust' }).click();
    await window.page
      .locator('.workspace-trust-editor')
      .getByRole('button', { name: 'Trust' })
      .first()
      .click();
    await window.page.locator('.workspace-trust-header.workspace-trust-trusted').waitFor();
    // The editor of trust lies over the others.
    const over = window.page.locator('.monaco-modal-editor-block');
    await over.locator('.codicon-close').first().click();
    await comparison().getByText("The open repository doesn't have them.").waitFor();
    await expectNone(comparison().getByText("Git isn't run in untrusted folders."), {
      once: comparison().getByRole('button', { name: 'Fetch' }),
    });
  });

  it('is only rebased once they are fetched, wherever that is said', async () => {
    await comparison().getByRole('button', { name: 'Fetch' }).click();
    await comparison().getByText('Nothing changed but the base.').waitFor();
    await rowSaying('only rebased').waitFor();
    await expectNone(comparison().getByRole('button', { name: 'Fetch' }), {
      once: comparison().getByText('Nothing changed but the base.'),
    });
    await window.screenshot('contents-fetched');
  });
});
