/** `npm start` again, in a clone that was edited while a window of the first one is open. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../tools/browser.ts';
import { builtFrom } from '../../tools/builds.ts';
import { provideVsCode, root, testFolder } from '../../tools/provision.ts';
import { makeExampleRepository } from '../support/exampleRepository.ts';
import { Workbench } from '../support/workbench.ts';
import { StartedProcess } from './startedProcess.ts';

describe('npm start, twice', function () {
  this.timeout(180_000);
  let directory: string;
  let clone: string;
  let browser: Browser;
  const started: StartedProcess[] = [];
  const windows: Workbench[] = [];

  before(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'patch-stacks-twice-'));
    clone = path.join(directory, 'clone');
    for (const file of builtFrom(root).filter((name) => !name.startsWith('node_modules'))) {
      cpSync(path.join(root, file), path.join(clone, file));
    }
    cpSync(path.join(root, 'tools'), path.join(clone, 'tools'), { recursive: true });
    symlinkSync(path.join(root, 'node_modules'), path.join(clone, 'node_modules'), 'junction');
    browser = await launchBrowser();
    await provideVsCode();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      for (const [index, { output }] of started.entries()) {
        console.log(`--- npm start ${index + 1} had printed:\n${output}`);
      }
      for (const [index, window] of windows.entries()) {
        console.log(`--- window ${index + 1}, at the end:\n${window.consoleLines.slice(-10).join('\n')}`);
        console.log(`--- a picture: ${await window.screenshot(`failed-${Date.now()}`)}`);
      }
    }
    await Promise.all(windows.map((window) => window.close()));
    await Promise.all(started.map((one) => one.stop()));
  });

  after(async () => {
    await browser.close();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });

  /** Starts, over a repository of its own, and opens the window. */
  async function start(name: string): Promise<Workbench> {
    const folder = path.join(directory, name);
    await mkdir(folder);
    const { directory: repository } = await makeExampleRepository(folder);
    const one = StartedProcess.start(
      ['--no-open', '--repo', repository, '--data', path.join(folder, 'data')],
      { PATCH_STACKS_TEST_CACHE: process.env['PATCH_STACKS_TEST_CACHE'] ?? testFolder },
      clone,
    );
    started.push(one);
    const window = await Workbench.open(browser, await one.address());
    windows.push(window);
    // It is there, and has loaded what that takes.
    await window.webview.locator('.stack-page').getByRole('button', { name: 'Add a picture' }).waitFor();
    return window;
  }

  /** Opens a page that the window has not loaded until then. */
  async function openFeedback(window: Workbench, heading: string): Promise<void> {
    await window.runCommand('Patch Stacks: Send Feedback');
    await window.webview.getByRole('heading', { name: heading, exact: true, level: 1 }).waitFor();
  }

  it('leaves the window that is open the version it began with, also when it is loaded again', async () => {
    const first = await start('first');
    const form = path.join(clone, 'src/webview/feedback/Form.tsx');
    const text = readFileSync(form, 'utf8');
    const edited = text.replace("<h1>{l10n.t('Send Feedback')}</h1>", '<h1>Edited</h1>');
    assert.notEqual(edited, text);
    writeFileSync(form, edited);
    const second = await start('second');
    await openFeedback(second, 'Edited');
    await openFeedback(first, 'Send Feedback');
    await first.reload();
    await first.webview.getByRole('heading', { name: 'Send Feedback', exact: true, level: 1 }).waitFor();
  });
});
