/** Keys that somebody presses in the document before VS Code knows that it has the focus. */
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../tools/browser.ts';
import { expect } from '../support/expect.ts';
import { PatchPage, patchView } from '../support/patchPage.ts';

interface Given {
  key: string;
  keyCode: number;
  modifiers: [ctrl: boolean, alt: boolean, shift: boolean];
  in: string | null;
}

describe('a key that is pressed in the document', function () {
  this.timeout(120_000);
  let browser: Browser;
  let patch: PatchPage;

  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  beforeEach(async () => {
    patch = await PatchPage.open(browser, patchView([{ type: 'text', code: 'a', text: 'Some words.' }]));
    await patch.page.evaluate(() => {
      // Where VS Code listens.
      const given: Given[] = [];
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- VS Code goes by it.
      addEventListener('keydown', ({ key, keyCode, ctrlKey, altKey, shiftKey, target }) => {
        const element = (target as Element).closest('[data-section]');
        given.push({
          key,
          keyCode,
          modifiers: [ctrlKey, altKey, shiftKey],
          in: element?.getAttribute('data-section') ?? null,
        });
      });
      Object.assign(globalThis, { given, held: 'noteFocus' });
    });
  });

  afterEach(() => patch.close());

  const given = (): Promise<Given[]> =>
    patch.page.evaluate(() => (globalThis as unknown as { given: Given[] }).given);
  const keysGiven = async (): Promise<string[]> => (await given()).map(({ key }) => key);
  const release = (): Promise<void> =>
    patch.page.evaluate(() => (globalThis as unknown as { release: () => void }).release());
  /** Has time stand still on the page, which goes on by what is asked for alone. */
  const stopTime = async (): Promise<void> => {
    await patch.page.clock.install();
    await patch.page.clock.pauseAt(Date.now() + 60_000);
  };
  const focus = (): Promise<void> => patch.page.locator('[data-section="a"]').focus();

  it('is given to VS Code once that knows what it is for, to whatever has the focus then', async () => {
    await stopTime();
    await focus();
    await patch.page.keyboard.press('Control+f');
    await patch.page.keyboard.press('Alt+Shift+F7');
    // What is for the page comes at once.
    await patch.page.keyboard.press('x');
    expect(await keysGiven()).toEqual(['Control', 'Alt', 'Shift', 'x']);
    await release();
    await expect.poll(keysGiven).toEqual(['Control', 'Alt', 'Shift', 'x', 'f', 'F7']);
    expect((await given()).slice(4)).toEqual([
      { key: 'f', keyCode: 70, modifiers: [true, false, false], in: 'a' },
      { key: 'F7', keyCode: 118, modifiers: [false, true, true], in: 'a' },
    ]);
    await patch.page.keyboard.press('Control+k');
    expect((await keysGiven()).slice(-2)).toEqual(['Control', 'k']);
  });

  it('is given to VS Code also where the extension host is hanging, for its own commands need none', async () => {
    await stopTime();
    await focus();
    await patch.page.keyboard.press('Control+Shift+p');
    expect(await keysGiven()).toEqual(['Control', 'Shift']);
    await patch.page.clock.fastForward(1_000);
    await expect.poll(keysGiven).toEqual(['Control', 'Shift', 'p']);
  });

  it('is given to nobody once the focus has gone elsewhere', async () => {
    await stopTime();
    await focus();
    await patch.page.keyboard.press('Control+f');
    await patch.page.evaluate(() => dispatchEvent(new FocusEvent('blur')));
    await release();
    await patch.page.locator('html[data-keys]').waitFor();
    await patch.page.keyboard.press('x');
    expect(await keysGiven()).toEqual(['Control', 'x']);
  });

  it('is the browser’s at once where that copies', async () => {
    await focus();
    await patch.page.keyboard.press('Control+c');
    expect(await keysGiven()).toEqual(['Control', 'c']);
  });

  it('is the editor’s at once where somebody types', async () => {
    await focus();
    await patch.page.keyboard.press('Enter');
    await patch.page.locator('.cm-content:focus').waitFor();
    await patch.page.keyboard.type('more');
    await patch.page.keyboard.press('Control+z');
    await expect(patch.page.locator('.cm-content')).toHaveText('Some words.');
  });
});
