/**
 * Takes screenshots of every state of a stack's page, and of its document, to be looked at: as documentPictures.ts does.
 *
 *   node tools/bootstrap.mjs tools/pictures/stackPictures.ts [--only STATE,…] [FOLDER]
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Locator } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import { Editor, errorsWhileTyping } from '../../test/support/editor.ts';
import { git } from '../../test/support/exampleRepository.ts';
import { extensionHostOf } from '../../test/support/extensionHost.ts';
import {
  FaultServer,
  reply,
  resetBeforeHeaders,
  stalledHeaders,
  type Fault,
} from '../../test/support/faultServer.ts';
import { forwardTo, passOn } from '../../test/support/forward.ts';
import { followSystemTheme } from '../../test/support/pageChecks.ts';
import { buildExtension } from '../build.ts';
import { testFolder } from '../provision.ts';
import { all, PictureSheets, small } from './pictureSheets.ts';

const { values: options, positionals } = parseArgs({
  options: { only: { type: 'string' } },
  allowPositionals: true,
});
const folder = path.resolve(positionals[0] ?? path.join(testFolder, 'stackPictures'));
/** Patches of a stack that is huge. */
const many = 200;

await buildExtension();
await mkdir(folder, { recursive: true });
const server = await FaultServer.start();
let serviceUrl = '';
const editor = await Editor.start({
  expectedErrors: errorsWhileTyping,
  signedIn: true,
  reachedAt: async (url) => {
    serviceUrl = url;
    server.use(forwardTo(url));
    return new URL(new URL(url).pathname, server.url).href;
  },
});
const { repository, service } = editor;
const client = new ApiClient({ serverUrl: service.url, getToken: async () => service.token });
const window = await editor.openWindow();
const { page, webview } = window;
const sheets = new PictureSheets(window, folder, options.only?.split(','));
const take = sheets.take.bind(sheets);
const stack = { name: 'Greetings' };
try {
  await window.tree.expand('greetings');
  await followSystemTheme(window);
  await prepare();
  await photographPage();
  await photographDocument();
  await photographNewVersion();
  await photographHuge();
  await photographFailures();
  await photographWhole();
  await photographClosed();
  await photographSilence();
} catch (error) {
  // The window may be gone: that is no better reason.
  await page.screenshot({ path: path.join(folder, 'broken.png') }).catch(() => undefined);
  throw error;
} finally {
  await client.close();
  await editor.close();
  await server.stop();
}

async function prepare(): Promise<void> {
  const branch = 'greet/größer';
  const [project] = (await client.projects.list()).items;
  const { uuid, patches = [] } = await client.stacks.latestForBranch(project?.repositoryId ?? '', branch);
  const description =
    'Greets **everybody** by name, and says why.\n\n- [x] names\n- [ ] titles\n\n> Titles and honors come later.';
  await client.stacks.update(uuid, { title: stack.name, description });
  await client.patches.update(uuid, patches[0]?.changeId ?? '', { signOff: true });
  await client.patches.update(uuid, patches[1]?.changeId ?? '', { signOff: false });
  await update();
}

/** Has the server and the window know what is in the repository now. */
async function update(): Promise<void> {
  await service.importRepository();
  await window.runCommand('Patch Stacks: Refresh');
}

function heading(name: string): Locator {
  return webview.locator('.stack-page:not(.beginning)').getByRole('heading', { name });
}

/** Opens a stack's page, and nothing beside it. */
async function open(name = stack.name): Promise<void> {
  await window.closeAllEditors();
  await window.runCommand('View: Show Patch Stacks');
  await window.tree.settled();
  await window.tree.open(name);
  await window.runCommand('View: Close Primary Side Bar');
}

/** Opens a stack as one document from its page. */
async function openDocument(): Promise<void> {
  await open();
  await heading(stack.name).waitFor();
  await webview.getByRole('button', { name: 'Open Patch Stack as One Document' }).click();
  await webview.locator('.document.stack:not(.beginning) [data-section]').first().waitFor();
  await window.clearNotifications();
}

async function photographPage(): Promise<void> {
  await open();
  await heading(stack.name).waitFor();
  await webview.locator('.explained').first().waitFor();
  await take('page', { also: all });
  await webview.getByRole('button', { name: 'Edit Patch Stack' }).click();
  await webview.locator('.cm-content').waitFor();
  await take('page-edited', { also: small });
  await page.keyboard.press('Escape');
  await webview.locator('.stack-form').waitFor({ state: 'detached' });
}

async function photographDocument(): Promise<void> {
  await openDocument();
  await take('document', { also: all });
  await webview.getByRole('button', { name: 'Side by side' }).click();
  await take('document-side-by-side', { also: small });
  await webview.getByRole('button', { name: 'Side by side' }).click();
  await webview.locator('[data-patch]').nth(1).scrollIntoViewIfNeeded();
  await take('document-second', { also: small });
}

async function photographNewVersion(): Promise<void> {
  await openDocument();
  git(repository, 'commit', '--quiet', '--allow-empty', '-m', 'Say more', '-m', 'Words of it.');
  await update();
  await webview
    .locator('.rail')
    .getByText(/ of 6$/)
    .waitFor();
  await window.clearNotifications();
  await take('document-new-version');
  await open();
  await webview
    .getByText(/Version 2/)
    .first()
    .waitFor();
  await webview.getByText(/^Since version 1: /).click();
  await webview.locator('.changes table').waitFor();
  await take('page-changes', { also: all });
  await webview.getByText(/^Since version 1: /).click();
  await take('page-new-version');
}

async function photographHuge(): Promise<void> {
  git(repository, 'checkout', '--quiet', '-b', 'huge', 'origin/main');
  for (let index = 1; index <= many; index += 1) {
    const title = `Step ${index}${' and a long title that goes on and on'.repeat(index % 4)}`;
    git(repository, 'commit', '--quiet', '--allow-empty', '-m', title, '-m', `Words of ${index}.`);
  }
  await update();
  await open('huge');
  await webview.getByRole('listitem').filter({ hasText: 'Step 1' }).first().waitFor();
  await take('page-huge', { also: small });
  await webview.getByRole('button', { name: 'Open Patch Stack as One Document' }).click();
  await webview.locator('.document.stack:not(.beginning) [data-section]').first().waitFor();
  await take('document-huge', { also: all });
  git(repository, 'checkout', '--quiet', 'greet/größer');
  await update();
}

async function photographFailures(): Promise<void> {
  git(repository, 'checkout', '--quiet', '-b', 'failing', 'origin/main');
  for (const name of ['One', 'Two', 'Three']) {
    git(repository, 'commit', '--quiet', '--allow-empty', '-m', name, '-m', `Words of ${name}.`);
  }
  git(repository, 'checkout', '--quiet', 'greet/größer');
  await update();
  await openDocument();
  server.use(resetBeforeHeaders);
  await window.runCommand('Patch Stacks: Refresh');
  await window.clearNotifications();
  await take('document-offline', { also: small });
  await window.runCommand('View: Close All Editors');
  await open();
  await webview.locator('.stale').waitFor();
  await take('page-offline', { also: small });
  const isPatch = ({ method, url }: { method: string; url: string }): boolean =>
    method === 'GET' && /\/patch\/[^/]+$/.test(url);
  const failPatches = (fault: Fault): void =>
    server.use(forwardTo(serviceUrl, (request) => (isPatch(request) ? fault : undefined)));
  failPatches(reply(500, '{"error":"The database is locked."}'));
  await open('failing');
  await webview.getByRole('button', { name: 'Open Patch Stack as One Document' }).click();
  await webview.locator('.document.stack .problem').first().waitFor();
  await take('document-failed', { also: small });
  failPatches(stalledHeaders);
  await webview.getByRole('button', { name: 'Retry' }).first().click();
  await webview.getByText('Loading the patch…').first().waitFor();
  await take('document-loading');
  server.use(forwardTo(serviceUrl));
}

/** The answer of the service, but for something in it. */
function amended(amend: (answer: unknown) => unknown): Fault {
  return async (response, request, attempt) => {
    const answer: unknown = await (await passOn(serviceUrl, request)).json();
    await reply(200, JSON.stringify(amend(answer)))(response, request, attempt);
  };
}

/** The page as a whole while it has nothing yet, when it can't have it, and when there is nothing to have. */
async function photographWhole(): Promise<void> {
  for (const branch of ['waiting', 'failed', 'empty']) {
    git(repository, 'checkout', '--quiet', '-b', branch, 'origin/main');
    git(repository, 'commit', '--quiet', '--allow-empty', '-m', `Of ${branch}`);
  }
  git(repository, 'checkout', '--quiet', 'greet/größer');
  // A server may list stacks without their patches: those are asked for when the page is opened.
  const withoutPatches = amended((stacks) =>
    (stacks as object[]).map((one) => ({ ...one, patches: undefined })),
  );
  const answerPatches = (fault: Fault): void =>
    server.use(
      forwardTo(serviceUrl, ({ method, url }) => {
        const [, project, branch, more] = /\/patch_stack\/([^/?]+)(?:\/([^/?]+))?(\/)?/.exec(url) ?? [];
        return method !== 'GET' || project === undefined || more !== undefined
          ? undefined
          : branch === undefined
            ? withoutPatches
            : fault;
      }),
    );
  answerPatches(stalledHeaders);
  await update();
  await open('Of waiting');
  await webview.getByText('Loading the patch stack…').waitFor();
  await take('page-loading', { also: small });
  answerPatches(reply(500, '{"error":"The database is locked."}'));
  await open('Of failed');
  await webview.getByRole('alert').waitFor();
  await take('page-failed', { also: all });
  answerPatches(amended((one) => ({ ...(one as object), patches: [] })));
  await open('Of empty');
  await webview.getByText('No patches').waitFor();
  await take('page-empty', { also: small });
  server.use(forwardTo(serviceUrl));
}

async function photographClosed(): Promise<void> {
  await open();
  await heading(stack.name).waitFor();
  const [project] = (await client.projects.list()).items;
  const { uuid } = await client.stacks.latestForBranch(project?.repositoryId ?? '', 'greet/größer');
  await client.stacks.update(uuid, { status: 'closed' });
  await window.runCommand('Patch Stacks: Refresh');
  await webview.getByText('This patch stack is closed and read-only.').waitFor();
  await take('page-closed', { also: small });
  await webview.getByRole('button', { name: 'Open Patch Stack as One Document' }).click();
  await webview.getByRole('button', { name: 'Reopen Patch Stack' }).first().waitFor();
  await take('document-closed', { also: small });
  await client.stacks.update(uuid, { status: 'active' });
}

async function photographSilence(): Promise<void> {
  await window.runCommand('Patch Stacks: Refresh');
  await open();
  await webview.getByRole('button', { name: 'Edit Patch Stack' }).click();
  await webview.locator('.cm-content').click();
  await page.keyboard.type('Words. ');
  const host = await extensionHostOf(editor);
  process.kill(host, 'SIGSTOP');
  await page.keyboard.type('Half a thought');
  await webview.locator('.silence-note').first().waitFor();
  await take('page-silent', { also: all });
  process.kill(host, 'SIGCONT');
  await webview.locator('.silence-note').first().waitFor({ state: 'detached' });
  await openDocument();
  await webview.getByRole('button', { name: 'Insert section at the top' }).first().click();
  await webview.locator('.cm-content:focus').waitFor();
  await page.keyboard.type('Half a thought');
  await webview.getByText('Saved locally').waitFor();
  process.kill(await extensionHostOf(editor), 'SIGKILL');
  await page.keyboard.type(', and the other half');
  await webview.locator('.silence-note').first().waitFor();
  await take('document-killed', { also: small });
}
