/** Reading on through a stack: the bar at the end of each patch, and the dots for all of them. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import { Author, numberedLines } from '../support/author.ts';
import { Editor } from '../support/editor.ts';
import { expect, expectNone } from '../support/expect.ts';
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

describe('reading on through a stack', function () {
  this.timeout(400_000);
  let editor: Editor;
  let window: Workbench;
  let client: ApiClient;
  let author: Author;

  before(async () => {
    editor = await Editor.start({ signedIn: true });
    const { url, token } = editor.service;
    client = new ApiClient({ serverUrl: url, getToken: async () => token });
    author = new Author(editor.repository);
    author.git('switch', '--quiet', 'main');
    author.begin('tale');
    author.write({ 'long.txt': numberedLines('word', {}, 150), 'short.txt': 'a word\n' });
    author.commit('Begin', 'Every tale **begins**.');
    for (const title of ['Go on', 'Turn', 'End']) {
      author.write({ [`${title.toLowerCase().replace(' ', '-')}.txt`]: `${title}\n` });
      author.commit(title);
    }
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
  });

  const button = (name: string): Locator => window.webview.getByRole('button', { name, exact: true });
  const focused = (of: Locator): Promise<void> => of.and(window.webview.locator(':focus')).waitFor();
  const titled = (title: string): Locator =>
    window.webview.locator('.document:not(.beginning) h1', { hasText: title });
  const open = async (title: string): Promise<void> => {
    await window.tree.open(title);
    await titled(title).waitFor();
  };
  const note = (text: string): Locator => window.webview.locator('.status-line').getByText(text);
  const signedOff = async (): Promise<string[]> => {
    const [project] = (await client.projects.list()).items;
    const { patches = [] } = await client.stacks.latestForBranch(project!.repositoryId, 'tale');
    return patches.flatMap(({ title, reviewAll }) =>
      reviewAll?.signedOff.length === 1 ? (title ?? '') : [],
    );
  };

  describe('the bar at the end', () => {
    it('says what is left to read, leads to the first of it, and says when nothing is', async () => {
      await open('Begin');
      const section = window.webview.getByRole('region', { name: 'long.txt', exact: true });
      await button('2 unread sections').press('Enter');
      await focused(section);
      await window.webview.locator('body').evaluate((body) => scrollTo(0, body.scrollHeight));
      // The end of the file is on the screen, and what comes after it; not what lies between.
      await button('1 unread section').waitFor();
      await window.screenshot('finish-bar');
      await window.page.setViewportSize({ width: 1280, height: 4000 });
      await window.webview.locator('body').evaluate(() => scrollTo(0, 0));
      await window.webview.getByText('All sections read').waitFor();
      await window.page.setViewportSize({ width: 1280, height: 800 });
    });

    it('is in reach wherever one reads, and covers nothing that has the focus', async () => {
      const inView = (of: Locator): Promise<boolean> =>
        of.evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          return top >= 0 && bottom <= innerHeight;
        });
      for (const share of [0, 0.5, 1]) {
        await window.webview
          .locator('body')
          .evaluate((body, to) => scrollTo(0, body.scrollHeight * to), share);
        await expect.poll(() => inView(button('Request Changes')), { message: String(share) }).toBe(true);
      }
      await window.webview.locator('body').evaluate(() => scrollTo(0, 0));
      const rows = window.webview.locator('tr[data-row]');
      await rows.nth(0).focus();
      for (let line = 0; line < 60; line++) {
        await window.page.keyboard.press('ArrowDown');
      }
      const isClear = await window.webview.locator('tr[data-row]:focus').evaluate((row) => {
        const { left, top, bottom } = row.getBoundingClientRect();
        return row.contains(document.elementFromPoint(left + 200, (top + bottom) / 2));
      });
      assert.ok(isClear);
    });

    it('signs off and goes on in the same tab, where it can be taken back', async () => {
      await button('Sign Off and Next').press('Enter');
      await titled('Go on').waitFor();
      await focused(titled('Go on'));
      await note('Signing off on "Begin" in a few seconds.').waitFor();
      await expect(window.page.locator('.tabs-container .tab')).toHaveCount(1);
      await window.screenshot('signed-off-and-next');
      await window.webview.locator('.status-line').getByRole('button', { name: 'Undo' }).click();
      await note('Signing off on "Begin" in a few seconds.').waitFor({ state: 'detached' });
      await open('Begin');
      await button('Sign Off and Next').waitFor();
      assert.deepEqual(await signedOff(), []);
    });

    it('has it sent while one reads on, and says there that it was', async () => {
      await button('Sign Off and Next').click();
      await titled('Go on').waitFor();
      await expectNone(window.notifications, { once: note('Signed off on "Begin".') });
      assert.deepEqual(await signedOff(), ['Begin']);
    });

    it('leads on from what was signed off before', async () => {
      await open('Begin');
      await button('Signed Off').waitFor();
      await button('Next Patch').press('Enter');
      await focused(titled('Go on'));
    });

    it('refuses what was not on the screen, and goes on once the person wants it anyway', async () => {
      await window.page.setViewportSize({ width: 1280, height: 330 });
      await open('Turn');
      await button('1 unread section').waitFor();
      await button('Sign Off and Next').press('Enter');
      await window.webview.locator('.unseen-note').getByText('"turn.txt"').waitFor();
      await button('Sign Off Anyway').press('Enter');
      await titled('End').waitFor();
      await note('Signing off on "Turn" in a few seconds.').waitFor();
      await window.webview.locator('.status-line').getByRole('button', { name: 'Undo' }).click();
      await window.page.setViewportSize({ width: 1280, height: 800 });
      await open('Turn');
      await button('Sign Off and Next').waitFor();
    });

    it('says where one reads on that the patch was changed before the sign-off was sent', async () => {
      await open('Go on');
      await window.webview.getByText('All sections read').waitFor();
      const [project] = (await client.projects.list()).items;
      const { uuid, patches = [] } = await client.stacks.latestForBranch(project!.repositoryId, 'tale');
      const { changeId } = patches.find(({ title }) => title === 'Go on')!;
      await button('Sign Off and Next').press('Enter');
      // Within the few seconds before it is sent; earlier, the page would show it, and it would be signed off with the rest.
      await client.patches.createSection(uuid, changeId, { type: 'text', text: 'Nobody has read this.' });
      await titled('Turn').waitFor();
      await window.told(/Couldn't sign off on "Go on": The patch has changed since you read it/);
      assert.deepEqual(await signedOff(), ['Begin']);
    });

    it('stays where the stack ends', async () => {
      await open('End');
      await window.webview.getByText('All sections read').waitFor();
      await button('Sign Off').press('Enter');
      await focused(button('Signed Off'));
      await expectNone(button('Next Patch'), { once: button('Signed Off') });
      await until(async () => (await signedOff()).includes('End'));
      await titled('End').waitFor();
    });
  });

  describe('the dots of the stack', () => {
    const dot = (name: RegExp | string): Locator =>
      window.webview.locator('.rail').getByRole('button', { name });
    const hasMark = (index: number, mark: string): Promise<void> =>
      expect(window.webview.locator('.rail-dot').nth(index)).toHaveAttribute('data-mark', mark);

    before(async () => {
      await window.closeAllEditors();
    });

    it('say of each patch what the person has done with it, and which one is open', async () => {
      await open('Turn');
      await dot('Patch 1 of 4: Begin, signed off, read').waitFor();
      await dot('Patch 2 of 4: Go on, changed since you read it').waitFor();
      await dot('Patch 3 of 4: Turn, read').and(window.webview.locator('[aria-current="page"]')).waitFor();
      await dot('Patch 4 of 4: End, signed off, read').waitFor();
      await window.screenshot('rail');
      await expect(window.webview.locator('.rail [aria-current]')).toHaveCount(1);
    });

    it('lead there in the same tab, by one stop of the Tab key and the arrow keys', async () => {
      const { page, webview } = window;
      await expect(webview.locator('.rail [tabindex="0"]')).toHaveCount(1);
      await dot(/: Turn,/)
        .and(webview.locator('[tabindex="0"]'))
        .focus();
      await page.keyboard.press('ArrowLeft');
      await focused(dot(/: Go on,/));
      await page.keyboard.press('End');
      await focused(dot(/: End,/));
      await page.keyboard.press('Enter');
      await focused(titled('End'));
      await expect(page.locator('.tabs-container .tab')).toHaveCount(1);
      await dot(/: Begin,/).click();
      await focused(titled('Begin'));
    });

    it('show at once what is said of a patch, and what is taken back', async () => {
      await open('Turn');
      await button('Request Changes').press('Enter');
      await dot('Patch 3 of 4: Turn, changes requested, read').waitFor();
      await hasMark(2, 'changesRequested');
      await window.webview.locator('.status-line').getByRole('button', { name: 'Undo' }).click();
      await dot('Patch 3 of 4: Turn, read').waitFor();
      await hasMark(2, 'read');
    });

    it('tell what has changed since it was read', async () => {
      author.rewrite('tale', 'Turn', () => {
        author.write({ 'turn.txt': 'Turn back\n' });
        author.amend();
      });
      await editor.service.importRepository();
      await window.runCommand('Patch Stacks: Refresh');
      // Before, a row leads to the version that it shows.
      await window.tree.row('Turn').getByText('changed since').waitFor();
      await open('End');
      await dot('Patch 3 of 4: Turn, changed since you read it').waitFor();
      await hasMark(2, 'changed');
      await window.screenshot('rail-changed');
    });

    for (const theme of themes) {
      it(`are told apart, with all controls in sight, in ${theme} and where there are 320 pixels`, async () => {
        await chooseTheme(window, theme);
        await expectNoFaults(window.webview);
        await window.screenshot(`reading-on-${theme}`);
        const { width, height } = window.page.viewportSize()!;
        await setPageWidth(window, 320);
        await expect.poll(() => clippedControlsOf(window.webview)).toEqual([]);
        await expect.poll(() => overflowOf(window.webview)).toBeLessThanOrEqual(0);
        await window.screenshot(`reading-on-${theme}-320`);
        await window.page.setViewportSize({ width, height });
      });
    }
  });
});
