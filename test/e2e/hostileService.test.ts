/** A service that means harm, met in the window: what it says is read, and nothing of it is done. */
import assert from 'node:assert/strict';
import { ApiClient } from '../../src/api/client.ts';
import { Editor } from '../support/editor.ts';
import { expectNone } from '../support/expect.ts';
import { FaultServer, hugeJson, reply, type Fault, type SeenRequest } from '../support/faultServer.ts';
import { forwardTo, passOn } from '../support/forward.ts';
import { ProxyServer } from '../support/proxyServer.ts';
import { watchDeeds } from '../support/deeds.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

/** Texts of strangers: marks that turn the line around, controls, icons, markup, links that run something. */
const hostileTexts: Record<string, string> = {
  'marks, controls, icons and links that run something':
    '\u202egnp.exe \u2066a\u2069\u200f\u061c a\u0007\u001b[31mred\u009b0m $(alert) $(sync~spin) [run](command:workbench.action.toggleSidebarVisibility) [x](javascript:alert(1))',
  'links, markup, images that track and an address that is not what it looks like':
    '[a](vscode://a.b/c) [f](file:///etc/passwd) <img src=x onerror=alert(1)><script>alert(1)</script> ![track](https://tracker.invalid/pixel.png) <a href="command:workbench.action.closeWindow">b</a> https://рatches.example.com@127.0.0.1:9/ www.tracker.invalid __proto__ {0} %s ${x} `',
};

/** Members that have to be as they are for things to be found at all. */
const structure =
  /^(id|uuid|change_id|code|identifier|section_type|type|status|repository_id|branch_id|oplog_sha|commit_sha|access_token|share_level|\w+_at|data|diff_patch|sha|channel)$/;

describe('a service that means harm, in the window', function () {
  this.timeout(400_000);
  let editor: Editor;
  let server: FaultServer;
  /** Every request to another place goes through it, and is seen. */
  let elsewhere: ProxyServer;
  let window: Workbench;
  let client: ApiClient;
  let deeds: string[];

  before(async () => {
    elsewhere = await ProxyServer.start(() => 9);
    elsewhere.refuseWith = 403;
    editor = await Editor.start({
      signedIn: true,
      env: async () => ({
        http_proxy: `http://${elsewhere.address}`,
        https_proxy: `http://${elsewhere.address}`,
        no_proxy: '127.0.0.1,localhost',
        // The server itself asks through no proxy.
        CS_TELEMETRY_URL: `http://${elsewhere.address}/telemetry`,
      }),
      reachedAt: async (serviceUrl) => {
        server = await FaultServer.start();
        server.use(forwardTo(serviceUrl));
        return `${server.url}${new URL(serviceUrl).pathname}`;
      },
    });
    client = new ApiClient({ serverUrl: editor.service.url, getToken: async () => editor.service.token });
    editor.service.addUser({ login: 'grace', name: 'Grace', email: 'grace@example.org' });
    window = await editor.openWindow();
    await window.tree.expand('greetings');
    deeds = watchDeeds(window.page);
  });

  afterEach(() => server.use(forwardTo(editor.service.url)));
  tidyAfterEach(() => window, { editors: true });

  after(async () => {
    await client.close();
    await editor.close();
    await server.stop();
    await elsewhere.stop();
  });

  /** Has the service put a text into everything that it says. */
  function say(text: string): void {
    const tampered: Fault = async (response, request, attempt) => {
      const answer = await passOn(editor.service.url, request);
      const body = await answer.text();
      const hostile = body === '' ? '' : JSON.stringify(amend(JSON.parse(body), text));
      await reply(answer.status, hostile)(response, request, attempt);
    };
    server.use(tampered);
  }

  /** Has every list of projects answered in a way, and everything else as it should be. */
  function misbehave(fault: Fault): void {
    const isList = ({ method, url }: SeenRequest): boolean =>
      method === 'GET' && /\/projects(\?|$)/.test(url);
    server.use(forwardTo(editor.service.url, (request) => (isList(request) ? fault : undefined)));
  }

  /** Nothing was done, no one else was asked, and the window works. */
  async function isUnharmed(): Promise<void> {
    assert.ok(deeds.length === 0, deeds.slice(0, 5).join('\n'));
    assert.deepEqual(
      elsewhere.seen.map(({ line }) => line),
      [],
    );
    // Neither the command of a link nor anything else has hidden it.
    const sideBar = window.page.locator('.part.sidebar');
    await expectNone(window.page.locator('.monaco-dialog-box'), { once: sideBar });
  }

  for (const [round, [name, text]] of Object.entries(hostileTexts).entries()) {
    it(`only shows ${name}`, async () => {
      const mark = `Round ${round}`;
      say(`${mark} ${text}`);
      await window.runCommand('Patch Stacks: Refresh');
      const row = (kind: RegExp | string): ReturnType<Workbench['tree']['row']> => window.tree.row(kind);
      await row(new RegExp(`^${mark}`))
        .first()
        .waitFor();
      // The owner, the project, its stack, its first patch.
      for (const level of [1, 2]) {
        const one = window.tree.rows.nth(level);
        const expanded = one.and(window.page.locator('[aria-expanded="true"]'));
        await window.tree.settled();
        await until(async () => {
          if (!(await expanded.isVisible())) {
            await one.locator('.monaco-tl-twistie').click();
            await window.tree.settled();
          }
          return expanded.isVisible();
        });
        await window.tree.rows
          .nth(level + 1)
          .locator('.label-name', { hasText: mark })
          .waitFor();
      }
      for (const label of await window.tree.labels()) {
        assert.doesNotMatch(
          label,
          /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
        );
      }
      for (const level of [1, 2, 3]) {
        // Not `hover`, which brings the middle of a long label into view and hides its beginning for good.
        const box = await window.tree.rows.nth(level).locator('.monaco-icon-label').boundingBox();
        assert.ok(box);
        await window.page.mouse.move(box.x + 20, box.y + box.height / 2, { steps: 3 });
        const hover = window.page.locator('.workbench-hover .hover-contents');
        await expectNone(hover.locator('img, script, a'), { once: hover.getByText(mark) });
        await window.page.mouse.move(900, 500);
        await hover.waitFor({ state: 'detached' });
      }
      // Nothing is selected or open that the command could be for: it asks.
      await window.runCommand('View: Close All Editors');
      for (const state of ['false', 'true']) {
        await window.tree.rows.first().click();
        await window.tree.rows
          .first()
          .and(window.page.locator(`[aria-expanded="${state}"]`))
          .waitFor();
      }
      await window.runCommand('Patch Stacks: Show Patch Statuses');
      for (const placeholder of ['Select a project', 'Select a patch stack']) {
        await window.page.getByPlaceholder(placeholder).waitFor();
        const first = window.quickPickRows.filter({ hasText: mark }).first();
        await first.waitFor();
        const icons = await first.locator('.label-name .codicon, .label-description .codicon').count();
        assert.ok(icons === 0, 'a text drew an icon');
        await window.page.keyboard.press('Enter');
      }
      await window.webview.getByRole('rowheader', { name: mark }).first().waitFor();
      await window.screenshot(`hostile-${round}-statuses`);
      await window.runCommand('Patch Stacks: Show User');
      await window.type('grace');
      await window.webview.locator('[data-user]').getByText(mark).first().waitFor();
      await window.screenshot(`hostile-${round}-user`);
      await window.tree.rows.nth(3).click();
      await window.webview.locator('.document:not(.beginning) h1', { hasText: mark }).waitFor();
      // The texts of the round before are compared with these, word by word.
      await window.webview.locator('.prose').getByText('Round').first().waitFor();
      await window.screenshot(`hostile-${round}-patch`);
      await window.runCommand('Patch Stacks: Create Release');
      const form = window.webview;
      await form.getByLabel('Version', { exact: true }).fill(`1.0.${round}`);
      await form.getByLabel('Commit', { exact: true }).fill('HEAD');
      await form
        .locator('.commit')
        .getByText(/[0-9a-f]{40}/)
        .waitFor();
      await form.getByRole('button', { name: 'Create Release' }).click();
      await form.getByText('Release created.').waitFor();
      await window.screenshot(`hostile-${round}-release`);
      await isUnharmed();
    });
  }

  it('is not followed elsewhere, read without end or without measure, and leaves the window as it was', async () => {
    const other = await FaultServer.start();
    const faults: Record<string, Fault> = {
      'another origin': reply(302, '', { location: `${other.url}/api/projects` }),
      'a script': reply(302, '', { location: 'javascript:alert(1)' }),
      'a gigabyte': hugeJson(2 ** 30),
      'a hundred thousand arrays in each other, and no end': reply(200, '['.repeat(100_000)),
    };
    const sideBar = window.page.locator('.part.sidebar');
    try {
      for (const [name, fault] of Object.entries(faults)) {
        misbehave(fault);
        await window.runCommand('Patch Stacks: Refresh');
        await sideBar.getByText("Couldn't refresh the projects").waitFor();
        assert.equal(other.seen.length, 0, `${name}: it was followed`);
        server.use(forwardTo(editor.service.url));
        await client.projects.create({
          name: `After ${name}`,
          slug: `after-${Object.keys(faults).indexOf(name)}`,
        });
        await window.runCommand('Patch Stacks: Refresh');
        await window.tree.row(`After ${name}`).waitFor();
        await until(async () => (await sideBar.getByText("Couldn't refresh the projects").count()) === 0);
      }
      misbehave(reply(200, deepProject(100_000)));
      await window.runCommand('Patch Stacks: Refresh');
      await window.tree.row('Deep').waitFor();
      await isUnharmed();
    } finally {
      await other.stop();
    }
  });
});

/** The service's answer, with another text in place of each that is not structure. */
function amend(value: unknown, text: string, name = ''): unknown {
  if (typeof value === 'string') {
    return structure.test(name) ? value : name.endsWith('url') ? 'https://tracker.invalid/pixel.png' : text;
  }
  if (Array.isArray(value)) {
    return value.map((item) => amend(item, text, name));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const amended = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, amend(inner, text, key)]),
  );
  return amended['section_type'] === 'text' ? { ...amended, data: text } : amended;
}

/** A project with a line of parents. */
function deepProject(parents: number): string {
  const project = '{"repository_id":"deep","name":"Deep","owner":"ada","slug":"deep","parent_project":';
  return `[${project.repeat(parents)}null${'}'.repeat(parents)}]`;
}
