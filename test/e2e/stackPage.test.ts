/** The page of a patch stack: what it is about, and its patches as lines to read and to sign off on. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import type { PatchStack } from '../../src/api/types/stacks.ts';
import { Editor } from '../support/editor.ts';
import { git } from '../support/exampleRepository.ts';
import { expect, expectNone } from '../support/expect.ts';
import { FaultServer, reply, resetBeforeHeaders } from '../support/faultServer.ts';
import { forwardTo } from '../support/forward.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

describe('the page of a patch stack', function () {
  this.timeout(180_000);
  const branch = 'greet/größer';
  let editor: Editor;
  let window: Workbench;
  let client: ApiClient;
  let theirs: ApiClient;
  /** Stands before the service. */
  let server: FaultServer;
  let projectId: string;

  const latest = (): Promise<PatchStack> => client.stacks.latestForBranch(projectId, branch);
  const line = (title: string): Locator => window.webview.getByRole('listitem').filter({ hasText: title });
  const lines = (): Locator => window.webview.locator('.patches > li');
  const summary = (): Locator => window.webview.locator('.summary');

  before(async () => {
    server = await FaultServer.start();
    editor = await Editor.start({
      signedIn: true,
      reachedAt: async (serviceUrl) => {
        server.use(forwardTo(serviceUrl));
        return new URL(new URL(serviceUrl).pathname, server.url).href;
      },
    });
    client = new ApiClient({ serverUrl: editor.service.url, getToken: async () => editor.service.token });
    projectId = (await client.projects.list()).items[0]?.repositoryId ?? assert.fail();
    await client.projects.update(projectId, { shareLevel: 'public' });
    const { token } = editor.service.addUser({ login: 'emmy', name: 'Emmy', email: 'emmy@example.org' });
    theirs = new ApiClient({ serverUrl: editor.service.url, getToken: async () => token });
    const { uuid, patches = [] } = await latest();
    await client.stacks.update(uuid, { title: 'Greetings', description: 'Greets **everybody**. :tada:' });
    await theirs.patches.update(uuid, patches[0]?.changeId ?? '', { signOff: true });
    await theirs.patches.update(uuid, patches[1]?.changeId ?? '', { signOff: false });
    window = await editor.openWindow();
    await window.tree.expand('greetings');
  });

  tidyAfterEach(() => window);

  after(async () => {
    await client.close();
    await theirs.close();
    await editor.close();
    await server.stop();
  });

  it('opens from the row, and says of each patch its size, what is left to read, and who says what', async () => {
    await window.tree.open('Greetings');
    await window.webview.getByRole('heading', { name: 'Greetings' }).waitFor();
    await window.webview.locator('.prose strong', { hasText: 'everybody' }).waitFor();
    await window.webview.locator('.prose').getByText('🎉').waitFor();
    const { patches = [] } = await latest();
    await expect(lines()).toHaveCount(patches.length);
    const first = line('Greet people by name');
    await first.getByText('Signed off by Emmy').waitFor();
    await first.locator('.reading.left', { hasText: 'unread' }).waitFor();
    await expect(first.locator('.size')).toHaveText(/^\+2 −2 · 1 file$/, { useInnerText: true });
    await expect(summary()).toHaveText(`You signed off on 0 of ${patches.length} · unread`, {
      useInnerText: true,
    });
    await window.screenshot('stack-page');
    // Another person's review is not the person's own, and to look at the page is not to view a patch.
    const theirReview = line('Call names people').getByText('Changes requested by Emmy');
    await expectNone(window.webview.locator('[aria-pressed="true"]'), { once: theirReview });
    for (const { changeId } of patches) {
      const { login } = await client.users.me();
      const { reviewAll } = (await client.stacks.patchStatuses(projectId, branch)).patches?.find(
        (patch) => patch.changeId === changeId,
      ) ?? { reviewAll: undefined };
      assert.ok(!reviewAll?.viewed.some((user) => user.login === login));
    }
  });

  it('begins with its lines when it is opened again, and takes them over where they are', async () => {
    await window.page.addInitScript(() => {
      const note = (): void => {
        const lines = [...document.querySelectorAll('.beginning .patches > li')];
        if (lines.length > 0) {
          Object.assign(globalThis, { begun: lines.map((one) => one.getBoundingClientRect().top) });
        } else {
          setTimeout(note, 2);
        }
      };
      note();
    });
    const open = async (): Promise<Record<'begun' | 'drawn', number[]>> => {
      await window.runCommand('View: Close All Editors');
      await window.tree.open('Greetings');
      const drawn = window.webview.locator('.stack-page:not(.beginning) .patches > li').first();
      return drawn.evaluate(() => ({
        begun: (globalThis as unknown as { begun?: number[] }).begun ?? [],
        drawn: [...document.querySelectorAll('.patches > li')].map((one) => one.getBoundingClientRect().top),
      }));
    };
    let lines = await open();
    // They are drawn once the first page has been there for a moment.
    await until(async () => (lines = await open()).begun.length > 0);
    assert.deepEqual(lines.begun, lines.drawn);
  });

  it('shows what the person has read as soon as they come back', async () => {
    await window.webview.getByRole('button', { name: 'Start Reading' }).click();
    await window.webview
      .locator('.document:not(.beginning) h1', { hasText: 'Greet people by name' })
      .waitFor();
    await window.tree
      .row('Greet people by name')
      .and(window.page.locator('[aria-label*=", read,"]'))
      .waitFor();
    await window.editorTab('Greetings').click();
    await line('Greet people by name')
      .locator('.reading', { hasText: /^read$/ })
      .waitFor();
    await window.webview.getByRole('button', { name: 'Continue Reading' }).waitFor();
  });

  it('is gone through and acted on with the keyboard alone', async () => {
    const title = (name: string): Locator => window.webview.getByRole('button', { name, exact: true });
    await title('Greet people by name').focus();
    await window.page.keyboard.press('ArrowDown');
    await title('Call names people').and(window.webview.locator(':focus')).waitFor();
    await window.page.keyboard.press('ArrowUp');
    await window.page.keyboard.press('ArrowUp');
    await title('Greet people by name').and(window.webview.locator(':focus')).waitFor();
    await window.page.keyboard.press('Tab');
    await line('Greet people by name')
      .getByRole('button', { name: 'Read', exact: true })
      .and(window.webview.locator(':focus'))
      .waitFor();
    await window.page.keyboard.press('ArrowRight');
    const signOff = line('Greet people by name').getByRole('button', { name: 'Sign Off' });
    await signOff.and(window.webview.locator(':focus')).waitFor();
    // The buttons are one stop of the Tab key.
    await window.page.keyboard.press('Tab');
    await title('Call names people').and(window.webview.locator(':focus')).waitFor();
    await window.page.keyboard.press('Shift+Tab');
    await window.page.keyboard.press('End');
    const request = line('Greet people by name').getByRole('button', { name: 'Request Changes' });
    await request.and(window.webview.locator(':focus')).waitFor();
    await window.page.keyboard.press('ArrowLeft');
    await signOff.and(window.webview.locator(':focus')).waitFor();
    await window.page.keyboard.press('Enter');
    // At once, although it waits a while before it is sent.
    await line('Greet people by name').getByText('Signing off…').waitFor();
    await signOff.and(window.webview.locator('[aria-pressed="true"]')).waitFor();
    const signed = line('Greet people by name').getByRole('button', { name: 'You signed off on this patch' });
    await signed.and(window.webview.locator('[aria-pressed="true"]')).waitFor();
    await until(async () => {
      const { patches = [] } = await client.stacks.patchStatuses(projectId, branch);
      return patches[0]?.reviewAll?.signedOff.length === 2;
    });
    await summary().getByText('You signed off on 1 of').waitFor();
    await line('Greet people by name')
      .getByText(/Signed off by .*Emmy.*\(you\)|Signed off by .*\(you\).*Emmy/)
      .waitFor();
    await expect(line('Greet people by name').getByText('Signing off…')).toHaveCount(0);
    // The focus is where it was, on a line that was drawn again.
    await signed.and(window.webview.locator(':focus')).waitFor();
  });

  it('shows at once what is said of a patch, and no more once that is undone', async () => {
    const rejectedBy = async () =>
      (await client.stacks.patchStatuses(projectId, branch)).patches?.[1]?.reviewAll?.rejected;
    const before = await rejectedBy();
    const request = line('Call names people').getByRole('button', { name: 'Request Changes' });
    await request.click();
    await line('Call names people').getByText('Requesting changes…').waitFor();
    await request.and(window.webview.locator('[aria-pressed="true"]')).waitFor();
    await window.answerNotification('Requesting changes to "Call names people"', 'Undo');
    await line('Call names people').getByText('Requesting changes…').waitFor({ state: 'detached' });
    await request.and(window.webview.locator('[aria-pressed="false"]')).waitFor();
    assert.deepEqual(await rejectedBy(), before);
  });

  it('shows the newest version when there is one, and is there again after a reload', async () => {
    await writeFile(path.join(editor.repository, 'more.txt'), 'More.\n');
    git(editor.repository, 'add', 'more.txt');
    git(editor.repository, 'commit', '--quiet', '-m', 'Say more');
    await editor.service.importRepository();
    await window.runCommand('Patch Stacks: Refresh');
    await line('Say more').waitFor();
    await window.webview.getByText(/Version 2/).waitFor();
    await window.reload();
    await line('Say more').waitFor();
    await line('Say more').getByRole('button', { name: 'Say more' }).click();
    await window.webview.locator('.document:not(.beginning) h1', { hasText: 'Say more' }).waitFor();
    await window.editorTab('Greetings').click();
  });

  it('says of when it is while the server does not answer, and is up to date again once it does', async () => {
    const note = window.webview.getByText(/^Offline\. Last updated /);
    for (const fault of [resetBeforeHeaders, reply(500, '{"error":"The database is locked."}')]) {
      server.use(fault);
      await window.webview.getByRole('button', { name: 'Refresh' }).click();
      await note.waitFor();
      await line('Say more').waitFor();
      server.use(forwardTo(editor.service.url));
      await window.webview.getByRole('button', { name: 'Refresh' }).click();
      await note.waitFor({ state: 'detached' });
    }
  });

  it('lists the texts of commits that are gone, to be copied, moved to a patch, or deleted', async () => {
    const { uuid, patches = [] } = await latest();
    const gone = patches.find(({ title }) => title === 'Say more') ?? assert.fail();
    for (const text of ['Why **more**.', 'And *how*.']) {
      await client.patches.createSection(uuid, gone.changeId, { type: 'text', text });
    }
    git(editor.repository, 'reset', '--quiet', '--hard', 'HEAD~1');
    await editor.service.importRepository();
    await window.runCommand('Patch Stacks: Refresh');
    const list = window.webview.getByRole('region', { name: 'Texts Without a Patch' });
    const text = (words: string): Locator => list.getByRole('listitem').filter({ hasText: words });
    await text('Why more.').getByText('Say more').waitFor();
    await text('And how.').waitFor();
    await window.screenshot('stack-page-texts');

    await text('Why more.').getByRole('button', { name: 'Move to Patch…' }).click();
    await window.page.getByRole('option', { name: /Call names people/ }).click();
    await text('Why more.').waitFor({ state: 'detached' });
    const { changeId } =
      (await latest()).patches?.find((patch) => patch.title === 'Call names people') ?? assert.fail();
    const { sections = [] } = await client.patches.get((await latest()).uuid, changeId, { ahead: true });
    assert.ok(sections.some((section) => section.sectionType === 'text' && section.text === 'Why **more**.'));

    await text('And how.').getByRole('button', { name: 'Delete Text' }).click();
    await list.waitFor({ state: 'detached' });
    await window.page.getByRole('button', { name: 'Undo' }).click();
    await text('And how.').waitFor();
    await text('And how.').getByRole('button', { name: 'Copy Text' }).click();
    await window.page.getByText('Text copied').first().waitFor();
    // Put something back, as the other tests of this file want it.
    git(editor.repository, 'reset', '--quiet', '--hard', 'ORIG_HEAD');
    await editor.service.importRepository();
    await window.runCommand('Patch Stacks: Refresh');
    await line('Say more').waitFor();
    await list.waitFor({ state: 'detached' });
  });

  it('offers nothing that a closed stack does not take', async () => {
    await line('Say more').waitFor();
    await client.stacks.update((await latest()).uuid, { status: 'closed' });
    await window.webview.getByRole('button', { name: 'Refresh' }).click();
    await window.webview.getByText('This patch stack is closed and read-only.').waitFor();
    await expect(window.webview.getByRole('button', { name: 'Sign Off' })).toHaveCount(0);
  });
});
