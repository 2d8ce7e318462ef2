/** The whole story: six patches were read, five signed off, and somebody else has rewritten their branch since. */
import type { Locator } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import { Author, emmy, numberedLines } from '../support/author.ts';
import { Editor } from '../support/editor.ts';
import { expect, expectNone } from '../support/expect.ts';
import { itInFull } from '../support/full.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import type { Workbench } from '../support/workbench.ts';

describe('coming back to a branch that was rewritten', function () {
  this.timeout(400_000);
  let editor: Editor;
  let window: Workbench;
  let author: Author;

  const chapters = ['Chapter 3', 'Chapter 4', 'Chapter 5'];
  const titles = ['Begin', 'Name a line', ...chapters, 'End'];

  before(async () => {
    editor = await Editor.start({ signedIn: true });
    editor.service.addUser(emmy);
    author = new Author(editor.repository);
    author.goOnWithMain('Add a list', () => author.write({ 'list.txt': numberedLines('line') }));
    author.begin('tale');
    author.write({ 'beginning.ts': "export const beginning = 'Once';\n" });
    author.commit('Begin', 'Every tale **begins** somewhere.');
    author.replace('list.txt', 'line 10\n', 'the tenth\n');
    author.commit('Name a line');
    for (const chapter of chapters) {
      const name = chapter.toLowerCase().replace(' ', '');
      author.write({
        [`${name}.ts`]: `export const ${name} = 'What happens in ${chapter}';\n`,
        [`${name}Notes.ts`]: `export const ${name}Notes = 'Notes on ${chapter}';\n`,
      });
      author.commit(chapter);
    }
    author.write({ 'end.ts': "export const end = 'The end';\n" });
    author.commit('End', 'And every tale ends.');
    await editor.service.importRepository();
    window = await editor.openWindow();
    await window.page.getByRole('tab', { name: 'Patch Stacks' }).click();
    await window.tree.expand('greetings');
    await window.tree.expand(/^tale/i);
  });

  tidyAfterEach(() => window);
  after(() => editor.close());

  const rowSaying = (label: string | RegExp, text: string, where = window): Locator =>
    where.tree.row(label).and(where.page.locator(`[aria-label*='${text}']`));
  const section = (name: string | RegExp, where = window): Locator =>
    where.webview.getByRole('region', { name });
  const comparison = (where = window): Locator => where.webview.getByRole('region', { name: 'Comparison' });
  const focused = (of: Locator): Promise<void> => of.and(window.webview.locator(':focus')).waitFor();
  const titled = (title: string, where = window): Locator =>
    where.webview.locator('.document:not(.beginning) h1', { hasText: title });

  /** The author goes on, and everybody hears of it. */
  async function rewrite(change: () => void): Promise<void> {
    await window.closeAllEditors();
    change();
    await editor.service.importRepository();
    await window.runCommand('Patch Stacks: Refresh');
  }

  it('begins with six patches that were read, and five that were signed off', async () => {
    for (const title of titles) {
      await window.tree.open(title);
      await rowSaying(title, ', read,').waitFor();
    }
    await rowSaying(/^tale/i, 'read').waitFor();
    const { url, token } = editor.service;
    const client = new ApiClient({ serverUrl: url, getToken: async () => token });
    try {
      const [project] = (await client.projects.list()).items;
      const { uuid, patches = [] } = await client.stacks.latestForBranch(project!.repositoryId, 'tale');
      for (const { changeId } of patches.slice(0, 5)) {
        await client.patches.update(uuid, changeId, { signOff: true });
      }
    } finally {
      await client.close();
    }
  });

  it('says without anything being opened what there is to read', async () => {
    await rewrite(() => {
      author.goOnWithMain('Go on', () => author.replace('list.txt', 'line 30\n', 'of the base\n'));
      author.rebase('tale');
      author.rewrite('tale', 'Begin', () => {
        // Longer than the screen: what is all there counts as read a second later.
        const place = `export const place = 'upon a time';\n${numberedLines('// Line')}`;
        author.replace('beginning.ts', "';\n", `';\n${place}`);
        author.amend('Begin', 'Every tale **begins** here.');
      });
      author.rewrite('tale', 'Chapter 4', () => {
        author.replace('chapter4.ts', 'What happens', 'What really happens');
        author.git('rm', '--quiet', '--cached', 'chapter4Notes.ts');
        author.git('commit', '--quiet', '--amend', '--all', '--no-edit');
        author.commit('Take notes', 'They are apart now.');
      });
    });
    for (const title of ['Begin', 'Chapter 4']) {
      await rowSaying(title, 'changed since you read it').waitFor();
    }
    await rowSaying('Take notes', 'new (split from "Chapter 4")').waitFor();
    await rowSaying('Name a line', 'only rebased').waitFor();
    for (const title of [...chapters.filter((chapter) => chapter !== 'Chapter 4'), 'End']) {
      await rowSaying(title, ', read,').waitFor();
    }
    const summary = '2 changed since you read them, 1 new (split from "Chapter 4"), 1 only rebased, 3 read';
    await expectNone(window.editorTab(''), { once: rowSaying(/^tale/i, summary) });
    await window.screenshot('came-back-tree');
    await window.tree.open(/^tale/i);
    await window.webview.locator('.summary', { hasText: summary }).waitFor();
    await window.webview
      .getByRole('listitem')
      .filter({ hasText: 'Take notes' })
      .locator('.reading.left', { hasText: 'new (split from "Chapter 4")' })
      .waitFor();
    await window.screenshot('came-back-page');
  });

  it('goes from change to change, and to nothing else', async () => {
    const line = (code: string): Locator => window.webview.locator('tr[data-line-type]', { hasText: code });
    await window.tree.focusRow(/^tale/i);
    await window.runCommandHere('Patch Stacks: Next Unread');
    await comparison().getByText('Compared with version 1, which you last read.').waitFor();
    await focused(section(/^Every tale/));
    await expect(section(/^Every tale/).locator('ins, del')).toHaveText(['somewhere', 'here'], {
      useInnerText: true,
    });
    await window.webview.getByText('1 unread section').waitFor();
    await window.pressInPatch('Shift+Alt+PageDown', 'section');
    await focused(line('upon a time'));
    await section('beginning.ts').getByRole('checkbox').check();
    await rowSaying('Begin', ', read,').waitFor();
    await window.pressInPatch('Shift+Alt+PageDown', 'section');
    await titled('Chapter 4').waitFor();
    await focused(line('really'));
    await rowSaying('Chapter 4', ', read,').waitFor();
    await window.screenshot('came-back-changes');
    await window.pressInPatch('Shift+Alt+PageDown', 'section');
    await titled('Take notes').waitFor();
    await focused(section('They are apart now.'));
    await rowSaying('Take notes', ', read,').waitFor();
    await window.runCommand('Patch Stacks: Next Unread');
    await window.told("You've read everything in this patch stack.");
  });

  it('has read what was split, and nothing else done to it, once it was looked at', async () => {
    await rewrite(() => {
      author.rewrite('tale', 'Chapter 5', () => {
        author.git('rm', '--quiet', '--cached', 'chapter5Notes.ts');
        author.git('commit', '--quiet', '--amend', '--no-edit');
        author.commit('Take more notes');
      });
    });
    await rowSaying('Chapter 5', 'changed since you read it').waitFor();
    await rowSaying('Take more notes', 'new (split from "Chapter 5")').waitFor();
    await window.tree.focusRow(/^tale/i);
    await window.runCommandHere('Patch Stacks: Next Unread');
    await comparison().getByText('Sections: 1 removed, 1 read.').waitFor();
    await window.webview.getByText('You signed off version 1. Since then: 1 file split off.').waitFor();
    await window.screenshot('came-back-split');
    await rowSaying('Chapter 5', ', read,').waitFor();
    await window.runCommand('Patch Stacks: Next Unread');
    await titled('Take more notes').waitFor();
    await rowSaying('Take more notes', ', read,').waitFor();
    await window.runCommand('Patch Stacks: Next Unread');
    await window.told("You've read everything in this patch stack.");
  });

  it('has a conflict read that the author has resolved', async () => {
    await rewrite(() => {
      author.goOnWithMain('Go further', () => author.replace('list.txt', 'line 10\n', 'tenth of the base\n'));
      author.git('rebase', '--quiet', '--strategy-option', 'theirs', 'main', 'tale');
      author.rewrite('tale', 'Begin', () => {
        author.replace('beginning.ts', 'upon a time', 'in another place');
        author.amend();
      });
    });
    await rowSaying('Name a line', 'changed since you read it').waitFor();
    await window.tree.open('Name a line');
    await section('list.txt').locator('.badge', { hasText: 'conflict resolved, read this' }).waitFor();
    await section('list.txt').getByText('The author resolved a conflict here. Read this.').waitFor();
    await window.screenshot('came-back-conflict');
  });

  // In every run: the window in Restricted Mode in oneVerdict.test.ts.
  itInFull('compares with the contents that the service gives where there is no git', async () => {
    const other = await editor.openWindow({ folder: 'none' });
    await other.page.getByRole('tab', { name: 'Patch Stacks' }).click();
    await other.tree.expand('greetings');
    await other.tree.expand(/^tale/i);
    await rowSaying('Begin', 'changed since you read it', other).waitFor();
    await rowSaying('End', ', read,', other).waitFor();
    await other.tree.open('Begin');
    await comparison(other).getByText('Compared with version 2, which you last read.').waitFor();
    await section('beginning.ts', other).getByText('in another place').waitFor();
    await other.runCommand('Patch Stacks: Compare With…');
    await other.pick('Version 1');
    await comparison(other).getByText('Compared with version 1.').waitFor();
    await other.screenshot('came-back-without-git');
    await other.closeAllEditors();
  });

  it('compares with what was kept when the service is gone', async () => {
    await window.tree.open('Begin');
    await titled('Begin').waitFor();
    await window.closeAllEditors();
    await editor.service.close();
    await window.tree.open('Begin');
    await titled('Begin').waitFor();
    await window.runCommand('Patch Stacks: Compare With…');
    await window.pick('What You Last Read');
    await comparison().getByText('which you last read.').waitFor();
    await section('beginning.ts').getByText('in another place').waitFor();
    await rowSaying('End', ', read,').waitFor();
  });
});
