import assert from 'node:assert/strict';
import { ApiClient } from '../../src/api/client.ts';
import { git } from '../support/exampleRepository.ts';
import { Editor } from '../support/editor.ts';
import { expect, expectNone } from '../support/expect.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

describe('the patch document', function () {
  this.timeout(120_000);
  let editor: Editor;
  let window: Workbench;

  before(async () => {
    editor = await Editor.start({ signedIn: true });
    window = await editor.openWindow();
    await window.tree.expand('greetings');
    await window.tree.expand(/größer/i);
  });

  tidyAfterEach(() => window, { editors: true });

  after(async () => {
    await editor.close();
  });

  async function open(title: string): Promise<void> {
    await window.tree.open(title);
    await window.webview.locator('.document:not(.beginning) h1', { hasText: title }).waitFor();
  }

  it('says what the patch is: author, time, version, size, ids, place in the stack', async () => {
    await open('Greet people by name');
    const header = window.webview.locator('header');
    await header.getByText('Ada Löwe').first().waitFor();
    await header.getByText('version 1').waitFor();
    await header.getByText('1 file').waitFor();
    await header.getByText('+2').waitFor();
    await header.getByText('−2').waitFor();
    await window.webview.getByText('Patch 1 of 5').waitFor();
    const sha = git(editor.repository, 'rev-parse', ':/^Greet people by name').trim();
    await header.getByText(sha.slice(0, 10)).waitFor();
  });

  it('begins with its sections when it is opened again, before the page has drawn them', async () => {
    await window.page.addInitScript(() => {
      const note = (): void => {
        const sections = document.querySelectorAll('.beginning [data-section]');
        if (sections.length > 0) {
          Object.assign(globalThis, { begun: sections.length });
        } else {
          setTimeout(note, 2);
        }
      };
      note();
    });
    const begun = async (): Promise<number> => {
      await window.runCommand('View: Close All Editors');
      await open('Greet people by name');
      return window.webview
        .locator('body')
        .evaluate(() => (globalThis as unknown as { begun?: number }).begun ?? 0);
    };
    // They are drawn once the first page has been there for a moment.
    await until(async () => (await begun()) > 0);
  });

  it('reads on in the same tab, by its buttons and by keys', async () => {
    await open('Greet people by name');
    const { webview, page } = window;
    await webview.getByRole('button', { name: /^Patch 2 of 5: Call names people/ }).click();
    await webview.locator('.document:not(.beginning) h1', { hasText: 'Call names people' }).waitFor();
    await webview.locator('main').click();
    await window.pressInPatch('Alt+PageDown');
    await webview.locator('.document:not(.beginning) h1', { hasText: 'Add a picture' }).waitFor();
    await window.pressInPatch('Alt+PageUp');
    await webview.locator('.document:not(.beginning) h1', { hasText: 'Call names people' }).waitFor();
    await expect(page.locator('.tabs-container .tab')).toHaveCount(1);
    await expect(window.editorTab('Call names people')).toHaveCount(1);
  });

  it('opens at a section', async () => {
    await window.tree.expand('Greet people by name');
    await window.tree.open('src/greet.ts');
    const section = window.webview.locator('section[data-section-type="diff"]');
    await section.and(window.webview.locator(':focus')).waitFor();
  });

  it('folds and unfolds a file with the keyboard', async () => {
    await open('Greet people by name');
    const file = window.webview.getByRole('button', { name: 'src/greet.ts', exact: true });
    await file.focus();
    await window.page.keyboard.press('Enter');
    await window.webview.locator('[data-line-type]').first().waitFor({ state: 'detached' });
    await expect(file).toHaveAttribute('aria-expanded', 'false');
    await window.page.keyboard.press('Enter');
    await window.webview.locator('[data-line-type="add"]').first().waitFor();
  });

  it('shows who someone is from their name', async () => {
    await open('Greet people by name');
    await window.webview.locator('.authors').getByRole('button').first().click();
    await window.editorTab('Ada Löwe').waitFor();
  });

  it('is there again after a reload of the window', async () => {
    await open('Call names people');
    await window.reload();
    await window.webview.locator('.document:not(.beginning) h1', { hasText: 'Call names people' }).waitFor();
    await window.tree.expand('greetings');
    await window.tree.expand(/größer/i);
  });

  it('shows what someone else has written after a refresh', async () => {
    await open('Add a picture');
    const { url, token } = editor.service;
    await using client = new ApiClient({ serverUrl: url, getToken: async () => token });
    const [project] = (await client.projects.list()).items;
    const [stack] = (await client.stacks.list(project!.repositoryId)).items;
    const patch = stack!.patches?.find(({ title }) => title === 'Add a picture');
    const text =
      'It shows **everything**.\n\n<img src=x onerror="document.title=1">\n\n![far](https://example.com/x.png)';
    await client.patches.createSection(stack!.uuid, patch!.changeId, { type: 'text', text, position: 0 });
    await window.runCommand('Patch Stacks: Refresh');
    const section = window.webview.locator('section[data-section-type="text"]').first();
    await section.locator('strong', { hasText: 'everything' }).waitFor();
    await expectNone(section.locator('img'), { once: section.getByText('Image not loaded: far') });
  });

  it('reads a neighbor when the person is about to go there, and not before: who was sent a patch has opened it, for others', async () => {
    for (const name of ['first', 'second']) {
      git(editor.repository, 'commit', '--quiet', '--allow-empty', '-m', `Say it for the ${name} time`);
    }
    await editor.service.importRepository();
    await window.runCommand('Patch Stacks: Refresh');
    const { url, token } = editor.service;
    await using client = new ApiClient({ serverUrl: url, getToken: async () => token });
    const [project] = (await client.projects.list()).items;
    const [stack] = (await client.stacks.list(project!.repositoryId)).items;
    const isOpened = async (title: string): Promise<boolean> => {
      const { patches } = await client.stacks.patchStatuses(project!.repositoryId, stack!.branchId!);
      return patches!.find((patch) => patch.title === title)!.reviewAll!.viewed.length > 0;
    };
    await open('Say it for the first time');
    await until(() => isOpened('Say it for the first time'));
    assert.equal(await isOpened('Say it for the second time'), false);
    await window.webview.getByRole('button', { name: 'Sign Off and Next' }).hover();
    await until(() => isOpened('Say it for the second time'));
  });

  it('opens a file of 50,000 lines only when asked, and draws no more of it than is near', async () => {
    const lines = Array.from({ length: 50_000 }, (_value, index) => `line ${index}`);
    await writeFile(path.join(editor.repository, 'huge.txt'), lines.join('\n'));
    git(editor.repository, 'add', '--all');
    git(editor.repository, 'commit', '--quiet', '-m', 'Add a huge file');
    await editor.service.importRepository();
    await window.runCommand('Patch Stacks: Refresh');
    await open('Add a huge file');
    const file = window.webview.getByRole('button', { name: 'huge.txt', exact: true });
    await expect(file).toHaveAttribute('aria-expanded', 'false');
    await file.click();
    const rows = window.webview.locator('tr[data-line-type="add"]');
    await rows.filter({ hasText: 'line 9' }).first().waitFor();
    await expect.poll(() => rows.count()).toBeLessThan(1000);
    await window.webview.locator('html').evaluate((page) => page.scrollTo(0, page.scrollHeight / 2));
    await rows
      .filter({ hasText: /^line 2[45]\d{3}$/ })
      .first()
      .waitFor();
    await expect.poll(() => rows.count()).toBeLessThan(1000);
  });
});
