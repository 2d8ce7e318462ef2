/** The forms and the other pages beside the patch document: in every theme, and in a narrow window. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ApiClient } from '../../src/api/client.ts';
import { Editor } from '../support/editor.ts';
import { expect } from '../support/expect.ts';
import { FaultServer, reply } from '../support/faultServer.ts';
import { forwardTo } from '../support/forward.ts';
import {
  chooseTheme,
  clippedControlsOf,
  expectNoFaults,
  overflowOf,
  setPageWidth,
  themes,
} from '../support/pageChecks.ts';
import { pictureAfterFailure } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

const release = {
  version: '1.2.0',
  channel: 'nightly',
  sha: '5f0c1e2d3b4a59687706152433425160718293a4',
  build_version: '1.2.0+5f0c1e2',
  released_at: '2026-01-02T03:04:05Z',
  notes: '# What is new\n\n- It greets `people` by name.',
  builds: [
    {
      os: 'linux',
      arch: 'x64',
      platform: 'gnu',
      file: 'greet-1.2.0-linux-x64-with-a-long-name.tar.gz',
      url: 'https://example.org/greet.tar.gz',
    },
  ],
};

/** Milliseconds in which a page that waits for no other one is asked for. */
const waitingMs = 2_000;

describe('pages', function () {
  this.timeout(180_000);
  let editor: Editor;
  let proxy: FaultServer;
  let window: Workbench;
  let login: string;

  /** The titles of the pages' editors, each with what it shows when it is whole. */
  const pages: [title: string, whole: string][] = [
    ['Profile', 'h1'],
    ['Create Release', '.builds table'],
    ['Send Feedback', '.preview h1, .preview p'],
    ['Patch Statuses', 'table'],
    ['Ada', '[data-user] h1'],
    ['größer', '.stack-page .prose'],
  ];

  before(async () => {
    proxy = await FaultServer.start();
    editor = await Editor.start({
      signedIn: true,
      reachedAt: async (serviceUrl) => {
        const created = reply(201, JSON.stringify(release));
        proxy.use(forwardTo(serviceUrl, ({ url }) => (url.endsWith('/releases') ? created : undefined)));
        return proxy.url;
      },
    });
    const client = new ApiClient({
      serverUrl: editor.service.url,
      getToken: async () => editor.service.token,
    });
    const key = path.join(import.meta.dirname, '../unit/accounts/sshKeys/ed25519.pub');
    await client.users.updateMe({ name: 'Ada' });
    await client.users.addKey({ name: 'laptop', publicKey: await readFile(key, 'utf8') });
    ({ login = '' } = await client.users.me());
    const [stack] = (await client.stacks.list((await client.projects.list()).items[0]!.repositoryId)).items;
    const { uuid, patches = [] } = stack!;
    await client.stacks.update(uuid, { description: '# Why\n\nGreets **everybody**.' });
    await client.patches.update(uuid, patches[0]!.changeId, { signOff: true });
    await client.patches.update(uuid, patches[1]!.changeId, { signOff: false });
    await client.close();
    window = await editor.openWindow();
    await window.tree.row('greetings').waitFor();
  });

  pictureAfterFailure(() => window);

  after(async () => {
    await editor.close();
    await proxy.stop();
  });

  /** Opens every page, in a state that shows much of it. */
  async function openAll(): Promise<void> {
    const { webview } = window;
    await window.runCommand('Patch Stacks: Edit Profile');
    await webview.getByLabel('Name', { exact: true }).fill('');
    await webview.getByRole('button', { name: 'Save' }).click();
    await webview.getByText('Enter a name.').waitFor();

    await window.runCommand('Patch Stacks: Create Release');
    const version = webview.getByLabel('Version', { exact: true });
    await version.fill('1.2.0');
    await webview.getByRole('button', { name: 'Create Release' }).click();
    await webview.locator('.builds table').waitFor();
    await version.fill('no version');
    await webview.getByRole('button', { name: 'Create Release' }).click();
    await webview.getByText("This isn't a semantic version.").waitFor();

    await window.runCommand('Patch Stacks: Send Feedback');
    await webview.getByLabel('Message').fill('# It does not greet\n\nIt says `Hello`, and no name.');
    await webview.getByRole('button', { name: 'Preview' }).click();
    await webview.getByLabel('Repository').selectOption({ index: 1 });
    await webview.getByText(/uncompressed/).waitFor();
    await webview.getByLabel('Reply address').fill('nobody');
    await webview.getByRole('button', { name: 'Send', exact: true }).click();
    await webview.getByText('Enter a valid email address').waitFor();

    await window.tree.expand('greetings');
    await window.tree.chooseFromMenu(/größer/i, 'Show Patch Statuses');
    await webview.getByRole('table').waitFor();

    await window.runCommand('Patch Stacks: Show User');
    await window.type(login);
    await webview.locator('[data-user] h1').waitFor();

    await window.tree.open(/größer/i);
    await webview.locator('.stack-page .prose').waitFor();
    await window.runCommand('View: Close Primary Side Bar');
  }

  /** Brings a page to the front. */
  async function show(title: string, whole: string): Promise<void> {
    await window.editorTab(title).first().click();
    await window.webview.locator(whole).first().waitFor();
  }

  it('come one after another where two are opened at once in a window that has had none', async () => {
    // The frame of the first is held up while that of the second may be asked for, which comes once VS Code's service worker is there.
    const first = Promise.withResolvers<null>();
    const second = Promise.withResolvers<null>();
    let requested = 0;
    await window.page.context().route(/\/webview\/browser\/pre\/index\.html/, async (route) => {
      requested += 1;
      if (requested === 1) {
        await first.promise;
      } else {
        second.resolve(null);
        await until(hasServiceWorker);
      }
      await route.continue();
    });
    await window.runCommand('Patch Stacks: Edit Profile');
    await expect.poll(() => requested).toBe(1);
    await window.runCommand('Patch Stacks: Send Feedback');
    await Promise.race([second.promise, setTimeout(waitingMs)]);
    first.resolve(null);
    await window.webview.getByLabel('Message').waitFor();
    await window.editorTab('Profile').click();
    await window.webview.getByLabel('Name', { exact: true }).waitFor();
    await window.page.context().unrouteAll();
  });

  /** Whether VS Code's service worker for pages is in charge of one that is there. */
  async function hasServiceWorker(): Promise<boolean> {
    const frames = window.page.frames().filter((frame) => frame.url().includes('/webview/browser/pre/'));
    const controlled = frames.map((frame) =>
      frame.evaluate(() => navigator.serviceWorker.controller !== null),
    );
    return (await Promise.all(controlled)).includes(true);
  }

  describe('that are open', () => {
    before(openAll);

    for (const theme of themes) {
      it(`have no fault that axe finds in ${theme}`, async () => {
        await chooseTheme(window, theme);
        for (const [title, whole] of pages) {
          await show(title, whole);
          await look(`${title}-${theme}`);
          await expectNoFaults(window.webview, { message: title });
        }
      });
    }

    it('need no scrolling to the side in a narrow window, nor at 200 %', async () => {
      for (const [title, whole] of pages) {
        await show(title, whole);
        await window.page.setViewportSize({ width: 400, height: 800 });
        await look(`${title}-narrow`);
        await expect.poll(() => overflowOf(window.webview), { message: title }).toBeLessThanOrEqual(0);
        await window.page.setViewportSize({ width: 1280, height: 800 });
      }
    });

    it('have every control in sight where 320 pixels are all there is', async () => {
      for (const [title, whole] of pages) {
        await show(title, whole);
        await setPageWidth(window, 320);
        await look(`${title}-320`);
        await expect.poll(() => clippedControlsOf(window.webview), { message: title }).toEqual([]);
        await expect.poll(() => overflowOf(window.webview), { message: title }).toBeLessThanOrEqual(0);
        await window.page.setViewportSize({ width: 1280, height: 800 });
      }
    });

    it('have radio buttons and check boxes that are large enough to hit', async () => {
      for (const [title, whole] of pages) {
        await show(title, whole);
        const small = await window.webview
          .locator('input:is([type="radio"], [type="checkbox"])')
          .evaluateAll((inputs) =>
            inputs
              .map((input) => (input.closest('label') ?? input).getBoundingClientRect())
              .filter(({ width, height }) => width < 24 || height < 24)
              .map(({ width, height }) => `${width} by ${height}`),
          );
        assert.deepEqual(small, [], title);
      }
    });
  });

  /** Takes a screenshot, for whoever wants to look. */
  async function look(name: string): Promise<void> {
    const folder = process.env['PATCH_STACKS_PICTURES'];
    if (folder !== undefined) {
      await window.screenshot(name.replaceAll(' ', '-'), folder);
    }
  }
});
