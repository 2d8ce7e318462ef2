/** Deep links, as a person follows them. */
import assert from 'node:assert/strict';
import path from 'node:path';
import type { BrowserContext, Locator } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import { startService, type LocalService } from '../../src/service/service.ts';
import { makeLink } from '../../src/ui/links.ts';
import { Editor } from '../support/editor.ts';
import { expect, expectNone } from '../support/expect.ts';
import { FaultServer, reply } from '../support/faultServer.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import type { Workbench } from '../support/workbench.ts';

describe('deep links', function () {
  this.timeout(400_000);
  let editor: Editor;
  /** A service that no one has signed in to, over another repository. */
  let other: LocalService;
  let context: BrowserContext;
  let window: Workbench;
  let serverUrl: string;
  let allowed = false;
  let projectId: string;
  let stackUuid: string;
  let patches: { changeId: string; title?: string; sectionCode: string }[];

  before(async () => {
    editor = await Editor.start({ signedIn: true });
    other = await startService({ dataDirectory: path.join(editor.directory, 'other-service') });
    const client = new ApiClient({
      serverUrl: editor.service.url,
      getToken: async () => editor.service.token,
    });
    serverUrl = client.serverRoot;
    const [project] = (await client.projects.list()).items;
    projectId = project?.repositoryId ?? '';
    const [stack] = (await client.stacks.list(projectId)).items;
    stackUuid = stack?.uuid ?? '';
    patches = await Promise.all(
      (stack?.patches ?? []).map(async ({ changeId, title }) => {
        const { sections = [] } = await client.patches.get(stackUuid, changeId);
        return { changeId, ...(title !== undefined && { title }), sectionCode: sections.at(-1)?.code ?? '' };
      }),
    );
    await client.close();
    context = await editor.openContext();
    window = await editor.openWindow({ context });
  });

  tidyAfterEach(() => window, { editors: true });

  after(async () => {
    await other.close();
    await editor.close();
  });

  const dialog = (): Locator => window.page.locator('.monaco-dialog-box');

  /** Follows a link as VS Code does when the system hands it one. */
  async function follow(link: string): Promise<void> {
    await window.runCommand('Developer: Open URL');
    await window.type(link);
    if (!allowed) {
      // VS Code's own question before it hands the first link to an extension.
      await dialog().getByText('Allow').first().waitFor();
      await dialog().getByText('Do not ask me again').click();
      await dialog().getByRole('button', { name: 'Open' }).click();
      allowed = true;
    }
  }

  const link = (target: Partial<Parameters<typeof makeLink>[0]>): string =>
    makeLink({ serverUrl, ...target }, 'code-oss');

  const patchAt = (index: number) => patches[index] ?? assert.fail(`there is no patch ${index}`);

  it('open a patch at a section in a window that has just been opened', async () => {
    const { changeId, sectionCode, title = '' } = patchAt(0);
    await follow(link({ stackUuid, changeId, sectionCode }));
    await window.webview.locator('.document:not(.beginning) h1', { hasText: title }).waitFor();
    const section = window.webview.locator(`[data-section="${sectionCode}"]`);
    await section.waitFor();
    await window.webview.locator(`[data-section="${sectionCode}"]:focus`).waitFor();
  });

  it('go to a line of a file, on either side of the change', async () => {
    const { changeId, sectionCode } = patchAt(0);
    const focused = (name: RegExp): Promise<void> =>
      window.webview.getByRole('row', { name }).and(window.webview.locator(':focus')).waitFor();
    await follow(link({ stackUuid, changeId, sectionCode, line: { side: 'old', line: 2 } }));
    await focused(/^removed, line 2/);
    await follow(link({ stackUuid, changeId, sectionCode, line: { side: 'new', line: 1 } }));
    await focused(/^added, line 1/);
  });

  it('end at a project and at a patch stack in the view, also when only the stack is named', async () => {
    await follow(link({ projectId }));
    await window.tree.row('greetings').and(window.page.locator('.selected')).waitFor();
    for (const target of [{ projectId, stackUuid }, { stackUuid }]) {
      await window.tree.row('greetings').click();
      await follow(link(target));
      await window.tree
        .row(/größer/i)
        .and(window.page.locator('.selected'))
        .waitFor();
    }
  });

  it('are refused with the reason when they are malformed, or lead nowhere', async () => {
    const start = 'code-oss://patch-stacks.patch-stacks';
    for (const [malformed, reason] of [
      [`${start}/open?stack=1`, "doesn't specify a server"],
      [`${start}/open?server=${serverUrl}`, "doesn't specify a project or patch stack"],
      [`${start}/open?server=${serverUrl}&stack=1&section=2`, '"patch" is missing'],
      [`${start}/elsewhere?server=${serverUrl}&stack=1`, "isn't supported by this version"],
      [link({ stackUuid: 'no-such-stack' }), "The patch stack doesn't exist"],
      [link({ projectId: '99999' }), "The project doesn't exist"],
    ] as const) {
      await follow(malformed);
      await window.toldInList(reason);
      await window.runCommand('Notifications: Clear All Notifications');
    }
  });

  /** The box in which the person says which server they mean. */
  const addressBox = (): Locator => window.quickInputWidget.filter({ hasText: 'Link to an Unknown Server' });

  it('do not contact a server that the person does not know, and ask for no token, unless they name it', async () => {
    const stranger = await FaultServer.start();
    stranger.use(reply(200, '[]'));
    await follow(makeLink({ serverUrl: `${stranger.url}/api`, stackUuid: 'x' }, 'code-oss'));
    const question = addressBox().getByText(`A link asks you to sign in to ${stranger.url}/api.`);
    await expectNone(dialog(), { once: question });
    await expect(window.quickInput).toHaveValue('');
    await expect(window.quickInput).toHaveAttribute('type', 'text');
    for (const wrong of ['127.0.0.1', 'patches.example.com']) {
      await window.type(wrong);
      await addressBox().getByText('Enter that name, or press Escape').waitFor();
    }
    await window.screenshot('link-unknown-server');
    await window.page.keyboard.press('Escape');
    await addressBox().waitFor({ state: 'hidden' });

    await follow(makeLink({ serverUrl: `${stranger.url}/api`, stackUuid: 'x' }, 'code-oss'));
    // One about the first link would have come before the box of the second.
    await expectNone(dialog(), { once: addressBox() });
    await window.type(new URL(stranger.url).host);
    await dialog().getByText('Sign in to').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'hidden' });
    // Whatever came of it would have come before the list.
    await window.runCommandHere('Patch Stacks: Show Recent Changes');
    const list = window.page.getByPlaceholder(/Select a change|any changes in this window/);
    await expectNone(window.notifications, { once: list });
    await window.page.keyboard.press('Escape');
    assert.equal(stranger.seen.length, 0);
    await stranger.stop();
  });

  it('have the person sign in where need be, and then go on', async () => {
    const client = new ApiClient({ serverUrl: other.url, getToken: async () => other.token });
    const project = await client.projects.create({ name: 'Elsewhere' });
    const target = { serverUrl: client.serverRoot, projectId: project.repositoryId };
    await client.close();
    await follow(makeLink(target, 'code-oss'));
    await addressBox().waitFor();
    await window.type(new URL(other.url).host);
    await dialog().getByRole('button', { name: 'Use an Access Token' }).click();
    await window.quickInputWidget.getByText('Your access token for').waitFor();
    await window.type(other.token);
    await window.tree.row('Elsewhere').and(window.page.locator('.selected')).waitFor();
  });

  it('turn to another account only when the person says so, who is told which two they are', async () => {
    await follow(link({ projectId }));
    const { login: here } = await me(other);
    const { login: there } = await me(editor.service);
    const question = dialog().filter({ hasText: `as ${there} to open the link?` });
    await question
      .getByText(
        `You're signed in to ${other.url} as ${here}. The link is for ${serverUrl}, where you're signed in as ${there}.`,
      )
      .waitFor();
    await window.screenshot('link-other-account');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });

    await follow(link({ projectId }));
    // Until they are asked again it is the account of before.
    await expectNone(window.tree.row('greetings'), { once: question });
    await window.tree.row('Elsewhere').waitFor();
    await question.getByRole('button', { name: 'Switch and Open' }).click();
    await window.tree.row('greetings').and(window.page.locator('.selected')).waitFor();
  });

  async function me({ url, token }: LocalService): Promise<{ login?: string | undefined }> {
    await using client = new ApiClient({ serverUrl: url, getToken: async () => token });
    return await client.users.me();
  }
});
