/** The patch document in states that are seen less often: all of its tools at once, a conflict, patches that can be read only. */
import assert from 'node:assert/strict';
import { git } from '../support/exampleRepository.ts';
import { expect, expectNone } from '../support/expect.ts';
import { reply } from '../support/faultServer.ts';
import {
  expectNoFaults,
  followSystemTheme,
  overflowOf,
  setSystemTheme,
  themes,
} from '../support/pageChecks.ts';
import { changesOnDisk, nothingOnDisk } from '../support/plantedChanges.ts';
import { pictureAfterFailure } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import { WrittenPatch } from '../support/writtenPatch.ts';

const texts = [
  '# First\n\nSome **words**, `code` and src/greet.ts#L1.\n\n- [x] done\n- [ ] to do',
  '# Second\n\nsrc/people.ts#L3\n\n| one | two |\n|---|---|\n| 1 | 2 |\n\n> Said by somebody.',
  '# Third\n\nThe same words.',
];

describe('states of the patch document', function () {
  this.timeout(180_000);
  let patch: WrittenPatch;

  before(async () => {
    patch = await WrittenPatch.open(texts, { settings: { 'files.autoSave': 'off' } });
    await followSystemTheme(patch.window);
    await patch.section('Some words').locator('.prose').waitFor();
  });

  pictureAfterFailure(() => patch.window);

  afterEach(async () => {
    patch.recover();
    await patch.page.mouse.up();
    await patch.page.setViewportSize({ width: 1280, height: 800 });
  });

  after(async () => {
    await patch.close();
  });

  const press = (name: string | RegExp): Promise<void> =>
    patch.webview.getByRole('button', { name, exact: true }).click();
  const handle = (words: string) => patch.section(words).locator('.drag-handle');
  const lines = () => patch.page.locator('.monaco-editor .view-lines');

  async function hasNoFaults(): Promise<void> {
    for (const theme of themes) {
      await setSystemTheme(patch.window, theme);
      await expectNoFaults(patch.webview, { message: theme });
    }
  }

  it('have no fault that axe finds: both sides, outline, find, sections selected and dragged', async () => {
    const { page, webview } = patch;
    // There is room for both sides and the outline beside VS Code's own side bar.
    await page.setViewportSize({ width: 1700, height: 800 });
    await press('Side by side');
    await webview.locator('.side-by-side').waitFor();
    await patch.section('Some words').hover();
    await handle('Some words').click();
    await patch.section('Said by somebody').hover();
    await handle('Said by somebody').click();
    await webview.getByText('2 sections selected').waitFor({ state: 'attached' });
    await press('Find in patch');
    await webview.getByRole('textbox', { name: 'Find' }).fill('word');
    await webview.locator('.find-count').getByText('1 of 2').waitFor();
    await webview.getByRole('navigation', { name: 'Outline' }).waitFor();

    const from = (await handle('Said by somebody').boundingBox())!;
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(from.x + from.width / 2, from.y + 30, { steps: 4 });
    const line = webview.locator('section[data-drop-edge="bottom"]');
    await until(async () => {
      const to = (await patch.section('The same words').boundingBox())!;
      await page.mouse.move(to.x + 60, to.y + to.height - 3, { steps: 6 });
      return line.isVisible();
    });
    await hasNoFaults();
    await expect(line).toBeVisible();
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await press('Close');
    await press('Side by side');
    await handle('Some words').press('Escape');
  });

  it('have headers that what scrolls below them does not show through, in every theme', async () => {
    const headers = patch.webview.locator(
      '.document-toolbar, section[data-section-type="diff"] > .section-header',
    );
    for (const theme of themes) {
      await setSystemTheme(patch.window, theme);
      const areOpaque = (): Promise<boolean> =>
        headers.evaluateAll((elements) => {
          const colors = elements.map((element) => getComputedStyle(element).backgroundColor);
          return colors.length > 1 && colors.every((color) => color.startsWith('rgb('));
        });
      await expect.poll(areOpaque, theme).toBe(true);
    }
  });

  it('have no fault that axe finds: the outline over the text, in a narrow window, gone when there is room', async () => {
    const { page, webview } = patch;
    const outline = webview.getByRole('navigation', { name: 'Outline' });
    await page.setViewportSize({ width: 1500, height: 800 });
    await outline.waitFor();
    await press('Outline');
    await outline.waitFor({ state: 'detached' });
    await press('Outline');
    await outline.waitFor();
    await page.setViewportSize({ width: 448, height: 800 });
    // The outline that was open beside the text does not cover it.
    await outline.waitFor({ state: 'detached' });
    await press('Outline');
    await outline.waitFor();
    await hasNoFaults();
    await expect.poll(() => overflowOf(webview)).toBeLessThanOrEqual(0);
    await press('Outline');
    await outline.waitFor({ state: 'detached' });
  });

  it('have no fault that axe finds: a text in conflict with what someone else has written', async () => {
    await patch.edit('The same words');
    await expect(patch.source).toHaveAttribute('spellcheck', 'true');
    await expect(patch.source).toHaveAttribute('class', /cm-lineWrapping/);
    await patch.typeAtEnd(' Mine.');
    await patch.changeElsewhere('The same words', '# Third\n\nThe same words. Theirs.');
    await patch.page.keyboard.press('Control+Enter');
    await patch.webview.getByText(/Resolve the conflict/).waitFor();
    await hasNoFaults();
    await patch.webview.locator('.problem').getByRole('button', { name: 'Discard' }).click();
    await patch.source.waitFor({ state: 'detached' });
    await patch.section('Theirs.').locator('.prose').waitFor();
  });

  it('have no fault that axe finds: a patch with a description, signed off, not agreed with and opened by many', async () => {
    const { page, webview, window } = patch;
    const users = ['Grace', 'Emmy'].map((name, index) => ({
      id: 10 + index,
      login: name.toLowerCase(),
      name,
    }));
    patch.amendReads((read) => ({
      ...read,
      description: 'What it is **for**.',
      review_all: { viewed: users, signed_off: users.slice(0, 1), rejected: users.slice(1) },
    }));
    await window.runCommand('Patch Stacks: Refresh');
    const header = webview.locator('.patch-header');
    await header.locator('.prose strong', { hasText: 'for' }).waitFor();
    await header.locator('p', { hasText: 'Opened by' }).getByText('Emmy').waitFor();
    await header.locator('p', { hasText: 'Signed off by' }).getByText('Grace').waitFor();
    await header.locator('p', { hasText: 'Changes requested by' }).getByText('Emmy').waitFor();
    await hasNoFaults();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await press(/Change and commit IDs$/);
    await press('Copy change ID');
    const isChangeId = (text: string): boolean => /^I[0-9a-f]{40}$/.test(text);
    await until(async () => isChangeId(await page.evaluate(() => navigator.clipboard.readText())));
    await press('Find in patch');
    const box = webview.getByRole('textbox', { name: 'Find' });
    await box.focus();
    await page.keyboard.press('Control+v');
    await until(async () => isChangeId(await box.inputValue()));
    await box.press('Escape');
    patch.recover();
    await window.runCommand('Patch Stacks: Refresh');
    await header.locator('.prose').waitFor({ state: 'detached' });
  });

  it('lead to files that the patch does not change', async () => {
    const { window } = patch;
    await patch.webview.getByRole('button', { name: 'src/people.ts#L3' }).click();
    await window.editorTab('people.ts').waitFor();
    await window.statusBarItem('Ln 3').waitFor();
    await window.editorTab('Greet people by name').first().click();
  });

  it('are not left with Escape while a text is on its way', async () => {
    const arrived = Promise.withResolvers<null>();
    patch.failWrites(async (response, request, attempt) => {
      await arrived.promise;
      await reply(403, '{"error":"Only members may write."}')(response, request, attempt);
    });
    await patch.edit('Theirs.');
    await patch.typeAtEnd(' Sent.');
    await patch.page.keyboard.press('Control+Enter');
    await patch.webview.getByText('Saving…').waitFor();
    await patch.page.keyboard.press('Escape');
    arrived.resolve(null);
    await patch.webview.getByText('Not sent, saved locally').waitFor();
    await patch.source.filter({ hasText: 'Sent.' }).waitFor();
    await patch.webview.locator('.problem').getByRole('button', { name: 'Discard' }).click();
    await patch.source.waitFor({ state: 'detached' });
  });

  it('survive in a text editor: what is typed is there after a reload of the window, and still to be sent', async () => {
    const { page, window } = patch;
    await patch.section('Said by somebody').focus();
    await window.runCommand('Patch Stacks: Edit Section in Text Editor');
    await lines().filter({ hasText: 'Said by somebody.' }).first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' And kept.');
    await until(async () => (await changesOnDisk(patch.editor)).length === 1);
    await window.reload();
    await lines().filter({ hasText: 'And kept.' }).waitFor();
    assert.equal((await changesOnDisk(patch.editor)).length, 1);
    assert.equal(patch.writes, 0);
    await lines().filter({ hasText: 'And kept.' }).first().click();
    await page.keyboard.press('Control+S');
    await until(async () =>
      (await patch.contents()).some((text) => text.endsWith('Said by somebody. And kept.')),
    );
    await nothingOnDisk(patch.editor);
    await window.editorTab('Greet people by name').first().click();
    await patch.section('And kept.').locator('.prose').waitFor();
  });

  describe('of a closed patch stack', () => {
    const why = 'This patch stack is closed and read-only.';

    beforeEach(async () => {
      await patch.setStackStatus('closed');
    });

    afterEach(async () => {
      await patch.setStackStatus('active');
      await patch.window.runCommand('View: Close All Editors');
      await patch.window.runCommand('Patch Stacks: Refresh');
      await patch.show(patch.window);
    });

    const seeWhy = async (): Promise<void> => {
      // The palette would take the focus from a text that is open.
      await patch.page.locator('.part.sidebar .actions-container [aria-label^="Refresh"]').first().click();
      await patch.webview.locator('.patch-header').getByText(why).waitFor();
    };

    it('say why nothing can be changed, offer nothing that would, and lead to where it can', async () => {
      const { page, webview, window } = patch;
      await seeWhy();
      await hasNoFaults();
      for (const name of ['Sign Off', 'Edit section', 'More actions']) {
        await expect(webview.getByRole('button', { name }), name).toHaveCount(0);
      }
      await expect(webview.locator('.drag-handle, .insert-gap')).toHaveCount(0);
      await patch.section('Some words').locator('.prose').dblclick();
      await patch.section('Some words').focus();
      await page.keyboard.press('Enter');
      for (const keys of ['Alt+ArrowDown', 'Delete Section', 'Add Section', 'Sign Off Patch']) {
        await patch.section('Some words').focus();
        await (keys.startsWith('Alt')
          ? window.pressInPatch(keys, 'section')
          : window.runCommand(`Patch Stacks: ${keys}`));
        await window.told(why);
        await window.runCommand('Notifications: Clear All Notifications');
      }
      // All that was tried has been answered.
      await expectNone(patch.source, { once: webview.locator('.patch-header').getByText(why) });
      assert.equal(patch.writes, 0);
      await press('Reopen Patch Stack');
      await webview.locator('.patch-header').getByText(why).waitFor({ state: 'detached' });
      await patch.edit('Some words');
      await page.keyboard.press('Escape');
    });

    it('let what was begun before be sent', async () => {
      await patch.setStackStatus('active');
      await patch.edit('Some words');
      await patch.typeAtEnd(' too');
      await patch.setStackStatus('closed');
      await seeWhy();
      await press('Save');
      await patch.source.waitFor({ state: 'detached' });
      assert.ok((await patch.contents()).some((text) => text.endsWith('to do too')));
    });

    it('say why in a text editor too, which takes no typing', async () => {
      const { page, window } = patch;
      await seeWhy();
      await patch.section('Said by somebody').focus();
      await window.runCommand('Patch Stacks: Edit Section in Text Editor');
      await window.told(why);
      const text = lines().filter({ hasText: 'Said by somebody.' }).first();
      await text.click();
      const before = await text.innerText();
      await page.keyboard.type('x');
      const refusal = page.locator('.monaco-editor-overlaymessage').getByText(/read-only/);
      await expectNone(page.locator('.tab.dirty'), { once: refusal });
      await expect.poll(() => text.innerText()).toBe(before);
      assert.equal(patch.writes, 0);
    });
  });

  // Last: the patch is another one after it.
  describe('of an earlier version of a patch stack', () => {
    const why = 'This patch stack is inactive. There may be a newer version.';

    it('say so, and lead to what is new in the newest', async () => {
      const { webview, window, editor } = patch;
      git(editor.repository, 'commit', '--quiet', '--allow-empty', '-m', 'Say it once more');
      await editor.service.importRepository();
      // What stands before the service tells nothing of news.
      await window.runCommand('Patch Stacks: Refresh');
      await webview.locator('.newer-note').getByText('Version 2 is here: 1 new, 5 unchanged.').waitFor();
      await expect(webview.getByText(why)).toHaveCount(0);
      // It is for the service to say what can be changed in it.
      await webview.getByRole('button', { name: 'Edit section' }).first().waitFor();
      await hasNoFaults();
      await press('Read What Changed');
      await webview.locator('.document:not(.beginning)').getByText('Patch 6 of 6').waitFor();
      await expect(webview.locator('.newer-note')).toHaveCount(0);
    });

    it('say that it is inactive where there is no newer one', async () => {
      const { webview, window, editor } = patch;
      git(editor.repository, 'switch', '--quiet', '--detach');
      git(editor.repository, 'branch', '-D', 'greet/größer');
      await editor.service.importRepository();
      await window.runCommand('Patch Stacks: Refresh');
      await webview.locator('.patch-header').getByText(why).waitFor();
      await expect(webview.locator('.newer-note')).toHaveCount(0);
    });
  });
});
