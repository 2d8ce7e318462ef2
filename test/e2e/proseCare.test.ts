/** Texts that stay true: older ones are marked, images of the repository shown, and authors helped while they write, in both editors. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { Author, emmy, numberedLines } from '../support/author.ts';
import { Editor, errorsWhileTyping } from '../support/editor.ts';
import { expect } from '../support/expect.ts';
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

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="60"><rect width="160" height="60" fill="#888"/></svg>\n';

describe('texts and their code', function () {
  this.timeout(400_000);
  let editor: Editor;
  let window: Workbench;

  before(async () => {
    editor = await Editor.start({ signedIn: true, expectedErrors: errorsWhileTyping });
    editor.service.addUser(emmy);
    const author = new Author(editor.repository);
    author.git('switch', '--quiet', 'main');
    author.goOnWithMain('Draw', () => {
      mkdirSync(path.join(editor.repository, '.patch-stacks'));
      author.write({
        'count.ts': numberedLines('line'),
        'drawn.svg': drawing,
        'other.svg': drawing,
        '.patch-stacks/section.md': '# Why\n\n# How\n',
      });
    });
    const drawn = author.git('rev-parse', '--short=10', 'HEAD').trim();
    author.begin('tale');
    author.write({ 'count.ts': numberedLines('line', { 5: 'function first() {}' }) });
    author.commit(
      'Count on',
      'Counts on in count.ts:6, since {drawn}: ![a drawing](drawn.svg) and ![none](none.png).'.replace(
        '{drawn}',
        drawn,
      ),
    );
    author.write({ 'more.ts': 'more()\n' });
    author.commit('Go on', 'With more.');
    await editor.service.importRepository();
    author.rewrite('tale', 'Count on', () => {
      author.write({ 'count.ts': numberedLines('line', { 5: 'function second() {}' }) });
      author.amend();
    });
    await editor.service.importRepository();
    window = await editor.openWindow();
    await followSystemTheme(window);
    await window.tree.expand('greetings');
    await window.tree.expand(/^tale/i);
    await window.tree.open('Count on');
    await window.webview.locator('.document:not(.beginning) h1', { hasText: 'Count on' }).waitFor();
  });

  tidyAfterEach(() => window);
  after(() => editor.close());

  const focused = (of: Locator): Promise<void> => of.and(window.webview.locator(':focus')).waitFor();
  const button = (name: string): Locator => window.webview.getByRole('button', { name, exact: true });
  const source = (): Locator => window.webview.locator('.cm-content');
  const stale = (): Locator => window.webview.locator('.stale-text');
  /** A line of VS Code's own editor. */
  const line = (text: string): Locator =>
    window.page.locator('.editor-instance .view-line', { hasText: text });
  /** Takes a quick fix where the cursor is. */
  const fix = async (title: string): Promise<void> => {
    const item = window.page.locator('.action-widget .action', { hasText: title });
    await window.pressUntil('Control+.', item);
    await item.click();
    await item.waitFor({ state: 'detached' });
  };

  it('show images of the repository, drawings too, and say which are not there', async () => {
    const image = window.webview.getByRole('img', { name: 'a drawing' });
    await image.waitFor();
    await expect(image).toHaveAttribute('src', /^data:image\/svg\+xml;base64,/);
    assert.equal(await image.evaluate((shown: HTMLImageElement) => shown.naturalWidth), 160);
    await window.webview.getByText('Image not found in the repository: none').waitFor();
  });

  it('are marked when their code is newer, with what changed', async () => {
    await stale().locator('summary').press('Enter');
    await stale().getByRole('button', { name: 'count.ts' }).waitFor();
    for (const theme of themes) {
      await setSystemTheme(window, theme);
      await expectNoFaults(window.webview);
      await window.screenshot(`stale-text-${theme}`);
    }
    const { width, height } = window.page.viewportSize() ?? assert.fail();
    await setPageWidth(window, 320);
    await expect.poll(() => clippedControlsOf(window.webview)).toEqual([]);
    await expect.poll(() => overflowOf(window.webview)).toBeLessThanOrEqual(0);
    await window.screenshot('stale-text-narrow');
    await window.page.setViewportSize({ width, height });
    await button('Compare with Version 1').press('Enter');
    await button('Show Whole Patch').press('Enter');
    await button('Show Whole Patch').waitFor({ state: 'detached' });
  });

  it('begin with the template of the project, offer names, and are checked while they are written', async () => {
    // VS Code may still be giving the focus to something else, after the window had another size.
    await until(async () => {
      await window.webview.locator('[data-section-type="diff"]').first().focus();
      return (await window.webview.locator('html[data-keys="section"]').count()) > 0;
    });
    await window.pressInPatch('Shift+Alt+A', 'section');
    await focused(source());
    await button('Insert Template').click();
    await source().getByText('How').waitFor();
    await source().focus();
    await window.page.keyboard.press('Control+A');
    await window.page.keyboard.type('![drawn while writing](other.svg) and [gone](gone.ts)');
    const preview = window.webview.locator('.editor-preview');
    await preview.getByRole('img', { name: 'drawn while writing' }).waitFor();
    await expect(preview.locator('a'), 'what leads nowhere does not look as if it did').toHaveCount(0);
    await window.page.keyboard.press('Control+A');
    await window.page.keyboard.type('#\n\nSee [it](gone.ts), `sec');
    await window.webview.getByRole('option', { name: /^second/ }).waitFor();
    await window.page.keyboard.press('ArrowDown');
    await window.webview.getByRole('option', { name: /^second/, selected: true }).waitFor();
    for (const theme of themes) {
      await setSystemTheme(window, theme);
      // The heading without words is there to be found below.
      await expectNoFaults(window.webview, { but: 'empty-heading' });
      await window.screenshot(`offered-names-${theme}`);
    }
    await setSystemTheme(window, 'Light 2026');
    await window.page.keyboard.press('Enter');
    await source().getByText('`second`').waitFor();
    await window.webview.getByText("This heading doesn't have any words.").waitFor();
    await window.webview.getByText("The repository doesn't have gone.ts at this version.").waitFor();
    await window.screenshot('checked-text');
    await button('Remove Heading').click();
    await window.webview.getByText("This heading doesn't have any words.").waitFor({ state: 'detached' });
    await expectNoFaults(window.webview);
    await source().evaluate((content) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File(['x'], 'shot.png', { type: 'image/png' }));
      content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await window.webview.locator('.writing-note', { hasText: 'The server stores text only' }).waitFor();
    await window.screenshot('pasted-image');
    await button('Dismiss').click();
    await window.webview.locator('.writing-note', { hasText: 'text only' }).waitFor({ state: 'detached' });
    await source().evaluate((content) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'shot.png', { type: 'image/png' }));
      content.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    });
    await window.webview.locator('.writing-note', { hasText: 'The server stores text only' }).waitFor();
    await button('Cancel').click();
    await source().waitFor({ state: 'detached' });
  });

  it("are marked, linked and checked in VS Code's own editor, too, and are still true when someone says so", async () => {
    await stale().waitFor();
    await window.webview.locator('[data-section-type="text"]').first().focus();
    await window.runCommandHere('Patch Stacks: Edit Section in Text Editor');
    await line('Counts on in count.ts:6').waitFor();
    await window.page.locator('.detected-link', { hasText: 'count.ts:6' }).first().waitFor();
    await window.page.locator('.squiggly-info').first().waitFor();
    await line('Counts on').click();
    await window.page.keyboard.press('Control+Home');
    await window.page.keyboard.press('Control+k');
    await window.page.keyboard.press('Control+i');
    await window.page
      .locator('.monaco-hover', { hasText: 'The code changed after this was written' })
      .waitFor();
    await window.screenshot('stale-in-text-editor');
    await window.page.keyboard.press('Escape');
    const marks = await window.page.locator('.squiggly-info').count();
    await fix('Still True');
    await until(async () => (await window.page.locator('.squiggly-info').count()) < marks);
    await window.page.keyboard.press('Control+End');
    await window.page
      .locator('.editor-instance')
      .locator(':focus')
      .evaluate((input) => {
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File(['x'], 'shot.png', { type: 'image/png' }));
        input.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true }),
        );
      });
    await window.told('The server stores text only');
    await window.clearNotifications();
    await window.page.keyboard.type('\n\nMore.\n\n#');
    await until(async () => (await window.page.locator('.squiggly-info').count()) >= marks);
    await fix('Remove Heading');
    await line('#').waitFor({ state: 'detached' });
    await window.screenshot('checked-in-text-editor');
    await window.page.keyboard.press('Control+s');
    await window.closeEditor();
    await window.webview.locator('.prose', { hasText: 'More.' }).waitFor();
    await expect(stale()).toHaveCount(0);
  });
});
