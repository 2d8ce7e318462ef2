/**
 * What an author changed although the diff looks as it did: said to be changed in every kind of window, by ids alone where contents
 * aren't at hand, and signed off nowhere.
 */
import type { Locator } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import { Author } from '../support/author.ts';
import { Editor } from '../support/editor.ts';
import { expect } from '../support/expect.ts';
import { FaultServer } from '../support/faultServer.ts';
import { reachedThrough } from '../support/forward.ts';
import { isFull } from '../support/full.ts';
import { pngOf } from '../support/png.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import type { Workbench } from '../support/workbench.ts';

/** Two functions that differ in their names alone. */
const twins = ['remove', 'show']
  .map((name) =>
    [
      `export function ${name}(id) {`,
      '  const store = open();',
      '  const entry = store.find(id);',
      '  const log = store.log();',
      '  log.begin(entry);',
      '  store.visit(entry);',
      '  log.end(entry);',
      '  store.close();',
      '}',
      '',
    ].join('\n'),
  )
  .join('\n');

const guard = "  if (!entry.isMine) throw new Error('No.');\n";

/** The second place of a text in another one is changed, not the first. */
function changeSecond(whole: string, from: string, to: string): string {
  const second = whole.indexOf(from, whole.indexOf(from) + 1);
  return whole.slice(0, second) + to + whole.slice(second + from.length);
}

/** Each patch, as it was read and as its author has rewritten it. */
const deeds = [
  {
    title: 'Guard an entry',
    before: { 'guard.ts': twins },
    read: { 'guard.ts': twins.replace('  log.begin', `${guard}  log.begin`) },
    rewritten: { 'guard.ts': changeSecond(twins, '  log.begin', `${guard}  log.begin`) },
    said: /changed \(moved from guard\.ts:5 to guard\.ts:15\)/,
  },
  {
    title: 'Remove a call',
    before: { 'twin.ts': twins },
    read: { 'twin.ts': twins.replace('  store.visit(entry);\n', '') },
    rewritten: { 'twin.ts': changeSecond(twins, '  store.visit(entry);\n', '') },
    said: /changed \(moved from twin\.ts:6 to twin\.ts:16\)/,
  },
  {
    title: 'Add a debug line',
    before: { 'here.ts': twins, 'there.ts': twins },
    read: { 'here.ts': twins.replace('  log.begin', '  debug(entry);\n  log.begin'), 'there.ts': twins },
    rewritten: { 'here.ts': twins, 'there.ts': twins.replace('  log.begin', '  debug(entry);\n  log.begin') },
    said: /changed/,
  },
  {
    title: 'Paint the logo',
    before: { 'logo.png': pngOf(60, 40, [200, 0, 0]) },
    read: { 'logo.png': pngOf(60, 40, [0, 0, 200]) },
    rewritten: { 'logo.png': pngOf(60, 40, [0, 200, 0]) },
    said: /changed since you read it/,
  },
] as const;

/**
 * Windows, by where they get the contents of files from; each has a branch of its own, since what was looked at is read. In every
 * run are the two that differ most, with ids alone and with all that git has; the others get from the service what git gives here.
 */
const kinds = [
  { name: 'without a folder', givesContents: false, hasFolder: false, branch: 'alone' },
  { name: 'with a folder that is trusted', givesContents: false, hasFolder: true, branch: 'trusted' },
  { name: 'without a folder', givesContents: true, hasFolder: false, branch: 'served' },
  { name: 'in Restricted Mode', givesContents: true, hasFolder: true, branch: 'restricted' },
] as const;

for (const givesContents of isFull ? [false, true] : [false]) {
  const kindsHere = kinds.filter((kind) => kind.givesContents === givesContents);

  describe(`what was rewritten, at a service that gives ${givesContents ? '' : 'no '}contents`, function () {
    this.timeout(400_000);
    let editor: Editor;
    let proxy: FaultServer | undefined;
    let author: Author;
    let window: Workbench;

    const rowSaying = (title: string, said: RegExp): Locator =>
      window.tree.row(title).and(window.page.getByRole('treeitem', { name: said }));

    before(async () => {
      // It passes on nothing of what the local service offers beside the contract.
      proxy = givesContents ? undefined : await FaultServer.start();
      editor = await Editor.start({
        signedIn: true,
        trustsFolders: !givesContents,
        ...(proxy && { reachedAt: reachedThrough(proxy) }),
      });
      author = new Author(editor.repository);
      author.goOnWithMain('Begin', () => deeds.forEach(({ before }) => author.write(before)));
      for (const { branch } of kindsHere) {
        author.begin(branch);
        for (const { title, read } of deeds) {
          author.write(read);
          author.commit(title);
        }
      }
      await editor.service.importRepository();
    });

    after(async () => {
      await editor.close();
      await proxy?.stop();
    });

    async function openWindow(hasFolder: boolean, branch: string): Promise<void> {
      window = await editor.openWindow(hasFolder ? {} : { folder: 'none' });
      await window.page.getByRole('tab', { name: 'Patch Stacks' }).click();
      await window.tree.expand('greetings');
      await window.tree.expand(new RegExp(`^${branch}`, 'i'));
    }

    async function readAndSignOffAll(branch: string): Promise<void> {
      for (const { title } of deeds) {
        await window.tree.open(title);
        await rowSaying(title, /, read,/).waitFor();
      }
      await window.closeAllEditors();
      const { url, token } = editor.service;
      await using client = new ApiClient({ serverUrl: url, getToken: async () => token });
      const [project] = (await client.projects.list()).items;
      const { uuid, patches = [] } = await client.stacks.latestForBranch(project!.repositoryId, branch);
      for (const { changeId } of patches) {
        await client.patches.update(uuid, changeId, { signOff: true });
      }
    }

    async function rewriteAll(branch: string): Promise<void> {
      for (const { title, rewritten } of deeds) {
        author.rewrite(branch, title, () => {
          author.write(rewritten);
          author.amend();
        });
      }
      await editor.service.importRepository();
      await window.runCommand('Patch Stacks: Refresh');
    }

    for (const { name, hasFolder, branch } of kindsHere) {
      const hasContents = givesContents || hasFolder;
      const comparison = (): Locator => window.webview.getByRole('region', { name: 'Comparison' });

      describe(`in a window ${name}`, () => {
        before(async () => {
          await openWindow(hasFolder, branch);
          await readAndSignOffAll(branch);
          await rewriteAll(branch);
        });
        tidyAfterEach(() => window, { editors: true });
        after(() => window.close());

        it('is said by the row of each patch, and none is called unchanged', async () => {
          for (const { title, said } of deeds) {
            await rowSaying(title, said).waitFor();
          }
          const well = window.page.getByRole('treeitem', { name: /unchanged|only rebased|, read,/ });
          await expect(window.tree.rows.and(well)).toHaveCount(0);
        });

        it('offers none of them to be signed off again, and says of none that it is', async () => {
          await window.tree.chooseFromMenu(new RegExp(`^${branch}`, 'i'), 'Sign Off Unchanged Patches Again');
          const offered = window.quickPickRows;
          for (const { title } of deeds) {
            const reason = offered.filter({ hasText: title }).getByText('changed since version 1');
            await reason.waitFor();
          }
          await expect(offered.getByRole('checkbox', { checked: true })).toHaveCount(0);
          await window.page.keyboard.press('Enter');
          await expect(window.tree.rows.filter({ hasText: '✓' })).toHaveCount(0);
        });

        it('is said on the page of the stack', async () => {
          await window.tree.open(new RegExp(`^${branch}`, 'i'));
          const lines = window.webview.getByRole('listitem');
          for (const { title, said } of deeds) {
            const line = lines.filter({ hasText: title }).first();
            await line.locator('.reading').getByText(said).waitFor();
          }
          await window.webview.getByText(`You signed off on 0 of ${deeds.length}`).waitFor();
          await expect(
            window.webview.locator('.reading', { hasText: /unchanged|rebased|^read$/ }),
          ).toHaveCount(0);
          await window.screenshot(`one-verdict-${branch}-stack`);
        });

        it('is said in the documents of the guard and of the logo', async () => {
          await window.tree.open('Guard an entry');
          await comparison().getByText('Only moved: from guard.ts:5 to guard.ts:15.').waitFor();
          const lacking = comparison().getByText("Some files' contents aren't available.");
          await expect(lacking).toHaveCount(hasContents ? 0 : 1);
          const bothDiffs = window.webview.getByText('Read both diffs.');
          await expect(bothDiffs).toHaveCount(hasContents ? 0 : 1);
          await window.webview.getByText('You signed off version 1. Since then: 1 file changed.').waitFor();
          await window.screenshot(`one-verdict-${branch}-guard`);
          await window.tree.open('Paint the logo');
          await window.webview
            .locator('.document:not(.beginning) h1', { hasText: 'Paint the logo' })
            .waitFor();
          await comparison().getByText('Sections: 1 changed').waitFor();
          await window.screenshot(`one-verdict-${branch}-logo`);
        });
      });
    }
  });
}
