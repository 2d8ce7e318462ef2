import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile, rename } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import { startService, type LocalService } from '../../src/service/service.ts';
import { Editor } from '../support/editor.ts';
import { expect, expectNone } from '../support/expect.ts';
import { FaultServer } from '../support/faultServer.ts';
import { forwardTo } from '../support/forward.ts';
import { localServers } from '../support/localServers.ts';
import { Person } from '../support/person.ts';
import { Relay } from '../support/relay.ts';
import { pictureAfterFailure } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

/** Opens the side bar's view as a person does: by its icon. */
async function showStacks({ page }: Workbench): Promise<void> {
  await page.getByRole('tab', { name: 'Patch Stacks' }).first().click();
}

describe('signing in', function () {
  this.timeout(400_000);
  let editor: Editor;
  let other: LocalService;
  /** Milliseconds that the other service's clock is from ours. */
  let clockOffset = 0;
  let context: BrowserContext;
  let window: Workbench;
  /** The servers at which the test has signed in with a token. */
  const servers = new Set<string>();
  /** Whom the service signs in: Git's user of this machine. */
  let login: string;

  before(async () => {
    editor = await Editor.start();
    login = await ownLogin(editor.service);
    other = await startService({
      tellCode: () => undefined,
      dataDirectory: path.join(editor.directory, 'other-service'),
      now: () => Date.now() + clockOffset,
    });
  });

  before(openWindow);

  pictureAfterFailure(() => window);

  afterEach(async function () {
    if (this.currentTest?.state === 'passed') {
      await window.page.keyboard.press('Escape');
      await window.closeAllEditors();
      await beSignedOut();
      await window.clearNotifications();
    } else {
      // Takes with it whatever may be left: its local server, too, which goes with a window that is closed.
      await Promise.all(context.pages().map((page) => page.close()));
      await context.close();
      await openWindow();
    }
    servers.clear();
  });

  after(async () => {
    await other.close();
    await editor.close();
  });

  /** Opens a window of a browser in which nobody has ever signed in. */
  async function openWindow(): Promise<void> {
    context = await editor.openContext();
    window = await editor.openWindow({ context });
    await showStacks(window);
    await window.tree.welcome.waitFor();
  }

  /** Signs out, and leaves nothing of it on this computer. */
  async function beSignedOut(): Promise<void> {
    const isOut = window.tree.welcome.getByText('Sign in to review and edit patch stacks.');
    if (!(await isOut.isVisible())) {
      if (servers.size > 1) {
        await signOut('Sign Out and Delete Local Data');
        await window.tree.welcome.getByRole('button', { name: 'Switch Server' }).click();
        await window.quickPickRows.first().click();
      }
      await signOut('Sign Out and Delete Local Data');
      await isOut.waitFor();
    }
  }

  async function signOut(button: string, server?: string): Promise<void> {
    await window.runCommand('Patch Stacks: Sign Out');
    const dialog = window.page.locator('.monaco-dialog-box');
    const choice = window.page.getByPlaceholder('Sign out of…');
    await dialog.or(choice).waitFor();
    if (await choice.isVisible()) {
      await window.quickPickRows.first().click();
    }
    if (server !== undefined) {
      await dialog.getByText(`Sign out of ${server} as `).waitFor();
    }
    await dialog.getByRole('button', { name: button, exact: true }).click();
  }

  async function signInWithToken(at: Pick<LocalService, 'url' | 'token'>, token = at.token): Promise<void> {
    servers.add(at.url);
    await window.runCommand('Patch Stacks: Sign In with Access Token');
    await window.type(at.url);
    await window.page.locator('.quick-input-widget', { hasText: 'Your access token for' }).waitFor();
    await window.type(token);
  }

  /** Takes a screenshot, for whoever wants to look. */
  async function look(name: string): Promise<void> {
    const folder = process.env['PATCH_STACKS_PICTURES'];
    if (folder !== undefined) {
      await window.screenshot(name, folder);
    }
  }

  /** Starts the sign-in by its button and answers with the page that the browser opens. */
  async function startSignIn(at = editor.service): Promise<Page> {
    await window.tree.welcome.getByRole('button', { name: 'Sign In', exact: true }).click();
    const opened = context.waitForEvent('page');
    await window.type(at.url);
    return opened;
  }

  // The first, while nobody has ever signed in: what is ticked stays so.
  it('ticks the step of the walkthrough, as do the others, also when it is opened afterwards', async () => {
    await signInWithToken(editor.service);
    await window.tree.expand('greetings');
    await window.tree.expand(/größer/i);
    await window.tree.open('Greet people by name');
    await window.webview.locator('.document:not(.beginning) h1').waitFor();
    const ticked = await window.openWalkthrough('Get Started with Patch Stacks');
    await ticked.filter({ hasText: 'Sign in or try it out' }).waitFor();
    await ticked.filter({ hasText: 'Read a patch' }).waitFor();
    await expect(ticked).toHaveCount(2);
    await look('walkthrough');
  });

  it('goes through the page of the service', async () => {
    const page = await startSignIn();
    const question = window.notification('Confirm the sign-in');
    await question.waitFor();
    // The page and the window say the same name, so that nobody confirms somebody else's.
    const [, name] =
      /Sign-in code for (\w+)/.exec((await page.getByText('Sign-in code').textContent()) ?? '') ?? [];
    await question.getByText(`The page says "${name}"`).waitFor();
    await page.getByLabel('Sign-in code').fill(editor.codes.at(-1) ?? '');
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.getByText("You're signed in").first().waitFor();
    await page.close();
    await window.tree.row('greetings').waitFor();
    await window.statusBarItem(login).waitFor();
    await question.waitFor({ state: 'hidden' });

    const account = window.page.locator('.monaco-menu', {
      hasText: `${login} (${new URL(editor.service.url).host})`,
    });
    // A menu closes when something else takes the focus, as the view does when it has been filled.
    while (!(await account.isVisible())) {
      await window.page.keyboard.press('Escape');
      await window.page.getByRole('button', { name: 'Accounts' }).click();
      await account.waitFor({ timeout: 2_000 }).catch(() => undefined);
    }
    await window.page.keyboard.press('Escape');
  });

  it('goes through the page of the service with the keyboard alone', async () => {
    await new Person(window).paletteCommand('Patch Stacks: Sign In');
    await window.step(/server address/i);
    const opened = context.waitForEvent('page');
    await window.type(editor.service.url);
    const page = await opened;
    await page.getByLabel('Sign-in code').and(page.locator(':focus')).waitFor();
    await page.keyboard.type(editor.codes.at(-1)?.toLowerCase() ?? '');
    await page.keyboard.press('Enter');
    await page.getByText('signed in').first().waitFor();
    await page.close();
    await window.tree.row('greetings').waitFor();
  });

  it('is what the palette offers while no one is, and nothing that could do nothing', async () => {
    const offered = async (title: string): Promise<number> => {
      await window.quickInput.fill(`>Patch Stacks: ${title}`);
      await window.quickPickRows.first().waitFor();
      return window.quickPickRow(`Patch Stacks: ${title}`).count();
    };
    await window.page.keyboard.press('Control+Shift+P');
    for (const title of ['Refresh', 'Filter by Status', 'Collapse All', 'Sign Out', 'Show Unsent Changes']) {
      assert.equal(await offered(title), 0, title);
    }
    assert.equal(await offered('Sign In'), 1);
    assert.equal(await offered('Try It on This Repository'), 1);
    await window.page.keyboard.press('Escape');
  });

  it('can be cancelled', async () => {
    const page = await startSignIn();
    await page.close();
    await window.statusBarItem('Signing in…').waitFor();
    await window.answerNotification('Confirm the sign-in', 'Cancel');
    await window.statusBarItem('Patch Stacks: Sign In').waitFor();
    // A message about it would have come before the box of the next one.
    await window.tree.welcome.getByRole('button', { name: 'Sign In', exact: true }).click();
    const box = window.quickInputWidget.getByText(/server address/i);
    await expectNone(window.notification("Couldn't"), { once: box });
  });

  it('ends at once when it is refused on the page of the service', async () => {
    const page = await startSignIn();
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.getByText('Sign-in refused').first().waitFor();
    await page.close();
    await window.told(/Couldn't complete "Sign In": Sign-in was denied/);
    await window.statusBarItem('Patch Stacks: Sign In').waitFor();
  });

  it('says when no one has confirmed in time, and offers to begin again', async () => {
    // Login tokens last 20 minutes: by our clock this one has three seconds left.
    clockOffset = -20 * 60_000 + 3_000;
    await (await startSignIn(other)).close();
    clockOffset = 0;
    await window.told(/Couldn't complete "Sign In": Sign-in timed out/);
    await window.statusBarItem('Patch Stacks: Sign In').waitFor();
    await window.answerNotification(/Sign-in timed out/, 'Retry');
    await window.quickInput.waitFor();
  });

  it('can go on with an access token instead', async () => {
    const page = await startSignIn();
    await page.close();
    await window.notification('Confirm the sign-in').getByText('Use an Access Token Instead').click();
    await window.page.locator('.quick-input-widget', { hasText: 'Your access token for' }).waitFor();
    await window.type(editor.service.token);
    await window.tree.row('greetings').waitFor();
  });

  it('copies the link', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await startSignIn();
    const address = page.url();
    await page.close();
    await window.notification('Confirm the sign-in').getByText('Copy Link').click();
    // As the window reaches it: through the server, which sends the browser on.
    const { port, pathname } = new URL(address);
    await window.page.waitForFunction(
      async (end) => (await navigator.clipboard.readText()).endsWith(end),
      `/proxy/${port}${pathname}`,
    );
    await window.answerNotification('Confirm the sign-in', 'Cancel');
  });

  it('says what is wrong with an address where it is typed', async () => {
    await window.tree.welcome.getByRole('button', { name: 'Sign In', exact: true }).click();
    await window.quickInput.fill('ftp://example.com');
    await window.page
      .locator('.quick-input-widget', { hasText: 'Enter an address that starts with' })
      .waitFor();
    await window.quickInput.fill('http://patches.example.com');
    await window.page.locator('.quick-input-widget', { hasText: "isn't secure" }).waitFor();
    await window.page.keyboard.press('Escape');
    await window.statusBarItem('Patch Stacks: Sign In').waitFor();
  });

  it('sends nothing unencrypted before that is agreed to, and remembers it', async () => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.setHeader('content-type', 'application/json');
      response.end(request.url?.endsWith('/user') ? '{"id": 7, "login": "eve"}' : '[]');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      // Leads to this computer, but is no name for it.
      const address = `0.0.0.0:${(server.address() as AddressInfo).port}`;
      const dialog = window.page.locator('.monaco-dialog-box');
      await window.runCommand('Patch Stacks: Sign In with Access Token');
      await window.type(`http://${address}`);
      await dialog.getByText(`Connect to ${address} without encryption?`).waitFor();
      await dialog.getByText('steal your access token').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await window.quickInputWidget.getByText("This address isn't secure").waitFor();
      await expect(window.quickInput).toHaveValue(`http://${address}`);
      await window.quickInput.and(window.page.locator(':focus:enabled')).waitFor();
      const connect = dialog.getByRole('button', { name: 'Connect Anyway' });
      await window.pressUntil('Enter', connect);
      await connect.click();
      await window.quickInputWidget.getByText('Your access token for').waitFor();
      assert.deepEqual(requests, []);
      await window.type('unencrypted-token');
      await window.statusBarItem('eve').waitFor();
      await window.reload();
      const before = requests.length;
      await window.statusBarItem('eve').waitFor();
      await window.tree.welcome.getByText('any projects yet').waitFor();
      assert.ok(requests.length > before);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('says that a token is no good where it was typed, and takes the right one there', async () => {
    await signInWithToken(editor.service, 'no-such-token');
    await window.quickInputWidget.getByText("That access token isn't valid.").waitFor();
    await expect(window.quickInput).toHaveValue('no-such-token');
    await window.type(editor.service.token);
    await expectNone(window.notification("Couldn't"), { once: window.tree.row('greetings') });
  });

  it('has a log that can be read, also where the editor has no library to write its own', async () => {
    await signInWithToken(editor.service);
    await window.tree.row('greetings').waitFor();
    await window.runCommand('Patch Stacks: Show Log');
    const lines = window.page.locator('.editor-instance .view-line, .output-view .view-line');
    await lines.filter({ hasText: '/projects' }).first().waitFor();
    await look('log');
  });

  it('is done with the keyboard alone', async () => {
    const { page } = window;
    await window.tree.welcome.getByRole('button', { name: 'Sign In with Access Token' }).focus();
    await page.keyboard.press('Enter');
    await window.quickInput.waitFor();
    await page.keyboard.type(editor.service.url);
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-widget', { hasText: 'Your access token for' }).waitFor();
    await page.keyboard.type(editor.service.token);
    await page.keyboard.press('Enter');
    // The row moves below it once the repository of the window is known.
    await window.tree.row('This Workspace').waitFor();
    await window.tree.settled();
    await window.tree.focusRow('greetings');
    await page.keyboard.press('ArrowRight');
    await window.tree.row(/größer/i).waitFor();
  });

  it('survives a reload of the window, which asks for the projects once', async () => {
    const server = await FaultServer.start();
    try {
      server.use(forwardTo(editor.service.url));
      const { url, token } = editor.service;
      await signInWithToken({ url: `${server.url}${new URL(url).pathname}`, token });
      await window.tree.row('greetings').waitFor();
      const before = server.seen.length;
      await window.reload();
      await window.statusBarItem(login).waitFor();
      await window.tree.row('greetings').waitFor();
      await window.tree.settled();
      const asked = server.seen.slice(before).map((request) => request.url);
      assert.equal(asked.filter((address) => /\/projects(\?|$)/.test(address)).length, 1, asked.join('\n'));
    } finally {
      await server.stop();
    }
  });

  it('asks once when the token is revoked in the middle of work, and goes on with it', async () => {
    const token = editor.service.issueToken(login);
    await signInWithToken(editor.service, token);
    await window.tree.expand('greetings');
    await window.tree.expand(/größer/i);
    await window.tree.row('Greet people by name').waitFor();
    editor.service.revokeToken(token);
    await window.tree.open('Greet people by name');
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.getByText('has expired').waitFor();
    // VS Code focuses a page once more when that has loaded, and would take the keys from where the token is typed.
    await window.webview.getByText('Loading the patch').waitFor();
    await dialog.getByRole('button', { name: 'Use an Access Token' }).click();
    await window.page.locator('.quick-input-widget', { hasText: 'Your access token for' }).waitFor();
    await window.type(editor.service.token);
    const title = window.webview.locator('.document:not(.beginning) h1', { hasText: 'Greet people by name' });
    await expectNone(dialog, { once: title });
  });

  it('leaves the rows there when the person does not want to sign in again', async () => {
    const token = editor.service.issueToken(login);
    await signInWithToken(editor.service, token);
    await window.tree.expand('greetings');
    await window.tree.row(/größer/i).waitFor();
    editor.service.revokeToken(token);
    await window.runCommand('Patch Stacks: Refresh');
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await window.tree.row('greetings').waitFor();
    const warning = window.page.locator('.statusbar-item', { hasText: login }).locator('.codicon-warning');
    await expectNone(dialog, { once: warning });
  });

  it('stays readable while the service cannot be reached, and says since when', async () => {
    const { url, token } = editor.service;
    const relay = await Relay.start(url);
    await signInWithToken({ url: relay.throughThis(url), token });
    await window.tree.row('greetings').waitFor();
    relay.behave('cut');
    await window.runCommand('Patch Stacks: Refresh');
    const item = window.page.locator('.statusbar-item', { hasText: login });
    await item.locator('.codicon-debug-disconnect').waitFor();
    await window.page.getByText('Offline. Last updated').waitFor();
    await window.tree.row('greetings').waitFor();
    relay.behave('leads');
    await window.runCommand('Patch Stacks: Refresh');
    await item.locator('.codicon-account').waitFor();
    await window.tree.expand('greetings');
    await window.tree.row(/größer/i).waitFor();
    await relay.stop();
  });

  it('keeps two servers apart, and switches between them', async () => {
    await signInWithToken(editor.service);
    await window.tree.expand('greetings');
    await window.tree.chooseFromMenu(/größer/i, 'Close Patch Stack');
    await window.told(/Closed patch stack/);
    await signInWithToken(other);
    await window.tree.welcome.getByText('any projects yet').waitFor();
    // In the name of whoever has closed it, and of nobody else.
    const { host } = new URL(editor.service.url);
    await window.answerNotification('Closed patch stack', 'Undo');
    const refusal = window.notification("Couldn't undo the change");
    await refusal.getByText(`You did it as ${login} on ${host}`).waitFor();
    await window.answerNotification("Couldn't undo the change", 'Switch Server');
    await window.quickPickRows.filter({ hasText: editor.service.url }).click();
    await window.tree.row(/größer/i).waitFor();
    await window.told(/Reopened patch stack/);
    await signInWithToken(other);
    await window.tree.welcome.getByText('any projects yet').waitFor();
    await window.runCommand('Patch Stacks: Switch Server');
    // The active account comes last.
    await window.quickPickRows.first().getByText(editor.service.url).waitFor();
    await window.quickPickRows.filter({ hasText: editor.service.url }).click();
    await window.tree.row('greetings').waitFor();
    await window.told(`Switched to ${host} as ${login}.`);
  });

  it('says where someone is still signed in who signs out of one of two servers, and leads there', async () => {
    const host = new URL(editor.service.url).host;
    await signInWithToken(other);
    await window.tree.welcome.getByText('any projects yet').waitFor();
    await signInWithToken(editor.service);
    await window.tree.expand('greetings');
    await window.tree.expand(/größer/i);
    await window.tree.open('Greet people by name');
    const { webview } = window;
    const signOff = webview.locator('.document:not(.beginning)').getByRole('button', { name: 'Sign Off' });
    await signOff.first().waitFor();

    await window.runCommand('Patch Stacks: Sign Out');
    const choice = window.page.getByPlaceholder('Sign out of…');
    await choice.waitFor();
    await window.quickPickRows.first().getByText('Active in this window').waitFor();
    await window.quickPickRows.first().click();
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.getByText(`Sign out of ${host} as ${login}?`).waitFor();
    await dialog.getByRole('button', { name: 'Sign Out', exact: true }).click();

    await window.told(`Signed out of ${host}. You're still signed in to ${new URL(other.url).host}`);
    await window.tree.welcome.getByText("You're signed out here.").waitFor();
    await window.tree.welcome.getByRole('button', { name: 'Switch Server' }).waitFor();
    const note = webview.getByText(`You're not signed in to ${host}. You can read this patch`);
    await note.waitFor();
    await webview.locator('h1', { hasText: 'Greet people by name' }).waitFor();
    await expect(signOff).toHaveCount(0);
    await look('signed-out-of-one');

    await window.answerNotification('Signed out of', 'Switch Server');
    await expectNone(signOff, { once: window.tree.welcome.getByText('any projects yet') });
    await webview.getByRole('button', { name: 'Sign In', exact: true }).click();
    await window.notification('Confirm the sign-in').getByText('Use an Access Token Instead').click();
    await window.quickInputWidget.getByText('Your access token for').waitFor();
    await window.type(editor.service.token);
    await signOff.first().waitFor();
    await note.waitFor({ state: 'detached' });
  });

  it('offers to sign in wherever it says that no one is', async () => {
    await signInWithToken(editor.service);
    await window.tree.row('greetings').waitFor();
    await window.runCommand('Patch Stacks: Send Feedback');
    await window.webview.getByLabel('Message').waitFor();
    await signOut('Sign Out');
    await window.webview.getByText("You're not signed in.").waitFor();
    await window.webview.getByRole('button', { name: 'Sign In', exact: true }).click();
    await window.step(/server address/i);
    const opened = context.waitForEvent('page');
    await window.type(editor.service.url);
    const page = await opened;
    await page.close();
    await window.notification('Confirm the sign-in').getByText('Use an Access Token Instead').click();
    await window.quickInputWidget.getByText('Your access token for').waitFor();
    await window.type(editor.service.token);
    await window.webview.getByLabel('Message').waitFor();
  });

  it('ends in every window when one signs out', async () => {
    await signInWithToken(editor.service);
    await window.tree.row('greetings').waitFor();
    const second = await editor.openWindow({ context });
    await showStacks(second);
    await second.tree.row('greetings').waitFor();
    await signOut('Sign Out and Delete Local Data');
    await window.tree.welcome.getByRole('button', { name: 'Sign In', exact: true }).waitFor();
    await second.tree.welcome.getByRole('button', { name: 'Sign In', exact: true }).waitFor();
    await second.statusBarItem('Patch Stacks: Sign In').waitFor();
    await second.close();
  });

  it('leaves the token in no file, and none at all after signing out', async () => {
    const token = editor.service.issueToken(login);
    await signInWithToken(editor.service, token);
    await window.tree.expand('greetings');
    await window.tree.expand(/größer/i);
    await window.tree.open('Greet people by name');
    await window.webview.locator('.document:not(.beginning) h1').waitFor();
    const html = await window.webview.locator('html').innerHTML();
    assert.ok(!html.includes(token));
    assert.deepEqual(await filesWith(path.join(editor.directory, 'vscode'), token), []);
    await signOut('Sign Out');
    await window.tree.welcome.waitFor();
    assert.deepEqual(await filesWith(path.join(editor.directory, 'vscode'), token), []);
  });

  it('tries it on the open repository without any server', async () => {
    await window.tree.welcome.getByRole('button', { name: 'Try It on This Repository' }).click();
    await window.webview.locator('.stack-page h1').waitFor();
    await window.tree.expand('greetings');
    await window.tree.row(/größer/i).waitFor();
    // Its service stops with the window, and starts again with it.
    await window.reload();
    await window.tree.expand('greetings');
    await window.tree.expand(/größer/i);
    await window.tree.open('Greet people by name');
    const title = (text: string) => window.webview.locator('.document:not(.beginning) h1', { hasText: text });
    await title('Greet people by name').waitFor();
    await window.focusInPatch();
    // Killed while it is asked, and while nobody has heard of its end: the next one is asked.
    const pids = localServers(editor).map(({ pid }) => pid);
    pids.forEach((pid) => process.kill(pid, 'SIGSTOP'));
    try {
      await window.page.keyboard.press('Alt+PageDown');
      await window.page.locator('.statusbar-item .codicon-modifier-spin').waitFor();
    } finally {
      pids.forEach((pid) => process.kill(pid, 'SIGKILL'));
    }
    await title('Call names people').waitFor();
    await expectNone(window.notifications, { once: title('Call names people') });
  });

  it('goes on where something else has the port of a trial by now, and tells that nothing', async () => {
    await window.tree.welcome.getByRole('button', { name: 'Try It on This Repository' }).click();
    await window.tree.expand('greetings');
    await window.tree.expand(/größer/i);
    await window.tree.open('Greet people by name');
    await window.webview.locator('.document:not(.beginning) .prose').first().dblclick();
    await window.webview.locator('.cm-content:focus').waitFor();
    await window.page.keyboard.insertText('Typed before. ');
    await window.webview.getByText('Saved locally').waitFor();
    const [account] = await trialAccounts();
    const url = new URL(account?.serverUrl ?? '');
    await window.close();
    const heard: string[] = [];
    const stranger = createServer(({ method, url: path, headers }, response) => {
      heard.push(`${method} ${path} ${JSON.stringify(headers)}`);
      response.writeHead(401).end();
    });
    await listenOnceFree(stranger, url);
    try {
      window = await editor.openWindow({ context });
      // The text that isn't sent belongs to the same account, which is only reached elsewhere.
      await window.page.getByRole('button', { name: 'Patch Stacks: 1 unsent change' }).waitFor();
      await showStacks(window);
      await window.tree.expand('greetings');
      await window.tree.expand(/größer/i);
      await window.tree.open('Greet people by name');
      await window.webview.locator('.cm-content', { hasText: 'Typed before.' }).waitFor();
      await window.webview.locator('.editor-footer').getByRole('button', { name: 'Save' }).click();
      await window.webview.locator('.prose', { hasText: 'Typed before.' }).waitFor();
      const [now, ...others] = await trialAccounts();
      assert.deepEqual(others, []);
      assert.equal(now?.serverUrl, account?.serverUrl);
      assert.notEqual(now?.address, undefined);
      assert.notEqual(now?.address, url.href);
      assert.deepEqual(heard, []);
      // It's called by its repository: another port says nothing to anybody.
      await signOut('Cancel', `${path.basename(editor.repository)} (local)`);
    } finally {
      stranger.close();
    }
  });

  it('goes along with a repository that is moved under the window', async () => {
    const moved = `${editor.repository}-moved`;
    const stranger = createServer();
    await window.tree.welcome.getByRole('button', { name: 'Try It on This Repository' }).click();
    await window.tree.expand('greetings');
    await window.tree.expand(/größer/i);
    await window.tree.open('Greet people by name');
    const text = window.webview.locator('.document:not(.beginning) .prose').first();
    await text.dblclick();
    await window.webview.locator('.cm-content:focus').waitFor();
    await window.page.keyboard.insertText('Written before. ');
    await window.page.keyboard.press('Control+Enter');
    await text.getByText('Written before.').waitFor();
    const accounts = await trialAccounts();
    const url = new URL(accounts[0]?.serverUrl ?? '');
    await rename(editor.repository, moved);
    try {
      // What is known can still be read, and written about.
      await window.tree.open('Call names people');
      await window.webview.locator('.document h1', { hasText: 'Call names people' }).waitFor();
      await window.close();
      // Something else has its port by then, too.
      await listenOnceFree(stranger, url);
      window = await editor.openWindow({ context, folder: moved });
      await window.runCommand('Patch Stacks: Try It on This Repository');
      await window.webview.locator('.stack-page h1').waitFor();
      await window.runCommand('View: Show Patch Stacks');
      await window.tree.expand('greetings');
      await window.tree.expand(/größer/i);
      await window.tree.open('Greet people by name');
      await window.webview.getByText('Written before.').first().waitFor();
      assert.deepEqual(
        (await trialAccounts()).map(({ serverUrl }) => serverUrl),
        accounts.map(({ serverUrl }) => serverUrl),
      );
      await signOut('Cancel', `${path.basename(moved)} (local)`);
    } finally {
      stranger.close();
      await rename(moved, editor.repository);
    }
    await context.close();
    await openWindow();
  });

  /** Takes a port as soon as the service of a window that was closed lets go of it. */
  async function listenOnceFree(server: Server, url: URL): Promise<void> {
    await until(async () => {
      const listening = once(server, 'listening');
      server.listen(Number(url.port), url.hostname);
      return (await Promise.race([listening, once(server, 'error')]))[0] === undefined;
    });
  }

  /** The accounts that the window keeps: who is signed in, and where the service is. */
  async function trialAccounts(): Promise<{ serverUrl: string; address?: string }[]> {
    const storage = path.join(editor.directory, 'vscode/data/User/globalStorage');
    const [folder = ''] = (await readdir(storage)).filter((name) => name.endsWith('patch-stacks'));
    const text = await readFile(path.join(storage, folder, 'sessions.json'), 'utf8');
    return JSON.parse(text) as { serverUrl: string; address?: string }[];
  }
});

async function ownLogin({ url, token }: LocalService): Promise<string> {
  await using client = new ApiClient({ serverUrl: url, getToken: async () => token });
  return (await client.users.me()).login ?? '';
}

/** The files below a folder that hold a text. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const file = path.join(entry.parentPath, entry.name);
    const content = await readFile(file).catch(() => Buffer.alloc(0));
    if (content.includes(text)) {
      found.push(file);
    }
  }
  return found;
}
