/** Coming back to a patch stack: what was read is known, and what changed since is all that is to be read. */
import type { Locator } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import { Author, emmy, numberedLines } from '../support/author.ts';
import { Editor } from '../support/editor.ts';
import { expect, expectNone } from '../support/expect.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import type { Workbench } from '../support/workbench.ts';

describe('coming back to a patch stack', function () {
  this.timeout(180_000);
  let editor: Editor;
  let window: Workbench;
  let author: Author;
  /** Asks the service past the window. */
  let client: ApiClient;

  before(async () => {
    editor = await Editor.start({ signedIn: true });
    const { url, token } = editor.service;
    client = new ApiClient({ serverUrl: url, getToken: async () => token });
    editor.service.addUser(emmy);
    author = new Author(editor.repository);
    author.goOnWithMain('Add a list', () => author.write({ 'list.txt': numberedLines('line') }));
    author.begin('tale');
    author.write({ 'beginning.ts': "export const beginning = 'Once';\n" });
    author.commit('Begin', 'Every tale **begins** somewhere.');
    author.replace('list.txt', 'line 30\n', 'the thirtieth\n');
    author.commit('Name a line');
    author.write({ 'end.ts': "export const end = 'The end';\n" });
    author.commit('End', 'And every tale ends.');
    await editor.service.importRepository();
    window = await editor.openWindow();
    await window.page.getByRole('tab', { name: 'Patch Stacks' }).click();
    await window.tree.expand('greetings');
    await window.tree.expand(/^tale/i);
  });

  tidyAfterEach(() => window);
  after(async () => {
    await client.close();
    await editor.close();
  });

  const rowSaying = (label: string | RegExp, text: string): Locator =>
    window.tree.row(label).and(window.page.locator(`[aria-label*="${text}"]`));
  const section = (name: string | RegExp): Locator => window.webview.getByRole('region', { name });

  it('says of each row how far it was read', async () => {
    await rowSaying(/^tale/i, 'unread').waitFor();
    for (const title of ['Begin', 'Name a line']) {
      await window.tree.open(title);
      await rowSaying(title, ', read,').waitFor();
    }
    await rowSaying('End', 'unread').waitFor();
    await rowSaying(/^tale/i, '1 unread, 2 read').waitFor();
  });

  it('says what the author changed since, and what was only rebased', async () => {
    await window.runCommand('View: Close All Editors');
    author.goOnWithMain('Add a line', () => author.replace('list.txt', '', 'a new first line\n'));
    author.rebase('tale');
    author.rewrite('tale', 'Begin', () => {
      author.replace('beginning.ts', "';\n", "';\nexport const place = 'upon a time';\n");
      author.amend();
    });
    await editor.service.importRepository();
    await window.runCommand('Patch Stacks: Refresh');
    await rowSaying('Begin', 'changed since you read it').waitFor();
    await rowSaying('Name a line', 'only rebased').waitFor();
    await rowSaying('End', 'unread').waitFor();
    await rowSaying(/^tale/i, '1 changed since you read it, 1 unread, 1 only rebased').waitFor();
  });

  it('goes from one change that was not read to the next, through the whole stack', async () => {
    await window.tree.focusRow(/^tale/i);
    await window.page.keyboard.press('Enter');
    await window.runCommandHere('Patch Stacks: Next Unread');
    const row = (code: string): Locator => window.webview.locator('tr[data-line-type]', { hasText: code });
    await row('upon a time').and(window.webview.locator(':focus')).waitFor();
    await rowSaying('Begin', ', read,').waitFor();
    await window.pressInPatch('Shift+Alt+PageDown', 'section');
    await window.editorTab('End').waitFor();
    await section('And every tale ends.').and(window.webview.locator(':focus')).waitFor();
    await rowSaying('End', ', read,').waitFor();
    await rowSaying(/^tale/i, '1 only rebased, 2 read').waitFor();
    await window.runCommand('Patch Stacks: Next Unread');
    await window.told("You've read everything in this patch stack.");
  });

  describe('a text that is written anew, in the version there is', () => {
    const words = (): Locator => section(/^And/).locator('ins, del');
    const comparison = (): Locator => window.webview.getByRole('region', { name: 'Comparison' });

    it('is compared with what was read of it', async () => {
      const token = editor.service.issueToken(emmy.login);
      const theirs = new ApiClient({ serverUrl: editor.service.url, getToken: async () => token });
      try {
        const [project] = (await client.projects.list()).items;
        await client.projects.update(project!.repositoryId, { shareLevel: 'public' });
        const { uuid, patches = [] } = await theirs.stacks.latestForBranch(project!.repositoryId, 'tale');
        const { changeId } = patches.find(({ title }) => title === 'End')!;
        const { sections = [] } = await theirs.patches.get(uuid, changeId);
        const { code } = sections.find(({ sectionType }) => sectionType === 'text')!;
        await theirs.patches.updateSection(uuid, changeId, code, { text: 'And every \u202estory ends.' });
      } finally {
        await theirs.close();
      }
      await window.closeAllEditors();
      await window.runCommand('Patch Stacks: Refresh');
      await rowSaying('End', 'changed since you read it').waitFor();
      await window.tree.open('End');
      await comparison()
        .getByText('Compared with what you last read. Sections: 1 changed, 1 read.')
        .waitFor();
      const shown = async (): Promise<string[]> =>
        (await words().allTextContents()).map((text) => text.trim()).toSorted();
      // Characters that turn the direction of words are not among them.
      await expect.poll(shown).toEqual(['story', 'tale']);
      await rowSaying('End', ', read,').waitFor();
    });

    it('is none to whoever has written it', async () => {
      await comparison().getByRole('button', { name: 'Show Whole Patch' }).click();
      await section(/^And/).getByText('story ends').dblclick();
      const source = window.webview.locator('.cm-content');
      await source.and(window.webview.locator(':focus')).waitFor();
      await window.page.keyboard.press('Control+End');
      await window.page.keyboard.insertText(' Mostly.');
      await window.page.keyboard.press('Control+Enter');
      await source.waitFor({ state: 'detached' });
      await section(/^And/).locator('.prose', { hasText: 'story ends. Mostly.' }).waitFor();
      await rowSaying('End', ', read,').waitFor();
      await window.closeAllEditors();
      await window.tree.open('End');
      await section(/^And/).locator('.prose', { hasText: 'story ends. Mostly.' }).waitFor();
      await expectNone(comparison(), { once: rowSaying('End', ', read,') });
    });
  });
});
