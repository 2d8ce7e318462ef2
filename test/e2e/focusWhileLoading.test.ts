/**
 * Answers that lead a person somewhere in a page, and come late: who has gone elsewhere in the meantime, such as to a text that they
 * write, stays there, and no key is lost.
 */
import type { Browser, Locator } from 'playwright-core';
import type { PatchView, SectionView } from '../../src/protocol/patchDocument.ts';
import { launchBrowser } from '../../tools/browser.ts';
import { expect } from '../support/expect.ts';
import { PatchPage, patchView } from '../support/patchPage.ts';

const diff = '--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1,2 @@\n+const first = 1;\n+const second = 2;\n';
const text: SectionView = { type: 'text', code: 'a', text: 'Some words.' };
const file: SectionView = {
  type: 'diff',
  code: 'b',
  path: 'a.ts',
  diffLength: diff.length,
  diffLines: 3,
};
const long: SectionView = { type: 'text', code: 'l', text: 'A paragraph.\n\n'.repeat(100) };
const draft: SectionView = { type: 'text', code: 'c', text: 'A draft.' };

describe('a person who writes before it is known where they are to be', function () {
  this.timeout(120_000);
  let browser: Browser;
  let shown: PatchPage;

  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  afterEach(() => shown.close());

  const section = (code: string): Locator => shown.page.locator(`[data-section="${code}"]`);
  const source = (): Locator => shown.page.locator('.cm-content');

  /** Has begun to write in the first text. */
  async function write(): Promise<void> {
    await shown.page.locator('[data-section-type="text"] .prose').first().dblclick();
    await shown.page.locator('.cm-content:focus').waitFor();
    await shown.page.keyboard.press('Control+A');
    await shown.page.keyboard.type('Half of ');
  }

  /** What was waited for has come, and whatever the page does about it is done some frames later. */
  async function release(): Promise<void> {
    await shown.page.evaluate(async () => {
      (globalThis as unknown as { release: () => void }).release();
      for (let frame = 0; frame < 4; frame++) {
        await new Promise(requestAnimationFrame);
      }
    });
  }

  async function writesOn(): Promise<void> {
    await shown.page.keyboard.type('a sentence');
    await expect(source()).toHaveText('Half of a sentence');
    await expect(source()).toBeFocused();
    await expect(source()).toBeInViewport();
  }

  const ask = (method: string, parameters: unknown): Promise<void> =>
    shown.page.evaluate(
      async ([name, value]) => {
        void (globalThis as unknown as { ask: (...args: unknown[]) => Promise<void> }).ask(name, value);
      },
      [method, parameters] as const,
    );

  /** @param arrives waits until the person is where they were to be. */
  const both = (
    name: string,
    prepare: () => Promise<void>,
    arrives: () => Promise<void>,
    come = release,
  ): void => {
    describe(name, () => {
      beforeEach(prepare);

      it('leaves who writes elsewhere by then', async () => {
        await write();
        await come();
        await writesOn();
      });

      it('leads there who has stayed', async () => {
        await come();
        await arrives();
      });
    });
  };

  describe('in the document of a patch', () => {
    const open = async (
      sections: SectionView[],
      before: Parameters<typeof PatchPage.open>[4],
      height = 6000,
    ): Promise<void> => {
      shown = await PatchPage.open(browser, patchView(sections), 1280, height, before);
    };

    both(
      'the place at which it was opened',
      () => open([text, { ...file, diff }], { held: 'placeToReveal', place: { code: 'b' } }),
      () => expect(section('b')).toBeFocused(),
    );

    it('does not take keys that are pressed nowhere for going elsewhere', async () => {
      await open([text, { ...file, diff }], { held: 'placeToReveal', place: { code: 'b' } });
      await shown.page.keyboard.press('Alt+PageDown');
      await release();
      await expect(section('b')).toBeFocused();
    });

    const wanted = shownOf('tr', 'const second');
    both(
      'a line of a diff that has to be loaded',
      async () => {
        await open([text, file], { held: 'diff' });
        await answerDiffs();
        await ask('reveal', { code: 'b', line: { side: 'new', line: 2 } });
      },
      () => expect(wanted()).toBeFocused(),
    );

    it('leads who has pressed a key, and is nowhere since', async () => {
      await open([text, file], { held: 'diff' });
      await answerDiffs();
      await section('a').focus();
      await ask('reveal', { code: 'b', line: { side: 'new', line: 2 } });
      await shown.page.keyboard.press('Shift');
      await section('a').evaluate((element: HTMLElement) => element.blur());
      await release();
      await expect(wanted()).toBeFocused();
    });

    it('goes with the line that it has led to where that is drawn elsewhere', async () => {
      const changed = '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n-let first;\n+let one;\n let second;\n';
      await open([text, { ...file, diff: changed }], {});
      const layout = shown.page.getByRole('button', { name: 'Side by side' });
      // As a command does, which leaves the focus where it is.
      const change = (): Promise<void> => layout.evaluate((button: HTMLElement) => button.click());
      await change();
      await ask('reveal', { code: 'b', line: { side: 'new', line: 2 } });
      const line = shownOf('tr', 'let second');
      await expect(line()).toBeFocused();
      await shown.page.keyboard.press('Shift');
      await change();
      await expect(line()).toHaveAttribute('data-line-type', /.*/);
      await expect(line()).toBeFocused();
    });

    both(
      'the next change, in a diff that has to be loaded',
      async () => {
        await open([text, file], { held: 'diff' });
        await answerDiffs();
        await section('a').focus();
        await ask('go', { to: 'change', direction: 'next' });
      },
      () => expect(shownOf('tr', 'const first')()).toBeFocused(),
    );

    const found = (): Locator => shown.page.locator('.find-count');
    const lookFor = async (words: string): Promise<void> => {
      await ask('find', null);
      await shown.page.getByRole('textbox', { name: 'Find' }).fill(words);
    };

    both(
      'what somebody looks for, where diffs have to be loaded first',
      async () => {
        await open([text, file, long, draft], { held: 'diffs' }, 400);
        await lookFor('draft');
      },
      () => expect(section('c')).toBeInViewport(),
    );

    it('leads nobody to what is found again in a patch that has changed', async () => {
      await open([text, long, draft, { ...draft, code: 'd' }], {}, 400);
      await lookFor('draft');
      await expect(found()).toHaveText('1 of 2');
      await shown.page.keyboard.press('Enter');
      await expect(found()).toHaveText('2 of 2');
      await write();
      const more: SectionView = { ...draft, code: 'e', text: 'A draft before.' };
      await shown.show(patchView([text, more, long, draft, { ...draft, code: 'd' }]));
      // The one that they were at.
      await expect(found()).toHaveText('3 of 3');
      await writesOn();
    });

    both(
      'a draft that is about to come',
      async () => {
        await open([text], {});
        await ask('reveal', { code: 'c' });
      },
      () => expect(section('c')).toBeFocused(),
      () => shown.show(patchView([text, draft])),
    );
  });

  describe('in the document of a stack', () => {
    const patch = (changeId: string, sections: SectionView[]): PatchView => ({
      ...patchView(sections),
      title: `Patch ${changeId}`,
      ref: { serverUrl: 'https://service.test', stackUuid: 'stack', changeId },
    });

    both(
      'the patch at which it was opened',
      async () => {
        shown = await PatchPage.openStack(browser, [patch('one', [text]), patch('two', [draft])], 1280, {
          held: 'patchToShow',
          patchToShow: 'two',
        });
      },
      () => expect(shown.page.locator('h1', { hasText: 'Patch two' })).toBeFocused(),
    );

    both(
      'the place in a patch at which it was opened',
      async () => {
        shown = await PatchPage.openStack(browser, [patch('one', [text, draft])], 1280, {
          held: 'patchToShow',
          places: { one: { code: 'c' } },
        });
      },
      () => expect(shown.page.locator('[data-section]', { hasText: 'A draft.' })).toBeFocused(),
    );
  });

  function shownOf(selector: string, words: string): () => Locator {
    return () => shown.page.locator(selector, { hasText: words });
  }

  const answerDiffs = (): Promise<void> =>
    shown.page.evaluate((value) => {
      const { answers } = globalThis as unknown as { answers: Record<string, () => unknown> };
      answers['diff'] = () => value;
    }, diff);
});
