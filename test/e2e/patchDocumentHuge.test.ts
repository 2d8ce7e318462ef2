/** Patches too large to be on a page at once: a file of 50,000 changed lines, and a patch of 3,000 files. */
import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import type { SectionView } from '../../src/protocol/patchDocument.ts';
import { launchBrowser } from '../../tools/browser.ts';
import { expect } from '../support/expect.ts';
import { PatchPage, patchView } from '../support/patchPage.ts';
import { until } from '../support/until.ts';

/** Elements that a page has at most. */
const mostElements = 3_000;
const lines = 25_000;
const files = 3_000;

/** A file of which every line changed; each 50th is too long for one line of the window. */
function file(index: number, count: number): SectionView {
  const path = `src/folder${index % 40}/file${index}.ts`;
  const changes = Array.from({ length: count }, (_value, at) => {
    const words = at % 50 === 7 ? ` // ${'many words '.repeat(40)}` : '';
    return `-const before${at} = ${index};\n+const after${at} = ${index};${words}\n`;
  }).join('');
  const diff = `--- a/${path}\n+++ b/${path}\n@@ -1,${count} +1,${count} @@\n${changes}`;
  return {
    type: 'diff',
    code: `file-${index}`,
    path,
    diff,
    diffLength: diff.length,
    diffLines: 2 * count + 3,
  };
}

/** The lines of the files' new side, as they are copied. */
function newLines(section: SectionView): string[] {
  return section.type === 'diff'
    ? (section.diff ?? '').split('\n').flatMap((line) => (/^\+(?!\+)/.test(line) ? [line.slice(1)] : []))
    : [];
}

const elements = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length);

const nextFrames = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** Scrolls up and down: by how many pixels the line in the middle was elsewhere than it was scrolled to, at most. */
function largestJump(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
    const root = document.documentElement;
    const middle = (): Element | undefined =>
      document.elementFromPoint(innerWidth * 0.7, innerHeight / 2)?.closest('tr[data-row], .section-place') ??
      undefined;
    let largest = 0;
    for (const step of [-90, 90]) {
      root.scrollTop = root.scrollHeight / 2;
      while (!middle()) {
        await nextFrame();
      }
      for (let turn = 0; turn < 80; turn++) {
        const line = middle();
        const top = line?.getBoundingClientRect().top ?? 0;
        root.scrollTop += step;
        await nextFrame();
        await nextFrame();
        if (line?.isConnected) {
          largest = Math.max(largest, Math.abs(line.getBoundingClientRect().top - top + step));
        }
      }
    }
    return largest;
  });
}

/** Has what is copied noted, and copies what is selected. */
async function copied(page: Page): Promise<string> {
  await page.evaluate(() => {
    Object.assign(globalThis, { copied: undefined });
    addEventListener(
      'copy',
      (event) => Object.assign(globalThis, { copied: event.clipboardData?.getData('text/plain') }),
      { once: true },
    );
  });
  await page.keyboard.press('Control+C');
  return page.evaluate(() => (globalThis as unknown as { copied: string }).copied);
}

function find(page: Page, text: string): Promise<void> {
  return page.getByRole('textbox', { name: 'Find' }).fill(text);
}

async function isOnScreen(row: Locator): Promise<boolean> {
  return row.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    // Pages are scrolled by whole pixels.
    return top >= 0 && bottom <= innerHeight + 1;
  });
}

/** Goes to the next change and the like, as VS Code's keys have the page do. */
function go(page: Page, to: string, direction: string): Promise<unknown> {
  return page.evaluate(
    (parameters) =>
      (globalThis as unknown as { ask: (method: string, parameters: unknown) => Promise<unknown> }).ask(
        'go',
        parameters,
      ),
    { to, direction },
  );
}

describe('a file of 50,000 changed lines', function () {
  this.timeout(180_000);
  const section = file(0, lines);
  let browser: Browser;
  let page: Page;

  before(async () => {
    browser = await launchBrowser();
    ({ page } = await PatchPage.open(browser, patchView([section]), 1000, 700));
    await page.evaluate('window.answers.diffs = () => ({})');
    await page.locator('.file-toggle').click();
    await page.getByRole('row', { name: 'removed, line 1:' }).waitFor();
  });

  after(() => browser.close());

  const row = (index: number): Locator => page.locator(`tr[data-row="${index}"]`);
  const toTop = async (): Promise<void> => {
    await page.evaluate(() => {
      getSelection()?.removeAllRanges();
      scrollTo(0, 0);
    });
    await row(0).waitFor();
  };

  it('has few elements, wherever it is scrolled to', async () => {
    for (const part of [0, 0.3, 0.7, 1]) {
      await page.evaluate((share) => scrollTo(0, document.documentElement.scrollHeight * share), part);
      await nextFrames(page);
      const count = await elements(page);
      assert.ok(count < mostElements, `${count} at ${part}`);
    }
    await row(2 * lines - 1).waitFor();
    await toTop();
  });

  it('has lines on the whole screen in each frame in which it is scrolled', async () => {
    const empty = await page.evaluate(async () => {
      let count = 0;
      for (let turn = 0; turn < 60; turn++) {
        document.documentElement.scrollTop += turn < 30 ? 300 : 9_000;
        // Frames are drawn after this.
        await new Promise((resolve) => requestAnimationFrame(resolve));
        for (const part of [0.2, 0.5, 0.9]) {
          const found = document.elementFromPoint(innerWidth * 0.7, innerHeight * part);
          count += found?.closest('tr.unread') ? 1 : 0;
        }
      }
      return count;
    });
    assert.equal(empty, 0);
    await toTop();
  });

  it('does not jump while it is scrolled through lines that are higher than others', async () => {
    assert.ok((await largestJump(page)) <= 1);
    await toTop();
  });

  it('finds a line that is not drawn', async () => {
    await page.getByRole('button', { name: 'Find in patch' }).click();
    await find(page, `after${lines - 3} `);
    await page.locator('.find-count').getByText('1 of 1').waitFor();
    const marked = page.locator('tr.marked');
    await marked.getByText(`after${lines - 3}`).waitFor();
    await until(() => isOnScreen(marked));
    assert.ok((await elements(page)) < mostElements);
    await page.keyboard.press('Escape');
    await expect(marked).toBeFocused();
    await toTop();
  });

  it('copies all of its code when everything is selected, also where it is not drawn', async () => {
    await page.keyboard.press('Control+A');
    const text = await copied(page);
    const code = (section.type === 'diff' ? (section.diff ?? '') : '').split('\n').slice(3, -1);
    assert.ok(text.endsWith(code.map((line) => line.slice(1)).join('\n')));
    await toTop();
  });

  it('copies what is selected from one line to another that is drawn later', async () => {
    const select = (from: number, to: number): Promise<unknown> =>
      page.evaluate(
        ([start, end]) => {
          const cell = (at: number | undefined): Node =>
            document.querySelector(`tr[data-row="${at}"] td.code`) ?? document.body;
          getSelection()?.setBaseAndExtent(
            start === undefined ? (getSelection()?.anchorNode ?? document.body) : cell(start),
            0,
            cell(end),
            cell(end).childNodes.length,
          );
        },
        [from < 0 ? undefined : from, to] as const,
      );
    await select(2, 3);
    await page.evaluate(() => scrollBy(0, 200_000));
    await until(async () => (await row(0).count()) === 0 || (await row(200).count()) === 0);
    await expect(row(2)).toHaveCount(1);
    const last = Number(await page.locator('tr[data-row]').last().getAttribute('data-row'));
    await select(-1, last);
    assert.ok((await elements(page)) < mostElements);
    const code = (section.type === 'diff' ? (section.diff ?? '') : '').split('\n').slice(3);
    assert.equal(
      await copied(page),
      code
        .slice(2, last + 1)
        .map((line) => line.slice(1))
        .join('\n'),
    );
    await toTop();
  });

  it('is walked through by keys, from line to line and from where it is not drawn any more', async () => {
    await row(0).focus();
    for (let press = 0; press < 45; press++) {
      await page.keyboard.press('ArrowDown');
    }
    await expect(row(45)).toBeFocused();
    await until(() => isOnScreen(row(45)));
    await page.evaluate(() => scrollBy(0, 400_000));
    await until(async () => (await row(100).count()) === 0);
    // Far away it still has the focus.
    await expect(row(45)).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(row(44)).toBeFocused();
    await until(() => isOnScreen(row(44)));
    await toTop();
  });

  it('says of each line which one it is, and how many there are', async () => {
    const table = page.getByRole('table', { name: 'Changes in src/folder0/file0.ts' });
    await expect(table).toHaveAttribute('aria-rowcount', String(2 * lines + 1));
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const last = page.getByRole('row', { name: `added, line ${lines}: const after${lines - 1} = 0;` });
    await last.waitFor();
    await expect(last).toHaveAttribute('aria-rowindex', String(2 * lines + 1));
    await toTop();
  });
});

describe('a file of 2 MB in one line', function () {
  this.timeout(120_000);
  const around = Array.from({ length: 100_000 }, (_value, index) => `word${index};`).join(' ');
  const lineWith = (word: string): string => `${around} ${word} ${around}`;
  const diff = `--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-${lineWith('old')}\n+${lineWith('new')}\n`;
  let browser: Browser;
  let page: Page;

  before(async () => {
    browser = await launchBrowser();
    const section = {
      type: 'diff',
      code: 'file',
      path: 'a.js',
      diff,
      diffLength: diff.length,
      diffLines: 5,
    } as const;
    ({ page } = await PatchPage.open(browser, patchView([section]), 1000, 700));
    await page.evaluate('window.answers.diffs = () => ({})');
    await page.locator('.file-toggle').click();
  });

  after(() => browser.close());

  const added = (): Locator => page.locator('tr[data-line-type="add"] td.code');

  it('begins with the words that changed and what is around them', async () => {
    await added().locator('mark', { hasText: 'new' }).waitFor();
    await expect(page.locator('td.code mark')).toHaveText(['old', 'new']);
    await expect(added()).toHaveText(/word99999; new word0; word1;/, { useInnerText: true });
    await expect.poll(async () => (await added().innerText()).length).toBeLessThan(1_000);
    assert.ok((await page.evaluate(() => document.documentElement.scrollHeight)) < 3_000);
    await expect(page.getByRole('row', { name: 'added, line 1' })).toHaveAttribute(
      'aria-label',
      /; new word0;/,
    );
  });

  it('shows more of it when that is asked for', async () => {
    const more = added()
      .getByRole('button', { name: /characters/ })
      .first();
    await more.click();
    await added().getByText('word0; word1; word2;').first().waitFor();
    await expect.poll(async () => (await added().innerText()).length).toBeLessThan(7_000);
    await expect(added().getByRole('button', { name: /characters/ })).toHaveCount(2);
  });

  it('finds what is not drawn of it', async () => {
    await page.getByRole('button', { name: 'Find in patch' }).click();
    await find(page, 'word77777;');
    await page.locator('.find-count').getByText('1 of 4').waitFor();
    await page.locator('tr.marked td.code').getByText('word77776; word77777; word77778;').waitFor();
    const marked = (): Promise<string[]> =>
      page.evaluate(() =>
        [...(CSS.highlights.get('find-current') ?? [])].map((range) => (range as Range).toString()),
      );
    await until(async () => (await marked()).join() === 'word77777;');
    await page.keyboard.press('Escape');
  });

  it('copies all of it, and of a selection from one part to another what is between them', async () => {
    await page.keyboard.press('Control+A');
    assert.ok((await copied(page)).endsWith(`${lineWith('old')}\n${lineWith('new')}`));
    await added().evaluate((cell) => {
      const parts = [...cell.querySelectorAll('[data-start]')];
      const [first, last] = [parts[0], parts.at(-1)];
      const text = (part: Element | undefined): Node =>
        document.createTreeWalker(part ?? document, NodeFilter.SHOW_TEXT).nextNode() ?? document;
      getSelection()?.setBaseAndExtent(text(first), 4, text(last), 6);
    });
    const start = await added().locator('[data-start]').last().getAttribute('data-start');
    assert.equal(await copied(page), lineWith('new').slice(4, Number(start) + 6));
  });
});

describe('a patch of 3,000 files', function () {
  this.timeout(180_000);
  const sections = Array.from({ length: files }, (_value, index) => file(index, 5));
  let browser: Browser;
  let page: Page;

  before(async () => {
    browser = await launchBrowser();
    ({ page } = await PatchPage.open(browser, patchView(sections), 1280, 700));
    await page.evaluate('window.answers.diffs = () => ({})');
    await page.locator('.far-sections').first().waitFor({ state: 'attached' });
  });

  after(() => browser.close());

  const place = (index: number): Locator => page.locator(`[data-section="file-${index}"]`);
  const toTop = async (): Promise<void> => {
    await page.evaluate(() => {
      getSelection()?.removeAllRanges();
      (document.activeElement as HTMLElement | null)?.blur();
      scrollTo(0, 0);
    });
    await place(0).waitFor();
  };

  it('has few elements, wherever it is scrolled to', async () => {
    for (const part of [0, 0.3, 0.7, 1]) {
      await page.evaluate((share) => scrollTo(0, document.documentElement.scrollHeight * share), part);
      await nextFrames(page);
      const count = await elements(page);
      assert.ok(count < mostElements, `${count} at ${part}`);
    }
    await toTop();
  });

  it('does not jump while it is scrolled', async () => {
    assert.ok((await largestJump(page)) <= 1);
    await toTop();
  });

  it('goes from change to change and from file to file where nothing is drawn yet', async () => {
    await page.getByRole('navigation', { name: 'Outline' }).locator('[aria-current="true"]').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expect(place(files - 1)).toBeFocused();
    await go(page, 'file', 'previous');
    await expect(place(files - 2)).toBeFocused();
    await page.evaluate(() => scrollTo(0, 0));
    await until(async () => (await place(files - 1).count()) === 0);
    await go(page, 'change', 'previous');
    const line = place(files - 3).locator('tr:focus');
    await line.getByText(`before0 = ${files - 3}`).waitFor();
    await until(() => isOnScreen(line));
    await toTop();
  });

  it('copies all of the code of all files', async () => {
    await page.keyboard.press('Control+A');
    const text = await copied(page);
    for (const index of [0, 1, 50, 1_500, files - 1]) {
      const section = sections[index]!;
      assert.ok(text.includes(newLines(section)[3] ?? '?'), `file ${index}`);
      assert.ok(text.includes(section.type === 'diff' ? section.path : '?'), `name of file ${index}`);
    }
    assert.equal(text.split(/\bafter0\b/).length - 1, files);
    assert.equal(text.split(/\bbefore4\b/).length - 1, files);
    await toTop();
  });
});
