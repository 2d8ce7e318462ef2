/** Names in prose: they lead to the lines, patches and people that they mean, through new versions, and say so when those are lost. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { Author, emmy, numberedLines } from '../support/author.ts';
import { Editor } from '../support/editor.ts';
import { expect } from '../support/expect.ts';
import { chooseTheme, expectNoFaults, themes } from '../support/pageChecks.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

describe('names in prose', function () {
  this.timeout(400_000);
  let editor: Editor;
  let window: Workbench;
  let author: Author;
  const count = [
    'Count on',
    'Counts in count.ts:6, then `count.ts:31-32`; see other.ts:3 and src/greet.ts.',
    'Thanks to @emmy for `second`, and not to @nobody for `third` in gone.ts:3.',
  ];

  before(async () => {
    editor = await Editor.start({ signedIn: true });
    editor.service.addUser(emmy);
    author = new Author(editor.repository);
    author.git('switch', '--quiet', 'main');
    author.goOnWithMain('Count', () => {
      author.write({ 'count.ts': numberedLines('line'), 'other.ts': numberedLines('other') });
    });
    author.begin('tale');
    author.write({ 'count.ts': numberedLines('line', { 5: 'first()', 30: 'second()' }) });
    author.commit(...count);
    author.write({
      'more.ts': 'more()\n',
      'one.ts': 'export function twofold() {}\n',
      'two.ts': '// It is twofold.\nexport function twofold() {}\n',
    });
    author.commit('Go on', `After ${author.git('rev-parse', '--short=10', 'HEAD').trim()}: \`twofold\`.`);
    await editor.service.importRepository();
    window = await editor.openWindow();
    await window.tree.expand('greetings');
    await window.tree.expand(/^tale/i);
    await open('Count on');
  });

  tidyAfterEach(() => window);
  after(() => editor.close());

  const open = async (title: string): Promise<void> => {
    await window.tree.open(title);
    await window.webview.locator('.document:not(.beginning) h1', { hasText: title }).waitFor();
  };
  const link = (name: string): Locator =>
    window.webview.locator('.prose').getByRole('button', { name, exact: true });
  /** Closes the editor, and waits until the document is there again. */
  const goBack = async (): Promise<void> => {
    await window.closeEditor();
    await link('count.ts:6').waitFor();
    await until(() => window.webview.locator('body').evaluate(() => document.hasFocus()));
  };
  const card = (): Locator => window.webview.getByRole('tooltip');
  const focused = (of: Locator): Promise<void> => of.and(window.webview.locator(':focus')).waitFor();
  const row = (name: RegExp): Locator => window.webview.getByRole('row', { name });

  it('are links where there is such a thing, and move nothing', async () => {
    await link('count.ts:6').waitFor();
    await expect(window.webview.locator('.prose .reference')).toHaveText(
      ['count.ts:6', 'count.ts:31-32', 'other.ts:3', 'src/greet.ts', '@emmy', 'second'],
      { useInnerText: true },
    );
    const heightOf = (): Promise<number> =>
      window.webview.locator('.prose').evaluate((prose) => prose.getBoundingClientRect().height);
    const before = await heightOf();
    await window.webview
      .locator('.prose .reference')
      .evaluateAll((links) => links.forEach((one) => one.replaceWith(...one.childNodes)));
    assert.equal(await heightOf(), before);
    await window.reload();
    await link('count.ts:6').waitFor();
  });

  it('say what they lead to, for the mouse and for the keyboard', async () => {
    await link('count.ts:31-32').hover();
    await card().getByText('count.ts:31-32').waitFor();
    await expect.poll(() => card().locator('pre').innerText()).toBe('second()\nline 31');
    await window.screenshot('prose-link-card');
    await window.webview.locator('h1').hover();
    await card().waitFor({ state: 'detached' });
    await link('other.ts:3').focus();
    await card().getByText('other 2').waitFor();
    const id = (await card().getAttribute('id')) ?? assert.fail();
    await expect(link('other.ts:3')).toHaveAttribute('aria-describedby', id);
    await window.page.keyboard.press('Escape');
    await card().waitFor({ state: 'detached' });
  });

  it('lead to the line in the document, else to the file, and to a person', async () => {
    await link('count.ts:6').press('Enter');
    await focused(row(/^added, line 6: first/));
    await link('second').press('Enter');
    await focused(row(/^added, line 31: second/));
    await link('@emmy').press('Enter');
    await window.editorTab('Emmy').waitFor();
    await goBack();
    await link('other.ts:3').press('Enter');
    await window.editorTab('other.ts').waitFor();
    await goBack();
  });

  it('list the lines that define them where there are several, and have the person choose', async () => {
    await open('Go on');
    await link('twofold').hover();
    await card().getByText('Several lines may be meant:').waitFor();
    await expect(card().getByRole('listitem')).toHaveText([/^one\.ts:1/, /^two\.ts:2/]);
    await window.screenshot('prose-link-several');
    await expectNoFaults(window.webview);
    await link('twofold').press('Enter');
    await expect(window.quickPickRows).toHaveCount(2);
    await window.screenshot('prose-link-choose');
    await window.page.keyboard.press('ArrowDown');
    await window.page.keyboard.press('Enter');
    await focused(row(/^added, line 2: export function twofold/));
  });

  it('lead to another patch of the stack', async () => {
    await open('Go on');
    await window.webview.locator('.prose [data-link]').first().press('Enter');
    await window.webview.locator('.document:not(.beginning) h1', { hasText: 'Count on' }).waitFor();
  });

  it('follow the code into a new version, each paragraph from its own, and say when it is lost', async () => {
    await window.readAll('Count on');
    author.rewrite('tale', 'Count on', () => {
      author.write({
        'count.ts': `new\nlines\n${numberedLines('line', { 5: 'first()', 30: 'changed(everything)', 31: 'as()', 32: 'well()' })}`,
      });
      author.amend(...count, 'Now it is count.ts:6 that is left alone.');
    });
    await editor.service.importRepository();
    await window.runCommand('Patch Stacks: Refresh');
    await window.tree.row('Count on').getByText('v2').waitFor();
    await open('Count on');
    // The text hasn't changed since it was read: it is folded.
    await window.webview.getByRole('button', { name: 'Show Whole Patch' }).press('Enter');
    await link('count.ts:31-32 (no longer in the code)').waitFor();
    await link('count.ts:6').first().hover();
    await card().getByText('count.ts:8').waitFor();
    await expect(card().locator('pre')).toHaveText('first()');
    await link('count.ts:6').last().hover();
    await card().getByText('count.ts:6').waitFor();
    await expect(card().locator('pre')).toHaveText('line 3');
    await link('count.ts:6').last().press('Enter');
    await focused(row(/line 6: line 3/));
    await link('count.ts:6').first().press('Enter');
    await focused(row(/^added, line 8: first/));
    await link('count.ts:31-32 (no longer in the code)').hover();
    await card().getByText('These lines are gone').waitFor();
    for (const theme of themes) {
      await chooseTheme(window, theme);
      await link('count.ts:31-32 (no longer in the code)').focus();
      await card().getByText('These lines are gone').waitFor();
      await expectNoFaults(window.webview);
      await link('count.ts:6').first().focus();
      await card().locator('pre').waitFor();
      await expectNoFaults(window.webview);
      await window.screenshot(`prose-links-${theme}`);
    }
  });
});
