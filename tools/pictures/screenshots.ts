/** npm run screenshots: draws the icon, and takes the pictures of the README and of the walkthrough, of the real thing over a repository made for them. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { Workbench } from '../../test/support/workbench.ts';
import { launchBrowser } from '../browser.ts';
import { buildExtension } from '../build.ts';
import { makeDemoRepository, rewriteDemoRepository, titles } from './demoRepository.ts';
import { drawIcon } from './icon.ts';
import { openService } from '../localService.ts';
import { say } from '../progress.ts';
import { provideVsCode, root } from '../provision.ts';
import { startVsCode } from '../vscode.ts';
import { writePicture, type Clip } from './writePicture.ts';

const pictures = path.join(root, 'media/screenshots');
const walkthrough = path.join(root, 'media/walkthrough');

/** Pictures of the walkthrough stand beside its text, and are part of the package. */
const stepWidth = 720;

/** The section of the model that has no other idea. */
const draftedText = `# Not all at once

Clients that were told the same \`Retry-After\` would come back in the same millisecond. \`spread()\` adds up to
half a second to what the server asks for. Look at whether that may take longer than \`longestWait\`.`;

/** Takes a screenshot of the window, or of a part of it. */
async function take(workbench: Workbench, name: string, folder = pictures, clip?: Clip): Promise<void> {
  // The icons are a font, which comes a little after the text.
  await workbench.webview.locator('main').evaluate(async () => {
    await document.fonts.ready;
  });
  const file = path.join(folder, `${name}.webp`);
  await writePicture(workbench.page, file, clip);
}

/** Opens a window with the stack expanded. */
async function openWindow(browser: Browser, url: string, colorScheme: 'light' | 'dark'): Promise<Workbench> {
  const workbench = await Workbench.open(browser, url, { colorScheme });
  const { tree } = workbench;
  await tree.expand('parcels-client');
  await workbench.widenSideBar(90);
  await workbench.runCommand('Preferences: Color Theme');
  await workbench.pick(colorScheme === 'light' ? 'Light 2026' : 'Dark 2026');
  await workbench.quickInput.waitFor({ state: 'hidden' });
  await tree.expand(/retry.after/i);
  return workbench;
}

/** Reads all of the stack, and signs off on its first patch: what is on the screen for a second was read. */
async function readAll(url: string): Promise<void> {
  const browser = await launchBrowser();
  try {
    const workbench = await openWindow(browser, url, 'light');
    const { page, tree, webview } = workbench;
    await page.setViewportSize({ width: 1280, height: 3000 });
    for (const title of titles) {
      await tree.open(title);
      await tree.row(title).and(page.locator('[aria-label*=", read,"]')).waitFor();
    }
    await tree.open(titles[0]);
    await workbench.runCommand('Patch Stacks: Sign Off Patch');
    await webview.locator('.reviewers', { hasText: 'Signed off by' }).waitFor();
  } finally {
    await browser.close();
  }
}

/** Opens a patch that somebody reads while its author goes on. @returns what takes the pictures once there is a newer version. */
async function readWhile(url: string, colorScheme: 'light' | 'dark'): Promise<() => Promise<void>> {
  const browser = await launchBrowser();
  const workbench = await openWindow(browser, url, colorScheme);
  const { tree, webview } = workbench;
  await tree.open(titles[0]);
  await webview.locator('.document:not(.beginning)').waitFor();
  return async () => {
    try {
      const line = webview.locator('.newer-note');
      await line.getByText(/^Version \d+ is here: /).waitFor();
      await webview.locator('[data-line-type="add"] [class^="tok-"]').first().waitFor();
      await workbench.clearNotifications();
      await take(workbench, `newer-${colorScheme}`);
      await line.getByRole('button', { name: 'Read What Changed' }).click();
      await line.waitFor({ state: 'detached' });
      await webview.getByRole('region', { name: 'Comparison' }).waitFor();
      await webview.locator('[data-line-type="add"] [class^="tok-"]').first().waitFor();
      await take(workbench, `newer-read-${colorScheme}`);
    } finally {
      await browser.close();
    }
  };
}

/** A patch as somebody finds it who comes back to it: what its author changed since, and no more; and the page of its stack. */
async function photographWhatChanged(url: string, colorScheme: 'light' | 'dark'): Promise<void> {
  const browser = await launchBrowser();
  try {
    const workbench = await openWindow(browser, url, colorScheme);
    const { page, tree, webview } = workbench;
    await tree.row(titles[0]).and(page.locator('[aria-label*="changed since you read it"]')).waitFor();
    await tree.open(/retry.after/i);
    await webview.locator('.stack-page .reading.left').first().waitFor();
    await webview.locator('.changes summary').click();
    await webview.locator('.changes table').waitFor();
    await take(workbench, `stack-${colorScheme}`);
    await tree.open(titles[0]);
    await webview.locator('.document:not(.beginning)').waitFor();
    await webview.getByRole('button', { name: 'Show Whole Patch' }).waitFor();
    await webview.locator('[data-line-type="add"] [class^="tok-"]').first().waitFor();
    await workbench.runCommand('Notifications: Clear All Notifications');
    await take(workbench, `changed-${colorScheme}`);
    await photographChangesStep(workbench, colorScheme);
    await photographOldText(workbench, colorScheme);
    await photographDraft(workbench, colorScheme);
  } finally {
    await browser.close();
  }
}

/** A text that says what isn't so any more, and the lines that it names. */
async function photographOldText(workbench: Workbench, colorScheme: 'light' | 'dark'): Promise<void> {
  const { tree, webview } = workbench;
  await tree.open(titles[2] ?? '');
  await webview.getByRole('button', { name: 'Show Whole Patch' }).click();
  await webview.locator('.stale-text summary').click();
  await webview.locator('.stale-text').getByRole('button', { name: 'Still True' }).waitFor();
  await webview.locator('[data-link="src/client.ts:13"]').hover();
  await webview.getByRole('tooltip').locator('pre').waitFor();
  await webview.locator('[data-line-type="add"] [class^="tok-"]').first().waitFor();
  await take(workbench, `prose-${colorScheme}`);
}

/** A section that a language model is writing. */
async function photographDraft(workbench: Workbench, colorScheme: 'light' | 'dark'): Promise<void> {
  const { page, tree, webview } = workbench;
  await tree.open('Come back a little later than asked');
  await webview.locator('.document:not(.beginning)').waitFor();
  await workbench.runCommand('Patch Stacks: Draft Section with Language Model');
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  const draft = webview.locator('.cm-content', { hasText: 'spread' });
  await draft.waitFor();
  await webview.getByText('A language model wrote this.').waitFor();
  await webview.locator('[data-line-type="add"] [class^="tok-"]').first().waitFor();
  await workbench.clearNotifications();
  await workbench.quickInput.waitFor({ state: 'hidden' });
  await take(workbench, `draft-${colorScheme}`);
  await webview.getByRole('button', { name: 'Cancel' }).click();
  await draft.waitFor({ state: 'detached' });
}

async function photograph(url: string, colorScheme: 'light' | 'dark'): Promise<void> {
  const browser = await launchBrowser();
  try {
    const workbench = await openWindow(browser, url, colorScheme);
    const { tree, webview } = workbench;
    await tree.expand('Wait as long as the server asks');
    await tree.open('Wait as long as the server asks');
    await webview.locator('[data-line-type="add"] [class^="tok-"]').first().waitFor();
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.quickInput.waitFor({ state: 'hidden' });
    await take(workbench, `patch-${colorScheme}`);
    await tree.open('Read what Retry-After asks for');
    await webview.locator('table td code').first().waitFor();
    await webview.locator('[data-line-type="add"] [class^="tok-"]').first().waitFor();
    await photographUnsentChanges(workbench, colorScheme);
    await photographSteps(workbench, colorScheme);
  } finally {
    await browser.close();
  }
}

/** The list of what is not on the server yet: a text that somebody is in the middle of. */
async function photographUnsentChanges(workbench: Workbench, colorScheme: 'light' | 'dark'): Promise<void> {
  const { page, webview } = workbench;
  await webview.locator('.document:not(.beginning)').waitFor();
  await webview.getByRole('button', { name: 'Edit section' }).first().click();
  await webview.locator('.cm-content').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('\n\nThe limit is in `maximumDelay`.');
  await webview.getByText('Saved locally').first().waitFor();
  await page.getByRole('button', { name: 'Patch Stacks: 1 unsent change' }).click();
  await workbench.quickPickRows.filter({ hasText: 'A busy server' }).waitFor();
  await take(workbench, `unsent-${colorScheme}`);
  await page.keyboard.press('Escape');
  await webview.getByRole('button', { name: 'Cancel' }).click();
  await webview.locator('.cm-content').waitFor({ state: 'hidden' });
}

/** The steps of the walkthrough: the part of the window that each is about. */
async function photographSteps(workbench: Workbench, colorScheme: 'light' | 'dark'): Promise<void> {
  const { page, webview, tree } = workbench;
  const { y, height, windowWidth, step } = await narrowToStep(workbench, colorScheme);

  await tree.open('Wait as long as the server asks');
  await webview.locator('[data-line-type="add"] [class^="tok-"]').first().waitFor();
  const whole = { x: 0, y: 0, width: windowWidth, height: 510 };
  await step('read', { ...whole, scale: stepWidth / windowWidth });
  await step('sign-off', { y: y + height - 140, height: 140 });

  await tree.open('Read what Retry-After asks for');
  await webview.locator('table td code').first().waitFor();
  await webview.locator('.document:not(.beginning)').waitFor();
  const first = await webview.locator('[data-section]').first().boundingBox();
  if (first === null) {
    throw new Error('There is no section.');
  }
  const handles = webview.locator('.codicon-gripper');
  const from = await handles.nth(1).boundingBox();
  if (from === null) {
    throw new Error('There is no handle.');
  }
  await page.mouse.move(from.x + 4, from.y + 4);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y - 60, { steps: 5 });
  await page.mouse.move(from.x + 60, from.y - 200, { steps: 5 });
  await step('reorder', { y: first.y - 16 });
  await page.keyboard.press('Escape');
  await page.mouse.up();

  await webview.getByRole('button', { name: 'Edit section' }).first().click();
  await webview.locator('.cm-content').first().waitFor();
  await step('edit', { y: first.y - 8, height: 350 });
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+Shift+P');
  await workbench.quickInput.fill('>Patch Stacks: Sign');
  await workbench.quickPickRow('Patch Stacks: Sign In').waitFor();
  await step('sign-in', { x: (windowWidth - stepWidth) / 2, y: 0, height: 220 });
  await page.keyboard.press('Escape');
}

/** Makes the editor as wide as the pictures of steps. @returns its place, and what takes a picture of a part of the window. */
async function narrowToStep(workbench: Workbench, colorScheme: 'light' | 'dark') {
  const { page } = workbench;
  const editor = await page.locator('.part.editor').boundingBox();
  if (editor === null) {
    throw new Error('There is no editor.');
  }
  const { x, y, height } = editor;
  const windowWidth = x + stepWidth;
  await page.setViewportSize({ width: windowWidth, height: 800 });
  const step = (name: string, clip: Partial<Clip>): Promise<void> =>
    take(workbench, `${name}-${colorScheme}`, walkthrough, {
      ...{ x, y, width: stepWidth, height: 320, scale: 1 },
      ...clip,
    });
  return { y, height, windowWidth, step };
}

/** The step that is about reading what changed. */
async function photographChangesStep(workbench: Workbench, colorScheme: 'light' | 'dark'): Promise<void> {
  const before = workbench.page.viewportSize();
  const { step } = await narrowToStep(workbench, colorScheme);
  await step('changed', { height: 280 });
  await workbench.page.setViewportSize(before ?? { width: 1280, height: 800 });
}

const directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-screenshots-'));
await using cleanup = new AsyncDisposableStack();
cleanup.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
const repository = path.join(directory, 'parcels-client');
await makeDemoRepository(repository);
const model = path.join(directory, 'model');
await mkdir(model);
await writeFile(path.join(model, 'answer.json'), JSON.stringify([draftedText]));
const installation = await provideVsCode();
await buildExtension();
const service = await openService({ repository, dataDirectory: path.join(directory, 'service') });
cleanup.defer(service.close);
const code = await startVsCode({
  installation,
  dataDirectory: path.join(directory, 'vscode'),
  logFile: path.join(directory, 'vscode.log'),
  signIn: service,
  trustsFolders: true,
  extensions: [root, path.join(root, 'test/support/scriptedModel')],
  env: { PATCH_STACKS_TEST_MODEL: model },
  folder: repository,
  settings: {
    'workbench.layoutControl.enabled': false,
    'window.commandCenter': false,
    // Nothing that fades away is in a picture.
    'workbench.reduceMotion': 'on',
  },
});
cleanup.defer(code.stop);
const browser = await launchBrowser();
say(path.relative(root, await drawIcon(browser)));
await browser.close();
await photograph(code.address, 'light');
await photograph(code.address, 'dark');
await readAll(code.address);
const read = [await readWhile(code.address, 'light'), await readWhile(code.address, 'dark')];
await rewriteDemoRepository(repository);
await service.importNew();
for (const takePictures of read) {
  await takePictures();
}
await photographWhatChanged(code.address, 'light');
await photographWhatChanged(code.address, 'dark');
