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
import {
  chooseTheme,
  clippedControlsOf,
  expectNoFaults,
  overflowOf,
  setPageWidth,
  themes,
} from '../support/pageChecks.ts';
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
  const changes = (): Locator => window.webview.getByRole('region', { name: 'Changes Between Versions' });

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
    // There is no version before this one.
    await expectNone(changes(), { once: first });
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
    await window.webview.locator('.page-heading', { hasText: 'Version 2' }).waitFor();
    await window.reload();
    await line('Say more').waitFor();
    await line('Say more').getByRole('button', { name: 'Say more' }).click();
    const patch = window.webview.locator('.document:not(.beginning) h1', { hasText: 'Say more' });
    await patch.waitFor();
    // Behind the patch, VS Code keeps its tab without filling it, and another one takes its place.
    await window.reload();
    await patch.waitFor();
    await window.tree.open('Greetings');
    await line('Say more').waitFor();
    await expect(window.editorTab('Greetings')).toHaveCount(1);
  });

  it('says of when it is while the server does not answer, and is up to date again once it does', async () => {
    for (const [words, fault] of [
      [/^Offline\. Last updated /, resetBeforeHeaders],
      [/^Couldn't refresh\. Last updated /, reply(500, '{"error":"The database is locked."}')],
    ] as const) {
      const note = window.webview.getByText(words);
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
    // Also when its message is gone.
    await window.undoRecentChange('Text about "Say more" deleted');
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

  it('tells what became of each patch between two versions, to the keyboard alone', async () => {
    const { repository } = editor;
    const shaOf = (title: string): string =>
      git(repository, 'log', '-1', '--format=%H', '--fixed-strings', `--grep=${title}`).trim();
    const importAgain = async (title: string): Promise<PatchStack> => {
      await editor.service.importRepository();
      await window.runCommand('Patch Stacks: Refresh');
      await line(title).waitFor();
      return latest();
    };
    await writeFile(path.join(repository, 'a.txt'), 'One thing.\n');
    await writeFile(path.join(repository, 'b.txt'), 'And another one.\n');
    git(repository, 'add', '--all');
    git(repository, 'commit', '--quiet', '-m', 'Two things', '-m', 'Both **at once**.');
    const patchOf = (stack: PatchStack, title: string): string =>
      stack.patches?.find((patch) => patch.title === title)?.changeId ?? assert.fail(title);
    const text = { type: 'text' as const, text: 'A **colorful** one.' };
    const first = await latest();
    await client.patches.createSection(first.uuid, patchOf(first, 'Add a picture'), text);
    const before = await importAgain('Two things');
    await client.patches.update(before.uuid, patchOf(before, 'Say more'), { signOff: true });

    const [both, more, greetings] = ['Two things', 'Say more', 'Grüße'].map(shaOf);
    assert.ok(both && more && greetings);
    git(repository, 'reset', '--quiet', '--hard', shaOf('Call names people'));
    git(repository, 'cherry-pick', more);
    await writeFile(path.join(repository, 'more.txt'), 'Even more.\n');
    git(repository, 'commit', '--quiet', '--amend', '--all', '--no-edit');
    git(repository, 'cherry-pick', '--no-commit', both);
    git(repository, 'reset', '--quiet', 'b.txt');
    git(repository, 'commit', '--quiet', '-C', both);
    git(repository, 'add', '--all');
    git(repository, 'commit', '--quiet', '--date=2026-01-02T03:04:05', '-m', 'The other thing');
    git(repository, 'cherry-pick', greetings);
    const after = await importAgain('The other thing');

    const told = changes().locator('summary').first();
    await expect(told).toHaveText(/^Since version 2: .*\d dropped/);
    await expectNone(changes().getByRole('table'), { once: told });
    await told.focus();
    await window.page.keyboard.press('Enter');
    const table = changes().getByRole('table');
    await table.waitFor();
    await window.page.keyboard.press('Tab');
    await changes().getByLabel('From').and(window.webview.locator(':focus')).waitFor();
    await expect(changes().getByLabel('From')).toHaveValue('lastRead');
    await window.page.keyboard.type(`Version ${before.version ?? ''}`);
    await expect(changes().getByLabel('From')).toHaveValue(before.uuid);
    await expect(changes().getByLabel('To')).toHaveValue(after.uuid);
    await expect(told).toHaveText(
      `Since version ${before.version}: 1 changed, 1 split, 2 dropped, 1 reordered, 3 unchanged`,
    );
    const row = (title: string | RegExp): Locator =>
      table
        .getByRole('row')
        .filter({ has: window.webview.getByRole('rowheader', { name: title, exact: true }) });
    const tells = async (title: string | RegExp, ...cells: (string | RegExp)[]): Promise<void> => {
      const all = row(title).getByRole('cell');
      for (const [index, cell] of cells.entries()) {
        await expect(all.nth(index)).toHaveText(cell);
      }
    };
    await tells('Greet people by name', '1', '1', /^unchangedyou signed off on version \d+$/);
    await tells('Add a picture', '3', '–', /^dropped1 text$/);
    await row('Add a picture').getByText('1 text').focus();
    await window.page.keyboard.press('Enter');
    await row('Add a picture').locator('.prose strong', { hasText: 'colorful' }).waitFor();
    await tells(
      'Say more',
      '6',
      '3',
      new RegExp(`^changed.*you signed off on version ${before.version}, which no longer counts$`),
    );
    await tells('Two things', '7', '4', /^split into patch 4 "Two things", patch 5 "The other thing"/);
    await tells('The other thing', '–', '5', /^new \(split from patch 7 "Two things"\)$/);
    await tells(/^Grüße/, '5', '6', /^unchanged, reordered \(from 5 to 6\)$/);
    await window.screenshot('stack-page-changes');

    const title = (name: string): Locator => row(name).getByRole('button', { name, exact: true });
    await title('Say more').focus();
    await window.page.keyboard.press('ArrowDown');
    await title('Two things').and(window.webview.locator(':focus')).waitFor();
    await window.page.keyboard.press('Home');
    await title('Greet people by name').and(window.webview.locator(':focus')).waitFor();
    // A patch that is gone opens in the version that has it.
    await title('Add a picture').focus();
    await window.page.keyboard.press('Enter');
    await window.webview.locator('.document:not(.beginning) h1', { hasText: 'Add a picture' }).waitFor();
    await window.editorTab('Greetings').click();
    await line('The other thing').waitFor();
  });

  for (const theme of themes) {
    it(`tells it in ${theme}, with nothing in its way where there are 320 pixels`, async () => {
      await chooseTheme(window, theme);
      const details = changes().locator('details').first();
      await details.evaluate((element) => element.setAttribute('open', ''));
      await changes().getByRole('table').getByRole('row').nth(1).waitFor();
      await expectNoFaults(window.webview);
      await window.screenshot(`stack-page-changes-${theme}`);
      const { width, height } = window.page.viewportSize() ?? assert.fail();
      await setPageWidth(window, 320);
      await expect.poll(() => clippedControlsOf(window.webview)).toEqual([]);
      await expect.poll(() => overflowOf(window.webview)).toBeLessThanOrEqual(0);
      await window.screenshot(`stack-page-changes-narrow-${theme}`);
      await window.page.setViewportSize({ width, height });
      await details.evaluate((element) => element.removeAttribute('open'));
    });
  }

  it('says why versions could not be compared, and tries again', async () => {
    for (const title of ['Say it again', 'Say it once more']) {
      git(editor.repository, 'commit', '--quiet', '--allow-empty', '-m', title);
      await editor.service.importRepository();
    }
    await window.runCommand('Patch Stacks: Refresh');
    const told = changes().locator('summary').first();
    await expect(told).toHaveText(/ 4 new/);
    const missed = Number((await latest()).version) - 1;
    server.use(reply(500, '{"error":"The database is locked."}'));
    await told.click();
    // Of this one the window has seen nothing.
    await changes()
      .getByLabel('From')
      .selectOption({ label: `Version ${missed}` });
    await changes().getByRole('alert').waitFor();
    server.use(forwardTo(editor.service.url));
    await changes().getByRole('button', { name: 'Retry' }).click();
    await expect(told).toHaveText(`Since version ${missed}: 1 new, 7 unchanged`);
    await expect(changes().getByRole('alert')).toHaveCount(0);
    // Each version has a page of its own, from which the way leads back.
    const header = (version: number): Locator =>
      changes().getByRole('button', { name: `Version ${version}`, exact: true });
    await header(missed).press('Enter');
    await window.webview.getByText('A newer version of this patch stack exists.').waitFor();
    await told.click();
    await changes()
      .getByLabel('To')
      .selectOption({ label: `Version ${missed + 1}` });
    await header(missed + 1).press('Enter');
    await line('Say it once more').waitFor();
  });

  it('offers nothing that a closed stack does not take', async () => {
    await line('Say more').waitFor();
    await client.stacks.update((await latest()).uuid, { status: 'closed' });
    await window.webview.getByRole('button', { name: 'Refresh' }).click();
    await window.webview.getByText('This patch stack is closed and read-only.').waitFor();
    await expect(window.webview.getByRole('button', { name: 'Sign Off' })).toHaveCount(0);
  });
});
