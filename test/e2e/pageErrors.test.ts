/** What is thrown in a page and not caught is heard, whoever shows the page: it fails the file of tests in which it happens. */
import assert from 'node:assert/strict';
import { launchBrowser } from '../../tools/browser.ts';
import { Editor } from '../support/editor.ts';
import { expect } from '../support/expect.ts';
import { PatchPage, patchView } from '../support/patchPage.ts';
import type { WindowConsole } from '../support/windowConsole.ts';

/** Has errors in a page that nobody catches: thrown, rejected, and one that is just words. */
function plant(): void {
  setTimeout(() => {
    throw new TypeError('planted, and thrown');
  });
  void Promise.reject(new Error('planted, and rejected'));
  setTimeout(() => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- Some do.
    throw 'planted words';
  });
}

/** Waits until each was heard, and forgets them. */
async function areHeard({ errors }: WindowConsole): Promise<void> {
  const texts = [
    'Not caught: Error: planted, and rejected',
    'Not caught: TypeError: planted, and thrown',
    'Not caught: planted words',
  ];
  await expect.poll(() => errors.map(({ text }) => text).toSorted()).toEqual(texts);
  await expect.poll(() => errors.some(({ picture }) => picture !== undefined)).toBe(true);
  const thrown = errors.find(({ text }) => text.includes('TypeError'));
  assert.match(thrown?.stack ?? '', /^TypeError: planted, and thrown\n\s+at /);
  errors.splice(0);
}

describe('an error in a page', function () {
  this.timeout(180_000);

  it('is heard where the page is alone', async () => {
    const browser = await launchBrowser();
    try {
      const { page, console } = await PatchPage.open(browser, patchView([]));
      await page.evaluate(plant);
      await areHeard(console);
    } finally {
      await browser.close();
    }
  });

  it('is heard where VS Code has the page in a window', async () => {
    const editor = await Editor.start({ signedIn: true });
    try {
      const { tree, webview, console } = await editor.openWindow();
      await tree.expand('greetings');
      await tree.expand(/größer/i);
      await tree.open('Greet people by name');
      await webview.locator('h1').evaluate(plant);
      await areHeard(console);
    } finally {
      await editor.close();
    }
  });
});
