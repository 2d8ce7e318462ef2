/** The looks of the patch document, as far as a picture of them can be measured. */
import assert from 'node:assert/strict';
import { expect } from '../support/expect.ts';
import {
  clippedControlsOf,
  followSystemTheme,
  overflowOf,
  setPageWidth,
  setSystemTheme,
  themes,
} from '../support/pageChecks.ts';
import { reply } from '../support/faultServer.ts';
import { pictureAfterFailure } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import { WrittenPatch } from '../support/writtenPatch.ts';

const texts = [
  '# First\n\nSome **words**, and what stands in `src/greet.ts#L1`.[^1]\n\n| name | count |\n|---|--:|\n| one | 1,000 |\n\n[^1]: A note.',
  `# Second\n\n${'Something to scroll past.\n\n'.repeat(60)}`,
];

describe('the looks of the patch document', function () {
  this.timeout(120_000);
  let patch: WrittenPatch;

  before(async () => {
    patch = await WrittenPatch.open(texts);
    await followSystemTheme(patch.window);
    await patch.section('Some words').locator('.prose').waitFor();
    // VS Code's own bar of icons takes 48 of the window then.
    await patch.window.runCommand('View: Close Primary Side Bar');
  });

  pictureAfterFailure(() => patch.window);

  afterEach(async () => {
    patch.recover();
    await patch.page.setViewportSize({ width: 1280, height: 800 });
  });

  after(async () => {
    await patch.close();
  });

  const handle = () => patch.section('Some words').locator('.drag-handle');
  const reference = () => patch.section('Some words').getByRole('button', { name: 'src/greet.ts#L1' });
  const file = () => patch.webview.locator('section[data-section-type="diff"]');
  const toolbar = async (): Promise<number> =>
    (await patch.webview.locator('.document-toolbar').boundingBox())!.y;

  it('have a reference to a file as a link, also where it is code, and not parted from the full stop after it', async () => {
    for (const theme of themes) {
      await setSystemTheme(patch.window, theme);
      await expect(reference()).toHaveCSS('display', 'inline');
      const isLikeItsCode = (): Promise<boolean> =>
        reference().evaluate((element) => {
          const colors = [element, element.querySelector('code')!].map((one) => getComputedStyle(one).color);
          return colors[0] !== '' && colors[0] === colors[1];
        });
      await expect.poll(isLikeItsCode, theme).toBe(true);
    }
  });

  it('have the cells of tables aligned as their author means it', async () => {
    await expect(patch.section('Some words').getByRole('cell', { name: '1,000' })).toHaveCSS(
      'text-align',
      /right/,
    );
  });

  it('have what sections are dragged by beside the ring of one that is selected, however narrow the window', async () => {
    for (const width of [448, 730, 760, 1280]) {
      await patch.page.setViewportSize({ width, height: 800 });
      await patch.section('Some words').hover();
      await handle().click();
      const selected = patch.webview.locator('.section[data-selected]');
      await selected.waitFor();
      const isBeside = (): Promise<boolean> =>
        selected.evaluate((section) => {
          const { outlineOffset, outlineWidth } = getComputedStyle(section);
          const { left, right } = section.querySelector('.drag-handle')!.getBoundingClientRect();
          const ring =
            section.getBoundingClientRect().left - parseFloat(outlineOffset) - parseFloat(outlineWidth);
          return left >= 0 && right <= ring;
        });
      await expect.poll(isBeside, `at ${width}`).toBe(true);
      await handle().press('Escape');
      await selected.waitFor({ state: 'detached' });
    }
  });

  it('stay where they are in the window when the document scrolls to a line, a note or a section', async () => {
    const { window, webview } = patch;
    const order = async (): Promise<string[]> => (await patch.sections()).map(({ identifier }) => identifier);
    const orderBefore = await order();
    const before = await toolbar();
    await reference().press('Enter');
    await webview.locator('tr.marked').waitFor();
    await expect.poll(toolbar).toBe(before);
    await patch.section('Some words').locator('.footnote-ref a').click();
    await expect.poll(toolbar).toBe(before);
    await webview
      .getByRole('navigation', { name: 'Outline' })
      .getByRole('button', { name: 'Second' })
      .click();
    await patch.section('Something to scroll past').and(webview.locator(':focus')).waitFor();
    await expect.poll(toolbar).toBe(before);
    await window.runCommand('Patch Stacks: Move Section Up');
    await webview.locator('.status-line .writing-note').waitFor();
    await expect.poll(toolbar).toBe(before);
    await webview.locator('.status-line').getByText('Undo').click();
    // The next tests have the service refuse what is written.
    await expect.poll(order).toEqual(orderBefore);
  });

  it('have the line that the keyboard is on below the header of its file', async () => {
    const { page, webview } = patch;
    await reference().press('Enter');
    await webview.locator('tr.marked').waitFor();
    await file()
      .locator('tr.row')
      .last()
      .evaluate((row) => {
        row.focus({ preventScroll: true });
        // So that the end of the document can be scrolled to the top.
        document.body.style.paddingBottom = '100vh';
        window.scrollBy({ top: row.getBoundingClientRect().top - 20 });
      });
    await page.keyboard.press('ArrowUp');
    const { line, header } = await file().evaluate((section) => ({
      line: document.activeElement!.getBoundingClientRect().top,
      header: section.querySelector('.section-header')!.getBoundingClientRect().bottom,
    }));
    assert.ok(line >= header, `the line at ${line}, the header to ${header}`);
  });

  it('tell what went wrong from what is only said by more than a color', async () => {
    patch.failWrites(reply(403, '{"error":"Only members may write."}'));
    await patch.section('Some words').focus();
    await patch.page.keyboard.press('Enter');
    await patch.source.and(patch.webview.locator(':focus')).waitFor();
    await patch.typeAtEnd(' More.');
    await patch.page.keyboard.press('Control+Enter');
    const problem = patch.webview.locator('.problem', { hasText: 'Only members may write' });
    await problem.locator('.codicon-error').waitFor();
    await problem.getByRole('button', { name: 'Discard' }).click();
    await patch.source.waitFor({ state: 'detached' });
  });

  it('tell of a conflict where the person is, however long the text is, and lead back to it from elsewhere', async () => {
    const { page, webview } = patch;
    const problem = webview.locator('.text-editor .problem', { hasText: 'Someone else' });
    const isInView = (): Promise<boolean> =>
      problem.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
    await patch.section('Something to scroll past').focus();
    await page.keyboard.press('Enter');
    await patch.source.and(webview.locator(':focus')).waitFor();
    await page.keyboard.press('Control+Home');
    await page.keyboard.insertText('# Mine and ');
    await patch.changeElsewhere('# Second', '# Theirs\n\nSomething to scroll past.\n\n'.repeat(60));
    await page.keyboard.press('Control+Enter');
    await problem.waitFor();
    await until(isInView);
    await webview.locator('body').evaluate(() => {
      document.body.style.paddingBottom = '200vh';
      window.scrollTo(0, document.body.scrollHeight);
    });
    const line = webview.locator('.status-line .problem', { hasText: 'Mine and' });
    await line.getByRole('button', { name: 'Show' }).press('Enter');
    await patch.source.and(webview.locator(':focus')).waitFor();
    await line.waitFor({ state: 'detached' });
    await until(isInView);
    await webview.locator('body').evaluate(() => (document.body.style.paddingBottom = ''));
    await problem.getByRole('button', { name: 'Discard' }).click();
    await patch.source.waitFor({ state: 'detached' });
    await patch.changeElsewhere('# Theirs', texts[1]!);
  });

  it('have every control in sight where 320 pixels are all there is, also while someone writes and looks for words', async () => {
    const { page, webview, window } = patch;
    await setPageWidth(window, 320);
    await expect.poll(() => clippedControlsOf(webview)).toEqual([]);
    await expect.poll(() => overflowOf(webview)).toBeLessThanOrEqual(0);
    // The toolbar's height is left free by everything that sticks below it.
    const lacking = (): Promise<number> =>
      webview.locator('.document-toolbar').evaluate((element) => {
        const kept = parseFloat(getComputedStyle(element).getPropertyValue('--toolbar-height'));
        return element.getBoundingClientRect().height - kept;
      });
    await expect.poll(lacking).toBe(0);
    await patch.section('Some words').focus();
    await page.keyboard.press('Enter');
    await patch.source.and(webview.locator(':focus')).waitFor();
    await expect.poll(() => clippedControlsOf(webview)).toEqual([]);
    await page.keyboard.press('Escape');
    await patch.source.waitFor({ state: 'detached' });
    await patch.section('Some words').focus();
    await window.pressInPatch('Control+f');
    await webview.getByRole('textbox', { name: 'Find' }).waitFor();
    await expect.poll(() => clippedControlsOf(webview)).toEqual([]);
    await page.keyboard.press('Escape');
    // A zoom of 400 % leaves so little height: it is for the text.
    await page.setViewportSize({ width: page.viewportSize()!.width, height: 380 });
    await expect(webview.locator('.document-toolbar')).toHaveCSS('position', 'static');
  });

  it('fit into a narrow window, however long names, titles and paths without a blank are', async () => {
    const { page, window, webview } = patch;
    const endless = 'x'.repeat(300);
    const person = { id: 20, login: endless, name: endless };
    patch.amendReads((read) => ({
      ...read,
      title: endless,
      description: `${endless} \`${endless}\``,
      contributors: [{ user: person }, { text: endless }],
      version: endless,
      review_all: { viewed: [person], signed_off: [person], rejected: [person] },
      sections: (read['sections'] as Record<string, unknown>[]).map((section) =>
        section['section_type'] === 'text'
          ? { ...section, data: `# ${endless}\n\n[${endless}](https://example.org)` }
          : { ...section, new_path: `${'folder/'.repeat(30)}${endless}.ts` },
      ),
    }));
    const widest = (): Promise<string> =>
      webview.locator('main').evaluate((main) =>
        [...main.querySelectorAll('*')]
          .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth)
          .map((element) => `${element.tagName}.${element.className}`)
          .join(', '),
      );
    await window.runCommand('Patch Stacks: Refresh');
    await webview.locator('h1', { hasText: endless }).first().waitFor();
    for (const width of [448, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      // The window is laid out anew in steps.
      const isWide = async (): Promise<boolean> => overflowOf(webview).then((pixels) => pixels > 0);
      await expect
        .poll(async () => ((await isWide()) ? widest() : 'nothing'), { message: `at ${width}` })
        .toBe('nothing');
    }
  });
});
