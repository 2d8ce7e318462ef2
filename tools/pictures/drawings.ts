/** npm run screenshots: makes the drawings of the walkthrough, of the real thing. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { Workbench } from '../../test/support/workbench.ts';
import { launchBrowser } from '../browser.ts';
import { root } from '../provision.ts';
import { rewriteDemoRepository, titles } from './demoRepository.ts';
import { openDemoWindow, readAll, startDemo } from './demoWindows.ts';
import { drawingTheme, writeDrawingTheme } from './drawingTheme.ts';
import { writeDrawing } from './writeDrawing.ts';
import type { Clip } from './writePicture.ts';

/** VS Code shows drawings at most 530 pixels wide: what is written in them is to be read there. */
const stepWidth = 600;

/** @throws when nothing of it is seen. */
async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) {
    throw new Error(`There is no ${String(locator)}.`);
  }
  return box;
}

/** Makes the editor as wide as a drawing. @returns its place, and what draws a part of the window. */
async function narrowToStep(workbench: Workbench) {
  const { page, webview } = workbench;
  const editor = page.locator('.part.editor > .content');
  await page.setViewportSize({ width: (await boxOf(editor)).x + stepWidth, height: 800 });
  await page.waitForFunction(
    (most) => (document.querySelector('.part.editor > .content')?.clientWidth ?? Infinity) <= most,
    stepWidth,
  );
  const { x, y, width, height } = await boxOf(editor);
  const step = async (name: string, clip: Partial<Clip>): Promise<void> => {
    // The icons are a font, which comes a little after the text.
    await webview.locator('main').evaluate(async () => {
      await document.fonts.ready;
    });
    const whole = { x, y, width, height: 400, scale: 1 };
    await writeDrawing(page, path.join(root, 'media/walkthrough', `${name}.svg`), { ...whole, ...clip });
  };
  return { x, y, height, step };
}

/** The steps that are about reading: of the window, and of the end of a patch. */
async function drawReading(workbench: Workbench): Promise<void> {
  const { page, webview, tree } = workbench;
  const { x, y, height, step } = await narrowToStep(workbench);
  await tree.open('Wait as long as the server asks');
  await webview.locator('[data-line-type="add"] [class^="tok-"]').first().waitFor();
  // What is on the screen counts as read a moment later.
  await webview.getByText('1 unread section').waitFor();
  const file = await boxOf(webview.locator('[data-section]', { has: webview.locator('.diff') }).first());
  await step('sign-off', { y: file.y - 16, height: y + height - file.y + 16 });
  const wide = page.viewportSize() ?? { width: 0, height: 0 };
  const width = x + 450;
  await page.setViewportSize({ ...wide, width });
  const sideBar = await boxOf(page.locator('.part.sidebar'));
  await step('read', { x: sideBar.x, y: 0, width: width - sideBar.x, height: 510 });
  await page.setViewportSize(wide);
}

/** The steps that are about writing, and signing in. */
async function drawWriting(workbench: Workbench): Promise<void> {
  const { page, webview, tree } = workbench;
  const { step } = await narrowToStep(workbench);
  await tree.open('Read what Retry-After asks for');
  await webview.locator('table td code').first().waitFor();
  await webview.locator('.document:not(.beginning)').waitFor();
  const first = await boxOf(webview.locator('[data-section]').first());
  const from = await boxOf(webview.locator('.codicon-gripper').nth(1));
  await page.mouse.move(from.x + 4, from.y + 4);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y - 60, { steps: 5 });
  await page.mouse.move(from.x + 60, from.y - 200, { steps: 5 });
  await webview.locator('[data-drop-edge]').waitFor();
  await step('reorder', { y: first.y - 16 });
  await page.keyboard.press('Escape');
  await page.mouse.up();

  await webview.getByRole('button', { name: 'Edit section' }).first().click();
  await webview.locator('.cm-content').first().waitFor();
  await step('edit', { y: first.y - 8 });
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+Shift+P');
  await workbench.quickInput.fill('>Patch Stacks: Sign');
  await workbench.quickPickRow('Patch Stacks: Sign In').waitFor();
  const commands = await boxOf(workbench.quickInputWidget);
  await step('sign-in', { x: commands.x - 12, y: 0, width: commands.width + 24, height: 240 });
  await page.keyboard.press('Escape');
}

/** The step that is about what changed since a patch was read. */
async function drawChanges(workbench: Workbench): Promise<void> {
  const { page, tree, webview } = workbench;
  await tree.row(titles[0]).and(page.locator('[aria-label*="changed since you read it"]')).waitFor();
  await tree.open(titles[0]);
  await webview.locator('.document:not(.beginning)').waitFor();
  await webview.getByRole('button', { name: 'Show Whole Patch' }).waitFor();
  await webview.locator('[data-line-type="add"] [class^="tok-"]').first().waitFor();
  await workbench.runCommand('Notifications: Clear All Notifications');
  const { step } = await narrowToStep(workbench);
  const note = await boxOf(webview.getByRole('region', { name: 'Comparison' }));
  await step('changed', { y: note.y - 16 });
}

const directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-drawings-'));
await using cleanup = new AsyncDisposableStack();
cleanup.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
const theme = path.join(directory, 'theme');
await writeDrawingTheme(theme);
const { repository, service, code } = await startDemo(directory, cleanup, {
  extensions: [theme],
  // The icons of files are a font of their own.
  settings: { 'workbench.iconTheme': null },
});
const browser = await launchBrowser();
cleanup.defer(() => browser.close());
const workbench = await openDemoWindow(browser, code.address, drawingTheme);
await drawReading(workbench);
await drawWriting(workbench);
await readAll(code.address);
await rewriteDemoRepository(repository);
await service.importNew();
await drawChanges(await openDemoWindow(browser, code.address, drawingTheme));
