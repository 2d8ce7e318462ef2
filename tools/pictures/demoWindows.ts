/** The windows that the pictures of the project are taken of: over a repository made for them, with its stack from a server of its own. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { Workbench } from '../../test/support/workbench.ts';
import { launchBrowser } from '../browser.ts';
import { buildExtension } from '../build.ts';
import { openService } from '../localService.ts';
import { provideVsCode, root } from '../provision.ts';
import { startVsCode, type VsCodeOptions } from '../vscode.ts';
import { makeDemoRepository, titles } from './demoRepository.ts';
import { drawingTheme } from './drawingTheme.ts';

/** The section of the model that has no other idea. */
const draftedText = `# Not all at once

Clients that were told the same \`Retry-After\` would come back in the same millisecond. \`spread()\` adds up to
half a second to what the server asks for. Look at whether that may take longer than \`longestWait\`.`;

/**
 * Builds the extension, and starts a server with a stack, and VS Code. Both end with `cleanup`.
 *
 * @param directory an empty one, for all that they write.
 * @param options what VS Code has besides: extensions, and settings of the person.
 */
export async function startDemo(
  directory: string,
  cleanup: AsyncDisposableStack,
  options: Pick<VsCodeOptions, 'extensions' | 'settings'> = {},
) {
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
    extensions: [root, path.join(root, 'test/support/scriptedModel'), ...(options.extensions ?? [])],
    env: { PATCH_STACKS_TEST_MODEL: model },
    folder: repository,
    settings: {
      'workbench.layoutControl.enabled': false,
      'window.commandCenter': false,
      // Nothing that fades away is in a picture.
      'workbench.reduceMotion': 'on',
      ...options.settings,
    },
  });
  cleanup.defer(code.stop);
  return { repository, service, code };
}

/** Opens a window with the stack expanded. @param theme the color theme, as VS Code calls it. */
export async function openDemoWindow(browser: Browser, url: string, theme: string): Promise<Workbench> {
  const workbench = await Workbench.open(browser, url, {
    colorScheme: theme.startsWith('Dark') ? 'dark' : 'light',
  });
  const { tree } = workbench;
  await tree.expand('parcels-client');
  if (theme !== drawingTheme) {
    await workbench.widenSideBar(90);
  }
  await workbench.runCommand('Preferences: Color Theme');
  await workbench.pick(theme);
  await workbench.quickInput.waitFor({ state: 'hidden' });
  await tree.expand(/retry.after/i);
  return workbench;
}

/** Reads all of the stack, and signs off on its first patch: what is on the screen for a second was read. */
export async function readAll(url: string): Promise<void> {
  const browser = await launchBrowser();
  try {
    const workbench = await openDemoWindow(browser, url, 'Light 2026');
    const { page, tree, webview } = workbench;
    await page.setViewportSize({ width: 1280, height: 3000 });
    for (const title of titles) {
      await tree.open(title);
      await tree.row(title).and(page.locator('[aria-label*=", read,"]')).waitFor();
    }
    await tree.open(titles[0]);
    // Until then the last one is what is looked at.
    await webview.locator('.document:not(.beginning) h1', { hasText: titles[0] }).waitFor();
    await workbench.runCommand('Patch Stacks: Sign Off Patch');
    await webview.locator('.reviewers', { hasText: 'Signed off by' }).waitFor();
  } finally {
    await browser.close();
  }
}
