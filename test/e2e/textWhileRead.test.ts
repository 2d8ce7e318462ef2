/** A text that somebody reads while colors, images, formulas, emoji and links of it come: what they have selected stays selected. */
import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../../tools/browser.ts';
import { expect } from '../support/expect.ts';
import { PatchPage, patchView } from '../support/patchPage.ts';

const text = `Some plain words, $x$ and some with :tada: that src/a.ts greets once more.

![a picture](docs/a.png)

\`\`\`ts
const first = 1;
const second = 2;
\`\`\`
`;

const image =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The answers of the extension host that change how a text is drawn, how it is seen that they have come, and words around that. */
const changes = {
  formulas: { answer: ['<math><mi>x</mi></math>'], drawn: '.formula math', selected: 'some with' },
  emoji: { answer: { tada: '🎉' }, drawn: 'p:has-text("🎉")', selected: 'that src' },
  images: { answer: { 'docs/a.png': { address: image } }, drawn: 'img', selected: 'plain words' },
  proseLinks: {
    answer: [{ text: 'src/a.ts', target: { kind: 'file', path: 'src/a.ts' } }],
    drawn: 'p [role="button"]',
    selected: 'that src/a.ts greets',
  },
  colors: {
    answer: {
      styles: [{ color: '#ff0000' }],
      lines: [
        [5, 1, 11, 0],
        [5, 1, 12, 0],
      ],
    },
    drawn: 'pre code span >> nth=0',
    selected: 'first = 1;\nconst sec',
  },
} as const;

describe('a text that is read while what belongs to it comes', function () {
  this.timeout(120_000);
  let browser: Browser;

  before(async () => {
    browser = await launchBrowser();
  });

  after(() => browser.close());

  /** Selects words, as dragging over them does. */
  const select = (page: Page, words: string): Promise<void> =>
    page.evaluate((wanted) => {
      const walker = document.createTreeWalker(document.querySelector('.prose')!, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const { currentNode: node } = walker;
        const at = node.textContent!.indexOf(wanted);
        if (at >= 0) {
          document.getSelection()!.setBaseAndExtent(node, at, node, at + wanted.length);
          return;
        }
      }
      throw new Error(`There is no “${wanted}”.`);
    }, words);

  for (const [method, { answer, drawn, selected }] of Object.entries(changes)) {
    it(`stays selected when its ${method} come`, async () => {
      const shown = await PatchPage.open(browser, patchView([]));
      const { page } = shown;
      await page.evaluate(
        ([held, value]) => {
          const { answers } = globalThis as unknown as { answers: Record<string, () => unknown> };
          answers[held] = () => value;
          Object.assign(globalThis, { held });
        },
        [method, answer] as const,
      );
      await shown.show(patchView([{ type: 'text', code: 'a', text }]));
      await page.locator('.prose pre').waitFor();
      await select(page, selected);
      await page.evaluate('release()');
      await page.locator(`.prose ${drawn}`).waitFor();
      assert.equal(await page.evaluate(() => String(document.getSelection())), selected);
      await shown.close();
    });
  }

  /** A page with words of which it becomes known where they lead when it is released. */
  const openWithReference = async (): Promise<{ shown: PatchPage; words: Locator; card: Locator }> => {
    const shown = await PatchPage.open(browser, patchView([]));
    const { page } = shown;
    await page.evaluate(() => {
      const { answers } = globalThis as unknown as { answers: Record<string, () => unknown> };
      answers['proseLinks'] = () => [
        { text: 'src/a.ts#L2', target: { kind: 'file', path: 'src/a.ts', start: 2 } },
      ];
      Object.assign(globalThis, { held: 'proseLinks' });
    });
    await shown.show(patchView([{ type: 'text', code: 'a', text: 'See src/a.ts#L2 for more.' }]));
    const words = page.locator('.prose [role="button"]', { hasText: 'src/a.ts#L2' });
    return { shown, words, card: page.locator('.link-card', { hasText: 'src/a.ts:2' }) };
  };

  it('says where words lead that the mouse rests on already', async () => {
    const { shown, words, card } = await openWithReference();
    const { page } = shown;
    await words.hover();
    await page.evaluate('release()');
    await card.waitFor();
    await page.mouse.move(0, 0);
    await expect(card).toHaveCount(0);
    await shown.close();
  });

  it('says nothing of words that nobody is at when it becomes known where they lead', async () => {
    const { shown, words, card } = await openWithReference();
    const { page } = shown;
    await page.evaluate('release()');
    await words.and(page.locator('[data-link]')).waitFor();
    // What the page says of them would be there two frames later.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    await expect(card).toHaveCount(0);
    await shown.close();
  });

  it('keeps the focus on words that lead somewhere when it is known where: no key is lost', async () => {
    const { shown, words, card } = await openWithReference();
    const { page } = shown;
    await words.focus();
    // Another element would have the focus a moment later, and a key that came between would go nowhere.
    await words.evaluate((element) => {
      element.id = 'same';
      element.addEventListener('blur', () => element.classList.add('lost'));
    });
    await page.evaluate('release()');
    await words.and(page.locator('[data-link]')).waitFor();
    await expect(words).toBeFocused();
    await expect(words).toHaveId('same');
    await expect(words).not.toHaveClass(/lost/);
    await expect(words).not.toHaveAttribute('data-reference');
    await card.waitFor();
    await shown.close();
  });

  it('stays selected in a diff, from the first character to the last, when its colors come', async () => {
    const shown = await PatchPage.open(browser, patchView([]));
    const { page } = shown;
    await page.evaluate((styles) => {
      const { answers } = globalThis as unknown as { answers: Record<string, (of: never) => unknown> };
      // The first word of each line is one token, the rest another.
      answers['colors'] = ({ lines }: { lines: string[] }) => ({
        styles,
        lines: lines.map((line) => [5, 1, Math.max(0, line.length - 5), 0]),
      });
      Object.assign(globalThis, { held: 'colors' });
    }, changes.colors.answer.styles);
    const diff = '--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1,2 @@\n+const first = 1;\n+const second = 2;\n';
    await shown.show(
      patchView([{ type: 'diff', code: 'a', path: 'a.ts', diff, diffLength: diff.length, diffLines: 5 }]),
    );
    const line = (text: string): Locator => page.locator('td.code', { hasText: text });
    await line('const first').evaluate(
      (from, to) => {
        document.getSelection()!.setBaseAndExtent(from.firstChild!, 0, to.firstChild!, 'const sec'.length);
      },
      await line('const second').elementHandle(),
    );
    const selected = await page.evaluate(() => String(document.getSelection()));
    await page.evaluate('release()');
    await page.locator('td.code span[class^="tok-"]').first().waitFor();
    assert.match(selected, /^const first = 1;\s+const sec$/);
    assert.equal(await page.evaluate(() => String(document.getSelection())), selected);
    await shown.close();
  });
});
