/** The tick of a section: set by a second's look or by the person, and not by a look at what they have called unread. */
import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../../tools/browser.ts';
import { expect } from '../support/expect.ts';
import { PatchPage, patchView } from '../support/patchPage.ts';

describe('the tick of a section', function () {
  this.timeout(120_000);
  let browser: Browser;
  let page: Page;

  before(async () => {
    browser = await launchBrowser();
    const sections = ['a', 'b'].map((code) => ({ type: 'text' as const, code, text: `The text ${code}.` }));
    ({ page } = await PatchPage.open(browser, patchView(sections, { unread: ['a', 'b'] })));
  });

  after(() => browser.close());

  const tick = (code: string): Locator => page.locator(`[data-section="${code}"]`).getByRole('checkbox');
  const note = async (counts: boolean): Promise<void> => {
    await page.evaluate((answer) => {
      const asked: string[] = [];
      const { answers } = globalThis as unknown as { answers: Record<string, unknown> };
      answers['noteSeen'] = ({ codes }: { codes: string[] }): boolean => {
        asked.push(...codes);
        return answer;
      };
      Object.assign(globalThis, { asked });
    }, counts);
  };

  it('is not set by a look that does not count, nor ever by one at what the person has called unread', async () => {
    await note(false);
    await tick('a').check();
    await tick('a').uncheck();
    // The other one is told, and told again, for as long as it does not count.
    await page.waitForFunction(
      () => (globalThis as unknown as { asked: string[] }).asked.filter((code) => code === 'b').length > 1,
    );
    const asked = await page.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);
    assert.ok(!asked.includes('a'), asked.join());
    await expect(tick('b')).not.toBeChecked();
    await page.getByText('0 of 2 read').waitFor();
  });

  it('is set by a look that counts', async () => {
    await note(true);
    await expect(tick('b')).toBeChecked();
    const progress = page.getByText('1 of 2 read');
    await progress.waitFor();
    await expect(tick('a')).not.toBeChecked();
    // It changes by itself while somebody reads, or types: no screen reader says so.
    await expect(progress.locator('xpath=ancestor-or-self::*[@role="status" or @aria-live]')).toHaveCount(0);
  });
});
