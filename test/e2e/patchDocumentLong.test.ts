import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import type {
  ComparisonView,
  Direction,
  RailPatch,
  SectionComparison,
  SectionView,
} from '../../src/protocol/patchDocument.ts';
import { launchBrowser } from '../../tools/browser.ts';
import { expect, expectNone } from '../support/expect.ts';
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
    browser = await launchBrowser();
    shown = await PatchPage.open(browser, patchView(Array.from({ length: count }, section)), 1000, 700);
    page = shown.page;
    await page.evaluate('window.answers.diffs = () => ({})');
    await page.locator('.far-sections').first().waitFor({ state: 'attached' });
  });

  after(async () => {
    await browser.close();
  });

  const place = (index: number): Locator => page.locator(`[data-section="section-${index}"]`);
  const isDrawn = async (index: number): Promise<boolean> => (await place(index).count()) > 0;
  const atStart = async (): Promise<void> => {
    await page.evaluate(() => window.scrollTo(0, 0));
    await until(async () => (await isDrawn(0)) && !(await isDrawn(count - 1)));
  };
  /** Scrolls until a section is drawn, as somebody does who turns the wheel. */
  const goTo = async (index: number): Promise<void> => {
    await page.evaluate(async (code) => {
      while (!document.querySelector(`[data-section="${code}"]`)) {
        const before = window.scrollY;
        window.scrollBy(0, 1_400);
        await new Promise((resolve) => requestAnimationFrame(resolve));
        if (window.scrollY === before) {
          throw new Error(`${code} was never drawn.`);
        }
      }
    }, `section-${index}`);
    await place(index).evaluate((element) => element.scrollIntoView({ block: 'start' }));
  };

  it('has room for all of them, and draws those near to the screen', async () => {
    const drawn = (): Promise<number> => page.locator('.section').count();
    const height = (): Promise<number> => page.evaluate(() => document.documentElement.scrollHeight);
    await expect.poll(drawn).toBeLessThan(20);
    await expect.poll(height).toBeGreaterThan(count * 50);
    await goTo(400);
    await page.getByRole('heading', { name: 'Heading 400' }).waitFor();
    await until(async () => !(await isDrawn(0)));
    await expect.poll(drawn).toBeLessThan(20);
    await atStart();
  });

  it('says of each section how many there are', async () => {
    const item = page.getByRole('listitem').filter({ has: place(2) });
    await expect(item).toHaveAttribute('aria-posinset', '3');
    await expect(item).toHaveAttribute('aria-setsize', String(count));
    const rows = page.getByRole('navigation', { name: 'Outline' }).getByRole('listitem');
    await expect(rows.first()).toHaveAttribute('aria-setsize', String(count));
  });

  it('leaves as much room for what is not drawn as it took', async () => {
    const topOf = (index: number): Promise<number> =>
      place(index).evaluate((element) => element.getBoundingClientRect().top + window.scrollY);
    await goTo(30);
    const before = await topOf(30);
    await until(async () => !(await isDrawn(1)));
    await expect.poll(() => topOf(30)).toBe(before);
    await goTo(400);
    await atStart();
    await goTo(30);
    await expect.poll(() => topOf(30)).toBe(before);
    await atStart();
  });

  it('walks in its outline to the last row and back, though most of them are not drawn', async () => {
    const outline = page.getByRole('navigation', { name: 'Outline' });
    await outline.locator('[aria-current="true"]').focus();
    await page.keyboard.press('End');
    const focused = outline.locator('button:focus');
    await focused.getByText(`file${count - 1}.ts`).waitFor();
    await page.keyboard.press('ArrowUp');
    await focused.getByText(`Heading ${count - 2}`).waitFor();
    await expect.poll(() => outline.getByRole('button').count()).toBeLessThan(150);
    await page.keyboard.press('Enter');
    await expect(place(count - 2)).toBeFocused();
    await outline.locator('[aria-current="true"]').focus();
    await page.keyboard.press('Home');
    await focused.getByText('Heading 0').waitFor();
    await atStart();
  });

  it('keeps what was opened of a file', async () => {
    await place(1).getByRole('button', { name: 'Show all unchanged lines' }).click();
    await place(1).getByText('unchanged 15').waitFor();
    // The section that has the focus stays.
    await place(0).focus();
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
    await expect(mark).toBeFocused();
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
    /** The permissions of a part of the page that asks for every kind of motion. */
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

describe('a patch of hundreds of sections that is compared', function () {
  this.timeout(120_000);
  const changed = [3, 301, 599];
  const since = '--- a\n+++ b\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n';
  const sections = Array.from({ length: count }, section);
  const comparison: ComparisonView = {
    with: { kind: 'lastRead', number: '1' },
    verdict: 'changed',
    isFromDiffs: false,
    sections: Object.fromEntries(
      sections.map(({ code }, index): [string, SectionComparison] => [
        code,
        changed.includes(index)
          ? { verdict: 'changed', isMoved: false, isFolded: false, wasRead: true, diff: since }
          : { verdict: index % 3 === 0 ? 'rebased' : 'same', isMoved: false, isFolded: true, wasRead: true },
      ]),
    ),
    removed: [{ kind: 'diff', path: 'src/gone.ts', diff: since, after: 'section-450' }],
  };
  let browser: Browser;
  let page: Page;

  before(async () => {
    browser = await launchBrowser();
    ({ page } = await PatchPage.open(browser, { ...patchView(sections), comparison }, 1000, 700));
    await page.evaluate('window.answers.diffs = () => ({})');
    await page.locator('.far-sections').first().waitFor({ state: 'attached' });
  });

  after(() => browser.close());

  const step = (direction: Direction): Promise<void> =>
    page.evaluate((to) => {
      const { ask } = globalThis as unknown as {
        ask: (method: string, parameters: unknown) => Promise<void>;
      };
      return ask('go', { to: 'change', direction: to });
    }, direction);
  const within = (index: number): Locator => page.locator(`[data-section="section-${index}"]`);
  const arrivesAt = async (index: number): Promise<void> => {
    await within(index).locator('tr[data-line-type="delete"]:focus').waitFor();
    await until(() =>
      page.locator(':focus').evaluate((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return top >= 0 && bottom <= window.innerHeight;
      }),
    );
  };
  const arrivesAtGone = (): Promise<void> =>
    page.locator('[data-section-type="gone"]:focus', { hasText: 'src/gone.ts' }).waitFor();

  it('is a line for what did not change, and draws what is near to the screen', async () => {
    await page.getByText('Sections: 3 changed, 1 removed, 199 only rebased, 398 read.').waitFor();
    await until(async () => (await page.locator('.section').count()) < 60);
    await expectNone(within(1).locator('tr'), { once: within(3).locator('tr[data-line-type="add"]') });
  });

  it('goes to changes and to what is gone, however far away they are, and back', async () => {
    for (const index of changed.slice(0, 2)) {
      await step('next');
      await arrivesAt(index);
    }
    await step('next');
    await arrivesAtGone();
    await step('next');
    await arrivesAt(599);
    await step('previous');
    await arrivesAtGone();
    await step('previous');
    await arrivesAt(301);
    await step('previous');
    await arrivesAt(3);
  });

  it('finds in what changed and in what is gone, though it is not drawn', async () => {
    await page.getByRole('button', { name: 'Find in patch' }).click();
    await page.getByRole('textbox', { name: 'Find' }).fill('two');
    // Of each change, and of what is gone.
    await page.locator('.find-count').getByText(/of 4$/).waitFor();
    await page.keyboard.press('Escape');
  });

  it('shows the whole of what did not change when it is opened, also after it was far away', async () => {
    const toggle = within(1).locator('.file-toggle');
    await toggle.scrollIntoViewIfNeeded();
    await toggle.click();
    await within(1).getByText('First 1').waitFor();
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await until(async () => (await within(1).count()) === 0 || (await within(599).count()) > 0);
    await page.evaluate(() => window.scrollTo(0, 0));
    await within(1).getByText('First 1').waitFor();
  });
});

describe('the outline of a patch', function () {
  this.timeout(400_000);

  it('has the folder of a file on a line of its own before a word of it is parted', async () => {
    const browser = await launchBrowser();
    try {
      const { page } = await PatchPage.open(
        browser,
        patchView([
          { type: 'diff', code: 'a', path: 'source/folder/name_with_words.py', diffLength: 1, diffLines: 1 },
        ]),
      );
      const folder = page.getByRole('navigation', { name: 'Outline' }).locator('.folder');
      const [parts, isBelow] = await folder.evaluate((element) => [
        element.getClientRects().length,
        element.getBoundingClientRect().top > element.parentElement!.getBoundingClientRect().top + 10,
      ]);
      assert.deepEqual({ parts, isBelow }, { parts: 1, isBelow: true });
    } finally {
      await browser.close();
    }
  });
});

describe('a patch without sections', function () {
  this.timeout(120_000);

  it('has no outline, also where there is room for one', async () => {
    const browser = await launchBrowser();
    try {
      const { page } = await PatchPage.open(browser, patchView([]));
      const empty = page.getByText("This patch doesn't have any sections.");
      await expectNone(page.getByRole('navigation', { name: 'Outline' }), { once: empty });
      await expect(page.getByRole('button', { name: 'Outline' })).toBeDisabled();
      const main = await page.locator('main').boundingBox();
      assert.ok(main && main.width > 1200, String(main?.width));
    } finally {
      await browser.close();
    }
  });
});

describe('a patch of a stack of 200', function () {
  this.timeout(120_000);
  const marks: RailPatch['mark'][] = [
    'unread',
    'partlyRead',
    'read',
    'changed',
    'signedOff',
    'changesRequested',
  ];
  const rail = Array.from({ length: 200 }, (_value, index): RailPatch => ({
    changeId: index === 119 ? 'change' : `change-${index}`,
    title: `Patch with the number ${index + 1}`,
    mark: marks[index % marks.length]!,
    words: '',
  }));
  let browser: Browser;
  let page: Page;

  before(async () => {
    browser = await launchBrowser();
  });

  after(async () => {
    await browser.close();
  });

  const open = async (width: number): Promise<void> => {
    const text: SectionView = { type: 'text', code: 'text', text: 'Some words.' };
    const position = { stackTitle: 'A long story', index: 120, count: 200 };
    ({ page } = await PatchPage.open(browser, patchView([text], { position, rail }), width));
  };
  const dot = (number: number): Locator =>
    page.getByRole('button', { name: `Patch ${number} of 200: Patch with the number ${number}` });
  /** True when all of it can be seen among the dots. */
  const isInSight = (number: number): Promise<boolean> =>
    dot(number).evaluate((element) => {
      const [box, frame] = [element, element.closest('.rail-dots')!].map((one) =>
        one.getBoundingClientRect(),
      );
      return box!.left >= frame!.left - 1 && box!.right <= frame!.right + 1;
    });

  for (const width of [1280, 320]) {
    it(`has the present one in sight, and the others within reach, where there are ${width} pixels`, async () => {
      await open(width);
      await expect(page.locator('.rail-dot')).toHaveCount(200);
      await until(() => isInSight(120));
      assert.equal(await isInSight(1), false);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
      await dot(120).focus();
      await page.keyboard.press('End');
      await dot(200).and(page.locator(':focus')).waitFor();
      await until(() => isInSight(200));
      await expect(page.locator('.rail [tabindex="0"]')).toHaveCount(1);
    });
  }

  it('has room for its icons before their font is there, so that nothing moves when it comes', async () => {
    const icons = page.locator('.document:not(.beginning) .codicon');
    const widths = (): Promise<number[]> =>
      icons.evaluateAll((all) => all.map((icon) => icon.getBoundingClientRect().width));
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    const before = await widths();
    assert.ok(before.some((width) => width > 0));
    const otherFont = await page.addStyleTag({
      content: '.codicon { font-family: sans-serif !important }',
    });
    assert.deepEqual(await widths(), before);
    await otherFont.evaluate((style) => style.parentNode?.removeChild(style));
  });

  it('has a shape of its own for each thing that was done with a patch', async () => {
    // Colors are VS Code's, which is not there.
    await page.evaluate(() =>
      document.documentElement.style.setProperty('--vscode-editor-background', '#fff'),
    );
    const shapes = (): Promise<number> =>
      page.locator('.rail-dot > i').evaluateAll((dots, count) => {
        const all = dots.slice(0, count).map((one) => {
          const { backgroundImage, backgroundColor, transform, borderStyle } = getComputedStyle(one);
          return [backgroundImage, backgroundColor, transform, borderStyle, one.getAttribute('class')].join();
        });
        return new Set(all).size;
      }, marks.length);
    await expect.poll(shapes).toBe(marks.length);
  });
});
