/** Creating, finding, changing and deleting projects, as a person does it. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import type { Project } from '../../src/api/types/projects.ts';
import { Editor } from '../support/editor.ts';
import { expect } from '../support/expect.ts';
import { until } from '../support/until.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import type { Workbench } from '../support/workbench.ts';

describe('projects', function () {
  this.timeout(400_000);
  let editor: Editor;
  let window: Workbench;
  let client: ApiClient;
  let login: string;

  before(async () => {
    editor = await Editor.start({ signedIn: true });
    client = new ApiClient({ serverUrl: editor.service.url, getToken: async () => editor.service.token });
    login = (await client.users.me()).login ?? assert.fail();
    editor.service.addOrganization({ slug: 'guild', name: 'The Guild', members: [login] });
    editor.service.addOrganization({ slug: 'forge', name: 'The Forge', members: [login] });
    window = await editor.openWindow();
    await window.tree.row('greetings').waitFor();
  });

  tidyAfterEach(() => window);

  afterEach(async () => {
    for (const { repositoryId, name } of (await client.projects.list()).items) {
      if (name !== 'greetings') {
        await client.projects.delete(repositoryId);
      }
    }
  });

  after(async () => {
    await client.close();
    await editor.close();
  });

  const saying = (text: string | RegExp): Locator => window.quickInputWidget.getByText(text);

  async function projects(): Promise<Project[]> {
    const { items } = await client.projects.list();
    return items.filter(({ name }) => name !== 'greetings');
  }

  /** Creates a project past the window, and has the window show it. */
  async function given(name: string, slug: string): Promise<Project> {
    const project = await client.projects.create({ name, slug });
    await window.runCommand('Patch Stacks: Refresh');
    await window.tree.row(name).waitFor();
    return project;
  }

  /** Opens the box that asks for this step by step, so that none is answered before it is there. */
  async function answer(prompt: string | RegExp, text?: string): Promise<void> {
    await saying(prompt).first().waitFor();
    if (text !== undefined) {
      await window.quickInput.fill(text);
    }
    await window.acceptInput();
  }

  it('are not asked for where one is selected', async () => {
    await given('Looked at', 'looked-at');
    await given('Newer', 'newer');
    for (const [index, name] of ['Looked at', 'Newer'].entries()) {
      await window.tree.open(name);
      // The extension says which rows are below after it was told of the click.
      await window.tree
        .row(/No patch stacks/)
        .nth(index)
        .waitFor();
      await window.runCommandHere('Patch Stacks: Edit Project');
      await saying('Project name').first().waitFor();
      await expect(window.quickInput).toHaveValue(name);
      await window.page.keyboard.press('Escape');
    }
  });

  it('are created: the slug is made of the name, and can be changed', async () => {
    await window.runCommand('Patch Stacks: Create Project');
    await saying('Create Project (1/3)').waitFor();
    await answer('Project name', '  ');
    await saying('Enter a name.').waitFor();
    await answer('Enter a name.', 'Größere Übung');
    await answer('Description', 'To **try** things');
    await saying('Project slug (used in URLs)').waitFor();
    await expect(window.quickInput).toHaveValue('groessere-uebung');
    await window.quickInput.fill('a/b');
    await saying("Slugs can't contain").waitFor();
    await answer("Slugs can't contain", 'uebung');
    await window.told('Created project "Größere Übung".');
    const [project] = await projects();
    assert.deepEqual(
      [project?.name, project?.slug, project?.description],
      ['Größere Übung', 'uebung', 'To **try** things'],
    );
    await window.tree.row('Größere Übung').and(window.page.locator('.selected')).waitFor();
  });

  it('are asked for without the focus being anywhere else between two questions', async () => {
    await window.tree.open('greetings');
    await window.runCommandHere('Patch Stacks: Create Project');
    await saying('Project name').first().waitFor();
    await window.page.evaluate(() => {
      const page = globalThis as unknown as { elsewhere: string[] };
      page.elsewhere = [];
      document.addEventListener('focusin', ({ target }) => {
        if (target instanceof Element && target.closest('.quick-input-widget') === null) {
          page.elsewhere.push(target.className);
        }
      });
    });
    await answer('Project name', 'Engine');
    await answer('Description (optional)');
    await saying(/^Project slug/)
      .first()
      .waitFor();
    assert.deepEqual(
      await window.page.evaluate(() => (globalThis as unknown as { elsewhere: string[] }).elsewhere),
      [],
    );
  });

  it('are refused a slug that is taken, where it was typed, and nothing typed is lost', async () => {
    await given('First', 'taken');
    await window.runCommand('Patch Stacks: Create Project');
    await answer('Project name', 'Taken');
    await answer('Description', 'twice');
    await answer('Project slug');
    await saying(/Server message: .* already has a project taken\. Use another slug/).waitFor();
    await expect(window.quickInput).toHaveValue('taken');

    await window.quickInputWidget.getByRole('button', { name: 'Back' }).click();
    await saying('Description').waitFor();
    await expect(window.quickInput).toHaveValue('twice');
    await window.acceptInput();
    await saying('Project slug').waitFor();
    await answer('Project slug', 'free');
    await window.told('Created project "Taken".');
    assert.deepEqual((await projects()).map(({ slug }) => slug).sort(), ['free', 'taken']);
  });

  it('are edited from their row; only what was changed is sent', async () => {
    const { repositoryId } = await given('Before', 'before');
    await client.projects.update(repositoryId, { description: 'one\ntwo', shareLevel: 'private' });
    await window.tree.chooseFromMenu('Before', 'Edit Project');
    await saying('Edit Project (1/4)').waitFor();
    await expect(window.quickInput).toHaveValue('Before');
    await answer('Project name', 'After');
    await answer('Editing it here replaces line breaks');
    await saying('Who can read the project?').or(window.quickPickRow('Public')).first().waitFor();
    await window.pick('Public');
    await answer('Project slug', 'greetings');
    await saying(/already has a project greetings/).waitFor();
    await answer(/already has a project greetings/, 'after');
    await window.told('Saved project "After".');
    await window.tree.row('After').waitFor();
    const project = await client.projects.get(repositoryId);
    assert.deepEqual([project.name, project.slug, project.description], ['After', 'after', 'one\ntwo']);
    const shareLevel = async (): Promise<string | undefined> =>
      (await client.users.me()).projects.find((one) => one.repositoryId === repositoryId)?.permissions
        ?.shareLevel;
    assert.equal(await shareLevel(), 'public');

    await window.undoRecentChange('Changed project "Before".');
    await window.tree.row('Before').waitFor();
    const { name, slug } = await client.projects.get(repositoryId);
    assert.deepEqual([name, slug, await shareLevel()], ['Before', 'before', 'private']);

    await window.tree.chooseFromMenu('Before', 'Edit Project');
    await answer('Project name');
    await answer('Editing it here replaces line breaks');
    await window.pick('Private');
    await answer('Project slug');
    await window.told('You changed nothing about the project "Before".');
  });

  it('are deleted only after their slug was typed', async () => {
    await given('Doomed', 'doomed');
    await window.tree.chooseFromMenu('Doomed', 'Delete Project');
    await answer('This permanently deletes the project', 'Doomed');
    await saying('That doesn\'t match "doomed".').waitFor();
    await window.acceptInput();
    await saying('That doesn\'t match "doomed".').waitFor();
    assert.equal((await projects()).length, 1);
    await window.quickInput.fill('doomed');
    await window.acceptInput();
    await window.told('Deleted project "Doomed".');
    await window.tree.row('Doomed').waitFor({ state: 'detached' });
    assert.deepEqual(await projects(), []);
  });

  it('are deleted from the palette, chosen from a list', async () => {
    await given('Doomed', 'doomed');
    await window.runCommand('Patch Stacks: Delete Project');
    await window.pick('Doomed');
    await saying('Delete Project: Doomed').waitFor();
    await window.page.keyboard.press('Escape');
    await window.quickInput.waitFor({ state: 'hidden' });
    assert.equal((await projects()).length, 1, 'giving up deletes nothing');
  });

  it('are read again by the button of the view, whichever row has the focus', async () => {
    await given('First', 'first');
    await window.tree.row('First').click();
    await client.projects.create({ name: 'Second', slug: 'second' });
    await window.tree.pressInTitle('Refresh');
    await window.tree.row('Second').waitFor({ timeout: 20_000 });
  });

  it('are not changed by those who may not, and they are told where they are', async () => {
    const { login: other, token } = editor.service.addUser({
      login: 'lin',
      name: 'Lin',
      email: 'lin@example.org',
    });
    editor.service.addOrganization({ slug: 'lab', name: 'The Lab', members: [other] });
    const theirs = new ApiClient({ serverUrl: editor.service.url, getToken: async () => token });
    const { repositoryId } = await theirs.projects.create({ name: 'Engine', slug: 'engine' });
    await theirs.projects.update(repositoryId, { shareLevel: 'public' });
    await theirs.projects.connect(repositoryId, { organizationSlug: 'lab' });
    const refused = "You don't have permission to do this.";
    const row = `${other}/engine`;
    try {
      await window.runCommand('Patch Stacks: Open Project by Owner and Slug');
      await answer('Project owner and slug', `${other}/engine`);
      await window.tree
        .row(/ngine$/)
        .and(window.page.locator('.selected'))
        .waitFor();
      const label = (await window.tree.row(row).count()) > 0 ? row : 'Engine';

      await window.tree.chooseFromMenu(label, 'Edit Project');
      await answer('Project name', 'Motor');
      await answer('Description');
      await window.pick('Keep as is');
      await answer('Project slug');
      await saying(refused).waitFor();
      await expect(window.quickInput).toHaveValue('engine');
      await window.page.keyboard.press('Escape');

      await window.tree.chooseFromMenu(label, 'Delete Project');
      await answer('This permanently deletes the project', 'engine');
      await saying(refused).waitFor();
      await window.page.keyboard.press('Escape');

      await window.tree.chooseFromMenu(label, 'Disconnect Project from Organization');
      await window
        .notification('Couldn\'t complete "Disconnect Project from Organization"')
        .getByText(refused)
        .waitFor();
      await window.tree.chooseFromMenu(label, 'Connect Project to Organization');
      await window.pick('The Guild');
      await window.pick('Project with the same slug');
      await window.notification('Couldn\'t connect the project "Engine"').getByText(refused).waitFor();
      await window.tree.chooseFromMenu(label, 'Create Patch Stack');
      await window.pick('Enter a branch name…');
      await answer(/^Branch name/, 'main');
      await answer('Select the commit of "main" to publish', 'e1');
      await saying(refused).waitFor();
      const { name, parentProject } = await theirs.projects.get(repositoryId);
      assert.deepEqual([name, parentProject?.owner], ['Engine', 'lab']);
    } finally {
      await theirs.projects.delete(repositoryId);
      await theirs.close();
    }
  });

  it('are opened by owner and slug or by address, also those of others', async () => {
    const { login: other, token } = editor.service.addUser({
      login: 'grace',
      name: 'Grace',
      email: 'grace@example.org',
    });
    const theirs = new ApiClient({ serverUrl: editor.service.url, getToken: async () => token });
    const { repositoryId } = await theirs.projects.create({ name: 'Compiler', slug: 'compiler' });
    await theirs.projects.update(repositoryId, { shareLevel: 'private' });
    try {
      await window.runCommand('Patch Stacks: Open Project by Owner and Slug');
      await answer('Project owner and slug', 'compiler');
      await saying('Enter the owner and slug').waitFor();
      await answer('Enter the owner and slug', `${other}/compiler`);
      await saying('Project "grace/compiler" doesn\'t exist or you don\'t have access to it.').waitFor();
      await expect(window.quickInput).toHaveValue(`${other}/compiler`);

      await theirs.projects.update(repositoryId, { shareLevel: 'public' });
      await answer(
        "doesn't exist or you don't have access",
        'https://patches.example.com/grace/compiler/reviews',
      );
      await window.tree.row('Compiler').and(window.page.locator('.selected')).waitFor();
      await window.runCommand('Patch Stacks: Refresh');
      await window.tree.row('Compiler').waitFor();
    } finally {
      await theirs.projects.delete(repositoryId);
      await theirs.close();
    }
  });

  it('are connected to an organization and disconnected, which can be undone', async () => {
    const { repositoryId } = await given('Mine', 'mine');
    const parent = async (): Promise<string | undefined> =>
      (await client.projects.get(repositoryId)).parentProject?.owner;
    await window.tree.chooseFromMenu('Mine', 'Connect Project to Organization');
    await window.pick('The Guild');
    await window.pick('Project with the same slug');
    await window.told('Connected project "Mine" to guild/mine.');
    assert.equal(await parent(), 'guild');
    await window.runCommand('Notifications: Clear All Notifications');

    await window.runCommand('Patch Stacks: Disconnect Project from Organization');
    await window.pick('Mine');
    await window.told('Disconnected project "Mine".');
    assert.equal(await parent(), undefined);
    await window.answerNotification('Disconnected project "Mine".', 'Undo');
    await window.told('Connected project "Mine" to guild/mine.');
    assert.equal(await parent(), 'guild');

    await window.undoRecentChange('Connected project "Mine" to guild/mine.');
    await until(async () => (await parent()) === undefined);
    await window.undoRecentChange('Disconnected project "Mine".');
    await until(async () => (await parent()) === 'guild');
    await window.runCommand('Notifications: Clear All Notifications');

    await window.tree.chooseFromMenu(`${login}/mine`, 'Connect Project to Organization');
    await window.pick('The Forge');
    await window.pick('Project with the same slug');
    await window.told('Connected project "Mine" to forge/mine.');
    assert.equal(await parent(), 'forge');
    await window.answerNotification('Connected project "Mine" to forge/mine.', 'Undo');
    await window.told('Connected project "Mine" to guild/mine.');
    assert.equal(await parent(), 'guild');
  });

  it('are connected to a project that the organization has; a refusal can be tried again', async () => {
    const first = await client.projects.create({ name: 'Engine', slug: 'engine' });
    await client.projects.connect(first.repositoryId, { organizationSlug: 'guild' });
    const { repositoryId } = await given('Ours', 'ours');
    const connect = async (): Promise<void> => {
      await window.runCommand('Patch Stacks: Connect Project to Organization');
      await window.pick('Ours');
      await window.pick('The Guild');
      await window.quickPickRow('Engine').waitFor();
    };
    await connect();
    await window.pick('Engine');
    await window.told('Connected project "Ours" to guild/engine.');
    const { parentProject } = await client.projects.get(repositoryId);
    assert.deepEqual([parentProject?.owner, parentProject?.slug], ['guild', 'engine']);

    await window.runCommand('Notifications: Clear All Notifications');
    await connect();
    // Meanwhile somebody else renames it.
    await client.projects.update(parentProject?.repositoryId ?? '', { slug: 'motor' });
    await window.pick('Engine');
    const failed = window.notification(/Couldn't connect the project "Ours": .*guild\/engine/);
    await failed.waitFor();
    await client.projects.update(parentProject?.repositoryId ?? '', { slug: 'engine' });
    await failed.getByRole('button', { name: 'Retry' }).click();
    await window.told('Connected project "Ours" to guild/engine.');
  });
});
