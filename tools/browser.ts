/** Launches the browser that drives VS Code's window. */
import { chromium, type Browser } from 'playwright-core';
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

export async function launchBrowser(): Promise<Browser> {
  const { executable, env } = await provideBrowser();
  return chromium.launch({
    executablePath: executable,
    // PATCH_STACKS_TEST_HEADED=1 shows the window, for a look at a failing test.
    headless: process.env['PATCH_STACKS_TEST_HEADED'] === undefined,
    // It shows nothing but our own VS Code, and the sandbox does not work for root or in most containers.
    chromiumSandbox: false,
    args: flags,
    env: cleanEnvironment(env),
  });
}
