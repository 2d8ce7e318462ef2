/** Changes that no text explains: marked in the document, counted on the page of the stack, gone to, and explained where they stand. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { Author, numberedLines } from '../support/author.ts';
import { Editor, errorsWhileTyping } from '../support/editor.ts';
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
import type { Workbench } from '../support/workbench.ts';

describe('what no text explains', function () {
  this.timeout(180_000);
  let editor: Editor;
  let window: Workbench;

  before(async () => {
    editor = await Editor.start({ signedIn: true, expectedErrors: errorsWhileTyping });
    const author = new Author(editor.repository);
    author.git('switch', '--quiet', 'main');
    author.goOnWithMain('Count', () => {
      author.write({ 'count.ts': numberedLines('line') });
    });
    author.begin('tale');
    author.write({
      'count.ts': numberedLines('line', { 5: 'first()', 30: 'second()' }),
      'told.ts': 'told()\n',
    });
    author.commit('Say nothing');
    author.write({ 'more.ts': 'more()\n' });
    author.commit('Say why', 'It is **needed**.');
    await editor.service.importRepository();
    window = await editor.openWindow();
    await window.tree.expand('greetings');
    await window.tree.expand(/^tale/i);
    await window.tree.open('Say nothing');
    await window.webview.locator('.document:not(.beginning) h1', { hasText: 'Say nothing' }).waitFor();
  });

  tidyAfterEach(() => window);
  after(() => editor.close());

  const focused = (of: Locator): Promise<void> => of.and(window.webview.locator(':focus')).waitFor();
  const row = (name: string): Locator => window.webview.getByRole('row', { name, exact: true });
  const marked = (): Locator => window.webview.locator('tr.unexplained');
  const file = (name: string): Locator => window.webview.getByRole('region', { name, exact: true });
  const source = (): Locator => window.webview.locator('.cm-content');
  /** Adds a section where the focus is. */
  const write = async (text: string): Promise<void> => {
    await window.page.keyboard.press('Shift+Alt+A');
    await focused(source());
    await window.page.keyboard.type(text);
    await window.page.keyboard.press('Control+Enter');
    await source().waitFor({ state: 'detached' });
  };

  it('is marked at the lines and at the file, once the document is there, and moves nothing', async () => {
    await marked().first().waitFor();
    await expect(marked()).toHaveCount(5);
    await row('removed, line 6: line 5, without text').waitFor();
    await row('added, line 6: first()').waitFor();
    await row('added, line 1: told(), without text').waitFor();
    await file('told.ts').getByRole('img', { name: 'No text explains these changes' }).waitFor();
    // In one go, so that nothing else of the page has time to change heights.
    const { marked: withMarks, plain } = await window.webview.locator('.document').evaluate((page) => {
      const heights = (): number[] =>
        [...page.querySelectorAll('section.section')].map(
          (section) => section.getBoundingClientRect().height,
        );
      const marked = heights();
      page.querySelectorAll('tr.unexplained').forEach((one) => one.classList.remove('unexplained'));
      page.querySelectorAll('.unexplained-mark').forEach((one) => one.remove());
      return { marked, plain: heights() };
    });
    assert.deepEqual(plain, withMarks);
  });

  it('is counted on the page of the stack', async () => {
    await window.runCommand('Patch Stacks: Open Patch Stack');
    const line = (title: string): Locator => window.webview.getByRole('listitem').filter({ hasText: title });
    await line('Say nothing').getByText('Text for 0 of 3 changes').waitFor();
    const whole = window.webview.locator('.summary-line').getByText('Text for 1 of 4 changes');
    await expectNone(line('Say why').getByText('Text for'), { once: whole });
    await window.screenshot('explained-stack');
    await line('Say nothing').getByRole('button', { name: 'Say nothing' }).click();
    await window.webview.locator('.document:not(.beginning) h1', { hasText: 'Say nothing' }).waitFor();
  });

  for (const theme of themes) {
    it(`is marked in ${theme}, with nothing in its way where there are 320 pixels`, async () => {
      await chooseTheme(window, theme);
      await marked().first().waitFor();
      await expectNoFaults(window.webview);
      await window.screenshot(`explained-${theme}`);
      const { width, height } = window.page.viewportSize() ?? assert.fail();
      await setPageWidth(window, 320);
      await expect.poll(() => clippedControlsOf(window.webview)).toEqual([]);
      await expect.poll(() => overflowOf(window.webview)).toBeLessThanOrEqual(0);
      await window.page.setViewportSize({ width, height });
    });
  }

  it('is gone to from one to the next, and to the first again', async () => {
    await window.webview.locator('h1').focus();
    for (const name of [
      'added, line 6: first()',
      'added, line 31: second()',
      'added, line 1: told(), without text',
      'added, line 6: first()',
    ]) {
      await window.pressInPatch('Shift+Alt+N');
      await focused(row(name));
    }
  });

  it('is marked no more where a text names it', async () => {
    await row('added, line 1: told(), without text').focus();
    await write('About `count.ts:31` and `told`.');
    await row('removed, line 31: line 30').waitFor();
    await row('removed, line 6: line 5, without text').waitFor();
    await file('count.ts').getByRole('img', { name: 'No text explains some of these changes' }).waitFor();
    await expect(file('told.ts').locator('.unexplained, .unexplained-mark')).toHaveCount(0);
    const kinds = (): Promise<(string | undefined)[]> =>
      window.webview
        .locator('[data-section]')
        .evaluateAll((sections) =>
          sections.map((section) => (section as HTMLElement).dataset['sectionType']),
        );
    await expect.poll(kinds).toEqual(['diff', 'text', 'diff']);
    await window.screenshot('explained-some');
  });

  it('is explained where it stands, from the menu of a line, before the text is sent', async () => {
    await row('added, line 6: first()').click({ button: 'right' });
    const item = window.page.locator('.monaco-menu .action-item', { hasText: 'Add Section Here' }).first();
    // A menu takes no click in its first moments; see `Workbench`.
    await item.hover();
    await item.and(window.page.locator('.focused')).waitFor();
    await window.page.keyboard.press('Enter');
    await focused(source());
    await window.page.keyboard.type('Why.');
    await marked().first().waitFor({ state: 'detached' });
    await expect(window.webview.locator('.unexplained-mark')).toHaveCount(0);
    await window.page.keyboard.press('Control+Enter');
    await source().waitFor({ state: 'detached' });
    await window.pressInPatch('Shift+Alt+N');
    // The other patch stacks are read for themselves.
    await window.told('The texts explain every change in this patch stack.');
  });
});
