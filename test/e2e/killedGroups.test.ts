/**
 * Someone types while whole groups of processes are killed: the extension host, VS Code's server with all that it has started, and the
 * browser, whose one profile they keep through all of it. A browser that is killed may give back what its pages had removed: old text,
 * which must not come back over newer one. Each text counts on, so that an older one is known as such.
 *
 * As often as PATCH_STACKS_KILLS says, by the dice of PATCH_STACKS_SEED.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { BrowserContext, Locator } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import { launchProfile } from '../../tools/browser.ts';
import { Editor } from '../support/editor.ts';
import { expect, expectNone } from '../support/expect.ts';
import { extensionHostOf } from '../support/extensionHost.ts';
import { isFull, itInFull } from '../support/full.ts';
import { keptInBrowser } from '../support/keptInBrowser.ts';
import { changesOnDisk, nothingOnDisk } from '../support/plantedChanges.ts';
import { Random } from '../support/random.ts';
import { pictureAfterFailure } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

const rounds = Number(process.env['PATCH_STACKS_KILLS'] ?? 6);
const seed = Number(process.env['PATCH_STACKS_SEED'] ?? 1);
const patch = 'Greet people by name';

/** Milliseconds of typing that a kill may take with it. */
const mayBeLostMs = 500;

type Victim = 'host' | 'server' | 'browser' | 'hostThenBrowser';
const victims: readonly Victim[] = ['host', 'server', 'browser', 'hostThenBrowser'];

describe('someone who types while whole groups of processes are killed', function () {
  this.timeout(180_000 + (isFull ? rounds * 120_000 : 0));
  let editor: Editor;
  let profile: string;
  let context: BrowserContext;
  let window: Workbench;

  before(async () => {
    editor = await Editor.start({ signedIn: true });
    profile = path.join(editor.directory, 'profile');
    await openBrowser();
  });

  pictureAfterFailure(() => window);

  after(async () => {
    await context.close();
    await editor.close();
  });

  it('never has text back that the browser gives back, and can view and discard what fits nothing', async () => {
    await openPatch();
    await editSection();
    await replaceText('An old text');
    process.kill(await extensionHostOf(editor), 'SIGKILL');
    await window.page.keyboard.type(', typed on.');
    const old = await keptOnceThere('An old text, typed on.');
    await window.page.reload();
    await openPatch();
    await expect(text()).toHaveText('An old text, typed on.');
    await expect.poll(() => keptInBrowser(window.page)).toEqual([]);

    // While a newer one is pending, and after that was saved; and what another page had left.
    await replaceText('A newer one');
    await expect.poll(pendingTexts).toEqual(['A newer one']);
    await giveBack({ ...old, ...ofAnotherPage(old) });
    await expect(text()).toHaveText('A newer one');
    const show = window.webview.getByRole('button', { name: 'Show', exact: true });
    await show.press('Enter');
    await window.pick('Compare with Server');
    await window.page.locator('.monaco-diff-editor').getByText('Of another page.').first().waitFor();
    await openPatch();
    await show.press('Enter');
    await window.pick('Discard');
    await show.waitFor({ state: 'detached' });
    await window.answerNotification(/Discarded your change to/, 'Undo');
    await show.press('Enter');
    await window.pick('Discard');
    await show.waitFor({ state: 'detached' });
    await expect.poll(pendingTexts).toEqual(['A newer one']);
    await save('A newer one');
    await giveBack(old);
    await expectNone(text(), { once: window.webview.locator('.prose', { hasText: 'A newer one' }) });
    assert.deepEqual(await pendingTexts(), []);
  });

  itInFull(`has nothing older than half a second before, ${rounds} times`, async () => {
    const dice = new Random(seed);
    let newest = 0;
    /** Types numbers for some time. @returns the last one that was typed longer ago than a kill may take with it. */
    const typeFor = async (ms: number): Promise<() => number> => {
      const typed: { number: number; at: number }[] = [];
      for (const end = performance.now() + ms; performance.now() < end;) {
        newest += 1;
        // In one go: half a number would be another one.
        await window.page.keyboard.insertText(`${newest}.`);
        typed.push({ number: newest, at: performance.now() });
        await wait(dice.below(60));
      }
      return () => {
        const now = performance.now();
        return typed.findLast(({ at }) => now - at > mayBeLostMs)?.number ?? 0;
      };
    };
    await openPatch();
    await editSection();
    for (let round = 1; round <= rounds; round += 1) {
      const victim = dice.pick(victims)!;
      await text().click();
      await window.page.keyboard.press('Control+A');
      let typed = await typeFor(300 + dice.below(2_500));
      const isSaved = dice.oneIn(3);
      if (isSaved) {
        await window.page.keyboard.press('Control+Enter');
        await wait(dice.below(300));
      }
      let least = typed();
      switch (victim) {
        case 'host':
        case 'hostThenBrowser':
          if (!isSaved) {
            process.kill(await extensionHostOf(editor), 'SIGKILL');
            typed = await typeFor(dice.below(6_000));
          }
          break;
        case 'server':
          least = typed();
          await editor.killServer();
          if (!isSaved) {
            typed = await typeFor(dice.below(3_000));
          }
          await editor.startServer();
          break;
        case 'browser':
          break;
      }
      if (victim === 'browser' || victim === 'hostThenBrowser') {
        // What was typed after the host's death is nowhere but in the browser, which writes that down when it likes.
        least = victim === 'browser' ? typed() : least;
        await killBrowser();
        await openBrowser();
      } else {
        least = isSaved ? least : newest;
        await window.page.reload();
      }
      const givenBack = (await keptInBrowser(window.page)).length;
      const known = Math.max(0, ...(await pendingTexts()).map(lastNumber), lastNumber(await textOnService()));
      const told = `round ${round} with the dice ${seed}: ${victim}, ${isSaved ? 'saved' : 'typed'}, up to ${newest}, at least ${least}, known ${known}, ${givenBack} given back`;
      console.log(`--- ${told}`);
      const seen = await numbersShown();
      const last = seen.at(-1) ?? 0;
      assert.ok(last >= least, `${last} after ${told}`);
      assert.ok(
        seen.every((number, index) => number >= (seen[index - 1] ?? known)),
        `${seen.join(', ')} after ${told}`,
      );
      const changes = await changesOnDisk(editor);
      assert.ok(changes.length <= 1 && changes.every(({ state }) => state !== 'conflict'), told);
      if (dice.oneIn(2) && changes.length > 0) {
        await save((await text().textContent()) ?? '');
        await nothingOnDisk(editor);
        assert.equal(lastNumber(await textOnService()), last, `on the service after ${told}`);
      }
      if (!(await text().isVisible())) {
        await editSection();
      }
    }
  });

  /** The box in which the section is written. */
  const text = (): Locator => window.webview.getByRole('textbox', { name: 'Section text (Markdown)' });

  const pendingTexts = async (): Promise<string[]> =>
    (await changesOnDisk(editor)).map(({ content }) => ('text' in content ? content.text : ''));

  async function openBrowser(): Promise<void> {
    context = await launchProfile(profile);
    window = await editor.openWindow({ context });
  }

  /** Kills the browser with its whole process group: its storage has no time to write anything down. */
  async function killBrowser(): Promise<void> {
    const closed = context.waitForEvent('close');
    const groups = execFileSync('ps', ['-eo', 'pgid=,args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(`--user-data-dir=${profile}`))
      .map((line) => Number.parseInt(line, 10));
    for (const group of new Set(groups)) {
      process.kill(-group, 'SIGKILL');
    }
    await closed;
  }

  async function openPatch(): Promise<void> {
    await window.page.locator('.monaco-workbench .part.statusbar').waitFor();
    await window.tree.expand('greetings');
    await window.tree.expand(/größer/i);
    await window.tree.open(patch);
    await window.webview.locator('h1').first().waitFor();
  }

  async function editSection(): Promise<void> {
    await window.webview.getByRole('button', { name: 'Edit section' }).first().click();
    await text().waitFor();
  }

  async function replaceText(words: string): Promise<void> {
    await text().click();
    await window.page.keyboard.press('Control+A');
    await window.page.keyboard.type(words);
  }

  async function save(words: string): Promise<void> {
    await text().click();
    await window.page.keyboard.press('Control+Enter');
    await text().waitFor({ state: 'detached' });
    await expect.poll(textOnService).toBe(words);
  }

  /** What the browser keeps of the page once this text is there. */
  async function keptOnceThere(words: string): Promise<Record<string, string>> {
    await until(async () =>
      (await keptInBrowser(window.page)).some((kept) => kept.includes(JSON.stringify(words))),
    );
    return window.page.evaluate(() =>
      Object.fromEntries(
        Object.entries(localStorage).filter(([name]) => name.startsWith('patch-stacks/outbox/[')),
      ),
    );
  }

  /** Has the browser give back what a page had removed, and the window loaded again; waits until all of it was looked at. */
  async function giveBack(entries: Record<string, string>): Promise<void> {
    await window.page.evaluate(putBack, entries);
    await window.page.reload();
    await openPatch();
    await expect.poll(() => keptInBrowser(window.page), { message: 'nothing waits' }).toEqual([]);
  }

  /** The numbers that the text ends with as the patch is opened and takes in what earlier pages have left, until nothing waits. */
  async function numbersShown(): Promise<number[]> {
    const seen: number[] = [];
    const look = async (): Promise<void> => {
      const shown = await text()
        .textContent({ timeout: 500 })
        .catch(() => null);
      if (shown !== null && shown !== '') {
        seen.push(lastNumber(shown));
      }
    };
    await openPatch();
    await until(async () => {
      await look();
      const isPending = (await pendingTexts()).length > 0;
      return (await keptInBrowser(window.page)).length === 0 && isPending === (await text().isVisible());
    });
    await look();
    return seen.length > 0 ? seen : [lastNumber(await textOnService())];
  }

  async function textOnService(): Promise<string> {
    const { url, token } = editor.service;
    await using client = new ApiClient({ serverUrl: url, getToken: async () => token });
    const projectId = (await client.projects.list()).items[0]!.repositoryId;
    const [stack] = (await client.stacks.list(projectId)).items;
    const { sections = [] } = await client.patches.get(stack!.uuid, stack!.patches![0]!.changeId);
    return (
      sections.flatMap((section) => (section.sectionType === 'text' ? [section.text ?? ''] : []))[0] ?? ''
    );
  }
});

/** The last number of a text that counts: 0 for one that doesn't. */
function lastNumber(counting: string): number {
  return Number(/(\d+)\.\s*$/.exec(counting)?.[1] ?? 0);
}

/** The same of another page, with a text of its own. */
function ofAnotherPage(entries: Record<string, string>): Record<string, string> {
  const [[name, value] = ['', '{}']] = Object.entries(entries);
  const { page } = JSON.parse(value) as { page: string };
  const other = value.replaceAll('An old text, typed on.', 'Of another page.');
  return { [name.replace(page, 'another')]: other.replaceAll(page, 'another') };
}

/** Runs in the page. */
function putBack(entries: Record<string, string>): void {
  for (const [name, value] of Object.entries(entries)) {
    localStorage.setItem(name, value);
  }
}
