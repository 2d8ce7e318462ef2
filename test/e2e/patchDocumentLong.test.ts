import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import type { SectionView } from '../../src/protocol/patchDocument.ts';
import { launchBrowser } from '../../tools/browser.ts';
import { buildExtension } from '../../tools/build.ts';
import { PatchPage, patchView } from '../support/patchPage.ts';
import { until } from '../support/until.ts';

const count = 600;
const unchanged = Array.from({ length: 30 }, (_value, index) => ` unchanged ${index}\n`).join('');
const changes = Array.from({ length: 20 }, (_value, index) => `-before ${index}\n+after ${index}\n`).join('');

/** Prose and files in turns. */
function section(_value: unknown, index: number): SectionView {
  if (index % 2 === 0) {
    return { type: 'text', code: `section-${index}`, text: `# Heading ${index}\n\nSome words.` };
  }
  const path = `src/file${index}.ts`;
  const diff = `--- a/${path}\n+++ b/${path}\n@@ -1,51 +1,51 @@\n-first\n+First ${index}\n${unchanged}${changes}`;
  return { type: 'diff', code: `section-${index}`, path, diff, diffLength: diff.length, diffLines: 75 };
}

describe('a patch of hundreds of sections', function () {
  this.timeout(120_000);
  let browser: Browser;
  let shown: PatchPage;
  let page: Page;

  before(async () => {
    await buildExtension();
    browser = await launchBrowser();
    shown = await PatchPage.open(browser, patchView(Array.from({ length: count }, section)));
    page = shown.page;
    await page.setViewportSize({ width: 1000, height: 700 });
    await page.evaluate('window.answers.diffs = () => ({})');
    await page.locator('.section.far').first().waitFor({ state: 'attached' });
  });

  after(async () => {
    await browser.close();
  });

  const place = (index: number): Locator => page.locator(`[data-section="section-${index}"]`);
  const isDrawn = async (index: number): Promise<boolean> =>
    !(await place(index).evaluate((element) => element.classList.contains('far')));
  /** As the outline does. */
  const goTo = async (index: number): Promise<void> => {
    await place(index).evaluate((element) => element.scrollIntoView({ block: 'start' }));
    await until(() => isDrawn(index));
  };
  const atStart = async (): Promise<void> => {
    await page.evaluate(() => window.scrollTo(0, 0));
    await until(async () => (await isDrawn(0)) && !(await isDrawn(count - 1)));
  };

  it('has room for all of them, and draws those near to the screen', async () => {
    assert.equal(await page.locator('.section').count(), count);
    const drawn = (): Promise<number> => page.locator('.section:not(.far)').count();
    assert.ok((await drawn()) < 20, String(await drawn()));
    await goTo(400);
    await page.getByRole('heading', { name: 'Heading 400' }).waitFor();
    await until(async () => !(await isDrawn(0)));
    assert.ok((await drawn()) < 20, String(await drawn()));
    await atStart();
  });

  it('leaves as much room for a section as it took', async () => {
    const height = (): Promise<number> =>
      place(1).evaluate((element) => element.getBoundingClientRect().height);
    const before = await height();
    await goTo(400);
    await until(async () => !(await isDrawn(1)));
    assert.equal(await height(), before);
    await atStart();
  });

  it('keeps what was opened of a file', async () => {
    await place(1).getByRole('button', { name: 'Show all unchanged lines' }).click();
    await place(1).getByText('unchanged 15').waitFor();
    await goTo(400);
    await until(async () => !(await isDrawn(1)));
    await atStart();
    await place(1).getByText('unchanged 15').waitFor();
  });

  it('keeps a section that has the focus, however far it is scrolled away', async () => {
    const mark = place(1).getByRole('checkbox');
    await mark.focus();
    await goTo(400);
    await until(async () => !(await isDrawn(0)));
    assert.ok(await isDrawn(1));
    assert.ok(await mark.evaluate((element) => element === document.activeElement));
    await atStart();
  });

  it('finds lines that are not drawn', async () => {
    await page.getByRole('button', { name: 'Find in patch' }).click();
    await page.getByRole('textbox', { name: 'Find' }).fill('First 401');
    await page.locator('.find-count').getByText('1 of 1').waitFor();
    await place(401).getByText('First 401').waitFor();
    await until(() =>
      place(401)
        .locator('tr.marked')
        .evaluate((row) => {
          const { top, bottom } = row.getBoundingClientRect();
          return top >= 0 && bottom <= window.innerHeight;
        }),
    );
    await page.keyboard.press('Escape');
    await atStart();
  });

  it('moves at once when the system or VS Code is set to less motion', async () => {
    const slow = (): Promise<number> =>
      page.evaluate(() => {
        const durations = [...document.querySelectorAll('.document *')].flatMap((element) => {
          const { transitionDuration, animationDuration } = getComputedStyle(element);
          return `${transitionDuration},${animationDuration}`.split(',').map(parseFloat);
        });
        return durations.filter((seconds) => seconds > 0.01).length;
      });
    /** Looks at what runs just after the handle of a section was shown and the section moved. */
    const running = (): Promise<number> =>
      place(0).evaluate(async (section: HTMLElement) => {
        (document.activeElement as HTMLElement | null)?.blur();
        await new Promise(requestAnimationFrame);
        section.focus();
        section.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'ArrowDown', altKey: true, bubbles: true, cancelable: true }),
        );
        await new Promise(requestAnimationFrame);
        return document.getAnimations().length;
      });
    /** What is granted to a part of the page that asks for every kind of motion. */
    const granted = (): Promise<string[]> =>
      page.locator('main').evaluate((part) => {
        Object.assign(part.style, {
          transition: 'color 1s',
          animation: 'turning 1s',
          scrollBehavior: 'smooth',
        });
        const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(part);
        part.removeAttribute('style');
        return [transitionDuration, animationName, scrollBehavior];
      });
    const none = ['0s', 'none', 'auto'];
    assert.ok((await slow()) > 0);
    assert.ok((await running()) > 0);
    assert.deepEqual(await granted(), ['1s', 'turning', 'smooth']);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    assert.deepEqual([await slow(), await running(), await granted()], [0, 0, none]);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
    assert.deepEqual([await slow(), await running(), await granted()], [0, 0, none]);
    await page.evaluate(() => document.body.classList.remove('vscode-reduce-motion'));
    assert.ok((await slow()) > 0);
  });
});

describe('a patch without sections', function () {
  this.timeout(120_000);

  it('has no outline, also where there is room for one', async () => {
    const browser = await launchBrowser();
    try {
      const { page } = await PatchPage.open(browser, patchView([]));
      await page.getByText("This patch doesn't have any sections.").waitFor();
      assert.ok(await page.getByRole('button', { name: 'Outline' }).isDisabled());
      assert.equal(await page.getByRole('navigation', { name: 'Outline' }).count(), 0);
      const main = await page.locator('main').boundingBox();
      assert.ok(main && main.width > 1200, String(main?.width));
    } finally {
      await browser.close();
    }
  });
});
