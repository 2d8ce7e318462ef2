/** Lines that were moved, and images before and after a change: told and shown to whoever has a mouse, and to whoever has keys alone. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import type { Locator } from 'playwright-core';
import { numberedLines } from '../support/author.ts';
import { Editor } from '../support/editor.ts';
import { git } from '../support/exampleRepository.ts';
import { expect } from '../support/expect.ts';
import { pngOf } from '../support/png.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

const red = [200, 0, 0];
const blue = [0, 0, 200];

const plan = [
  'function plan() {',
  "  first('of what the plan is');",
  "  second('of what the plan is');",
  '}',
  '',
].join('\n');

describe('what was moved, and images that changed', function () {
  this.timeout(400_000);
  let editor: Editor;
  let window: Workbench;

  before(async () => {
    editor = await Editor.start({ signedIn: true });
    const { repository } = editor;
    const write = (name: string, content: string | Uint8Array): Promise<void> =>
      writeFile(path.join(repository, name), content);
    const commit = (message: string): void => {
      git(repository, 'add', '--all');
      git(repository, 'commit', '--quiet', '-m', message);
    };
    git(repository, 'switch', '--quiet', 'main');
    git(repository, 'switch', '--quiet', '--create', 'move');
    await mkdir(path.join(repository, 'src'), { recursive: true });
    await write('src/from.ts', `${numberedLines('from', {}, 10)}${plan}${numberedLines('before', {}, 20)}`);
    await write('src/to.ts', `${numberedLines('to', {}, 30)}  inner('what stays where it is');\nend();\n`);
    await write('photo.png', pngOf(200, 100, red));
    await write('wide.png', pngOf(300, 60, red));
    commit('Plan');
    await write('src/from.ts', `${numberedLines('from', {}, 10)}${numberedLines('before', {}, 20)}`);
    const indented = plan.replaceAll(/^(?=.)/gm, '    ');
    // Further in than before in its own place, and a bracket in another: neither of them was moved.
    await write('src/to.ts', `${numberedLines('to', {}, 20)}${indented}${numberedLines('to', {}, 30).split('\n').slice(20).join('\n')}      inner('what stays where it is');\nend();\n}\n`); // prettier-ignore
    await write('photo.png', pngOf(200, 100, blue));
    await write('wide.png', pngOf(150, 60, blue));
    commit('Move the plan');
    await editor.service.importRepository();
    window = await editor.openWindow();
    await window.tree.expand('greetings');
    await window.tree.expand(/^move/i);
  });

  beforeEach(async () => {
    await window.tree.open('Move the plan');
    await window.webview.locator('.document:not(.beginning) h1', { hasText: 'Move the plan' }).waitFor();
  });

  tidyAfterEach(() => window, { editors: true });

  after(async () => {
    await editor.close();
  });

  const file = (name: string): Locator =>
    window.webview.locator('section[data-section-type="diff"]').filter({
      has: window.webview.locator('h2', { hasText: name }),
    });
  const label = (name: string, words: string): Locator => file(name).getByRole('button', { name: words });
  /** The rows that are said to be moved, as they are spoken. */
  const moved = (name: string): Promise<(string | null)[]> =>
    file(name)
      .locator('tr:has(td.moved)')
      .evaluateAll((rows) => rows.map((row) => row.ariaLabel));

  describe('lines', () => {
    it('are told as moved where they were and where they are, once in words for all of them', async () => {
      await label('from.ts', 'moved to to.ts, line 21').waitFor();
      assert.deepEqual(await moved('from.ts'), [
        'removed, line 11: function plan() {, moved to to.ts, line 21',
        "removed, line 12: first('of what the plan is');, moved",
        "removed, line 13: second('of what the plan is');, moved",
        'removed, line 14: }, moved',
      ]);
      assert.deepEqual(await moved('to.ts'), [
        'added, line 21: function plan() {, moved from from.ts, line 11',
        "added, line 22: first('of what the plan is');, moved",
        "added, line 23: second('of what the plan is');, moved",
        'added, line 24: }, moved',
      ]);
      await expect(window.webview.locator('.moved-label')).toHaveCount(2);
    });

    it('lead to where they are now by the mouse, and back by the keyboard', async () => {
      await label('from.ts', 'moved to to.ts, line 21').click();
      const marked = window.webview.locator('tr.marked');
      await marked.waitFor();
      await expect(marked).toHaveAttribute('aria-label', /^added, line 21: /);
      const back = label('to.ts', 'moved from from.ts, line 11');
      await back.focus();
      await window.page.keyboard.press('Enter');
      await until(async () =>
        ((await marked.getAttribute('aria-label')) ?? '').startsWith('removed, line 11: '),
      );
    });

    it('are told as moved side by side, too', async () => {
      await window.page.setViewportSize({ width: 1900, height: 800 });
      const layout = window.webview.getByRole('button', { name: 'Side by side', exact: true });
      await layout.click();
      await file('to.ts').locator('td[data-side="new"].moved').first().waitFor();
      await expect(file('from.ts').locator('td[data-side="old"].moved')).toHaveCount(4);
      await expect(file('to.ts').locator('td[data-side="new"].moved')).toHaveCount(4);
      await label('from.ts', 'moved to to.ts, line 21').waitFor();
      await layout.click();
      await file('to.ts').locator('td[data-side]').first().waitFor({ state: 'detached' });
      await window.page.setViewportSize({ width: 1280, height: 800 });
    });
  });

  describe('images', () => {
    let name = 'photo.png';
    beforeEach(() => (name = 'photo.png'));
    const photo = (): Locator => file(name);
    const images = (): Locator => photo().locator('.overlaid-images');
    const slider = (called: string): Locator => photo().getByRole('slider', { name: called });

    /** The color that is on the screen in a place of the images, in parts of their width; all of it has been painted. */
    async function colorAt(part: number): Promise<number[]> {
      const { x, y, width, height } = (await images().boundingBox())!;
      const clip = { x: Math.round(x + part * width), y: Math.round(y + height / 2), width: 1, height: 1 };
      const picture = await window.page.screenshot({ clip });
      const content: Buffer[] = [];
      for (let at = 8; at < picture.length; at += picture.readUInt32BE(at) + 12) {
        if (picture.toString('latin1', at + 4, at + 8) === 'IDAT') {
          content.push(picture.subarray(at + 8, at + 8 + picture.readUInt32BE(at)));
        }
      }
      // After the byte that says how the row is written.
      return [...inflateSync(Buffer.concat(content)).subarray(1, 4)];
    }

    const isLike = (color: readonly number[], other: readonly number[]): boolean =>
      color.every((value, index) => Math.abs(value - (other[index] ?? 0)) <= 3);

    const expectNoRedAt = (place: number, message: string): Promise<void> =>
      expect.poll(async () => isLike(await colorAt(place), red), { message }).toBe(false);

    async function assertColors(colors: Readonly<Record<number, readonly number[]>>): Promise<void> {
      for (const [part, color] of Object.entries(colors)) {
        await until(async () => isLike(await colorAt(Number(part)), color));
      }
    }

    /** Drags on the images from one part of their width to another; what is done `between` is done with the button down. */
    async function drag(from: number, to: number, between: () => Promise<void>): Promise<void> {
      const { mouse } = window.page;
      const { x, y, width, height } = (await images().boundingBox())!;
      await mouse.move(x + from * width, y + height / 2);
      await mouse.down();
      await between();
      await mouse.move(x + to * width, y + height / 2, { steps: 3 });
      await mouse.up();
      // Without a button, it points at something and no more.
      await mouse.move(x + 0.01 * width, y + height / 2);
      await mouse.move(x, y - 60);
    }

    it('are wiped over each other with the mouse, wherever it is taken', async () => {
      await photo().getByText('Swipe', { exact: true }).click();
      await images().scrollIntoViewIfNeeded();
      await assertColors({ 0.4: red, 0.6: blue });
      await drag(0.25, 0.75, () => assertColors({ 0.2: red, 0.3: blue, 0.9: blue }));
      await assertColors({ 0.1: red, 0.7: red, 0.8: blue });
      await expect(slider('Swipe')).toHaveValue('75');
      await expect(slider('Swipe')).toHaveAttribute('aria-valuetext', '25 % of the image after');
    });

    it('are wiped and shine through in the same places when one of them is smaller', async () => {
      name = 'wide.png';
      await photo().getByText('Swipe', { exact: true }).click();
      await images().scrollIntoViewIfNeeded();
      await assertColors({ 0.3: red, 0.48: red });
      await expectNoRedAt(0.9, 'the one before is seen only before the line');
      await drag(0.5, 0.25, () => assertColors({ 0.2: red }));
      await assertColors({ 0.2: red, 0.3: blue, 0.45: blue });
      await photo().getByText('Onion Skin', { exact: true }).click();
      await slider('Onion Skin').focus();
      await window.page.keyboard.press('End');
      await assertColors({ 0.1: blue });
      await expectNoRedAt(0.9, 'the one before is gone');
    });

    it('are wiped over each other with the keyboard', async () => {
      const { keyboard } = window.page;
      await photo().getByRole('radio', { name: 'Side by Side' }).focus();
      await keyboard.press('ArrowRight');
      await keyboard.press('Tab');
      await expect(slider('Swipe')).toBeFocused();
      await slider('Swipe').scrollIntoViewIfNeeded();
      await keyboard.press('Home');
      await assertColors({ 0.02: blue, 0.95: blue });
      for (let step = 0; step < 20; step++) {
        await keyboard.press('ArrowRight');
      }
      await assertColors({ 0.1: red, 0.3: blue });
      await keyboard.press('End');
      await assertColors({ 0.02: red, 0.95: red });
      await expect(slider('Swipe')).toHaveAttribute('aria-valuetext', '0 % of the image after');
    });

    it('shine through each other, as much as the mouse says', async () => {
      await photo().getByText('Onion Skin', { exact: true }).click();
      await images().scrollIntoViewIfNeeded();
      await assertColors({ 0.1: [100, 0, 100], 0.9: [100, 0, 100] });
      await drag(0.1, 0.8, () => assertColors({ 0.05: [180, 0, 20], 0.9: [180, 0, 20] }));
      await assertColors({ 0.1: [40, 0, 160], 0.9: [40, 0, 160] });
      await expect(slider('Onion Skin')).toHaveAttribute('aria-valuetext', '80 % of the image after');
    });

    it('shine through each other, as much as the keyboard says', async () => {
      const { keyboard } = window.page;
      await photo().getByRole('radio', { name: 'Side by Side' }).focus();
      await keyboard.press('ArrowRight');
      await keyboard.press('ArrowRight');
      await keyboard.press('Tab');
      await slider('Onion Skin').scrollIntoViewIfNeeded();
      await keyboard.press('Home');
      await assertColors({ 0.1: red, 0.9: red });
      await keyboard.press('End');
      await assertColors({ 0.1: blue, 0.9: blue });
      await keyboard.press('PageDown');
      await assertColors({ 0.1: [20, 0, 180] });
      await expect(slider('Onion Skin')).toHaveAttribute('aria-valuetext', '90 % of the image after');
    });
  });
});
