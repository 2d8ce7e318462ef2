/** The tab that a patch is shown in, the documents that stay open, and the stacks view that follows. */
import type { Locator } from 'playwright-core';
import { tellOfClick } from '../support/commandKeys.ts';
import { Editor } from '../support/editor.ts';
import { expect } from '../support/expect.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import type { Workbench } from '../support/workbench.ts';

describe('the tabs of patches', function () {
  this.timeout(400_000);
  const first = 'Greet people by name';
  const second = 'Call names people';
  const third = 'Add a picture';
  let editor: Editor;
  let window: Workbench;

  before(async () => {
    editor = await Editor.start({ signedIn: true });
    window = await editor.openWindow({ context: await editor.openContext() });
    await window.tree.expand('greetings');
    await window.tree.expand(/größer/i);
    await window.tree.row(third).waitFor();
  });

  tidyAfterEach(() => window, { editors: true });

  after(() => editor.close());

  const shown = (title: string): Promise<void> =>
    window.webview.locator('.document:not(.beginning) h1', { hasText: title }).waitFor();
  const tabs = (): Promise<string[]> =>
    window.page.locator('.tabs-container .tab .label-name').allInnerTexts();
  const selected = (label: string): Locator => window.tree.row(label).and(window.page.locator('.selected'));

  async function open(title: string): Promise<void> {
    await window.tree.settled();
    await window.tree.open(title);
    await shown(title);
  }

  /** Reloads the window with a tab that is kept open, and one to be reused in front of it. */
  async function reloadWithOneKept(): Promise<void> {
    await window.tree.settled();
    await window.tree.row(first).first().dblclick();
    await shown(first);
    await open(second);
    await window.reload();
    await shown(second);
    await window.tree.row(third).waitFor();
  }

  it('are reused by the next click on a row', async () => {
    await open(first);
    await open(second);
    await open(third);
    await expect.poll(tabs).toEqual([third]);
  });

  it('are for the row that was clicked, also where that of a document is selected before VS Code tells of the click', async () => {
    await open(second);
    await window.tree.focusRow(first);
    await window.runCommandHere('Patch Stacks: Next Patch');
    await shown(third);
    await selected(third).waitFor();
    await window.runCommandHere(tellOfClick);
    await shown(first);
    await selected(first).waitFor();
  });

  it('stay open after a double click', async () => {
    await window.tree.settled();
    await window.tree.row(first).first().dblclick();
    await shown(first);
    await open(second);
    await open(third);
    await expect.poll(tabs).toEqual([first, third]);
    await open(first);
    await expect.poll(tabs, { message: 'what is open is shown again' }).toEqual([first, third]);
  });

  it('stay open when the person says so, or VS Code has them pinned', async () => {
    await open(first);
    await window.runCommandHere('Patch Stacks: Keep Open');
    await open(second);
    await expect.poll(tabs).toEqual([first, second]);
    await window.runCommandHere('View: Pin Editor');
    await open(third);
    await expect.poll(async () => (await tabs()).sort()).toEqual([first, second, third].sort());
    await window.editorTab(second).click();
    // VS Code hears no key while it loads a page that is to have the focus.
    await shown(second);
    await window.runCommandHere('View: Unpin Editor');
  });

  it('stay open once something is written in them', async () => {
    await open(first);
    await window.webview.locator('[data-section-type="text"]').first().focus();
    await window.page.keyboard.press('Enter');
    const text = window.webview.locator('.cm-content').first();
    await text.click();
    await window.page.keyboard.type('Kept ');
    await window.page.getByRole('button', { name: /^Patch Stacks: 1 / }).waitFor();
    await open(second);
    await expect.poll(tabs).toEqual([first, second]);
    await window.editorTab(first).click();
    await shown(first);
    await window.webview.locator('.cm-content', { hasText: 'Kept' }).first().waitFor();
    await text.click();
    await window.page.keyboard.press('Control+Enter');
    await window.page.getByRole('button', { name: /^Patch Stacks: 1 / }).waitFor({ state: 'detached' });
  });

  it('are read on in, unless they are kept open', async () => {
    await open(first);
    await window.runCommandHere('Patch Stacks: Next Patch');
    await shown(second);
    await expect.poll(tabs).toEqual([second]);
    await window.runCommandHere('Patch Stacks: Keep Open');
    await window.runCommandHere('Patch Stacks: Next Patch');
    await shown(third);
    await expect.poll(tabs).toEqual([second, third]);
    await selected(third).waitFor();
  });

  it('are after a reload of the window what they were, one kept open and one to be reused, also where nobody has looked since', async () => {
    await reloadWithOneKept();
    await open(first);
    await expect.poll(tabs).toEqual([first, second]);
    await window.focusInPatch();
    await window.runCommandHere('Patch Stacks: Next Patch');
    await shown(second);
    await expect.poll(tabs).toEqual([first, second]);
    await window.reload();
    await shown(second);
    await window.tree.row(third).waitFor();
    await window.runCommandHere('Patch Stacks: Previous Patch');
    await shown(first);
    await expect.poll(tabs).toEqual([first, second]);
    await open(third);
    await expect.poll(tabs).toEqual([first, third]);
    await window.editorTab(first).click();
    await shown(first);
    await open(second);
    await expect.poll(tabs).toEqual([first, second]);
  });

  it('are followed by the view, which neither takes the focus nor shows itself', async () => {
    await window.tree.row(first).first().dblclick();
    await shown(first);
    await open(second);
    await window.editorTab(first).click();
    await selected(first).waitFor();
    await window.editorTab(second).click();
    await selected(second).waitFor();

    await window.runCommand('View: Show Explorer');
    await window.page.locator('.explorer-folders-view').waitFor();
    await window.editorTab(first).click();
    await shown(first);
    await window.page.locator('.explorer-folders-view').waitFor();
    await window.page.getByRole('tab', { name: 'Patch Stacks' }).click();
    await selected(first).waitFor();
  });
});
