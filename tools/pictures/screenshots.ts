/** npm run screenshots: draws the icon, and takes the pictures of the README, of the real thing over a repository made for them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import type { Workbench } from '../../test/support/workbench.ts';
import { launchBrowser } from '../browser.ts';
import { say } from '../progress.ts';
import { root } from '../provision.ts';
import { rewriteDemoRepository, titles } from './demoRepository.ts';
import { openDemoWindow, readAll, startDemo } from './demoWindows.ts';
import { drawIcon } from './icon.ts';
import { writePicture, type Clip } from './writePicture.ts';

const pictures = path.join(root, 'media/screenshots');
/** Takes a screenshot of the window, or of a part of it. */
async function take(workbench: Workbench, name: string, clip?: Clip): Promise<void> {
  // The icons are a font, which comes a little after the text.
  await workbench.webview.locator('main').evaluate(async () => {
    await document.fonts.ready;
  });
  await writePicture(workbench.page, path.join(pictures, `${name}.webp`), clip);
}

/** Opens a window with the stack expanded. */
function openWindow(browser: Browser, url: string, colorScheme: 'light' | 'dark'): Promise<Workbench> {
  return openDemoWindow(browser, url, colorScheme === 'light' ? 'Light 2026' : 'Dark 2026');
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
    await photographEditor(workbench, colorScheme);
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

/** A text that somebody is in the middle of, as large as it is read. */
async function photographEditor(workbench: Workbench, colorScheme: 'light' | 'dark'): Promise<void> {
  const { webview } = workbench;
  await webview.getByRole('button', { name: 'Edit section' }).first().click();
  const box = await webview
    .locator('section', { has: webview.locator('.cm-content') })
    .first()
    .boundingBox();
  if (box === null) {
    throw new Error('There is no editor.');
  }
  await take(workbench, `edit-${colorScheme}`, {
    x: box.x - 16,
    y: box.y - 16,
    width: box.width + 32,
    height: 350,
    scale: 1,
  });
}

const directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-screenshots-'));
await using cleanup = new AsyncDisposableStack();
cleanup.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
const { repository, service, code } = await startDemo(directory, cleanup);
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
