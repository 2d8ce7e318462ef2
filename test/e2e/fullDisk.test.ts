/** Somebody goes on typing while the disk is full. */
import assert from 'node:assert/strict';
import { appendFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ChangeContents } from '../../src/model/pending/kinds/index.ts';
import { Editor } from '../support/editor.ts';
import { expect } from '../support/expect.ts';
import { keptInBrowser } from '../support/keptInBrowser.ts';
import { changesOnDisk, storageOf } from '../support/plantedChanges.ts';
import { mountDisk, unmountDisk } from '../support/smallDisk.ts';
import { pictureAfterFailure } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

const patch = 'Greet people by name';

describe('somebody who types while the disk is full', function () {
  this.timeout(400_000);
  let editor: Editor;
  let window: Workbench;
  /** The disk of its own on which everything of accounts lies. */
  let disk: string | undefined;

  before(async function () {
    editor = await Editor.start({ signedIn: true });
    const folder = path.join(storageOf(editor), 'accounts');
    if (!(await mountDisk(folder, 'size=1m'))) {
      this.skip();
    }
    disk = folder;
    window = await editor.openWindow();
    await window.tree.expand('greetings');
    await window.tree.expand(/größer/i);
  });

  pictureAfterFailure(() => window);

  after(async () => {
    if (disk !== undefined) {
      unmountDisk(disk);
    }
    await editor.close();
  });

  const onDisk = async (): Promise<string[]> =>
    (await changesOnDisk(editor)).map(({ content }) => (content as ChangeContents['sectionText']).text);

  it('is told so, keeps what they type on the page and in the browser, and finds it on disk once there is room', async () => {
    assert.ok(disk !== undefined);
    const text = window.webview.getByRole('textbox', { name: 'Section text (Markdown)' });
    await window.tree.open(patch);
    await window.webview.getByRole('button', { name: 'Edit section' }).first().click();
    await text.click();
    await window.page.keyboard.press('Control+A');
    await window.page.keyboard.type('There is room.');
    await window.webview.getByText('Saved locally').waitFor();
    assert.deepEqual([await onDisk(), await keptInBrowser(window.page)], [['There is room.'], []]);

    const filler = path.join(disk, 'filler');
    let typed = 'There is room.';
    let kept = typed;
    const told = window.webview.getByText("Couldn't save locally");
    // Other files, such as of what was read, make room now and then by taking the place of longer ones.
    await until(async () => {
      await assert.rejects(appendFile(filler, Buffer.alloc(2 * 1024 * 1024)), { code: 'ENOSPC' });
      kept = typed;
      typed += ' There is none.';
      await window.page.keyboard.type(' There is none.');
      await until(async () => (await told.isVisible()) || (await onDisk())[0] === typed);
      return told.isVisible();
    });
    await window.webview.getByText('The disk is full, so').waitFor();
    await expect.poll(() => text.innerText()).toBe(typed);
    assert.deepEqual(await onDisk(), [kept]);
    await until(async () => (await keptInBrowser(window.page)).some((own) => own.includes('There is none.')));

    await rm(filler);
    await window.webview.getByText('Saved locally').waitFor();
    assert.deepEqual(await onDisk(), [typed]);
    await until(async () => (await keptInBrowser(window.page)).length === 0);
  });
});
