/** A whole stack as one document: its patches one after another, as each is in a document of its own. */
import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import type { PatchAsText, PatchView, SectionView } from '../../src/protocol/patchDocument.ts';
import type { StackDocumentView } from '../../src/protocol/stackDocument.ts';
import { ApiClient } from '../../src/api/client.ts';
import { launchBrowser } from '../../tools/browser.ts';
import { Editor } from '../support/editor.ts';
import { git } from '../support/exampleRepository.ts';
import { expect } from '../support/expect.ts';
import { extensionHostOf } from '../support/extensionHost.ts';
import { expectNoFaults } from '../support/pageChecks.ts';
import { PatchPage, patchView } from '../support/patchPage.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

const patchCount = 200;
const sectionCount = 25;

/** Every patch changes the same files, whose sections have the same codes in each. */
function section(patch: number, index: number): SectionView {
  if (index % 5 === 0) {
    return { type: 'text', code: `section-${index}`, text: `# Heading ${patch}.${index}\n\nSome words.` };
  }
  const path = `src/file${index}.ts`;
  const diff = `--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,2 @@\n-before\n+after ${patch}.${index}\n same\n`;
  return { type: 'diff', code: `section-${index}`, path, diff, diffLength: diff.length, diffLines: 4 };
}

function patch(index: number): PatchView {
  const sections = Array.from({ length: sectionCount }, (_value, at) => section(index, at));
  return patchView(sections, {
    ref: {
      serverUrl: 'https://service.test',
      projectId: 'project',
      stackUuid: 'stack',
      changeId: `I${index}`,
    },
    title: `Patch ${index}`,
    position: { stackTitle: 'A stack', index: index + 1, count: patchCount },
    unread: [],
  });
}

describe('a stack of 200 patches as one document', function () {
  this.timeout(400_000);
  let browser: Browser;
  let shown: PatchPage;
  let page: Page;

  before(async () => {
    browser = await launchBrowser();
    shown = await PatchPage.openStack(
      browser,
      Array.from({ length: patchCount }, (_value, index) => patch(index)),
    );
    page = shown.page;
    await page.evaluate('window.answers.diffs = () => ({})');
  });

  after(async () => {
    await browser.close();
  });

  const one = (index: number): Locator => page.locator(`[data-patch="I${index}"]`);
  const drawn = (): Promise<number> => page.locator('.section').count();
  const heading = (name: string): Locator => page.getByRole('heading', { name, exact: true });

  /** Says something of a patch, as the extension host does. */
  const say = (changeId: string, method: string, parameters: unknown): Promise<void> =>
    page.evaluate(
      ([patch, name, said]) =>
        window.postMessage(
          { patch, message: { rpc: 'request', id: 900, method: name, parameters: said } },
          '*',
        ),
      [changeId, method, parameters] as const,
    );

  const twoFrames = (): Promise<unknown> =>
    page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );

  it('has room for all of them, and loads and draws those near to the screen', async () => {
    await heading('A stack').waitFor();
    await heading('Patch 0').waitFor();
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(height > patchCount * sectionCount * 50, String(height));
    assert.ok((await drawn()) < 60, String(await drawn()));
    await expect.poll(() => page.locator('[data-patch]').count()).toBeLessThan(5);
  });

  it('says of a patch why it could not be loaded, and at once that it is loaded again', async () => {
    const place = page.getByRole('article', { name: 'Patch 60', exact: true });
    await page.evaluate("window.failure = 'Nobody is there.'; ask('showPatch', { changeId: 'I60' })");
    await place.getByText('Nobody is there.').waitFor();
    await place.locator('h2:focus').waitFor();
    const retry = place.getByRole('button', { name: 'Retry' });
    await retry.hover();
    // Until nothing else has the page drawn again.
    await twoFrames();
    await page.evaluate("window.failure = undefined; window.held = 'patch'");
    await retry.click();
    await place.getByText('Loading the patch…').waitFor();
    await page.evaluate("release(); ask('showPatch', { changeId: 'I0' })");
    await heading('Patch 0').and(page.locator(':focus')).waitFor();
  });

  it('goes to a patch from the outline, which has the sections of the one that is read', async () => {
    const outline = page.locator('.outline');
    await outline.getByRole('button', { name: 'Patch 3', exact: true }).click();
    await heading('Patch 3').and(page.locator(':focus')).waitFor();
    await outline.getByRole('button', { name: 'Heading 3.5' }).waitFor();
    await expect(outline.getByRole('button', { name: 'Heading 0.5' })).toHaveCount(0);
    await expect(page.locator('.rail').getByText('Patch 4 of 200')).toHaveCount(1);
  });

  it('goes on from the last section of a patch to the first of the next, while another one is loaded already', async () => {
    await page.evaluate("window.held = 'patch'");
    await say('I3', 'reveal', { code: `section-${sectionCount - 1}` });
    await one(3)
      .locator(`[data-section="I3/section-${sectionCount - 1}"]:focus`)
      .waitFor();
    await say('I3', 'go', { to: 'section', direction: 'next' });
    await twoFrames();
    await page.evaluate('release()');
    await one(4).locator('[data-section="I4/section-0"]:focus').waitFor();
  });

  it('finds what is in a patch that was never near to the screen', async () => {
    await page.getByRole('button', { name: 'Find in patch' }).click();
    await page.getByRole('textbox', { name: 'Find' }).fill('after 150.7');
    await page.locator('.find-count', { hasText: '1 of 1' }).waitFor();
    await one(150).getByText('after 150.7').waitFor();
    await page.keyboard.press('Escape');
    await until(async () => (await drawn()) < 60);
  });

  it('lays out diffs as the person prefers in all patches, also in those that are loaded later', async () => {
    await page.getByRole('button', { name: 'Side by side' }).click();
    await one(150).locator('table.split, .side-by-side, td[data-side="old"]').first().waitFor();
    await page.locator('.outline').getByRole('button', { name: 'Patch 150', exact: true }).focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await heading(`Patch ${patchCount - 1}`).waitFor();
    await one(patchCount - 1)
      .locator('td[data-side="old"]')
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Side by side' }).click();
  });

  it('says what the person does of the patch that they do it in', async () => {
    const last = one(patchCount - 1);
    await page.evaluate(() => {
      const asked: unknown[] = [];
      const { answers } = globalThis as unknown as { answers: Record<string, unknown> };
      answers['review'] = (parameters: unknown, changeId: string) => void asked.push([changeId, parameters]);
      answers['setRead'] = (parameters: unknown, changeId: string) => void asked.push([changeId, parameters]);
      Object.assign(globalThis, { asked });
    });
    await last.locator('[data-section="I199/section-1"]').getByRole('checkbox').uncheck();
    await last.getByRole('button', { name: 'Sign Off', exact: true }).click();
    const asked = await page.evaluate(() => (globalThis as unknown as { asked: [string, object][] }).asked);
    assert.deepEqual(asked[0], ['I199', { code: 'section-1', isRead: false }]);
    assert.match(JSON.stringify(asked[1]), /^\["I199",.*"review":"signedOff"/);
  });

  it('copies all of it when everything is selected, also patches that were never near to the screen', async () => {
    await page.evaluate(() => {
      const { answers } = globalThis as unknown as { answers: Record<string, unknown> };
      answers['copy'] = ({ text }: { text: string }) => Object.assign(globalThis, { copied: text });
    });
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Control+C');
    const copied = (): Promise<string> =>
      page.evaluate(() => (globalThis as unknown as { copied?: string }).copied ?? '');
    await until(async () => (await copied()) !== '');
    const text = await copied();
    const places = Array.from({ length: patchCount }, (_value, index) =>
      [`Patch ${index}\n`, `# Heading ${index}.20`, `after ${index}.24\nsame`].map((words) =>
        text.indexOf(words),
      ),
    );
    // Texts that are drawn are copied as they look, without the marks of Markdown.
    const missing = places.filter((found) => found.filter((at) => at < 0).length > 1);
    assert.deepEqual(missing, []);
    const ends = places.map((found) => found.at(-1) ?? -1);
    assert.deepEqual(
      ends,
      ends.toSorted((a, b) => a - b),
    );
  });

  it('is had as text with all of its patches, and the line of it at which the person is', async () => {
    await page.evaluate("ask('showPatch', { changeId: 'I120' })");
    await heading('Patch 120').and(page.locator(':focus')).waitFor();
    const { text, line } = await page.evaluate<PatchAsText>("ask('asText', null)");
    const lines = text.split('\n');
    assert.equal(lines[line], 'Patch 120');
    for (let index = 0; index < patchCount; index += 1) {
      assert.ok(lines.includes(`Patch ${index}`), `Patch ${index}`);
    }
  });

  it('shows a newer version with a patch more where the person is, with the focus where it was', async () => {
    const title = heading('Patch 100');
    await page.evaluate("ask('showPatch', { changeId: 'I100' })");
    await title.and(page.locator(':focus')).waitFor();
    const top = (): Promise<number> => title.evaluate((element) => element.getBoundingClientRect().top);
    const before = await top();
    await page.evaluate(async () => {
      const { ask, stack, patches } = globalThis as unknown as {
        ask: (method: string, parameters: unknown) => Promise<void>;
        stack: StackDocumentView;
        patches: Map<string, PatchView>;
      };
      const patch = patches.get('I0')!;
      patches.set('new', { ...patch, ref: { ...patch.ref, changeId: 'new' }, title: 'The new one' });
      const added = { ...stack.patches[0]!, changeId: 'new', title: 'The new one' };
      const ref = { ...stack.ref, stackUuid: 'newer' };
      await ask('show', { ...stack, ref, patches: [added, ...stack.patches] });
    });
    await one(100).getByText('after 100.1', { exact: true }).waitFor();
    await title.and(page.locator(':focus')).waitFor();
    await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(2);
    await page.locator('.stack-header').getByText('201 patches').waitFor({ state: 'attached' });
  });
});

describe('a stack as one document', function () {
  this.timeout(400_000);
  let editor: Editor;
  let window: Workbench;
  let client: ApiClient;

  before(async () => {
    editor = await Editor.start({ signedIn: true });
    for (let index = 1; index <= 10; index += 1) {
      git(
        editor.repository,
        'commit',
        '--quiet',
        '--allow-empty',
        '-m',
        `Step ${index}`,
        '-m',
        `Words of ${index}.`,
      );
    }
    await editor.service.importRepository();
    client = new ApiClient({ serverUrl: editor.service.url, getToken: async () => editor.service.token });
    window = await editor.openWindow();
    await window.tree.expand('greetings');
  });

  tidyAfterEach(() => window);

  after(async () => {
    await client.close();
    await editor.close();
  });

  const patch = (title: string): Locator =>
    window.webview.locator('article[data-patch]', {
      has: window.page.locator('h1').getByText(title, { exact: true }),
    });

  const openDocument = async (): Promise<void> => {
    await window.tree.open('greet/größer');
    await window.webview.getByRole('button', { name: 'Open Patch Stack as One Document' }).click();
    await patch('Greet people by name').waitFor();
  };

  const goTo = async (title: string): Promise<void> => {
    await window.webview.getByRole('button', { name: 'Outline', exact: true }).click();
    await window.webview.locator('.outline').getByRole('button', { name: title, exact: true }).click();
    await patch(title).locator('h1:focus').waitFor();
  };

  it('searches patches that are not on the screen, and has nobody taken for a viewer of them', async () => {
    await window.page.setViewportSize({ width: 1280, height: 300 });
    await openDocument();
    const projectId = (await client.projects.list()).items[0]?.repositoryId ?? assert.fail();
    const { uuid, patches = [] } = await client.stacks.latestForBranch(projectId, 'greet/größer');
    const last = patches.at(-1)?.changeId ?? assert.fail();
    const viewers = async (): Promise<number> =>
      (await client.patches.get(uuid, last, { ahead: true })).reviewAll?.viewed.length ?? 0;
    await window.webview.getByRole('button', { name: 'Find in patch' }).click();
    await window.webview.getByRole('textbox', { name: 'Find' }).fill('nowhere to be found');
    await window.webview.locator('.find-count').getByText('No results').waitFor();
    assert.equal(await viewers(), 0);
    await window.webview.getByRole('textbox', { name: 'Find' }).fill('Words of 10');
    await window.webview.locator('.find-count').getByText('1 of 1').waitFor();
    await patch('Step 10').getByText('Words of 10.').waitFor();
    await until(async () => (await viewers()) === 1);
    await window.page.setViewportSize({ width: 1280, height: 800 });
    await window.closeAllEditors();
  });

  it('opens from the page of the stack, and each patch is written in and signed off on where it is read', async () => {
    await openDocument();
    await patch('Call names people').waitFor();
    await window.screenshot('stack-document');
    await expectNoFaults(window.webview);
    const projectId = (await client.projects.list()).items[0]?.repositoryId ?? assert.fail();
    const { uuid, patches = [] } = await client.stacks.latestForBranch(projectId, 'greet/größer');
    const second = patches[1]?.changeId ?? assert.fail();
    // Written in the second patch, while the first is on the page, too.
    await patch('Call names people').getByRole('button', { name: 'Insert section at the top' }).click();
    await patch('Call names people').locator('.cm-content:focus').waitFor();
    await window.page.keyboard.type('# Why they are people');
    await window.page.keyboard.press('Control+Enter');
    await patch('Call names people').getByRole('heading', { name: 'Why they are people' }).waitFor();
    await until(async () => {
      const { sections = [] } = await client.patches.get(uuid, second);
      const [first] = sections;
      return first?.sectionType === 'text' && first.text === '# Why they are people';
    });
    // Signed off with what was never on the screen, and on to the next one on the same page.
    await patch('Greet people by name').getByRole('button', { name: 'Sign Off and Next' }).click();
    const anyway = window.webview.getByRole('button', { name: 'Sign Off Anyway' });
    const next = patch('Call names people').locator('h1:focus');
    // It says "Signed Off" at once, also where it turns out that the person has not seen all of it.
    await anyway.or(next).first().waitFor();
    if (await anyway.isVisible()) {
      await anyway.click();
    }
    await next.waitFor();
    await patch('Greet people by name').getByRole('button', { name: 'Signed Off' }).waitFor();
    await expect(window.editorTab('greet/größer')).toHaveCount(2);
    await expect(window.editorTab('greet/größer (Document)')).toHaveCount(1);
  });

  it('is where it was after the window was reloaded', async () => {
    const section = patch('Call names people').getByRole('heading', { name: 'Why they are people' });
    const scrolled = (): Promise<number> => window.webview.locator('html').evaluate(() => scrollY);
    await until(async () => (await scrolled()) > 100);
    // Behind another tab VS Code keeps it, and fills it once somebody wants it.
    const open = window.webview.getByRole('button', { name: 'Open Patch Stack as One Document' });
    await window.editorTab('greet/größer').first().click();
    await open.waitFor();
    await window.reload();
    await open.click();
    await section.waitFor();
    await until(async () => (await scrolled()) > 100);
    await expect(window.editorTab('greet/größer (Document)')).toHaveCount(1);
  });

  it('stays as it is when there is a newer version, says so, and leads to what is new in that', async () => {
    await goTo('Step 5');
    git(editor.repository, 'commit', '--quiet', '--allow-empty', '-m', 'Step 11', '-m', 'Words of 11.');
    await editor.service.importRepository();
    await window.webview
      .locator('.newer-note')
      .getByText('Version 3 is here: 1 new, 15 unchanged.')
      .waitFor();
    await window.webview.locator('.rail').getByText('Patch 10 of 15').waitFor();
    await expect(patch('Step 5').locator('h1')).toBeVisible();
    await window.webview.getByRole('button', { name: 'Read What Changed' }).click();
    await window.webview.locator('.rail').getByText('Patch 16 of 16').waitFor();
    await expect(patch('Step 11').locator('h1')).toBeVisible();
    await expect(window.webview.locator('.newer-note')).toHaveCount(0);
  });

  it('says that nobody answers when the extension host is killed, and has what was typed when it is opened again', async () => {
    await goTo('Step 5');
    await patch('Step 5').getByRole('button', { name: 'Insert section at the top' }).click();
    await patch('Step 5').locator('.cm-content:focus').waitFor();
    await window.page.keyboard.type('Half a thought');
    await patch('Step 5').getByText('Saved locally').waitFor();
    process.kill(await extensionHostOf(editor), 'SIGKILL');
    await window.page.keyboard.type(', and the other half');
    await window.webview.locator('.silence-note').first().waitFor();
    // Other patches are on the screen as well, and don't say it again.
    await until(async () => (await window.webview.locator('.status-lines > *').count()) > 1);
    await expect(window.webview.locator('.silence-note')).toHaveCount(1);
    // Another one is told as well, and screen readers hear it once.
    await patch('Step 6').getByRole('button', { name: 'Insert section at the top' }).click();
    await patch('Step 6').locator('.cm-content:focus').waitFor();
    await window.page.keyboard.type('And more');
    await patch('Step 6').getByText('Not confirmed').waitFor();
    const announced = window.webview.locator('.visually-hidden[role="status"]');
    await expect(announced.filter({ hasText: "isn't responding" })).toHaveCount(1);
    await window.closeAllEditors();
    await openDocument();
    await goTo('Step 5');
    await patch('Step 5').locator('.cm-content').getByText('Half a thought, and the other half').waitFor();
  });
});
