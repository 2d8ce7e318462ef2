/** Launches the browser that drives VS Code's window. */
import { chromium, type Browser, type BrowserContext, type LaunchOptions } from 'playwright-core';
import { cleanEnvironment } from './processes.ts';
import { provideBrowser } from './provision.ts';

const flags = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--no-default-browser-check',
];

/** Launches a browser that forgets everything when it ends. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch(await launchOptions());
}

/** Launches a browser that keeps what it has in a folder, as a person's does: the next one that is given the folder finds that. */
export async function launchProfile(folder: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, {
    ...(await launchOptions()),
    viewport: { width: 1280, height: 800 },
  });
}

async function launchOptions(): Promise<LaunchOptions> {
  const { executable, env } = await provideBrowser();
  return {
    executablePath: executable,
    // PATCH_STACKS_TEST_HEADED=1 shows the window, for a look at a failing test.
    headless: process.env['PATCH_STACKS_TEST_HEADED'] === undefined,
    // It shows nothing but our own VS Code, and the sandbox does not work for root or in most containers.
    chromiumSandbox: false,
    args: flags,
    env: cleanEnvironment(env),
  };
}
