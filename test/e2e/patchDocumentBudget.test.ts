/** Texts of strangers that are too long are shown on request, and names do not fill the page. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { SectionView } from '../../src/protocol/patchDocument.ts';
import { launchBrowser } from '../../tools/browser.ts';
import { expect, expectNone } from '../support/expect.ts';
import { PatchPage, patchView } from '../support/patchPage.ts';

describe('more than a page has room for', function () {
  this.timeout(400_000);
  let browser: Browser;
  let shown: PatchPage;

  before(async () => {
    browser = await launchBrowser();
  });

  after(() => browser.close());
  afterEach(() => shown.close());

  const open = async (sections: SectionView[]): Promise<void> => {
    shown = await PatchPage.open(browser, patchView([]));
    await shown.show(patchView(sections));
  };
  const text = (markdown: string): SectionView => ({
    type: 'text',
    code: 't',
    title: 'Text',
    text: markdown,
  });

  it('is shown as plain text as far as it begins, and as a whole on request, with the keyboard, too', async () => {
    const source = `${'<div>'.repeat(5_000)}the end of it`;
    await open([text(source)]);
    const prose = shown.page.locator('.section .prose');
    const button = prose.getByRole('button', { name: 'Show Anyway' });
    await button.waitFor();
    const beginning = (await prose.locator('pre').textContent()) ?? '';
    assert.ok(beginning.length <= 2_000 && beginning.endsWith('…'), `${beginning.length} characters`);
    await button.focus();
    await shown.page.keyboard.press('Enter');
    await prose.getByText('the end of it').waitFor();
    await expect.poll(async () => (await prose.locator('pre').allTextContents()).join('')).toBe(source);
    await expect(button).toHaveCount(0);
  });

  it('is formatted as a whole on request, when there is only much of it', async () => {
    await open([text(`${'A **bold** word of many.\n\n'.repeat(15_000)}**Omega**\n`)]);
    const prose = shown.page.locator('.section .prose');
    const button = prose.getByRole('button', { name: 'Show Anyway' });
    await button.waitFor({ timeout: 60_000 });
    await expectNone(prose.getByText('Omega'), { once: button });
    await button.click();
    await prose.locator('strong', { hasText: 'Omega' }).waitFor({ timeout: 60_000 });
    await expect(button).toHaveCount(0);
  });

  it('is asked for again when it is another text', async () => {
    await open([text(`${'<div>'.repeat(5_000)}one`)]);
    const button = shown.page.getByRole('button', { name: 'Show Anyway' });
    await button.click();
    await shown.page.getByText('one', { exact: false }).first().waitFor();
    await shown.show(patchView([text(`${'<div>'.repeat(5_000)}two`)]));
    await button.waitFor();
  });

  it('is cut where it is a name, also for screen readers', async () => {
    const long = 'folder/'.repeat(5_000);
    await open([
      { type: 'diff', code: 'd', path: `${long}new.ts`, oldPath: `${long}old.ts`, diff: '@@ -1 +1 @@\n-a\n+b\n', diffLength: 20, diffLines: 3 },
      { type: 'unreadable', code: long, title: long },
      { type: 'text', code: 't', title: long, text: '' },
    ]); // prettier-ignore
    const longest = await shown.page.evaluate(() => {
      const names = [...document.querySelectorAll('body *:not(style, script)')].flatMap((element) => [
        ...['aria-label', 'title', 'alt'].map((name) => element.getAttribute(name) ?? ''),
        ...[...element.childNodes].map((node) => (node instanceof Text ? node.data : '')),
      ]);
      return Math.max(...names.map(({ length }) => length));
    });
    assert.ok(longest > 100 && longest < 500, `${longest} characters`);
  });
});
