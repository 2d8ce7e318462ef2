/** Agents draft while people sign: a section by the person's own language model, and one by an agent in a terminal. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { root } from '../../tools/provision.ts';
import { fingerprintIn } from '../support/agentBench.ts';
import { Author, numberedLines } from '../support/author.ts';
import { Editor, errorsWhileTyping } from '../support/editor.ts';
import { expect, expectNone } from '../support/expect.ts';
import {
  clippedControlsOf,
  expectNoFaults,
  followSystemTheme,
  overflowOf,
  setPageWidth,
  setSystemTheme,
  themes,
} from '../support/pageChecks.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

/** Takes away what a terminal's Node may not have: people have older ones than VS Code. */
const oldNode = `data:text/javascript,${encodeURIComponent(`
  for (const [owner, ...names] of [
    [Promise, 'withResolvers', 'try'],
    [Array, 'fromAsync'],
    [Array.prototype, 'toSorted', 'toReversed', 'with'],
    [Set.prototype, 'union', 'difference', 'intersection'],
    [Object, 'groupBy'],
    [Iterator.prototype, 'map', 'filter', 'toArray'],
  ]) {
    names.forEach((name) => delete owner[name]);
  }
`)}`;

const command = 'Patch Stacks: Draft Section with Language Model';

describe('drafts', function () {
  this.timeout(400_000);
  let editor: Editor;
  let window: Workbench;
  let folder: string;

  before(async () => {
    editor = await Editor.start({
      signedIn: true,
      extensions: [path.join(root, 'test/support/scriptedModel')],
      expectedErrors: errorsWhileTyping,
      env: async (directory) => {
        folder = path.join(directory, 'model');
        return { PATCH_STACKS_TEST_MODEL: folder };
      },
    });
    const author = new Author(editor.repository);
    author.git('switch', '--quiet', 'main');
    author.goOnWithMain('Count', () => author.write({ 'count.ts': numberedLines('line') }));
    author.begin('tale');
    author.write({
      'count.ts': numberedLines('line', { 5: 'first()' }),
      'told.ts': 'told()\n',
    });
    author.commit('Say nothing');
    author.write({ 'more.ts': 'more()\n' });
    author.commit('Say why', 'It is needed.');
    await editor.service.importRepository();
    window = await editor.openWindow();
    await followSystemTheme(window);
    await window.tree.expand('greetings');
    await window.tree.expand(/^tale/i);
    await window.tree.open('Say nothing');
    await window.webview.locator('.document:not(.beginning) h1', { hasText: 'Say nothing' }).waitFor();
  });

  tidyAfterEach(() => window);
  after(() => editor.close());

  const source = (): Locator => window.webview.locator('.cm-content');
  const note = (): Locator =>
    window.webview.getByText('A language model wrote this. Read it before you save it.');
  const button = (name: string): Locator => window.webview.getByRole('button', { name, exact: true });
  const dialog = (): Locator => window.page.getByRole('dialog');
  const progress = (): Locator => window.notification('Drafting a section with Scripted Model');
  const answerWith = (...parts: (string | null)[]): void =>
    writeFileSync(path.join(folder, 'answer.json'), JSON.stringify(parts));
  const asked = (): string => {
    const file = path.join(folder, 'asked.json');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  /** The texts of the patch, as the page shows them. */
  const shown = (): Promise<string[]> =>
    window.webview.locator('[data-section-type="text"] .prose:not(.editor-preview)').allInnerTexts();

  it('need a language model, and the command says how to get one', async () => {
    await window.runCommand(command);
    await window.told("VS Code doesn't have a language model.");
    await window.clearNotifications();
  });

  it('are not asked for before the person has seen all that is sent, and agreed', async () => {
    answerWith('# Counting\n\nCounts ', null, 'from *one*.');
    await window.runCommand(command);
    await dialog().getByText('Send this to Scripted Model?').waitFor();
    await window.editorTab('What Is Sent to Scripted Model').waitFor();
    await window.screenshot('draft-agree');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    assert.equal(asked(), '');
    // All of it can be read before it is asked again.
    await window.editorTab('What Is Sent to Scripted Model').waitFor();
  });

  it('grow where they belong, and are saved by the person alone', async () => {
    await window.runCommand(command);
    await dialog().getByRole('button', { name: 'Send' }).click();
    const sent = window.editorTab('What Is Sent to Scripted Model');
    await expectNone(sent, { once: source().getByText('Counts') });
    await note().waitFor();
    // Its file was gone to before: it grows above that, and its beginning is on the screen all the same.
    await window.webview.locator('[data-section^="new:"]:focus').waitFor();
    await until(() =>
      source().evaluate((shown) => {
        const { top } = shown.getBoundingClientRect();
        return top > 0 && top < innerHeight / 2;
      }),
    );
    await progress().waitFor();
    assert.match(asked(), /first\(\)/);
    assert.match(asked(), /told\(\)/);
    for (const theme of themes) {
      await setSystemTheme(window, theme);
      await note().waitFor();
      await expectNoFaults(window.webview);
      await window.screenshot(`draft-grows-${theme}`);
    }
    writeFileSync(path.join(folder, 'go'), '');
    await source().getByText('one').waitFor();
    await progress().waitFor({ state: 'detached' });
    assert.equal(await shown().then(({ length }) => length), 0, 'it is no section yet');
    const { width, height } = window.page.viewportSize() ?? assert.fail();
    await setPageWidth(window, 320);
    await expect.poll(() => clippedControlsOf(window.webview)).toEqual([]);
    await expect.poll(() => overflowOf(window.webview)).toBeLessThanOrEqual(0);
    await window.screenshot('draft-narrow');
    await window.page.setViewportSize({ width, height });
    await button('Add Section').click();
    await source().waitFor({ state: 'detached' });
    await expect.poll(shown).toEqual(['Counting\n\nCounts from one.']);
  });

  it('are nothing any more when the person cancels', async () => {
    rmSync(path.join(folder, 'go'), { force: true });
    await window.webview.locator('[data-section-type="text"]').focus();
    await window.runCommandHere('Patch Stacks: Delete Section');
    await window.webview.locator('.prose', { hasText: 'Counting' }).waitFor({ state: 'detached' });
    await window.runCommand(command);
    await source().getByText('Counts').waitFor();
    await progress().getByRole('button', { name: 'Cancel' }).click();
    await source().waitFor({ state: 'detached' });
    await progress().waitFor({ state: 'detached' });
  });

  it('come from an agent in a terminal while the window is open, without the access token', async () => {
    await window.runCommand('Patch Stacks: Connect Agent');
    await window.told('The MCP configuration was copied.');
    const agents = path.join(
      editor.directory,
      'vscode/data/User/globalStorage/patch-stacks.patch-stacks/agents',
    );
    await using cleanup = new AsyncDisposableStack();
    const client = new Client({ name: 'a terminal', version: '1' });
    cleanup.defer(() => client.close());
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: ['--import', oldNode, path.join(agents, 'mcp.mjs'), agents],
        cwd: editor.repository,
      }),
    );
    const call = async (name: string, input: Record<string, unknown>): Promise<string> => {
      const { content } = await client.callTool({ name, arguments: input });
      return (content as { text: string }[]).map(({ text }) => text).join('');
    };
    const list = await call('listStacks', {});
    const [, stack = ''] = /patch stack (\S+): \[quoted \w+: "tale"\]/i.exec(list) ?? [];
    const [, patch = ''] = /^Patch (\S+): .*"Say nothing"/m.exec(await call('readStack', { stack })) ?? [];
    const read = await call('readPatch', { stack, patch });
    const answer = await call('draftSection', {
      ...{ stack, patch, fingerprint: fingerprintIn(read) },
      text: 'Written in a *terminal*.',
    });
    assert.match(answer, /^Proposed/m);
    assert.ok(![list, read, answer].join('').includes(editor.service.token));
    await source().getByText('Written in a').waitFor();
    await note().waitFor();
    const proposed = window.notification('An agent proposed a change in "Say nothing".');
    await proposed.waitFor();
    const [, section = ''] = /The draft is section (\S+)\./.exec(answer) ?? [];
    await call('editSection', {
      ...{ stack, patch, fingerprint: fingerprintIn(answer), section },
      text: 'Written in a *quiet terminal*.',
    });
    await source().getByText('quiet terminal').waitFor();
    await expect(proposed, 'an agent may make many').toHaveCount(1);
    await window.screenshot('draft-proposed');
    await button('Cancel').click();
    await source().waitFor({ state: 'detached' });

    const starter = path.join(agents, 'mcp.mjs');
    const written = readFileSync(starter, 'utf8');
    writeFileSync(starter, 'import "file:///extension/before/its/update/dist/mcp.cjs";\n');
    await window.reload();
    await expect.poll(() => readFileSync(starter, 'utf8')).toBe(written);
  });
});
