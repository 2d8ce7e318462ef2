import assert from 'node:assert/strict';
import { expect, expectNone } from '../support/expect.ts';
import { reply, resetBeforeHeaders } from '../support/faultServer.ts';
import { pictureAfterFailure } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import { WrittenPatch } from '../support/writtenPatch.ts';

const file = 'src/greet.ts';

describe('reordering the sections of a patch', function () {
  this.timeout(400_000);
  let patch: WrittenPatch;

  before(async () => {
    patch = await WrittenPatch.open(['# A', '# B', '# C', '# D']);
  });

  beforeEach(async () => {
    patch.recover();
    await patch.orderElsewhere((identifiers) => identifiers);
  });

  pictureAfterFailure(() => patch.window);

  after(async () => {
    await patch.close();
  });

  const names = (order: readonly string[]): string =>
    order.map((name) => (name === file ? 'f' : name.replace('# ', ''))).join('');
  const shown = async (): Promise<string> =>
    names(
      await patch.webview
        .locator('section.section')
        .evaluateAll((sections) => sections.map((section) => section.getAttribute('aria-label') ?? '')),
    );
  const onService = async (): Promise<string> => names(await patch.contents());
  const section = (name: string) => patch.webview.getByRole('region', { name, exact: true });
  const handle = (name: string) => section(name).locator('.drag-handle');

  /** Waits until screen readers are told this. */
  const said = (text: string): Promise<void> =>
    patch.webview.locator('[aria-live]').getByText(text, { exact: true }).waitFor({ state: 'attached' });

  it('moves with Alt+Up and Alt+Down, says where to, and keeps the focus', async () => {
    const { webview } = patch;
    await section('C').focus();
    await patch.window.pressInPatch('Alt+ArrowUp', 'section');
    await said('C, section 2 of 5');
    // Moves that follow one another quickly are one order: these are two, on the slowest machine, too.
    await until(async () => (await onService()) === 'ACBDf');
    const note = webview.locator('.status-line').getByText(/Reordered the sections/);
    const firstNote = await note.elementHandle();
    await patch.window.pressInPatch('Alt+ArrowUp', 'section');
    await said('C, section 1 of 5');
    await expect.poll(shown).toBe('CABDf');
    await section('C').and(webview.locator(':focus')).waitFor();
    await until(async () => (await onService()) === 'CABDf');
    // The next one has the same words, and another Undo.
    await firstNote.waitForElementState('hidden');
    await expectNone(patch.window.notification(/Reordered the sections/), { once: note });
    await webview.locator('.status-line').getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await onService()) === 'ACBDf');
    await until(async () => (await shown()) === 'ACBDf');
    const restored = webview.locator('.status-line').getByText(/^Restored the order of the sections/);
    await restored.waitFor();
    await expectNone(note, { once: restored });
    await expectNone(webview.locator('.status-line').getByRole('button', { name: 'Undo' }), {
      once: restored,
    });
    await section('C').focus();
    await patch.window.pressInPatch('Alt+ArrowDown', 'section');
    await until(async () => (await onService()) === 'ABCDf');
    await until(async () => (await shown()) === 'ABCDf');
  });

  it('leaves what is moved where it is on the screen, also when that is taken back', async () => {
    const { page, webview } = patch;
    await page.setViewportSize({ width: 1280, height: 420 });
    await until(() => webview.locator('html').evaluate(() => window.innerHeight < 350));
    const last = section(file);
    const refresh = (): Promise<void> =>
      page.locator('.part.sidebar .actions-container [aria-label^="Refresh"]').first().click();
    const height = (): Promise<number> => last.evaluate((element) => element.getBoundingClientRect().top);
    await last.focus();
    await last.evaluate((element) => window.scrollBy(0, element.getBoundingClientRect().top - 120));
    const before = await height();
    const staysThere = (message: string): Promise<void> =>
      expect.poll(async () => Math.abs((await height()) - before), { message }).toBeLessThan(3);
    for (const order of ['ABCfD', 'ABfCD']) {
      await patch.window.pressInPatch('Alt+ArrowUp', 'section');
      await until(async () => (await shown()) === order);
      await staysThere(order);
      await last.and(webview.locator(':focus')).waitFor();
    }
    await until(async () => (await onService()) === 'ABfCD');
    await patch.orderElsewhere((identifiers) => [...identifiers.slice(1), identifiers[0]!]);
    await refresh();
    await until(async () => (await shown()) === 'BfCDA');
    await staysThere('as somebody else has it');
    // As the tests after it expect it.
    await patch.orderElsewhere(([b, f, c, d, a]) => [a!, b!, c!, d!, f!]);
    await refresh();
    await until(async () => (await shown()) === 'ABCDf');
    await page.setViewportSize({ width: 1280, height: 800 });
    await until(() => webview.locator('html').evaluate(() => window.innerHeight > 600));
  });

  it('drags by the handle, with a line where it will stand', async () => {
    await drag('D', 'B', 3);
    await until(async () => (await shown()) === 'ADBCf');
    await said('D, section 2 of 5');
    await until(async () => (await onService()) === 'ADBCf');
    assert.equal(patch.writes, 1);
  });

  /** Drags a section to another, until the line is above that, and drops it so many pixels below its upper edge. */
  async function drag(name: string, before: string, below: number): Promise<void> {
    const { page, webview } = patch;
    // A page that could scroll further up would do so while something is dragged there.
    await webview.locator('html').evaluate((element) => element.scrollTo(0, 0));
    await section(name).hover();
    const from = (await handle(name).boundingBox())!;
    const to = (await section(before).boundingBox())!;
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(from.x + from.width / 2, from.y - 8, { steps: 4 });
    await page.mouse.move(to.x + 60, to.y + 3, { steps: 6 });
    await webview.locator(`section[data-drop-edge="top"][aria-label="${before}"]`).waitFor();
    // The browser drops where it last asked whether it may.
    await page.mouse.move(to.x + 62, to.y + below, { steps: 2 });
    await page.mouse.up();
  }

  it('moves several that are selected together', async () => {
    await handle('A').click();
    await handle('B').click();
    await patch.webview.getByText('2 sections selected').waitFor({ state: 'attached' });
    await patch.window.pressInPatch('Alt+ArrowDown', 'section');
    await until(async () => (await shown()) === 'DABCf');
    await patch.page.keyboard.press('Escape');
    await until(async () => (await onService()) === 'DABCf');
  });

  it('drags several: all between two that were clicked, with Shift', async () => {
    const { page } = patch;
    assert.equal(await onService(), 'DABCf');
    await handle('B').click();
    await handle(file).click({ modifiers: ['Shift'] });
    await said('3 sections selected');
    // The line is drawn between two sections.
    await drag('C', 'A', -8);
    await until(async () => (await shown()) === 'DBCfA');
    await until(async () => (await onService()) === 'DBCfA');
    assert.equal(patch.writes, 1);
    await handle('C').focus();
    await page.keyboard.press('Escape');
    await until(async () => (await patch.webview.locator('section[data-selected]').count()) === 0);
  });

  it('moves to a place that is chosen from a list, and says where to', async () => {
    await section('D').focus();
    await patch.window.runCommand('Patch Stacks: Move Section To…');
    await patch.window.pick(`After ${file}`);
    await said('D, section 4 of 5');
    await until(async () => (await onService()) === 'BCfDA');
    await patch.chooseFromMenu(section('D'), 'Move Section To…');
    await patch.window.pick('After A');
    await said('D, section 5 of 5');
    await until(async () => (await onService()) === 'BCfAD');
  });

  it('goes back when it is chosen among the recent changes', async () => {
    const { window } = patch;
    const what = 'Reordered the sections of "Greet people by name".';
    const before = await onService();
    await section('A').focus();
    await patch.window.pressInPatch('Alt+ArrowDown', 'section');
    await until(async () => (await onService()) !== before);
    await window.undoRecentChange(what);
    await until(async () => (await onService()) === before);
    await until(async () => (await shown()) === before);
  });

  it('goes back with the reason when the service refuses', async () => {
    const before = await shown();
    patch.failWrites(reply(403, '{"error":"Only members may move."}'));
    await section('A').focus();
    await patch.window.pressInPatch('Alt+ArrowDown', 'section');
    await until(async () => (await shown()) !== before);
    await patch.window.told(/Only members may move/);
    await until(async () => (await shown()) === before);
  });

  it('stays as unsent when the service is out of reach, and is sent with Retry', async () => {
    patch.failWrites(resetBeforeHeaders);
    await section('A').focus();
    await patch.window.pressInPatch('Alt+ArrowDown', 'section');
    await patch.webview.getByText(/Couldn't save the new section order/).waitFor();
    const wanted = await shown();
    patch.recover();
    await patch.webview.locator('.problem').getByRole('button', { name: 'Retry' }).click();
    await until(async () => (await onService()) === wanted);
    await patch.webview.locator('.problem').waitFor({ state: 'detached' });
  });

  it('is joined with an order that someone else has made meanwhile', async () => {
    const before = await onService();
    await patch.orderElsewhere((identifiers) => [...identifiers.slice(1), identifiers[0]!]);
    const last = before.at(-1)!;
    await section(last === 'f' ? file : last).focus();
    await patch.window.pressInPatch('Alt+ArrowUp', 'section');
    // Theirs went to the end; mine went up by one among the others.
    const middle = before.slice(1, -2);
    await until(async () => (await onService()) === `${middle}${last}${before.at(-2)}${before[0]}`);
    await until(async () => (await shown()) === (await onService()));
  });

  it('scrolls while something is dragged to an edge', async () => {
    const { page, webview } = patch;
    const root = webview.locator('html');
    await page.setViewportSize({ width: 1280, height: 400 });
    await root.evaluate((element) => element.scrollTo(0, 0));
    const first = webview.locator('section.section').first();
    await first.hover();
    const from = (await first.locator('.drag-handle').boundingBox())!;
    const panel = (await page.locator('iframe.webview.ready:visible').boundingBox())!;
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(from.x + from.width / 2, from.y + 20, { steps: 4 });
    await page.mouse.move(panel.x + 200, panel.y + panel.height - 6, { steps: 6 });
    await until(async () => (await root.evaluate((element) => element.scrollTop)) > 40);
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('is done from the rows of the stacks view too, as are editing, adding and deleting', async () => {
    const { window, webview, page } = patch;
    const texts = async (): Promise<string> => (await patch.contents()).join('|');
    await window.tree.expand('Greet people by name');
    await window.tree.chooseFromMenu('B', 'Move Section To…');
    await window.pick('To the top');
    await until(async () => (await onService()).startsWith('B'));
    await window.tree.chooseFromMenu('B', 'Move Section Down');
    await until(async () => (await onService()).indexOf('B') === 1);
    await window.tree.chooseFromMenu('C', 'Edit Section');
    await patch.source.and(webview.locator(':focus')).waitFor();
    await patch.typeAtEnd('\n\nFrom the tree.');
    await patch.save();
    await until(async () => (await texts()).includes('# C\n\nFrom the tree.'));
    await window.tree.chooseFromMenu('C', 'Add Section');
    await patch.source.and(webview.locator(':focus')).waitFor();
    await page.keyboard.type('# E');
    await patch.save();
    await until(async () => (await texts()).includes('From the tree.|# E'));
    await window.tree.chooseFromMenu('E', 'Delete Section');
    await until(async () => !(await texts()).includes('# E'));
    await section('E').waitFor({ state: 'detached' });
  });
});
