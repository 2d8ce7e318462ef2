/** The stacks view as a whole: what stands where, what stays as it is, and what it shows without the service. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import type { LocalService } from '../../src/service/service.ts';
import { sectionTitle } from '../../src/util/sectionTitle.ts';
import { Editor } from '../support/editor.ts';
import { expect, expectNone } from '../support/expect.ts';
import { keptContent } from '../support/keptContent.ts';
import { Person } from '../support/person.ts';
import { Relay } from '../support/relay.ts';
import { StackForm } from '../support/stackForm.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

describe('the stacks view', function () {
  this.timeout(400_000);
  const branch = 'greet/größer';
  const welcomed = 'Greet people by name';
  let editor: Editor;
  let service: LocalService;
  /** Between the extension host and the service. */
  let relay: Relay;
  let address: string;
  let window: Workbench;
  let client: ApiClient;
  let projectId: string;

  before(async () => {
    editor = await Editor.start({ settings: { 'patchStacks.refreshInterval': 5 } });
    ({ service } = editor);
    relay = await Relay.start(service.url);
    address = relay.throughThis(service.url);
    client = new ApiClient({ serverUrl: service.url, getToken: async () => service.token });
    const [project] = (await client.projects.list()).items;
    projectId = project?.repositoryId ?? assert.fail();
    const { login = '' } = await client.users.me();
    service.addOrganization({ slug: 'guild', name: 'The Guild', members: [login] });
    const engine = await client.projects.create({ name: 'Engine', slug: 'engine' });
    await client.projects.connect(engine.repositoryId, { organizationSlug: 'guild' });
    await client.projects.create({ name: 'Solo', slug: 'solo' });
    await client.stacks.update((await latest()).uuid, { title: 'Greetings' });

    const context = await editor.openContext();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    window = await editor.openWindow({ context });
    await window.page.getByRole('tab', { name: 'Patch Stacks' }).click();
    await window.tree.welcome.getByText('Sign in to review and edit patch stacks.').waitFor();
    await window.runCommand('Patch Stacks: Sign In with Access Token');
    await window.type(address);
    await window.quickInputWidget.getByText('Your access token for').waitFor();
    await window.type(service.token);
    await window.tree.expand('greetings');
  });

  tidyAfterEach(() => window);

  after(async () => {
    await client.close();
    await editor.close();
    await relay.stop();
  });

  const latest = () => client.stacks.latestForBranch(projectId, branch);
  const selected = (label: string | RegExp): Locator =>
    window.tree.row(label).and(window.page.locator('.selected'));
  const sideBar = (text: string | RegExp): Locator => window.page.locator('.part.sidebar').getByText(text);
  const copied = (): Promise<unknown> => window.page.evaluate('navigator.clipboard.readText()');

  it('has the projects of this workspace on top, then the others by owner, and forks with their parent', async () => {
    await window.tree.row('Greetings').getByText('checked out').waitFor();
    const { login } = await client.users.me();
    await expect
      .poll(() => window.tree.labels())
      .toEqual([
        'This Workspace',
        'greetings',
        'Greetings',
        login,
        'Solo',
        'guild',
        'Engine',
        `${login}/engine`,
        'guild/engine',
      ]);
    await window.page.locator('.activitybar .badge-content', { hasText: '1' }).waitFor();
  });

  it('brings what changed, and moves, collapses and selects nothing', async () => {
    await window.tree.expand('Greetings');
    await window.tree.settled();
    await window.tree.focusRow('Solo');
    await window.page.keyboard.press('Enter');
    await selected('Solo').waitFor();
    await window.tree.row('No patch stacks with the status "active"').waitFor();
    const before = await window.tree.labels();
    await client.stacks.update((await latest()).uuid, { title: 'Warm greetings' });
    await client.projects.update(projectId, { description: 'changed' });
    await window.tree.row('Warm greetings').waitFor();
    await window.tree.expanded('Warm greetings').waitFor();
    await selected('Solo').waitFor();
    await expect
      .poll(() => window.tree.labels())
      .toEqual(before.map((label) => (label === 'Greetings' ? 'Warm greetings' : label)));
  });

  it('marks a new version of a stack until someone looks at it', async () => {
    const { oplogSha = '' } = await latest();
    await client.stacks.update((await latest()).uuid, { title: 'Greetings' });
    const { version = '' } = await client.stacks.create({ projectId, branchId: branch, oplogSha });
    const row = window.tree.row('Greetings');
    await row.getByText(`v${version}`).waitFor();
    await window.tree.expanded('Greetings').waitFor();
    await expect(row).toHaveAttribute('aria-label', /A new version you haven't opened/);
    await row.click();
    await row.and(window.page.locator(':not([aria-label*="A new version"])')).waitFor();
  });

  it('copies links by the menu and by key', async () => {
    const { uuid, patches = [] } = await latest();
    const changeId = patches[0]?.changeId ?? '';
    await window.tree.expand('Greetings');
    await window.tree.chooseFromMenu(welcomed, 'Copy Link');
    await window.statusBarItem('Copied the link.').waitFor();
    const link = new URL(String(await copied()));
    assert.equal(`${link.host}${link.pathname}`, 'patch-stacks.patch-stacks/open');
    assert.deepEqual(
      ['server', 'stack', 'patch'].map((name) => link.searchParams.get(name)),
      [address, uuid, changeId],
    );
    await window.tree.focusRow('Solo');
    await window.page.keyboard.press('Shift+Alt+C');
    await window.page.waitForFunction(
      'navigator.clipboard.readText().then((text) => text.includes("project="))',
    );
  });

  it('edits and deletes the row that has the focus by key, where that fits', async () => {
    await window.tree.focusRow('Solo');
    await window.page.keyboard.press('F2');
    await window.quickInputWidget.getByText('Edit Project (1/4)').waitFor();
    await expect(window.quickInput).toHaveValue('Solo');
    await window.page.keyboard.press('Escape');
    await window.tree.focusRow('Greetings');
    await window.page.keyboard.press('F2');
    const { title } = new StackForm(window);
    await title.and(window.webview.locator(':focus')).waitFor();
    await title.press('Escape');
    await title.waitFor({ state: 'detached' });
    await window.tree.focusRow('Solo');
    await window.page.keyboard.press('Delete');
    await window.quickInputWidget.getByText('Delete Project: Solo').waitFor();
    await window.page.keyboard.press('Escape');
    await window.tree.focusRow('Greetings');
    await window.page.keyboard.press('Delete');
    await window.told('Select a project');
  });

  it('shows the stacks of one branch, or only projects with open reviews', async () => {
    await window.runCommand('Patch Stacks: Filter by Status');
    await window.pick('For a Branch…');
    await window.pick('Enter a branch name…');
    await window.step(/^Branch name/);
    await window.type('none');
    await window.tree.row('No patch stacks for branch "none" match the filter').first().waitFor();
    await sideBar('Filter: none').waitFor();
    await window.tree.open('No patch stacks for branch "none" match the filter');
    await window.pick('For Any Branch');
    await window.tree.row('Greetings').waitFor();
    await sideBar('Filter:').waitFor({ state: 'detached' });

    await window.runCommand('Patch Stacks: Filter by Status');
    await window.pick('Projects with Open Reviews Only');
    await window.tree.row('Solo').waitFor({ state: 'detached' });
    await window.tree.row('greetings').waitFor();
    await window.runCommand('Patch Stacks: Filter by Status');
    await window.pick('All Projects');
    await window.tree.row('Solo').waitFor();
  });

  it('leaves nothing of a form that is given up: neither a mark nor what was typed', async () => {
    await window.runCommand('Patch Stacks: Create Project');
    await window.step('Project name');
    await window.type('Half a project');
    await window.step('Description');
    await window.quickInput.fill('and half of what it is about');
    await window.page.keyboard.press('Escape');
    await window.runCommand('Patch Stacks: Create Project');
    await window.step('Project name');
    await expect(window.quickInput).toHaveValue('');
    await window.page.keyboard.press('Escape');

    const { title } = new StackForm(window);
    const row = window.tree.row('Greetings');
    await window.tree.focusRow('Greetings');
    await window.page.keyboard.press('F2');
    await title.and(window.webview.locator(':focus')).waitFor();
    await title.fill('Half a title');
    await row.and(window.page.locator('[aria-label*="Unsent changes"]')).waitFor();
    await title.press('Escape');
    await title.waitFor({ state: 'detached' });
    await row.and(window.page.locator(':not([aria-label*="Unsent"])')).waitFor();
    await window.tree.focusRow('Greetings');
    await window.page.keyboard.press('F2');
    await title.waitFor();
    await expect(title).toHaveValue('Greetings');
    await title.press('Escape');
    await title.waitFor({ state: 'detached' });
  });

  it('moves sections by key, and by dragging them onto another', async () => {
    const { uuid, patches = [] } = await latest();
    const changeId = patches[0]?.changeId ?? '';
    const file = 'src/greet.ts';
    const onService = async (): Promise<string[]> =>
      ((await client.patches.get(uuid, changeId)).sections ?? []).map((section) =>
        section.sectionType === 'text' ? (sectionTitle(section.text ?? '') ?? '') : section.identifier,
      );
    const [text = ''] = await onService();
    const shows = (...order: string[]): Promise<void> =>
      until(async () => {
        const labels = await window.tree.labels();
        const first = labels.indexOf(welcomed) + 1;
        return labels.slice(first, first + 2).join() === order.join();
      });
    const stands = async (...order: string[]): Promise<void> => {
      await shows(...order);
      await until(async () => (await onService()).join() === order.join());
    };
    await window.tree.expand('Greetings');
    await window.tree.expand(welcomed);
    await window.tree.focusRow(file);
    await window.page.keyboard.press('Alt+ArrowUp');
    await stands(file, text);
    await window.tree.row(welcomed).and(window.page.locator(':not([aria-label*="Unsent"])')).waitFor();
    await window.tree.drag(file, text);
    await stands(text, file);

    // However quickly the keys come, each has its row: VS Code does not know rows while it draws them again.
    await window.tree.focusRow(file);
    for (const isUp of [true, false, true, false, true]) {
      await window.page.keyboard.press(isUp ? 'Alt+ArrowUp' : 'Alt+ArrowDown');
      await (isUp ? shows(file, text) : shows(text, file));
    }
    await stands(file, text);
    const sent = window.tree.row(welcomed).and(window.page.locator(':not([aria-label*="Unsent"])'));
    await expectNone(window.notification('Move Section'), { once: sent });
  });

  it('shows what someone else does inside a stack, in the rows and in the document', async () => {
    const { uuid, patches = [] } = await latest();
    const changeId = patches[0]?.changeId ?? '';
    const colleague = service.addUser({ login: 'emmy', name: 'Emmy', email: 'emmy@example.org' });
    await client.projects.update(projectId, { shareLevel: 'public' });
    const theirs = new ApiClient({ serverUrl: service.url, getToken: async () => colleague.token });
    await window.tree.expand('Greetings');
    await window.tree.expand(welcomed);
    await window.tree.open(welcomed);
    await window.webview.locator('h1', { hasText: welcomed }).waitFor();
    await window.tree.focusRow('Solo');
    const section = (await client.patches.get(uuid, changeId)).sections?.find(
      ({ sectionType }) => sectionType === 'text',
    );
    await client.patches.updateSection(uuid, changeId, section?.code ?? '', {
      text: '## Written by a colleague\n',
    });
    await window.tree.row('Written by a colleague').waitFor();
    await window.webview.getByRole('heading', { name: 'Written by a colleague' }).waitFor();
    await theirs.patches.update(uuid, changeId, { signOff: true });
    await window.webview.getByText('Emmy').first().waitFor();
    await window.tree.expanded(welcomed).waitFor();
    await theirs.close();
    await window.closeAllEditors();
  });

  it('has every command of projects and stacks in the palette, with the keyboard alone', async () => {
    const person = new Person(window);
    for (const [title, asks] of [
      ['Create Project', 'Project name'],
      ['Edit Project', 'Select a project'],
      ['Delete Project', 'Select a project'],
      ['Open Project by Owner and Slug', 'Project owner and slug'],
      ['Connect Project to Organization', 'Select a project'],
      ['Disconnect Project from Organization', 'Select a project'],
      ['Create Patch Stack', 'Select a project'],
      ['Edit Patch Stack', 'Select a project'],
      ['Close Patch Stack', 'Select a project'],
      ['Reopen Patch Stack', 'Select a project'],
      ['Open Latest Stack for a Branch', 'Select a project'],
      ['Open Patch Stack', 'Select a project'],
      ['Show Patch Statuses', 'Select a project'],
      ['Filter by Status', 'Select which patch stacks to show'],
    ] as const) {
      await person.paletteCommand(`Patch Stacks: ${title}`);
      await window.page.getByPlaceholder(asks).or(window.quickInputWidget.getByText(asks)).first().waitFor();
      await window.page.keyboard.press('Escape');
      await window.quickInput.waitFor({ state: 'hidden' });
    }
  });

  it('is found in, as every tree is', async () => {
    await window.tree.focusRow('Solo');
    await window.page.keyboard.press('Control+Alt+F');
    await window.page.locator('.monaco-tree-type-filter input').fill('Engine');
    await window.tree.row('Engine').waitFor();
    await window.page.keyboard.press('Escape');
    await window.page.keyboard.press('Escape');
  });

  it('shows what was known when the service is away, and brings it up to date when it is back', async () => {
    await window.tree.expand('Greetings');
    await window.tree.expand(welcomed);
    await window.tree.row('src/greet.ts').first().waitFor();
    await keptContent(editor, window);
    relay.behave('silent');
    await window.reload();
    await sideBar(/^Last updated/).waitFor();
    await window.tree.row('Solo').waitFor();
    relay.behave('cut');
    const known = sideBar(/Offline. Last updated/);
    await known.waitFor();
    // It comes when Git has been asked, and moves the others down.
    await window.tree.row('This Workspace').waitFor();
    await window.tree.expand('greetings');
    await window.tree.expand('Greetings');
    await window.tree.expand(welcomed);
    await window.tree.row('src/greet.ts').first().waitFor();

    relay.behave('leads');
    await client.projects.create({ name: 'Since then', slug: 'since' });
    await window.runCommand('Patch Stacks: Refresh');
    await window.tree.row('Since then').waitFor();
    await known.waitFor({ state: 'detached' });
    await window.tree.row('src/greet.ts').first().waitFor();
  });
});
