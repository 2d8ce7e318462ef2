/**
 * The extension host is killed while someone types: as often as PATCH_STACKS_KILLS says, at moments that the dice of
 * PATCH_STACKS_SEED choose. Once in every run of the tests, where the journal's own tests stop it at each of its steps.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { Editor } from '../support/editor.ts';
import { expect } from '../support/expect.ts';
import { extensionHostOf, isAlive } from '../support/extensionHost.ts';
import { isFull } from '../support/full.ts';
import { changesOnDisk } from '../support/plantedChanges.ts';
import { pictureAfterFailure } from '../support/tidy.ts';
import type { Workbench } from '../support/workbench.ts';

const kills = Number(process.env['PATCH_STACKS_KILLS'] ?? (isFull ? 3 : 1));
const seed = Number(process.env['PATCH_STACKS_SEED'] ?? 1);

describe('someone who types while the extension host is killed', function () {
  this.timeout(180_000 + kills * 240_000);
  let editor: Editor;
  let window: Workbench;

  before(async () => {
    editor = await Editor.start({ signedIn: true });
    window = await editor.openWindow();
    await window.tree.expand('greetings');
    await window.tree.expand(/größer/i);
    await window.tree.open('Greet people by name');
    await window.webview.getByRole('button', { name: 'Edit section' }).first().click();
  });

  pictureAfterFailure(() => window);

  after(() => editor.close());

  it(`finds again all that was on disk while they typed, ${kills} times`, async () => {
    const random = dice(seed);
    for (let round = 1; round <= kills; round++) {
      await text().click();
      await window.page.keyboard.press('Control+A');
      await window.page.keyboard.type(`${round}:`);
      const host = await extensionHost();
      endOthers(host);
      let kept = '';
      let keys = 0;
      // Some keys after the first that is there, in the middle of writing more of them.
      for (let left = 1 + Math.floor(random() * 30); left > 0; left -= kept === '' ? 0 : 1) {
        assert.ok(keys < 200, 'nothing is kept as long as somebody types');
        await window.page.keyboard.press(String.fromCharCode(97 + Math.floor(random() * 26)));
        await wait(random() * 60);
        kept = await onDisk(`${round}:`);
        keys += 1;
      }
      process.kill(host, 'SIGKILL');
      await openAgain();
      // VS Code closes the web pages of an extension host that ends.
      await unsent().click();
      await window.quickPickRows.first().click();
      await window.pick('Open');
      await expect(text(), `round ${round} with the dice ${seed}`).toHaveText(new RegExp(`^${kept}`));
    }
  });

  it('finds what is typed in another window, whoever is in front of that, and learns by itself when there is nobody', async () => {
    await text().click();
    await window.page.keyboard.press('Control+A');
    await window.page.keyboard.type('Held by the first window');
    await expect(text()).toHaveText('Held by the first window');
    await expect.poll(() => onDisk('Held by')).toBe('Held by the first window');
    const host = await extensionHost();
    const second = await editor.openWindow();
    try {
      // Whoever holds it, it counts, and can be had.
      await second.page.getByRole('button', { name: /^Patch Stacks: 1 unsent change/ }).click();
      await second.quickPickRows.first().click();
      await second.quickPickRow('Take Over').waitFor();
      await second.pick('Open');
      await second.webview.getByText('This section has an unsent change in another window.').waitFor();
      // The tab is gone, and its host goes on for hours.
      await window.crash();
      const editorOf = (workbench: Workbench): Locator =>
        workbench.webview.getByRole('textbox', { name: 'Section text (Markdown)' });
      await editorOf(second).getByText('Held by the first window').waitFor();
      assert.ok(isAlive(host), 'the host of the first window goes on');
      await editorOf(second).click();
      await second.page.keyboard.press('Control+End');
      await second.page.keyboard.type(', then by the second');
      const third = await editor.openWindow();
      await third.page.getByRole('button', { name: /^Patch Stacks: 1 unsent change/ }).click();
      await third.quickPickRows.first().click();
      // At once, with a warning, while the other window is there.
      await third.pick('Take Over');
      await third.page.locator('.monaco-dialog-box').getByText('from another window?').waitFor();
      await third.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Take Over' }).click();
      await editorOf(third).getByText('Held by the first window, then by the second').waitFor();
      await second.told(/Another window took over ".*"\./);
      await second.webview.getByText('This section has an unsent change in another window.').waitFor();
      // The host of the window that has it now is killed: the other learns it without being asked.
      const holder = await extensionHost();
      assert.notEqual(holder, host);
      process.kill(holder, 'SIGKILL');
      await editorOf(second).getByText('Held by the first window, then by the second').waitFor();
    } finally {
      window = second;
    }
  });

  /** Opens the window anew; once more where VS Code gives up on an extension host that a busy machine starts too slowly. */
  async function openAgain(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      await window.reload();
      try {
        await unsent().waitFor();
        return;
      } catch (error) {
        if (attempt === 3) {
          throw error;
        }
      }
    }
  }

  /** The status bar's item for pending changes whose window is gone. */
  const unsent = (): Locator =>
    window.page.getByRole('button', { name: /^Patch Stacks: \d+ unsent changes?/ });

  /** The box in which the section is written. */
  const text = (): Locator => window.webview.getByRole('textbox', { name: 'Section text (Markdown)' });

  /** The text on disk that begins like this; empty when there is none. */
  async function onDisk(start: string): Promise<string> {
    const texts = (await changesOnDisk(editor)).map(({ content }) => ('text' in content ? content.text : ''));
    return texts.find((kept) => kept.startsWith(start)) ?? '';
  }

  /** The process that holds the pending change. */
  const extensionHost = (): Promise<number> => extensionHostOf(editor);
});

/** Ends the extension hosts of windows before, which VS Code keeps for hours in case that one comes back. */
function endOthers(host: number): void {
  const processes = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => {
      const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return { pid: Number(pid), parent: Number(parent), isHost: command.includes('--type=extensionHost') };
    });
  const server = processes.find(({ pid }) => pid === host)?.parent;
  for (const { pid, parent, isHost } of processes) {
    if (isHost && parent === server && pid !== host && isAlive(pid)) {
      process.kill(pid, 'SIGKILL');
    }
  }
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function dice(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
