/** Takes the pictures of two people who review with each other through a Git remote, of the real thing. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { Workbench } from '../../test/support/workbench.ts';
import { launchBrowser } from '../browser.ts';
import { buildExtension } from '../build.ts';
import { provideVsCode, root } from '../provision.ts';
import { startVsCode, type VsCode } from '../vscode.ts';
import { makeDemoRepository, titles } from './demoRepository.ts';
import { writePicture } from './writePicture.ts';

const jun = { name: 'Jun Ito', email: 'jun@example.org' };

/** Writes a picture of a whole window. */
async function take(window: Workbench, name: string): Promise<void> {
  await window.quickInput.waitFor({ state: 'hidden' });
  await window.page.bringToFront();
  // Of a page that was behind another one, there may only be an older picture.
  await window.webview
    .locator('main')
    .evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await writePicture(window.page, path.join(root, 'media/screenshots', `${name}.webp`));
}

/** Opens somebody's window over their clone, with its stacks from their own local server. */
async function openWindow(
  browser: Browser,
  code: VsCode,
  folder: string,
  colorScheme: 'light' | 'dark',
): Promise<Workbench> {
  const window = await Workbench.open(browser, code.windowUrl({ folder }), { colorScheme });
  await window.page.getByRole('tab', { name: 'Patch Stacks' }).click();
  await window.runCommand('Patch Stacks: Try It on This Repository');
  await window.tree.expand(path.basename(folder));
  await window.widenSideBar(90);
  return window;
}

/** Waits until the code on the screen has its colors. */
async function colored(window: Workbench): Promise<void> {
  await window.webview.locator('[data-line-type="add"]').first().locator('[class^="tok-"]').first().waitFor();
}

async function agree(window: Workbench): Promise<void> {
  await window.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Share', exact: true }).click();
  await window.tree.row('parcels').filter({ hasText: 'shared' }).waitFor();
}

async function openPatch(window: Workbench): Promise<void> {
  await window.tree.expand(/retry.after/i);
  await window.tree.open(titles[0]);
  await window.webview.locator('.document:not(.beginning) h1', { hasText: titles[0] }).waitFor();
}

/** The question before anything is shared, and a patch as the other one sees it afterwards. */
async function photograph(code: VsCode, folders: Folders, colorScheme: 'light' | 'dark'): Promise<void> {
  const browser = await launchBrowser();
  try {
    const mara = await openWindow(browser, code, folders.mara, colorScheme);
    await openPatch(mara);
    await mara.clearNotifications();
    await colored(mara);
    await mara.runCommand('Patch Stacks: Share Reviews…');
    await mara.page.locator('.monaco-dialog-box').getByText('Everyone who can read').waitFor();
    await take(mara, `share-${colorScheme}`);
    await agree(mara);
    await mara.runCommand('Patch Stacks: Add SSH Key');
    await mara.quickPickRow('id_ed25519.pub').click();
    await mara.quickInput.and(mara.page.locator(':focus')).waitFor();
    await mara.page.locator('.quick-input-widget').getByText('SHA256:').first().waitFor();
    await mara.quickInput.press('Enter');
    await mara.told('Added SSH key');
    await mara.runCommand('Patch Stacks: Sign Off Patch Anyway');
    await mara.webview.locator('.reviewers', { hasText: 'Signed off by' }).waitFor();
    await mara.runCommand('Patch Stacks: Share Now');

    const other = await openWindow(browser, code, folders.jun, colorScheme);
    await other.runCommand('Patch Stacks: Share Reviews…');
    await agree(other);
    await other.runCommand('Patch Stacks: Share Now');
    await openPatch(other);
    await other.webview.locator('.reviewers', { hasText: /Signed off by.*Mara/ }).waitFor();
    await other.clearNotifications();
    await colored(other);
    await take(other, `shared-${colorScheme}`);
  } finally {
    await browser.close();
  }
}

/** The clones of both. */
interface Folders {
  readonly mara: string;
  readonly jun: string;
}

/** Makes two clones of one remote, and a key for whoever signs. @returns The folders, and the home of both. */
async function makeTeam(directory: string): Promise<{ folders: Folders; home: string }> {
  const git = (folder: string, ...args: string[]): void => {
    execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
  };
  const remote = path.join(directory, 'parcels.git');
  const folders = {
    mara: path.join(directory, 'mara', 'parcels'),
    jun: path.join(directory, 'jun', 'parcels'),
  };
  await mkdir(folders.mara, { recursive: true });
  await makeDemoRepository(folders.mara);
  git(directory, 'clone', '--quiet', '--bare', folders.mara, remote);
  git(remote, 'symbolic-ref', 'HEAD', 'refs/heads/main');
  git(folders.mara, 'remote', 'add', 'origin', remote);
  git(folders.mara, 'fetch', '--quiet');
  await mkdir(path.dirname(folders.jun));
  git(directory, 'clone', '--quiet', '--branch', 'main', remote, folders.jun);
  git(folders.jun, 'config', 'user.name', jun.name);
  git(folders.jun, 'config', 'user.email', jun.email);
  const home = path.join(directory, 'home');
  await mkdir(path.join(home, '.ssh'), { recursive: true });
  execFileSync('ssh-keygen', [
    '-q',
    '-t',
    'ed25519',
    '-N',
    '',
    '-C',
    'laptop',
    '-f',
    path.join(home, '.ssh', 'id_ed25519'),
  ]);
  return { folders, home };
}

const installation = await provideVsCode();
await buildExtension();
for (const colorScheme of ['light', 'dark'] as const) {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(path.join(tmpdir(), 'team-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const { folders, home } = await makeTeam(directory);
  const code = await startVsCode({
    installation,
    dataDirectory: path.join(directory, 'vscode'),
    logFile: path.join(directory, 'vscode.log'),
    trustsFolders: true,
    extensions: [root],
    env: { HOME: home },
    settings: {
      'workbench.colorTheme': colorScheme === 'light' ? 'Light 2026' : 'Dark 2026',
      'workbench.reduceMotion': 'on',
      'workbench.layoutControl.enabled': false,
      'window.commandCenter': false,
    },
  });
  cleanup.defer(code.stop);
  await photograph(code, folders, colorScheme);
}
