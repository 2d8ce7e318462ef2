/** The stacks view with more projects than fit on a page: reading on, finding what is far away, and staying where one is. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { BrowserContext, Locator } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import { Editor } from '../support/editor.ts';
import { git } from '../support/exampleRepository.ts';
import { expect, expectNone } from '../support/expect.ts';
import { FaultServer, reply } from '../support/faultServer.ts';
import { forwardTo, passOn } from '../support/forward.ts';
import { keptByVsCode } from '../support/keptInBrowser.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

describe('the stacks view with many projects', function () {
  this.timeout(400_000);
  const page = 'https://code.example.org/ada/project-110';
  let editor: Editor;
  let server: FaultServer;
  let context: BrowserContext;
  let window: Workbench;
  let client: ApiClient;
  let login: string;
  let isBroken = false;
  /** Times that projects were listed, whenever they have changed. */
  let lists = 0;

  before(async () => {
    editor = await Editor.start({
      signedIn: true,
      settings: { 'patchStacks.refreshInterval': 5 },
      reachedAt: async (serviceUrl) => {
        server = await FaultServer.start();
        server.use(
          forwardTo(serviceUrl, (request) =>
            isBroken
              ? reply(503, '{}')
              : request.url.includes('/projects?')
                ? async (response, ...rest) => {
                    const projects = (await (await passOn(serviceUrl, request)).json()) as { slug: string }[];
                    // The local service has no pages.
                    const known = projects.map((project) =>
                      project.slug === 'project-110' ? { ...project, code_repository_id: page } : project,
                    );
                    await reply(200, JSON.stringify(known))(response, ...rest);
                    lists += request.url.includes('since=') ? 0 : 1;
                  }
                : undefined,
          ),
        );
        return `${server.url}/api`;
      },
    });
    client = new ApiClient({ serverUrl: editor.service.url, getToken: async () => editor.service.token });
    login = (await client.users.me()).login ?? assert.fail();
    for (let number = 1; number <= 110; number++) {
      await client.projects.create({ name: nameOf(number), slug: `project-${number}` });
    }
    git(editor.repository, 'remote', 'add', 'hub', `git@code.example.org:${login}/greetings.git`);
    context = await editor.openContext();
    window = await editor.openWindow({ context });
    await window.tree.row(nameOf(110)).waitFor();
  });

  tidyAfterEach(() => window);

  after(async () => {
    await client.close();
    await editor.close();
    await server.stop();
  });

  const nameOf = (number: number): string => `Project ${String(number).padStart(3, '0')}`;

  /** The window shows a row collapsed before the extension has heard of it: one that is loaded again by then has it as before. */
  const untilKept = (row: string): Promise<void> =>
    until(async () => (await keptByVsCode(window.page)).some((kept) => kept.includes(`"${row}"`)));

  async function goToEnd(): Promise<void> {
    await window.tree.tree.focus();
    await window.page.keyboard.press('End');
  }

  it('finds the project of this workspace by the name of a remote, though it is on no page yet', async () => {
    await window.tree.row('This Workspace').waitFor();
    await window.tree.expand('greetings');
    await window.tree
      .row(/größer/)
      .getByText('checked out')
      .waitFor();
    assert.equal((await window.tree.labels())[0], 'This Workspace');
  });

  it('opens the page of a project in the browser, where the service has one', async () => {
    await context.route(page, (route) => route.fulfill({ body: 'the page' }));
    await window.tree.chooseFromMenu(nameOf(110), 'Open in Browser');
    // VS Code asks before it opens a site, but not in the first moments of a window.
    const allow = window.page
      .locator('.monaco-dialog-box')
      .getByRole('button', { name: 'Open', exact: true });
    await until(async () => {
      if (await allow.isVisible()) {
        await allow.click();
      }
      return context.pages().length > 1;
    });
    const browser = context.pages().at(-1)!;
    await browser.waitForURL(page);
    await browser.close();

    await window.tree.row(nameOf(109)).click({ button: 'right' });
    const menu = window.page.locator('.monaco-menu');
    await expectNone(menu.getByText('Open in Browser'), { once: menu.getByText('Copy Link') });
    await window.page.keyboard.press('Escape');
  });

  it('reads on by the last row and by the command, which says when that fails', async () => {
    await goToEnd();
    await window.tree.row('Load More Projects…').click();
    await window.tree.row(nameOf(60)).waitFor();
    isBroken = true;
    await window.runCommand('Patch Stacks: Load More');
    const failed = window.notification(/Couldn't complete "Load More": .*The server encountered an error/);
    await failed.waitFor();
    isBroken = false;
    await failed.getByRole('button', { name: 'Retry' }).click();
    await failed.waitFor({ state: 'detached' });
    // Nothing says when the rows are there that are out of sight.
    await until(async () => {
      await goToEnd();
      return window.tree.row(nameOf(1)).isVisible();
    });
    await expectNone(window.tree.row('Load More Projects…'), { once: window.tree.row(nameOf(1)) });
  });

  it('stays where one is while everything is read again, and while others change something', async () => {
    const row = nameOf(40);
    // A look of every few seconds has failed where it came while the service was broken, which is said until the next one.
    await expect(window.page.getByText("Couldn't refresh the projects.")).toHaveCount(0);
    await goToEnd();
    // Some rows further up, for the row of the owner stays on top and covers one.
    for (let step = 0; !(await window.tree.row(nameOf(45)).isVisible()); step++) {
      assert.ok(step < 200, 'It is not there.');
      await window.page.keyboard.press('ArrowUp');
    }
    await window.tree.row(row).click();
    await window.tree.expanded(row).waitFor();
    await window.tree.row('No patch stacks with the status "active"').waitFor();
    const place = async (): Promise<unknown> => ({
      labels: (await window.tree.labels()).map((label) => label.replace(' (renamed)', '')),
      selected: await window.tree.row(row).and(window.page.locator('.selected.focused')).boundingBox(),
    });
    // VS Code may still be scrolling to the rows that have come.
    let before = await place();
    await until(async () => {
      const last = before;
      before = await place();
      return isDeepStrictEqual(before, last);
    });
    const listsBefore = lists;
    // Not by the palette: the Escape before it takes the selection away.
    await window.tree.pressInTitle('Refresh');
    await until(async () => lists > listsBefore);
    const { items } = await client.projects.list({ limit: 200 });
    const idOf = (name: string): string =>
      items.find((project) => project.name === name)?.repositoryId ?? assert.fail(name);
    // One that is out of sight, and one that is on screen.
    await client.projects.update(idOf(nameOf(100)), { name: `${nameOf(100)} (renamed)` });
    await client.projects.update(idOf(nameOf(39)), { name: `${nameOf(39)} (renamed)` });
    await window.tree.row(`${nameOf(39)} (renamed)`).waitFor();
    await expect.poll(place).toEqual(before);
  });

  it('has the same rows expanded after the window was reloaded', async () => {
    await window.tree.tree.focus();
    await window.page.keyboard.press('Home');
    await window.tree.expand(/größer/);
    await window.tree.expand('Greet people by name');
    await window.tree.row('src/greet.ts').waitFor();
    await window.tree.row(login).locator('.monaco-tl-twistie').click();
    await window.tree.collapsed(login).waitFor();
    await untilKept(`owner:${login}`);
    await window.reload();
    await window.tree.row('src/greet.ts').waitFor();
    await window.tree.collapsed(login).waitFor();

    await window.tree.pressInTitle('Collapse All');
    await window.tree.collapsed('This Workspace').waitFor();
    await untilKept('workspace');
    await window.reload();
    await window.tree.collapsed('This Workspace').waitFor();
    await window.tree.collapsed(login).waitFor();
    await window.tree.expand('This Workspace');
    await window.tree.collapsed('greetings').waitFor();
  });

  it('is walked, and the menu of a row opened, with the keyboard alone', async () => {
    const { keyboard } = window.page;
    await window.tree.focusRow('greetings');
    await keyboard.press('ArrowRight');
    await window.tree.row(/größer/).waitFor();
    // A menu goes when the view draws its rows again.
    await window.tree.settled();
    await keyboard.press('Shift+F10');
    const item = (name: string): Locator =>
      window.page.locator('.monaco-menu .action-item.focused').filter({ hasText: name });
    await window.page.locator('.monaco-menu').waitFor();
    for (let step = 0; !(await item('Create Patch Stack').isVisible()); step++) {
      assert.ok(step < 20, 'It is not in the menu.');
      await keyboard.press('ArrowDown');
    }
    await keyboard.press('Enter');
    await window.quickInputWidget.getByText('Create Patch Stack').first().waitFor();
  });
});
