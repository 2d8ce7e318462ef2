/** The patch document without a mouse: what other tests click on, by its keys. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { expect, expectNone } from '../support/expect.ts';
import { reply } from '../support/faultServer.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import { WrittenPatch } from '../support/writtenPatch.ts';

const texts = [
  '# First\n\nSee src/greet.ts#L2 and [more](https://example.org).',
  '# Second\n\nSome words.',
  '# Third\n\nThe last ones.',
];

describe('the patch document, by its keys,', function () {
  this.timeout(400_000);
  let patch: WrittenPatch;

  before(async () => {
    patch = await WrittenPatch.open(texts);
  });

  beforeEach(async () => {
    patch.recover();
    await patch.window.tree.open('Greet people by name');
    await patch.webview
      .locator('.document:not(.beginning) h1', { hasText: 'Greet people by name' })
      .waitFor();
    await patch.section('Some words').locator('.prose').waitFor();
    await patch.window.focusInPatch();
  });

  tidyAfterEach(() => patch.window, { editors: true });

  after(async () => {
    await patch.close();
  });

  const button = (name: string | RegExp): Locator =>
    patch.webview.getByRole('button', { name, exact: true }).first();
  const press = (name: string | RegExp, key = 'Enter'): Promise<void> => button(name).press(key);
  const focused = (of: Locator): Promise<void> => of.and(patch.webview.locator(':focus')).waitFor();
  /** The ids are behind one button. */
  const showIds = async (): Promise<void> => {
    const chip = button(/Change and commit IDs$/);
    if ((await chip.getAttribute('aria-expanded')) === 'false') {
      await chip.press('Enter');
    }
    await button('Copy change ID').waitFor();
  };
  const file = (): Locator => patch.webview.locator('section[data-section-type="diff"]');

  it('has every control on the way of the Tab key, each in sight and with a ring while it has the focus', async () => {
    const { page, webview } = patch;
    const body = webview.locator('body');
    // Controls that appear with the focus are there at once.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1500, height: 800 });
    await webview.getByRole('navigation', { name: 'Outline' }).waitFor();
    const walk = async (): Promise<{ seen: string[]; all: string[]; faults: string[] }> => {
      const controls = await body.evaluate(() => {
        const all = document.querySelectorAll<HTMLElement>(
          'button:not(:disabled), a[href], input, [tabindex="0"]',
        );
        const reached = [...all].filter(({ tabIndex }) => tabIndex === 0);
        reached.forEach((element, index) => (element.dataset['control'] = String(index)));
        reached[0]?.focus();
        return reached.length;
      });
      assert.ok(controls > 12, String(controls));
      const seen: string[] = [];
      const faults: string[] = [];
      for (let step = 0; step < controls; step++) {
        const { control, fault } = await body.evaluate(() => {
          const element = document.activeElement as HTMLElement;
          const { outlineStyle, outlineWidth } = getComputedStyle(element);
          const inSight = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
          const { top, bottom, left, right } = element.getBoundingClientRect();
          const onScreen = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
          const ring = outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
          const what = element.outerHTML.slice(0, 120);
          return {
            control: element.dataset['control'] ?? what,
            fault:
              inSight && onScreen && ring ? '' : `${JSON.stringify({ inSight, onScreen, ring })} ${what}`,
          };
        });
        seen.push(control);
        faults.push(...(fault === '' ? [] : [fault]));
        await page.keyboard.press('Tab');
      }
      const all = Array.from({ length: controls }, (_value, index) => String(index));
      return { seen, all, faults };
    };
    let walked = await walk();
    // VS Code has just opened the document, and may have taken the focus for itself meanwhile.
    for (let more = 2; more > 0 && walked.seen.join() !== walked.all.join(); more--) {
      walked = await walk();
    }
    const { seen, all, faults } = walked;
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.setViewportSize({ width: 1280, height: 800 });
    assert.deepEqual(faults, []);
    assert.deepEqual(seen, all);
  });

  it('has one stop of the Tab key for each toolbar, and the arrow keys within', async () => {
    const { page, webview } = patch;
    const stops = await webview
      .getByRole('toolbar')
      .evaluateAll((bars) => bars.map((bar) => bar.querySelectorAll('[tabindex="0"]').length));
    assert.ok(stops.length > 4);
    assert.deepEqual(new Set(stops), new Set([1]));
    await button(/^Patch 1 of \d+: Greet people by name/).focus();
    await page.keyboard.press('ArrowRight');
    await focused(button(/^Patch 2 of \d+: Call names people/));
    await button('Side by side').focus();
    await page.keyboard.press('End');
    await focused(button('Open all changes in the diff editor'));
    await page.keyboard.press('ArrowRight');
    await focused(button('Side by side'));
    await button('Sign Off and Next').focus();
    await page.keyboard.press('ArrowLeft');
    await focused(button('Request Changes'));
  });

  it('names each line of a diff by what became of it, and heads its columns', async () => {
    const { webview } = patch;
    const table = webview.getByRole('table', { name: 'Changes in src/greet.ts' });
    await table.getByRole('columnheader', { name: 'Line before' }).waitFor({ state: 'attached' });
    const named = (name: string): Promise<void> => table.getByRole('row', { name, exact: true }).waitFor();
    await named('removed, line 1: export function greet(): string {');
    await named('added, line 1: export function greet(name: string): string {');
    await press('Side by side');
    await named(
      'removed, line 1: export function greet(): string {; added, line 1: export function greet(name: string): string {',
    );
    const signs = await table
      .locator('td.marker')
      .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-marker') ?? ''));
    assert.deepEqual(new Set(signs), new Set(['−', '+', '']));
    await press('Side by side');
    await expect(file().getByRole('region')).toHaveCount(0);
    // Playwright's own levels do not know one that is given by its attribute.
    await webview.locator('h1[aria-level="2"]', { hasText: 'First' }).waitFor();
  });

  it('is silent while someone types', async () => {
    const { page, webview } = patch;
    await patch.section('Some words').focus();
    await patch.window.pressInPatch('Enter', 'section');
    await focused(patch.source);
    await webview.locator('body').evaluate((body) => {
      const said: string[] = [];
      Object.assign(globalThis, { said });
      new MutationObserver((records) => {
        for (const { target } of records) {
          const element = target instanceof Element ? target : target.parentElement;
          const region = element?.closest('[role="status"], [role="alert"], [aria-live]');
          if (region?.textContent) {
            said.push(region.textContent);
          }
        }
      }).observe(body, { subtree: true, childList: true, characterData: true });
    });
    for (const letter of 'forty characters that nobody wants to hear') {
      await page.keyboard.type(letter);
    }
    await webview.locator('.editor-status').getByText('Saved locally').waitFor();
    const said = await webview
      .locator('body')
      .evaluate(() => (globalThis as unknown as { said: string[] }).said);
    assert.deepEqual(said, []);
    await page.keyboard.press('Escape');
    // Else its tab may be closed before it has said that this is discarded.
    await patch.source.waitFor({ state: 'detached' });
  });

  it('chooses how diffs are shown, and folds them', async () => {
    const { webview } = patch;
    await press('Side by side', 'Space');
    await file().locator('.side-by-side').waitFor();
    await press('Side by side');
    await file().locator('.unified').waitFor();
    await press('Ignore whitespace', 'Space');
    await webview.locator('[aria-label="Ignore whitespace"][aria-pressed="true"]').waitFor();
    await press('Ignore whitespace');
    await press('Collapse all files');
    await file().locator('tr.row').first().waitFor({ state: 'detached' });
    await press('Expand all files');
    await file().locator('tr.row').first().waitFor();
    await focused(button('Expand all files'));
  });

  it('finds, goes from match to match with F3 and with the buttons, and without a match leaves the person where they were', async () => {
    const { page, webview } = patch;
    await patch.section('Some words').focus();
    await patch.window.pressInPatch('Control+f');
    const box = webview.getByRole('textbox', { name: 'Find' });
    await focused(box);
    await page.keyboard.type('hello');
    const count = webview.locator('.find-count');
    await count.getByText('1 of 2').waitFor();
    await page.keyboard.press('F3');
    await count.getByText('2 of 2').waitFor();
    await page.keyboard.press('Shift+F3');
    await count.getByText('1 of 2').waitFor();
    await press('Next match');
    await count.getByText('2 of 2').waitFor();
    await press('Previous match');
    await count.getByText('1 of 2').waitFor();
    await press('Match case', 'Space');
    await count.getByText('No results').waitFor();
    await press('Close');
    await box.waitFor({ state: 'detached' });
    await focused(patch.section('Some words'));
  });

  it('goes from change to change with F7, and to the next section or file, but not while someone types', async () => {
    const { page, webview, window } = patch;
    const said = (text: string): Promise<void> =>
      webview.locator('[aria-live]').getByText(text, { exact: true }).waitFor({ state: 'attached' });
    const removed = webview.getByRole('row', { name: 'removed, line 1: export function greet(): string {' });
    await patch.section('See src').focus();
    await window.pressInPatch('F7', 'section');
    await focused(removed);
    await window.pressInPatch('F7');
    await said('No more changes after this one');
    await page.keyboard.press('ArrowDown');
    await window.pressInPatch('Shift+F7');
    await said('No more changes before this one');
    await focused(removed.locator('xpath=following-sibling::tr').first());
    await patch.section('See src').focus();
    await window.pressInPatch('Control+ArrowDown');
    await focused(patch.section('Some words'));
    await window.pressInPatch('Control+Shift+ArrowDown');
    await focused(file());
    await window.pressInPatch('Control+Shift+ArrowDown');
    await said('No more files after this one');
    await window.pressInPatch('Control+ArrowUp');
    await focused(patch.section('The last ones'));
    await page.keyboard.press('Enter');
    await focused(patch.source);
    await webview.locator('html[data-keys="typing"]').waitFor();
    for (const key of ['Control+ArrowUp', 'Control+Shift+ArrowDown', 'Alt+ArrowUp']) {
      await page.keyboard.press(key);
    }
    // The key has done its work by the time that another command is done.
    await window.pressInPatch('Alt+PageUp');
    await page.locator('.statusbar').getByText('This is the first patch in the stack.').waitFor();
    await focused(patch.source);
    await window.pressInPatch('F7');
    await focused(removed);
    await patch.source.focus();
    await page.keyboard.press('Escape');
    await patch.source.waitFor({ state: 'detached' });
    assert.equal(patch.writes, 0);
  });

  it('shows its keys with Alt+F1, and itself as plain text with Alt+F2, with the cursor where the person is', async () => {
    const { page, webview, window } = patch;
    const shown = (words: string): Promise<void> =>
      page.locator('.editor-instance .view-line', { hasText: words }).first().waitFor();
    await patch.section('Some words').focus();
    await window.pressInPatch('Alt+F1');
    await window.editorTab('Accessibility Help').waitFor();
    await shown('Next Change: F7');
    await shown('Open Accessible View: Alt+F2, Shift+Alt+F2');
    await page.keyboard.press('Escape');
    await patch.section('Some words').and(webview.locator(':focus')).waitFor();
    await webview.getByRole('row', { name: /^removed, line 2/ }).focus();
    await window.pressInPatch('Alt+F2');
    await window.editorTab('Greet people by name').last().waitFor();
    await shown('Section 4 of 4: src/greet.ts');
    await shown('added, line 1: export function greet(name: string): string {');
    const line = page.locator('.editor-instance .view-overlays .current-line').first();
    const current = page
      .locator('.editor-instance .view-line')
      .filter({ hasText: 'removed, line 2:' })
      .first();
    // The cursor goes there once the text is shown.
    await until(async () => {
      const place = await line.evaluate((element) => element.parentElement!.offsetTop);
      return (await current.evaluate((element) => (element as HTMLElement).offsetTop)) === place;
    });
    await page.keyboard.type('x');
    await page.getByText('Cannot edit in read-only editor').first().waitFor();
  });

  it('walks in the outline with the arrow keys, and leaves it with Escape where it lies over the text', async () => {
    const { page, webview } = patch;
    const outline = webview.getByRole('navigation', { name: 'Outline' });
    const row = (name: RegExp): Locator => outline.getByRole('button', { name });
    await page.setViewportSize({ width: 1500, height: 800 });
    await outline.locator('[aria-current="true"]').focus();
    await page.keyboard.press('ArrowDown');
    await focused(row(/Second/));
    await page.keyboard.press('End');
    await focused(row(/greet\.ts/));
    await page.keyboard.press('ArrowUp');
    await focused(row(/Third/));
    await page.keyboard.press('Enter');
    await focused(patch.section('The last ones'));
    await page.setViewportSize({ width: 1000, height: 800 });
    await outline.waitFor({ state: 'detached' });
    await press('Outline');
    await focused(outline.locator('[aria-current="true"]'));
    await page.keyboard.press('Escape');
    await outline.waitFor({ state: 'detached' });
    await focused(button('Outline'));
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('follows what prose names, and shows who someone is', async () => {
    const { page, window } = patch;
    await press('Collapse all files');
    await press('src/greet.ts#L2');
    await focused(file().locator('tr.marked').first());
    await page.keyboard.press('Escape');
    await patch.webview.locator('.authors').getByRole('button').first().press('Enter');
    await window.editorTab('Ada Löwe').waitFor();
  });

  it('copies the path of a file and the id of the commit', async () => {
    const { page, webview } = patch;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    await press('Copy path');
    await until(async () => (await copied()) === 'src/greet.ts');
    await showIds();
    await press('Copy commit ID');
    const commit = await webview.locator('.identifier code').last().getAttribute('title');
    assert.match(commit ?? '', /^[0-9a-f]{40}$/);
    await until(async () => (await copied()) === commit);
  });

  it('copies links to itself, to a section and to a line, from keys, its toolbar and the menu of a line', async () => {
    const { page, webview, window } = patch;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const isCopied = (end: RegExp): Promise<void> =>
      until(async () => end.test(await page.evaluate(() => navigator.clipboard.readText())));
    await press('Copy link');
    await isCopied(/\/open\?server=.*&patch=\w+$/);
    await patch.section('Some words').focus();
    await window.pressInPatch('Shift+Alt+c');
    await isCopied(/&patch=\w+&section=\w+$/);
    const removed = webview.getByRole('row', { name: /^removed, line 2/ });
    await removed.focus();
    await window.runCommandHere('Patch Stacks: Copy Link');
    await isCopied(/&section=\w+&line=2&side=old$/);
    await webview.getByRole('row', { name: /^added, line 1/ }).click({ button: 'right' });
    const item = page.locator('.monaco-menu .action-item').filter({ hasText: 'Copy Link' }).first();
    await item.hover();
    await item.and(page.locator('.focused')).waitFor();
    await page.keyboard.press('Enter');
    await isCopied(/&section=\w+&line=1$/);
  });

  it('opens changes and the commit in the diff editor, and the file', async () => {
    const { page, webview, window } = patch;
    /** Closes the editor, and waits until VS Code has given the focus to the document again. */
    const goBack = async (): Promise<void> => {
      await window.closeEditor();
      await until(() => webview.locator('body').evaluate(() => document.hasFocus()));
    };
    await press('Open changes');
    await window.editorTab('greet.ts (Greet people by name)').waitFor();
    await goBack();
    for (const name of ['Open all changes in the diff editor', 'Open commit']) {
      await showIds();
      await press(name);
      await page.locator('.multiDiffEntry', { hasText: 'greet.ts' }).first().waitFor();
      await goBack();
    }
    await press('Open file');
    await window.editorTab('greet.ts').waitFor();
  });

  it('requests changes, then signs the patch off instead, and keeps the focus', async () => {
    const { webview, window } = patch;
    await patch.readAll();
    await press('Request Changes', 'Space');
    await focused(button('Changes Requested'));
    await webview.locator('.reviewers', { hasText: 'Changes requested by' }).waitFor();
    await focused(button('Changes Requested'));
    await until(async () => patch.writes === 1);
    await window.runCommand('Patch Stacks: Sign Off Patch');
    await webview.locator('.reviewers', { hasText: 'Signed off by' }).waitFor();
    await webview.locator('.reviewers', { hasText: 'Changes requested by' }).waitFor({ state: 'detached' });
    await button('Request Changes').waitFor();
  });

  it('has the review at hand wherever one reads, and says no more of one that is about to be sent when it is refused', async () => {
    const { webview, window } = patch;
    await patch.readAll();
    await file().locator('tr').last().scrollIntoViewIfNeeded();
    await webview.locator('body').evaluate(() => scrollTo(0, document.body.scrollHeight));
    const isInView = await button('Request Changes').evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
    assert.ok(isInView);
    patch.failWrites(reply(403, '{"error":"not you"}'));
    const waiting = webview.locator('.writing-note').getByText(/in a few seconds/);
    await press('Request Changes');
    await waiting.waitFor();
    await window.told(
      /Couldn't request changes to "Greet people by name": You don't have permission to do this/,
    );
    await waiting.waitFor({ state: 'detached' });
    await button('Signed Off').waitFor();
  });

  it('reads the next patch when its button gets the focus: it is there at once, whatever the service does then', async () => {
    const { client, webview, window } = patch;
    const [project] = (await client.projects.list()).items;
    const [stack] = (await client.stacks.list(project!.repositoryId)).items;
    const isOpened = async (): Promise<boolean> => {
      const { patches } = await client.stacks.patchStatuses(project!.repositoryId, stack!.branchId!);
      return patches!.find(({ title }) => title === 'Add a picture')!.reviewAll!.viewed.length > 0;
    };
    await window.tree.open('Call names people');
    await webview.locator('.document:not(.beginning) h1', { hasText: 'Call names people' }).waitFor();
    assert.equal(await isOpened(), false);
    await button('Sign Off and Next').focus();
    await until(isOpened);
    patch.failReads(reply(500, '{"error":"broken"}'));
    await window.pressInPatch('Alt+PageDown');
    await webview.locator('.document:not(.beginning) h1', { hasText: 'Add a picture' }).waitFor();
    patch.recover();
    await press(/^Patch \d+ of \d+: Call names people/);
    const back = webview.locator('.document:not(.beginning) h1', { hasText: 'Call names people' });
    await expectNone(window.notifications, { once: back });
  });

  it('leaves its keys to whatever else has the focus', async () => {
    const { page, webview, window } = patch;
    const order = await patch.contents();
    const keysAreFor = (what: string): Promise<void> =>
      webview.locator(`html[data-keys="${what}"]`).waitFor();
    await patch.section('Some words').focus();
    await keysAreFor('section');
    // The stacks view, with the document as the active tab.
    await window.tree.focusRow('Greet people by name');
    await keysAreFor('none');
    const keys = ['Alt+ArrowUp', 'Alt+PageDown', 'Control+f', 'Escape'];
    for (const key of keys) {
      await page.keyboard.press(key);
    }
    await window.runCommand('View: Show Explorer');
    await page.locator('.explorer-folders-view .monaco-list').focus();
    for (const key of ['ArrowDown', ...keys]) {
      await page.keyboard.press(key);
    }
    // The key has done its work by the time that another command is done.
    await window.runCommand('View: Show Patch Stacks');
    const box = webview.getByRole('textbox', { name: 'Find' });
    await expectNone(box, { once: window.tree.row('greetings') });
    // In the document, but not in a section.
    await button('Outline').focus();
    await keysAreFor('document');
    await page.keyboard.press('Alt+ArrowUp');
    await window.pressInPatch('Control+f');
    await focused(box);
    // Before Escape, which would take a message away.
    await expectNone(window.notifications, { once: box });
    await page.keyboard.press('Escape');
    await webview.locator('.document:not(.beginning) h1', { hasText: 'Greet people by name' }).waitFor();
    assert.deepEqual(await patch.contents(), order);
    assert.equal(patch.writes, 0);
  });

  it('begins the next patch at its title and says which it is; the end of the stack is said, and is no failure', async () => {
    const { webview, window, page } = patch;
    const title = (name: string): Locator =>
      webview.locator('.document:not(.beginning) h1', { hasText: name });
    const said = (text: string): Promise<void> =>
      webview.locator('[aria-live]').getByText(text, { exact: true }).waitFor({ state: 'attached' });
    await patch.section('Some words').focus();
    await window.pressInPatch('Alt+PageDown');
    await focused(title('Call names people'));
    const [, count] =
      /of (\d+)/.exec((await webview.getByText(/^Patch \d of \d+$/).textContent()) ?? '') ?? [];
    await said(`Patch 2 of ${count}: Call names people`);
    await press(/^Patch \d+ of \d+: Greet people by name/);
    await focused(title('Greet people by name'));
    await said(`Patch 1 of ${count}: Greet people by name`);
    await window.pressInPatch('Alt+PageUp');
    await said('This is the first patch in the stack.');
    const end = page.locator('.statusbar').getByText('This is the first patch in the stack.');
    await expectNone(window.notifications, { once: end });
    await focused(title('Greet people by name'));
  });

  it('selects several sections with the space bar, and all between two with Shift, and moves them together', async () => {
    const { page, webview } = patch;
    const handle = (words: string): Locator => patch.section(words).locator('.drag-handle');
    const said = (text: string): Promise<void> =>
      webview.locator('[aria-live]').getByText(text, { exact: true }).waitFor({ state: 'attached' });
    const order = async (): Promise<string> =>
      (await patch.contents()).map((text) => text.slice(2, 5)).join();
    await handle('See src').press('Space');
    await said('1 section selected');
    await handle('The last ones').press('Shift+Space');
    await said('3 sections selected');
    await patch.window.pressInPatch('Alt+ArrowDown', 'section');
    await until(async () => (await order()) === 'c/g,Fir,Sec,Thi');
    await said('Third, section 4 of 4');
    await patch.window.pressInPatch('Alt+ArrowUp', 'section');
    await until(async () => (await order()) === 'Fir,Sec,Thi,c/g');
    await page.keyboard.press('Escape');
    await handle('The last ones').and(webview.locator('[aria-pressed="false"]')).waitFor();
  });

  it('deletes a section, and has it back with Undo', async () => {
    const { page, webview, window } = patch;
    await patch.section('Some words').focus();
    await window.runCommand('Patch Stacks: Delete Section');
    await patch.section('Some words').waitFor({ state: 'detached' });
    await webview.locator('.status-line', { hasText: 'Deleted section "Second"' }).waitFor();
    await page.keyboard.press('Control+z');
    await patch.section('Some words').locator('.prose').waitFor();
    await until(async () => (await patch.contents())[1] === texts[1]);
  });

  it('opens the menu of a section from its button', async () => {
    const { page } = patch;
    await patch.section('Some words').getByRole('button', { name: 'More actions' }).press('Enter');
    const item = page.locator('.monaco-menu .action-item').filter({ hasText: 'Move Section Up' });
    await item.waitFor();
    for (let step = 0; step < 12 && !(await item.and(page.locator('.focused')).isVisible()); step++) {
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await until(async () => (await patch.contents())[0] === texts[1]);
  });
});
