/**
 * Every command of the README's table, done to its end by a person who has no mouse: from the palette, by its key, or from the
 * menu of a row. After each key something that is to be seen has the focus.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import { Editor, errorsWhileTyping } from '../support/editor.ts';
import { git } from '../support/exampleRepository.ts';
import { FaultServer, reply, type Fault } from '../support/faultServer.ts';
import { forwardTo, passOn } from '../support/forward.ts';
import { commands, MouseGuard, Person } from '../support/person.ts';
import { sshKeys } from '../support/sshKeys.ts';
import { StackForm } from '../support/stackForm.ts';
import { pictureAfterFailure } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

const branch = 'greet/größer';
const greeting = 'Greet people by name';
const naming = 'Call names people';

describe('a person without a mouse', function () {
  this.timeout(400_000);
  let editor: Editor;
  /** The server that the person uses: some of its answers are made up. */
  let server: FaultServer;
  let guard: MouseGuard;
  let window: Workbench;
  let person: Person;
  let client: ApiClient;
  let login: string;

  before(async () => {
    editor = await Editor.start({ expectedErrors: errorsWhileTyping });
    server = await FaultServer.start();
    const { url } = editor.service;
    server.use(
      forwardTo(url, (request) =>
        request.method === 'GET' && /\/projects(\?|$)/.test(request.url) ? withPage : undefined,
      ),
    );
    /** The local service knows no pages of projects. */
    const withPage: Fault = async (response, request, attempt) => {
      const answer = await (await passOn(url, request)).text();
      const page = JSON.stringify(`${server.url}/a-page`);
      const amended = answer.replaceAll('"code_repository_id":null', `"code_repository_id":${page}`);
      await reply(200, amended)(response, request, attempt);
    };
    client = new ApiClient({ serverUrl: editor.service.url, getToken: async () => editor.service.token });
    login = (await client.users.me()).login ?? assert.fail();
    const context = await editor.openContext();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    guard = await MouseGuard.over(context);
    window = await editor.openWindow({ context });
    person = new Person(window);
  });

  afterEach(() => assert.deepEqual(guard.take(), [], 'somebody has used a mouse'));

  pictureAfterFailure(() => window);

  afterEach(async () => {
    await window.page.keyboard.press('Escape');
    await window.closeAllEditors();
    await window.clearNotifications();
    // Whoever takes a picture of a failure has one.
    guard.take();
  });

  after(async () => {
    await client.close();
    await editor.close();
    await server.stop();
  });

  /** The row of the stack that the tests are about, whatever its title is by now. */
  const stack = /größer|^Kind/i;

  /** The address of the service as the person knows it. */
  const address = (): string => `${server.url}${new URL(editor.service.url).pathname}`;

  /** Waits until the text of the clipboard is like this. */
  const copied = (text: RegExp): Promise<void> =>
    until(async () => text.test(await window.page.evaluate(() => navigator.clipboard.readText())));
  const saying = (text: string | RegExp): Locator => window.quickInputWidget.getByText(text).first();
  /** Waits until that has the focus. */
  const focused = (of: Locator): Promise<void> => person.findThemselves(of.first());
  const button = (name: string | RegExp): Locator =>
    window.webview.getByRole('button', { name, exact: true }).first();
  /** Waits until that has the focus, and VS Code knows that keys are for a section. */
  const atSection = async (of: Locator): Promise<void> => {
    await focused(of);
    await window.webview.locator('html[data-keys="section"]').waitFor();
  };
  const isSelected = (label: string | RegExp): Promise<void> =>
    window.tree.row(label).first().and(window.page.locator('.selected')).waitFor();
  /** Waits until a row of the stacks view has the focus. */
  const atRow = async (label: string): Promise<void> => {
    await window.tree.row(label).and(window.page.locator('.focused')).waitFor();
    await window.page.locator('.part.sidebar :focus').first().waitFor();
  };
  const section = (words: string): Locator =>
    window.webview.locator('section.section').filter({ hasText: words }).first();
  const named = (name: string): Locator => window.webview.getByRole('region', { name, exact: true });
  const source = (): Locator => window.webview.locator('.cm-content');

  /** Waits until a patch is shown, and the person is in it. */
  async function isOpen(title: string): Promise<void> {
    await window.webview.locator('.document:not(.beginning) h1', { hasText: title }).waitFor();
    await window.webview.locator('html[data-keys]:not([data-keys="none"])').waitFor();
    await person.findThemselves();
  }

  /** Opens the patch that the tests are about. */
  async function openPatch(title = greeting): Promise<void> {
    await person.goToView();
    await person.unfold('greetings');
    await person.unfold(stack);
    await person.goToRow(title);
    await person.press('Enter');
    await isOpen(title);
  }

  /** The stack and the patch that the tests are about, as the service has them. */
  async function place(): Promise<{ stackUuid: string; changeId: string; projectId: string }> {
    const projects = (await client.projects.list()).items;
    const projectId = projects.find(({ name }) => name === 'greetings')!.repositoryId;
    const stack = await client.stacks.latestForBranch(projectId, branch);
    const { changeId } = stack.patches!.find(({ title }) => title === greeting)!;
    return { stackUuid: stack.uuid, changeId, projectId };
  }

  async function texts(): Promise<string[]> {
    const { stackUuid, changeId } = await place();
    const { sections = [] } = await client.patches.get(stackUuid, changeId);
    return sections.map((one) => (one.sectionType === 'text' ? (one.text ?? '') : one.identifier));
  }

  /** Signs in, unless somebody has before. */
  async function beSignedIn(): Promise<void> {
    if (!(await window.statusBarItem(login).isVisible())) {
      await person.goToView();
      await signIn();
    }
  }

  async function signIn(): Promise<void> {
    await person.commandAndAnswer('signInWithToken', /server address/i, address());
    await person.answer('Your access token for', editor.service.token);
    await window.statusBarItem(login).waitFor();
    await window.tree.row('greetings').waitFor();
  }

  describe('signs in', () => {
    it('from the welcome, by the page of the service', async () => {
      await person.goToView();
      await window.tree.welcome.waitFor();
      await person.reach(window.tree.welcome.getByRole('button', { name: 'Sign In', exact: true }));

      const opened = window.page.context().waitForEvent('page');
      await person.commandAndAnswer('signIn', /server address/i, address());
      const page = await opened;
      await page.getByLabel('Sign-in code').and(page.locator(':focus')).waitFor();
      await page.keyboard.type(editor.codes.at(-1) ?? '');
      await page.keyboard.press('Enter');
      await page.getByText('signed in').first().waitFor();
      await page.close();
      await window.tree.row('greetings').waitFor();
    });

    it('and out, and sees what was asked of the service', async () => {
      await beSignedIn();
      await person.command('showLog');
      await window.page.locator('.editor-instance .view-line, .output-view .view-line').first().waitFor();
      await person.findThemselves();

      await person.commandAndChoose('showAccountMenu', 'Sign Out');
      await person.answerDialog('Cancel');
      await person.command('signOut');
      await person.answerDialog('Sign Out');
      await window.tree.welcome.waitFor();
      await person.findThemselves();
    });

    it('to a service of their own, and goes from one to the other', async () => {
      await person.command('tryLocally');
      await window.tree.row('greetings').waitFor();
      // It begins with the page of the branch.
      await focused(window.webview.locator('.stack-page h1'));
      // From a row: a dialog that opens as the palette closes may give the focus of a page back to nothing.
      await person.goToView();
      await person.goToRow('greetings');
      await person.chooseFromMenu('shareReviews');
      await person.answerDialog('Share');
      await window.tree
        .row('greetings')
        .filter({ hasText: /shared/ })
        .waitFor();
      await atRow('greetings');
      await person.chooseFromMenu('shareNow');
      await atRow('greetings');
      await person.command('stopSharing');
      await person.told('Stopped sharing reviews.');
      await signIn();
      const { host } = new URL(server.url);
      for (const said of [new RegExp(`^(?!.*${host}).*Switched to`), `Switched to ${host} as`]) {
        // The active account comes last.
        await person.commandAndChooseFirst('switchServer');
        await person.told(said);
        await window.tree.row('greetings').waitFor();
        await person.findThemselves();
      }
    });
  });

  describe('is a user', () => {
    before(beSignedIn);

    it('with a profile', async () => {
      await person.command('editProfile');
      // The form begins at its first field.
      await focused(window.webview.getByLabel('Name', { exact: true }));
      await person.reach(window.webview.getByLabel('Given name'));
      await person.retype('Ada');
      await person.pressButton(button('Save'));
      await window.webview.getByText('Saved.', { exact: true }).waitFor();
      await focused(button('Save'));
      assert.equal((await client.users.me()).givenName, 'Ada');
    });

    it('with SSH keys', async () => {
      await person.commandAndChoose('addSshKey', 'Paste a public key…');
      await person.answer('Paste the contents of a .pub file', sshKeys.ed25519.line);
      await saying(sshKeys.ed25519.fingerprint).waitFor();
      await person.retype('laptop');
      await person.press('Enter');
      await person.told('Added SSH key "laptop".');

      const file = path.join(editor.directory, 'rsa.pub');
      await writeFile(file, `${sshKeys.rsa.line}\n`);
      await person.commandAndChoose('addSshKey', 'Choose File…');
      await saying('Choose a Public SSH Key').waitFor();
      await window.quickPickRows.filter({ hasText: '..' }).first().waitFor();
      await person.retype(file);
      await window.quickInputWidget.getByText('rsa.pub').first().waitFor();
      await person.press('Enter');
      await saying(sshKeys.rsa.fingerprint).waitFor();
      await person.retype('desk');
      await person.press('Enter');
      await person.told('Added SSH key "desk".');

      await person.commandAndChoose('manageSshKeys', 'laptop');
      await person.choose('Copy Fingerprint');
      await copied(/^SHA256:Hme5/);

      await person.commandAndChoose('deleteSshKey', 'desk');
      await person.answerDialog('Delete');
      await person.told('Deleted SSH key "desk".');
      const names = (await client.users.keys(login)).items.map((key) => key.name);
      assert.deepEqual(names, ['laptop']);
      await person.findThemselves();

      await person.commandAndAnswer('showUser', 'Username', login);
      await window.webview.locator(`[data-user="${login}"]`).waitFor();
      await focused(window.webview.locator('h1'));
      await person.pressButton(
        window.webview.getByRole('button', { name: /^Copy the fingerprint of laptop/ }),
      );
      await window.webview.getByText('Copied the fingerprint.').waitFor();
      await person.findThemselves();
    });
  });

  describe('has projects', () => {
    before(beSignedIn);

    before(() => editor.service.addOrganization({ slug: 'guild', name: 'The Guild', members: [login] }));

    after(async () => {
      const all = (await client.projects.list({ limit: 100 })).items;
      for (const { repositoryId } of all.filter(({ name }) => name !== 'greetings')) {
        await client.projects.delete(repositoryId);
      }
      await person.command('refresh');
    });

    it('and creates, edits, shows and copies them', async () => {
      await person.commandAndAnswer('createProject', 'Project name', 'Mine');
      await person.answer('Description (optional)', 'Of my own');
      await person.answer('Project slug (used in URLs)');
      await person.told('Created project "Mine".');
      await isSelected('Mine');

      await person.commandAndAnswer('editProject', 'Project name', 'Ours');
      await person.answer('Description (optional)');
      await person.choose('Public');
      await person.answer('Project slug (used in URLs)');
      await person.told('Saved project "Ours".');

      await person.goToView();
      await person.goToRow('Ours');
      await person.byKey('editRow');
      await saying('Project name').waitFor();
      await person.press('Escape');
      await atRow('Ours');

      await person.byKey('copyLink');
      await copied(/\/open\?server=.*&project=/);
      await atRow('Ours');
      await person.command('copyId');
      await copied(/^\w+$/);
      await person.goToView();
      await person.goToRow('Ours');
      const opened = window.page.context().waitForEvent('page');
      await person.chooseFromMenu('openInBrowser');
      const page = await opened;
      assert.match(page.url(), /a-page/);
      await page.close();

      await person.commandAndAnswer('openProject', 'Project owner and slug, or URL', `${login}/mine`);
      await isSelected('Ours');
      await person.findThemselves();
    });

    it('that belong to an organization', async () => {
      await client.projects.create({ name: 'Joined', slug: 'joined' });
      await person.command('refresh');
      await person.goToView();
      await person.goToRow('Joined');
      await person.press('Enter');
      await person.commandAndChoose('connectProject', 'The Guild');
      await person.choose('Project with the same slug');
      await person.told('Connected project "Joined" to guild/joined.');
      await person.command('disconnectProject');
      await person.told('Disconnected project "Joined".');
      await person.answerMessage('Disconnected project "Joined".', 'Undo');
      await until(async () => {
        const { items } = await client.projects.list();
        return items.find(({ name }) => name === 'Joined')?.parentProject?.owner === 'guild';
      });
      await person.findThemselves();
    });

    it('and deletes them', async () => {
      await client.projects.create({ name: 'Doomed', slug: 'doomed' });
      await client.projects.create({ name: 'Forlorn', slug: 'forlorn' });
      await person.command('refresh');
      await person.goToView();
      await person.goToRow('Doomed');
      await person.byKey('deleteRow');
      await person.answer('This permanently deletes the project', 'doomed');
      await person.told('Deleted project "Doomed".');
      await window.tree.row('Doomed').waitFor({ state: 'detached' });
      await person.findThemselves();

      // A command does not ask about the thing that is selected.
      await person.goToView();
      await person.goToRow('Forlorn');
      await person.press('Enter');
      await person.commandAndAnswer('deleteProject', 'This permanently deletes the project', 'forlorn');
      await person.told('Deleted project "Forlorn".');
      await window.tree.row('Forlorn').waitFor({ state: 'detached' });
      await person.findThemselves();
    });

    it('more than are read at once', async () => {
      await Promise.all(
        Array.from({ length: 55 }, (_value, number) =>
          client.projects.create({ name: `Project ${number}`, slug: `project-${number}` }),
        ),
      );
      await person.command('refresh');
      await window.tree
        .row(/^Project \d+$/)
        .first()
        .waitFor();
      await person.command('collapseAll');
      await window.tree.expanded('greetings').waitFor({ state: 'detached' });
      await person.goToView();
      await person.press('End');
      await window.tree.row('Load More Projects…').waitFor();
      await person.command('loadMore');
      await window.tree.row('Load More Projects…').waitFor({ state: 'detached' });
      await person.findThemselves();
    });
  });

  describe('has patch stacks', () => {
    before(beSignedIn);

    it('and publishes, names, closes and reopens them', async () => {
      await writeFile(path.join(editor.repository, 'published.txt'), 'new');
      git(editor.repository, 'add', 'published.txt');
      git(editor.repository, 'commit', '-qm', 'Something to publish');
      await person.goToView();
      await person.unfold('greetings');
      await person.goToRow('greetings');
      await person.chooseFromMenu('createStack');
      await person.choose(branch);
      await person.choose('Something to publish');
      await person.told(/Created patch stack ".*"\./);
      await window.tree.rows.and(window.page.locator('.selected')).getByText(/v2/).waitFor();

      await person.command('editStack');
      const form = new StackForm(window);
      await form.title.and(window.webview.locator(':focus')).waitFor();
      await person.press('Control+A');
      await window.page.keyboard.insertText('Kind greetings');
      await person.press('Control+Enter');
      await form.closed();
      await window.tree.row('Kind greetings').first().waitFor();
      await person.findThemselves();

      await person.command('closeStack');
      await person.told('Closed patch stack "Kind greetings".');
      await window.tree.row('Kind greetings').waitFor({ state: 'detached' });
      await person.commandAndChoose('filterStacks', 'All');
      await person.goToView();
      await person.goToRow('Kind greetings');
      await person.press('Enter');
      await person.command('reopenStack');
      await person.told('Reopened patch stack "Kind greetings".');
      await person.commandAndChoose('filterStacks', 'Active');
      await person.goToView();
      await person.goToRow('greetings');
      await person.press('Enter');
      await person.commandAndChoose('openBranchStack', branch);
      await isSelected('Kind greetings');
      await person.findThemselves();
    });

    it('and sees how far they are', async () => {
      await person.goToView();
      await person.unfold('greetings');
      await person.goToRow(stack);
      await person.press('Enter');
      await focused(window.webview.locator('.stack-page h1'));
      await person.goToView();
      await person.command('openStack');
      await focused(window.webview.locator('.stack-page h1'));
      await person.goToView();
      await person.command('showPatchStatuses');
      await focused(window.webview.locator('h1'));
      await person.pressButton(button('Refresh'));
      await focused(button('Refresh'));
      await person.pressButton(window.webview.getByRole('button', { name: naming }));
      await isOpen(naming);
    });
  });

  describe('reads a patch', () => {
    before(beSignedIn);

    before(async () => {
      const { stackUuid, changeId } = await place();
      const position = (await texts()).length;
      await client.patches.createSection(stackUuid, changeId, {
        type: 'text',
        text: '# Afterword',
        position,
      });
    });

    it('from section to section, from file to file and from change to change', async () => {
      await person.goToView();
      await person.unfold('greetings');
      await person.unfold(stack);
      await person.goToRow(greeting);
      await person.chooseFromMenu('openPatch');
      await isOpen(greeting);
      await focused(window.webview.locator('h1').first());
      const first = window.webview.locator('section.section').first();
      const file = window.webview.locator('section[data-section-type="diff"]');
      const removed = window.webview.getByRole('row', { name: /^removed, line 1/ });
      await person.byKey('nextFile');
      await focused(file);
      await person.byKey('nextChange');
      await focused(removed);
      await person.byKey('nextSection');
      await focused(named('Afterword'));
      await person.byKey('previousChange');
      await focused(removed);
      await person.byKey('nextSection');
      await person.byKey('previousFile');
      await focused(file);
      await person.byKey('previousSection');
      await focused(first);
      await person.command('copyLink');
      await copied(/&section=\w+$/);
      await focused(first);

      await person.byKey('findInPatch');
      await focused(window.webview.getByRole('textbox', { name: 'Find' }));
      await person.type('hello');
      await window.webview.locator('.find-count').getByText('1 of 2').waitFor();
      await person.press('Escape');
      await person.findThemselves();
    });

    it('as text, in the diff editor, as its commit and its files, and is back where they were', async () => {
      const { page } = window;
      await openPatch();
      await person.byKey('nextFile');
      await person.byKey('nextChange');
      const line = window.webview.getByRole('row', { name: /^removed, line 1/ });
      await focused(line);
      const goBack = async (to = line): Promise<void> => {
        await person.findThemselves();
        await person.paletteCommand('View: Close Editor');
        await isOpen(greeting);
        await focused(to);
      };
      for (const [command, tab] of [
        ['showAccessibilityHelp', 'Accessibility Help'],
        ['showAccessibleView', greeting],
      ] as const) {
        await person.byKey(command);
        await window.editorTab(tab).last().and(page.locator('.active')).waitFor();
        await page.locator('.editor-instance .view-line').first().waitFor();
        await person.byKey('closeAccessibleView');
        await isOpen(greeting);
        await focused(line);
      }
      await person.command('openChanges');
      await page.locator('.multiDiffEntry, .monaco-diff-editor').first().waitFor();
      await goBack();
      await person.command('openCommit');
      await page.locator('.multiDiffEntry', { hasText: 'greet.ts' }).first().waitFor();
      await goBack();
      await person.command('compareVersions');
      await window.quickPickRow('Nothing').waitFor();
      await person.chooseFirst();
      await focused(line);
      // In no palette: it is a button of each file.
      await person.pressButton(button('Open file'));
      person.done.add('openFile');
      await window.editorTab('greet.ts').waitFor();
      await goBack(button('Open file'));
      const all = button('Open all changes in the diff editor');
      await person.pressButton(all);
      await page.locator('.multiDiffEntry, .monaco-diff-editor').first().waitFor();
      await goBack(all);
    });

    it('after the other', async () => {
      const { page } = window;
      await openPatch();
      await person.byKey('nextPatch');
      await isOpen(naming);
      await person.byKey('previousPatch');
      await isOpen(greeting);
      await person.byKey('keepOpen');
      // VS Code runs a command that is new to it later than one that was run before.
      await window.editorTab(greeting).locator('[style*="patch-preview"]').waitFor({ state: 'detached' });
      await person.byKey('nextPatch');
      await isOpen(naming);
      await until(async () => (await page.locator('.tabs-container .tab').count()) === 2);
    });

    it('of what they have not read', async () => {
      await openPatch();
      const section = window.webview.locator('.document:not(.beginning) section');
      const focus = window.webview.locator(':focus:not([data-left])');
      const change = section.locator(focus).or(section.and(focus)).first();
      await person.byKey('nextUnread');
      await change.waitFor();
      // Else a key that does its work late would find the next test at work.
      await change.evaluate((element) => element.setAttribute('data-left', ''));
      await person.byKey('previousUnread');
      await change.waitFor();
    });

    it('of what no text explains', async () => {
      await openPatch();
      await person.byKey('nextUnexplained');
      await isOpen(naming);
      await window.webview.locator('section[data-section-type="diff"]:focus').waitFor();
    });
  });

  describe('writes', () => {
    before(beSignedIn);

    it('what they think of a patch', async () => {
      await openPatch();
      await person.command('signOffAnyway');
      await button('Signed Off').waitFor();
      await person.findThemselves();
      // Each takes the place of the one before, which is not sent yet.
      await person.command('requestChanges');
      await button('Changes Requested').waitFor();
      await person.findThemselves();
      // All of it was on the screen.
      await window.tree.row(greeting).and(window.page.locator('[aria-label*=", read,"]')).waitFor();
      await person.command('signOffPatch');
      await button('Signed Off').waitFor();
      await window.webview.locator('.reviewers', { hasText: 'Signed off by' }).waitFor();
      await person.findThemselves();
      await person.command('requestChanges');
      await button('Changes Requested').waitFor();
      await person.findThemselves();
      await person.byKey('signOffAndNext');
      await isOpen(naming);
      await openPatch();
      await person.commandAndChoose('exportStack', 'Markdown');
      await until(async () => (await window.quickInput.inputValue()).endsWith('.md'));
      await person.paste(path.join(editor.directory, 'exported.md'));
      // An Enter while VS Code looks into the folder leaves its dialog busy for ever.
      await window.quickPickRow('origin').waitFor();
      await person.press('Enter');
      await window.quickInput.waitFor({ state: 'hidden' });
      await person.told('The patch stack was exported to exported.md.');
      await person.findThemselves();
      // Nothing has changed since.
      await person.command('signOffUnchanged');
      await window.quickInputWidget.getByPlaceholder(/^None of your sign-offs can be renewed/).waitFor();
      await person.press('Escape');
      await person.findThemselves();
      await person.command('openStackAsDocument');
      await focused(window.webview.getByRole('heading', { level: 1 }).first());
      await person.paletteCommand('View: Close Editor');
      await person.findThemselves();
      await person.command('openStackAsMarkdown');
      await window.page.locator('.editor-instance .view-line', { hasText: '<!-- patch ' }).first().waitFor();
      await person.paletteCommand('View: Close Editor');
      await person.findThemselves();
    });

    it('sections', async () => {
      await openPatch();
      await person.command('addSection');
      await focused(source());
      await person.type('# Added');
      await person.press('Control+Enter');
      await source().waitFor({ state: 'detached' });
      await atSection(named('Added'));
      await person.command('editSection');
      await focused(source());
      await person.press('Control+End');
      await person.type('\n\nWords.');
      // Save, by its button.
      await person.reach(
        window.webview.locator('.editor-footer').getByRole('button', { name: 'Save', exact: true }),
      );
      await person.press('Enter');
      await source().waitFor({ state: 'detached' });
      await focused(named('Added'));
      // There is no language model in this VS Code, and the command says so; or all is explained.
      await person.command('draftSection');
      await person.told(/language model|nothing to draft/);
      await person.command('connectAgent');
      await person.told(/MCP configuration was copied/);
      await person.command('disconnectAgents');
      await person.told(/disconnected/);
      await person.reach(named('Added'));
      await person.byKey('addSectionHere');
      await focused(source());
      await person.press('Escape');
      await source().waitFor({ state: 'detached' });
      await person.reach(named('Added'));

      await person.command('confirmText');
      await person.toldInList("The code hasn't changed since this section was written.");
      await person.reach(named('Added'));
      await person.command('editSectionInEditor');
      await window.statusBarItem('Markdown').waitFor();
      await window.page.locator('.editor-instance .view-line', { hasText: 'Words.' }).waitFor();
      await person.press('Control+End');
      await person.type(' More.');
      await person.press('Control+s');
      await until(async () => (await texts()).includes('# Added\n\nWords. More.'));
      await person.paletteCommand('View: Close Editor');
      await isOpen(greeting);
      await focused(named('Added'));
    });

    it('in the order that they choose, and deletes what is not needed', async () => {
      const { stackUuid, changeId } = await place();
      await client.patches.createSection(stackUuid, changeId, {
        type: 'text',
        text: '# Last',
        position: (await texts()).length,
      });
      await person.command('refresh');
      await openPatch();
      const order = async (): Promise<string> => (await texts()).map((text) => text.slice(0, 6)).join();
      await named('Last').waitFor();
      const before = await order();
      while (!(await named('Last').and(window.webview.locator(':focus')).isVisible())) {
        await person.byKey('nextSection');
      }
      await atSection(named('Last'));
      await person.byKey('moveSectionUp');
      await until(async () => (await order()) !== before);
      await atSection(named('Last'));
      await person.byKey('moveSectionDown');
      await until(async () => (await order()) === before);
      await atSection(named('Last'));
      await person.command('moveSectionTo');
      await window.quickPickRow('To the top').waitFor();
      // So does VS Code, a moment after the palette has gone: whoever is asked something by then is still there.
      await named('Last').evaluate(() => globalThis.focus());
      await person.choose('To the top');
      await until(async () => (await texts())[0] === '# Last');
      await atSection(named('Last'));

      await person.command('deleteSection');
      await named('Last').waitFor({ state: 'detached' });
      // The section goes first, and is said to be deleted once that can be taken back.
      await window.webview.getByText('Deleted section "Last".').waitFor();
      await person.findThemselves();
      await person.press('Control+z');
      await named('Last').waitFor();
      await person.findThemselves();
      await until(async () => (await texts()).some((text) => text.startsWith('# Last')));
    });

    it('what somebody else writes at the same time, and takes back what they changed', async () => {
      const { page } = window;
      const { stackUuid, changeId } = await place();
      const creation = { type: 'text', text: '# Disputed\n\nThe same words.', position: 0 } as const;
      const { code } = await client.patches.createSection(stackUuid, changeId, creation);
      await person.command('refresh');
      await openPatch();
      await section('The same words').waitFor();
      await person.byKey('nextSection');
      await focused(section('The same words'));
      await person.press('Enter');
      await focused(source());
      await person.press('Control+End');
      await person.type(' Mine.');
      await client.patches.updateSection(stackUuid, changeId, code, {
        text: '# Disputed\n\nThe same words. Theirs.',
      });
      await person.press('Control+Enter');
      await window.webview.getByText(/Resolve the conflict/).waitFor();
      await person.findThemselves();

      await person.commandAndChoose('showUnsentChanges', 'Disputed');
      await person.choose('Resolve Conflict');
      const result = page.locator('.merge-editor .code-view.result');
      await result.getByText('1 Conflict Remaining').waitFor();
      await result.locator(':focus').waitFor();
      await person.paletteCommand('Merge Editor: Accept All Combination');
      await result.getByText('0 Conflicts Remaining').waitFor();
      await person.press('Control+s');
      await person.command('resolveConflict');
      await until(async () =>
        (await texts()).some((text) => text.includes('Mine.') && text.includes('Theirs.')),
      );
      // The document takes the focus from the merge editor a moment later.
      await isOpen(greeting);

      await person.commandAndChoose('showRecentChanges', 'Changed the text of "Disputed".');
      await person.choose('Undo');
      await until(async () => !(await texts()).some((text) => text.includes('Mine.')));
      await person.findThemselves();
    });
  });

  describe('fills in forms', () => {
    before(beSignedIn);

    it('for feedback', async () => {
      await person.command('sendFeedback');
      await focused(window.webview.getByLabel('Message'));
      await person.type('It **works**');
      await person.pressButton(button('Choose Files…'));
      await saying('Files to attach to the feedback').waitFor();
      await window.quickPickRows.filter({ hasText: '..' }).first().waitFor();
      await person.paste(path.join(editor.repository, 'notes.txt'));
      await window.quickInputWidget.getByText('notes.txt').first().waitFor();
      await person.press('Enter');
      await focused(button('Choose Files…'));
      await person.pressButton(button('Remove notes.txt'));
      await focused(button('Choose Files…'));
      await person.pressButton(button('Send'));
      await window.webview.getByText('Sent. Thank you.').waitFor();
      await focused(button('Send'));
    });

    it('for a release', async () => {
      await person.command('createRelease');
      const version = window.webview.getByLabel('Version', { exact: true });
      await focused(version);
      await person.retype('1.2.0-nightly.1');
      await person.pressButton(button('Create Release'));
      await window.webview.getByText('Release created.').waitFor();
      await focused(button('Create Release'));
    });
  });

  describe('at last', () => {
    it('has then done all that there is', () => {
      assert.deepEqual([...person.done].sort(), [...commands].sort());
    });

    it('would have been seen with a mouse, in the window and in its pages', async () => {
      await openPatch();
      await window.page.locator('.tabs-container .tab').first().click();
      await window.webview.locator('h1').first().click();
      await until(async () => guard.seen.some((what) => what.includes('/webview')));
      assert.ok(guard.take().some((what) => !what.includes('/webview')));
    });
  });
});
