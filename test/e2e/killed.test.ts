/**
 * The extension host is killed while somebody types: as often as PATCH_STACKS_KILLS says, at moments that the dice of
 * PATCH_STACKS_SEED choose.
 */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { Editor } from '../support/editor.ts';
import { draftsFolder } from '../support/plantedDrafts.ts';
import type { Workbench } from '../support/workbench.ts';

/** Milliseconds after which a key must be on disk. */
const limit = 500;

const kills = Number(process.env['PATCH_STACKS_KILLS'] ?? 3);
const seed = Number(process.env['PATCH_STACKS_SEED'] ?? 1);

describe('somebody who types while the extension host is killed', function () {
  this.timeout(120_000 + kills * 60_000);
  let editor: Editor;
  let window: Workbench;

  before(async () => {
    editor = await Editor.start({ signedIn: true });
    window = await editor.openWindow();
    await window.tree.row('greetings').waitFor();
    await window.runCommand('Patch Stacks: Edit Profile');
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      console.log(`--- a picture: ${await window.screenshot(`failed-${Date.now()}`)}`);
    }
  });

  after(() => editor.close());

  it(`finds every key again that is older than ${limit} ms, ${kills} times`, async () => {
    const random = dice(seed);
    for (let round = 1; round <= kills; round++) {
      const field = window.webview.getByLabel('Family name');
      await field.click();
      await field.fill('');
      await window.page.keyboard.type(`${round}:`);
      const host = await extensionHost();
      const keys: { text: string; at: number }[] = [];
      const moment = Date.now() + random() * 2_500;
      let killedAt: number | undefined;
      const killing = wait(moment - Date.now()).then(() => {
        killedAt = Date.now();
        process.kill(host, 'SIGKILL');
      });
      for (let text = `${round}:`; killedAt === undefined;) {
        const letter = String.fromCharCode(97 + Math.floor(random() * 26));
        await window.page.keyboard.press(letter);
        text += letter;
        keys.push({ text, at: Date.now() });
        await wait(random() * 60);
      }
      await killing;
      const killed = killedAt;
      const expected = keys.findLast(({ at }) => at <= killed - limit)?.text ?? `${round}:`;
      await window.reload();
      // VS Code closes the web pages of an extension host that ends.
      await window.runCommand('Patch Stacks: Edit Profile');
      await window.webview.getByText('What you typed before and did not save is back.').waitFor();
      const found = await window.webview.getByLabel('Family name').inputValue();
      assert.ok(
        found.startsWith(expected),
        `round ${round} with the dice ${seed}: “${found}” is there, “${expected}” was typed`,
      );
      await window.webview.getByRole('button', { name: 'Discard Changes' }).click();
    }
  });

  /** The process that holds the draft: the names of the files say it. */
  async function extensionHost(): Promise<number> {
    for (;;) {
      const names = await readdir(await draftsFolder(editor)).catch((): string[] => []);
      const holder = names.map((name) => /\.(\d+)-[0-9a-f]+\.json$/.exec(name)?.[1]).find(Boolean);
      if (holder !== undefined) {
        return Number(holder);
      }
      await wait(20);
    }
  }
});

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
