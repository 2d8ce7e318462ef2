/** *Export Patch Stack*: what people without the service, or without this extension, are given. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ApiClient } from '../../src/api/client.ts';
import type { PatchStack } from '../../src/api/types/stacks.ts';
import { testFolder } from '../../tools/provision.ts';
import { Editor } from '../support/editor.ts';
import { git } from '../support/exampleRepository.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

describe('exporting a patch stack', function () {
  this.timeout(400_000);
  const branch = 'greet/größer';
  /** More than a page draws at once. */
  const overBudget = `# As it was written\n\n${'word '.repeat(5_000)}end.`;
  let editor: Editor;
  let window: Workbench;
  let client: ApiClient;
  let stack: PatchStack;

  before(async () => {
    editor = await Editor.start({ signedIn: true });
    const { token, url: serverUrl } = editor.service;
    client = new ApiClient({ serverUrl, getToken: async () => token });
    const [project] = (await client.projects.list()).items;
    stack = await client.stacks.latestForBranch(project?.repositoryId ?? '', branch);
    const { uuid, patches = [] } = stack;
    await client.stacks.update(uuid, { title: 'Greetings', description: 'Greets **everybody**.' });
    await client.patches.createSection(uuid, patches[0]?.changeId ?? '', {
      type: 'text',
      text: '# Look here\n\nNothing else <b>matters</b>, not $x^2$, see [the site](https://example.com).',
    });
    await client.patches.createSection(uuid, patches[1]?.changeId ?? '', { type: 'text', text: overBudget });
    window = await editor.openWindow();
    await window.tree.expand('greetings');
  });

  tidyAfterEach(() => window);

  after(async () => {
    await client.close();
    await editor.close();
  });

  /** Exports the stack as a person does, and waits until it is said to be done. */
  async function exportAs(format: string, name: string): Promise<string> {
    const file = path.join(editor.directory, name);
    await window.tree.open('Greetings');
    await window.webview.locator('.stack-page h1', { hasText: 'Greetings' }).waitFor();
    const openDialog = async (): Promise<void> => {
      await window.runCommand('Patch Stacks: Export Patch Stack…');
      await window.quickPickRow(format).click();
      await until(async () => (await window.quickInput.inputValue()).includes('greet-größer'));
    };
    await window.chooseFile(openDialog, file, window.quickPickRow('origin'));
    await window.told(`The patch stack was exported to ${name}.`);
    return file;
  }

  it('writes a page that any browser shows, without a network, in light and in dark', async () => {
    const file = await exportAs('HTML', 'greetings.html');
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await editor.browser.newContext({
        colorScheme,
        offline: true,
        javaScriptEnabled: false,
      });
      const page = await context.newPage();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(pathToFileURL(file).href);
      await page.getByRole('heading', { name: 'Greetings', level: 1 }).waitFor();
      await page.locator('strong', { hasText: 'everybody' }).waitFor();
      await page.getByText('Nothing else <b>matters</b>, not').waitFor();
      await page.locator('.formula math msup').waitFor();
      await page.locator('pre.prose.plain', { hasText: '# As it was written' }).waitFor();
      await page.getByRole('link', { name: 'Call names people' }).click();
      await page.locator('#patch-2').waitFor();
      await page.locator('.delete .code', { hasText: 'export function greet(): string {' }).waitFor();
      assert.deepEqual(
        asked.filter((url) => !url.startsWith('file:')),
        [],
      );
      await page.screenshot({ path: path.join(testFolder, 'screenshots', `exported-${colorScheme}.png`) });
      await context.close();
    }
    const written = await readFile(file);
    assert.deepEqual(await readFile(await exportAs('HTML', 'again.html')), written);
  });

  it('writes one markdown file', async () => {
    const text = await readFile(await exportAs('Markdown', 'greetings.md'), 'utf8');
    assert.match(
      text,
      /^# Greetings\n\nBranch greet\/größer · Version 1 · Compared with origin\/main\n\nGreets \*\*everybody\*\*\.\n/,
    );
    assert.match(text, /\n### Look here\n\nNothing else <b>matters<\/b>/);
    assert.match(text, /\n```diff\n[^`]*\n\+ {2}return/);
    assert.match(text, /\n# As it was written\n\nword word [word ]*end\.\n/);
  });

  it('opens as one Markdown document, and sends what was changed when that is saved', async () => {
    await window.tree.open('Greetings');
    await window.runCommand('Patch Stacks: Open Patch Stack as Markdown');
    const { keyboard } = window.page;
    const line = (hasText: string) => window.page.locator('.editor-instance .view-line', { hasText });
    await line('see [the site]').click();
    await keyboard.press('End');
    await keyboard.type(' Told twice.');
    await keyboard.press('Control+End');
    await keyboard.type('Told as Markdown.');
    await keyboard.press('Control+s');
    // Read again, it says which text that is.
    await line('<!-- text ').last().waitFor();
    const { uuid } = stack;
    const texts = async (changeId: string): Promise<string[]> =>
      ((await client.patches.get(uuid, changeId)).sections ?? []).flatMap((section) =>
        section.sectionType === 'text' ? [section.text ?? ''] : [],
      );
    const [first, last] = [stack.patches?.[0]?.changeId ?? '', stack.patches?.at(-1)?.changeId ?? ''];
    await until(async () => (await texts(last)).at(-1) === 'Told as Markdown.');
    assert.ok(
      (await texts(first)).some((text) => text.endsWith('[the site](https://example.com). Told twice.')),
    );
    await window.page.screenshot({ path: path.join(testFolder, 'screenshots', 'stack-as-markdown.png') });
  });

  it('writes mails of which git makes the same files again', async () => {
    const file = await exportAs('Mail series', 'greetings.mbox');
    const clone = path.join(editor.directory, 'clone');
    execFileSync('git', ['clone', '--quiet', editor.repository, clone]);
    const base = git(editor.repository, 'merge-base', branch, 'origin/main').trim();
    git(clone, 'switch', '--quiet', '--detach', base);
    git(clone, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'am', '--quiet', '--keep-cr', file);
    const tree = (repository: string, name: string): string =>
      git(repository, 'rev-parse', `${name}^{tree}`).trim();
    assert.equal(tree(clone, 'HEAD'), tree(editor.repository, branch));
    assert.match(await readFile(file, 'utf8'), /\n---\n\n(>.*\n)*> # Look here\n/);
  });
});
