/** What changes elsewhere is on the screen by itself, whatever of the window shows it, and nothing asks for it at intervals. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import type { PatchStack } from '../../src/api/types/stacks.ts';
import { Editor } from '../support/editor.ts';
import { git } from '../support/exampleRepository.ts';
import { expect } from '../support/expect.ts';
import { expectNoFaults } from '../support/pageChecks.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import type { Workbench } from '../support/workbench.ts';

describe('what changes elsewhere', function () {
  this.timeout(180_000);
  let editor: Editor;
  let window: Workbench;
  /** The same person's, as another window has it. */
  let mine: ApiClient;
  let theirs: ApiClient;
  let projectId: string;
  let stack: PatchStack;

  const changeOf = (index: number): string => stack.patches?.[index]?.changeId ?? assert.fail();
  const write = async (index: number, text: string): Promise<unknown> =>
    mine.patches.createSection(stack.uuid, changeOf(index), { type: 'text', text });

  before(async () => {
    // With this, only what the service tells of is ever asked for.
    editor = await Editor.start({ signedIn: true, settings: { 'patchStacks.refreshInterval': 0 } });
    const { service } = editor;
    mine = new ApiClient({ serverUrl: service.url, getToken: async () => service.token });
    [{ repositoryId: projectId } = assert.fail()] = (await mine.projects.list()).items;
    [stack = assert.fail()] = (await mine.stacks.list(projectId)).items;
    await mine.stacks.update(stack.uuid, { title: 'Greetings' });
    await mine.projects.update(projectId, { shareLevel: 'public' });
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

  describe('of a stack that is read', () => {
    const document = (): Locator => window.webview.locator('.document:not(.beginning)');
    const line = (): Locator => window.webview.locator('.newer-note');
    const scrolled = (): Promise<number> => window.webview.locator('html').evaluate(() => scrollY);

    /** Rewrites the branch: the second patch gets a file more, and all that come after it are only rebased. */
    async function rewrite(file: string): Promise<void> {
      const { repository, service } = editor;
      const second = git(repository, 'log', '-1', '--format=%H', '--grep=Call names people').trim();
      const later = ['rev-list', '--reverse', '--first-parent', '--no-merges', `${second}..HEAD`];
      const commits = git(repository, ...later)
        .trim()
        .split('\n');
      git(repository, 'reset', '--quiet', '--hard', second);
      await writeFile(path.join(repository, file), 'More names.\n');
      git(repository, 'add', file);
      git(repository, 'commit', '--quiet', '--amend', '--no-edit');
      git(repository, 'cherry-pick', '--allow-empty-message', ...commits);
      await service.importRepository();
      [stack = assert.fail()] = (await mine.stacks.list(projectId)).items;
    }

    const open = async (title: string): Promise<void> => {
      await window.runCommand('View: Show Patch Stacks');
      await window.tree.expand('Greetings');
      await window.tree.open(title);
      await document().locator('h1', { hasText: title }).waitFor();
    };

    it('leaves a document as it is, says in a line what changed, and leads there', async () => {
      await open('Greet people by name');
      await window.webview.locator('[data-section]').last().scrollIntoViewIfNeeded();
      await window.webview.locator('html').evaluate(() => scrollTo({ top: 60 }));
      await expect.poll(scrolled).toBe(60);
      await rewrite('more.txt');
      await expect(line().locator('span').first()).toHaveText('Version 2 is here: 1 changed, 4 unchanged.');
      await expect.poll(scrolled).toBe(60);
      await expect(document().locator('.facts').getByText('version 1', { exact: true })).toBeVisible();
      await expectNoFaults(window.webview);
      await window.screenshot('newer-version');
      // They are led to its beginning and to its title. Once it is compared, they may have begun to write.
      const led = await window.webview.locator('html').evaluateHandle(() => {
        const isCompared: boolean[] = [];
        const scroll = scrollTo as (options: unknown) => void;
        globalThis.scrollTo = (options?: unknown) => {
          isCompared.push(globalThis.document.querySelector('[aria-label="Comparison"]') !== null);
          scroll(options);
        };
        return isCompared;
      });
      await line().getByRole('button', { name: 'Read What Changed' }).click();
      await document().locator('h1', { hasText: 'Call names people' }).waitFor();
      await window.webview.getByRole('region', { name: 'Comparison' }).getByText('version 1').waitFor();
      await expect.poll(() => led.jsonValue()).toEqual([false, false]);
      await window.webview.getByText('More names.').first().waitFor();
      await expect(line()).toHaveCount(0);
    });

    it('leaves what is typed, and takes it to where it belongs', async () => {
      await open('Greet people by name');
      await window.webview.getByRole('button', { name: 'Insert section at the top' }).click();
      await window.webview.locator('.cm-content:focus').waitFor();
      await window.page.keyboard.type('Begun before');
      await rewrite('even-more.txt');
      await line().getByText('Version 3 is here').waitFor();
      await window.webview.locator('.cm-content:focus').waitFor();
      await window.page.keyboard.type(', and ended after.');
      await window.page.keyboard.press('Control+Enter');
      const texts = async (): Promise<string[]> => {
        const { sections = [] } = await mine.patches.get(stack.uuid, changeOf(0));
        return sections.flatMap((section) => (section.sectionType === 'text' ? (section.text ?? []) : []));
      };
      await expect.poll(texts).toContain('Begun before, and ended after.');
    });

    it('leads to another tab where something is not sent, which stays as it is', async () => {
      await open('Call names people');
      await window.webview.getByRole('button', { name: 'Insert section at the top' }).click();
      await window.webview.locator('.cm-content:focus').waitFor();
      await window.page.keyboard.type('Half a thought');
      await window.webview.getByText('Saved locally').waitFor();
      await rewrite('once-more.txt');
      await line().getByText('Version 4 is here').waitFor();
      await line().getByRole('button', { name: 'Read What Changed' }).click();
      await document().locator('h1', { hasText: 'Call names people' }).waitFor();
      await window.webview.getByText('once-more.txt').first().waitFor();
      await window.editorTab('Call names people').first().click();
      await window.webview.locator('.cm-content').getByText('Half a thought').waitFor();
      await window.webview.locator('.cm-content').click();
      await window.page.keyboard.press('Control+Enter');
      await window.webview.locator('.cm-content').waitFor({ state: 'detached' });
    });

    it('is said until it is dismissed', async () => {
      await open('Greet people by name');
      await rewrite('still-more.txt');
      await line()
        .getByText(/^Version 5 is here: /)
        .waitFor();
      await line().getByRole('button', { name: 'Dismiss' }).click();
      await expect(line()).toHaveCount(0);
      await write(0, 'Something else.');
      await rewrite('most.txt');
      await line()
        .getByText(/^Version 6 is here: /)
        .waitFor();
    });

    it('leaves all patches as one document, too, and goes to what changed there', async () => {
      await window.runCommand('View: Show Patch Stacks');
      // Once the row is that of the newest version: an older one would be opened as it is, and its line would tell of two.
      await window.tree.row('Greetings').getByText('v6').waitFor();
      await window.tree.chooseFromMenu('Greetings', 'Open Patch Stack as One Document');
      const patch = (title: string): Locator =>
        window.webview.getByRole('article', { name: title, exact: true });
      await patch('Greet people by name').waitFor();
      await rewrite('last.txt');
      await line()
        .getByText(/^Version 7 is here: 1 changed/)
        .waitFor();
      await expect(patch('Call names people').getByText('last.txt')).toHaveCount(0);
      await line().getByRole('button', { name: 'Read What Changed' }).click();
      await patch('Call names people').getByText('last.txt').first().waitFor();
      await patch('Call names people').getByRole('region', { name: 'Comparison' }).waitFor();
      await expect(line()).toHaveCount(0);
    });
  });
});

describe('a repository that is rewritten under a window', function () {
  this.timeout(180_000);
  let editor: Editor;
  let window: Workbench;

  const inRepository = (...args: string[]): string => git(editor.repository, ...args);
  const commit = async (file: string, title: string): Promise<void> => {
    await writeFile(path.join(editor.repository, file), `${title}\n`);
    inRepository('add', file);
    inRepository('commit', '--quiet', '-m', title);
  };
  const line = (): Locator => window.webview.locator('.newer-note');

  before(async () => {
    editor = await Editor.start({
      signedIn: true,
      follows: true,
      settings: { 'patchStacks.refreshInterval': 0 },
    });
    inRepository('switch', '--quiet', '--create', 'topic', 'origin/main');
    for (let index = 1; index <= 10; index += 1) {
      await commit(`step${index}.txt`, `Step ${index}`);
    }
    window = await editor.openWindow();
    await window.tree.expand('greetings');
    await window.tree.expand('topic');
    await window.tree.row('Step 10').waitFor();
  });

  tidyAfterEach(() => window);

  after(() => editor.close());

  it('shows what is committed, amended and reset', async () => {
    await commit('more.txt', 'Step 11');
    await window.tree.row('Step 11').waitFor();
    inRepository('commit', '--quiet', '--amend', '-m', 'Step 11, amended');
    await window.tree.row('Step 11, amended').waitFor();
    inRepository('reset', '--quiet', '--hard', 'HEAD~1');
    await window.tree.row('Step 11, amended').waitFor({ state: 'detached' });
  });

  it('says of a rebase of ten what changed, once it is done, and nothing of the way there', async () => {
    await window.tree.open('Step 3');
    await window.webview.locator('.document:not(.beginning) h1', { hasText: 'Step 3' }).waitFor();
    inRepository('-c', "sequence.editor=sed -i '5s/^pick/edit/'", 'rebase', '--quiet', '-i', 'origin/main');
    await writeFile(path.join(editor.repository, 'step5.txt'), 'Step 5, better\n');
    inRepository('commit', '--quiet', '--all', '--amend', '--no-edit');
    // Nothing of the branch has moved yet: another one tells when the service has looked.
    inRepository('branch', 'witness', 'topic~1');
    await window.tree.row('witness').waitFor();
    await expect(line()).toHaveCount(0);
    inRepository('rebase', '--continue');
    await line()
      .getByText(/: 1 changed, (5 only rebased, 4|9) unchanged\.$/)
      .waitFor();
    await line().getByRole('button', { name: 'Read What Changed' }).click();
    await window.webview.locator('.document h1', { hasText: 'Step 5' }).waitFor();
    await window.webview.getByText('Step 5, better').first().waitFor();
    await window.closeAllEditors();
  });

  /** Amends the last step so often that the service forgets the version that is read. */
  async function amendOften(): Promise<void> {
    // Of the same version the line says more a moment later: that is no further one.
    const versionSaid = async (): Promise<number> => {
      const texts = await line().locator('span').allInnerTexts();
      return Number(/^Version (\d+) /.exec(texts[0] ?? '')?.[1] ?? 0);
    };
    for (let time = 1; time <= 6; time += 1) {
      await writeFile(path.join(editor.repository, 'step10.txt'), `Step 10, ${randomUUID()}\n`);
      const before = await versionSaid();
      inRepository('commit', '--quiet', '--all', '--amend', '--no-edit');
      await expect.poll(versionSaid).toBeGreaterThan(before);
    }
  }

  it('says that the version that is read is gone, once there are many newer ones, and leads to the newest', async () => {
    await window.tree.open('Step 3');
    await window.webview.locator('.document:not(.beginning) h1', { hasText: 'Step 3' }).waitFor();
    await amendOften();
    await window.webview.getByText(/^The server no longer has this version\. Last updated /).waitFor();
    await line()
      .getByText(/^Version \d+ is here\.$/)
      .waitFor();
    await line().getByRole('button', { name: 'Open Newest Version' }).click();
    await expect(line()).toHaveCount(0);
    await window.webview.locator('.rail').getByText('Patch 3 of 10').waitFor();
    await window.closeAllEditors();
  });

  it('keeps the document of a whole stack whose version is gone, says so, and leads to the newest', async () => {
    await window.tree.chooseFromMenu('topic', 'Open Patch Stack as One Document');
    const heading = window.webview.getByRole('article', { name: 'Step 1', exact: true });
    await heading.waitFor();
    await amendOften();
    await expect(heading).toBeVisible();
    await line()
      .getByText(/^Version \d+ is here\.$/)
      .waitFor();
    await line().getByRole('button', { name: 'Open Newest Version' }).click();
    await expect(line()).toHaveCount(0);
    await heading.waitFor();
    await window.closeAllEditors();
  });

  it('has a branch that was renamed, and one that was fetched', async () => {
    inRepository('branch', '-m', 'witness', 'observer');
    await window.tree.row('observer').waitFor();
    await window.tree.row('witness').waitFor({ state: 'detached' });
    const origin = path.join(editor.directory, 'origin');
    git(origin, 'branch', 'theirs', 'main');
    git(origin, 'switch', '--quiet', 'theirs');
    git(origin, 'commit', '--quiet', '--allow-empty', '-m', 'A step of theirs');
    inRepository('fetch', '--quiet', 'origin', 'theirs:theirs');
    await window.tree.row('A step of theirs').waitFor();
  });

  it("has a colleague's branch, and its next version, when they were fetched", async () => {
    const origin = path.join(editor.directory, 'origin');
    const grace = '--author=Grace Hopper <grace@example.com>';
    git(origin, 'switch', '--quiet', '--create', 'hers', 'main');
    git(origin, 'commit', '--quiet', '--allow-empty', grace, '-m', 'A step of hers');
    inRepository('fetch', '--quiet', 'origin');
    await window.tree.row('A step of hers').waitFor();
    git(origin, 'commit', '--quiet', '--allow-empty', '--amend', '-m', 'A longer step of hers');
    inRepository('fetch', '--quiet', 'origin');
    await window.tree.row('A longer step of hers').waitFor();
    await window.tree.row('A step of hers').waitFor({ state: 'detached' });
  });
});
