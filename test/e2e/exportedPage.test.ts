/** An exported patch stack in a browser: what strangers wrote in it, and whether anybody can read it. */
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import type { ColorForOthers, ExportedStack, StackExporter } from '../../src/protocol/stackExport.ts';
import { launchBrowser } from '../../tools/browser.ts';
import { root } from '../../tools/provision.ts';
import { expect } from '../support/expect.ts';
import { expectNoFaults, overflowOf } from '../support/pageChecks.ts';

const rightToLeft = '\u202e';

/** Colors each word in turn, in colors that can't be read on every background as they are. */
const color: ColorForOthers = async (theme, { lines }) => ({
  styles: [{ color: theme === 'light' ? '#9cdcfe' : '#0000ff' }, { color: '#808080', italic: true }],
  lines: lines.map((line) =>
    [...line.matchAll(/\w+|\W+/g)].flatMap(([text], index) => [text.length, index % 3]),
  ),
});

const diff = [
  '--- a/a.ts',
  '+++ b/a.ts',
  '@@ -1,3 +1,4 @@ function before() {',
  ' const unchanged = true;',
  `-const isAdmin = false; /* ${rightToLeft} } only */`,
  `+const isAdmin = true; /* ${rightToLeft} } only\u2066 */`,
  `+const long = "${'x'.repeat(300)}\u200b";`,
  ' }',
  '@@ -50,2 +51,2 @@',
  ' one',
  '-two',
  '+three',
  '',
].join('\n');

const prose = `## Begins at the second level

Some **words**, a [link](https://example.com) among them, \`code${rightToLeft}\`, and ${rightToLeft}turned.

# The first level

#### The fourth at once

> A quotation with ==marks==

| Left | Right |
|------|------:|
| a ${'wide '.repeat(60)} | 1 |

- [ ] To do
- Done[^1]

[^1]: A note.

\`\`\`typescript
const isAdmin = true; // ${rightToLeft}
${'x'.repeat(300)}
\`\`\`

    indented${rightToLeft}

![An image](https://example.com/a.png)
`;

const stack: ExportedStack = {
  title: 'Greet people',
  facts: ['Branch greet', 'Version 2'],
  description: `### Why\n\nBecause.\n\n${prose}`,
  patches: ['Call names people', 'Call names people', 'Third'].map((title, index) => ({
    title,
    changeId: `I${index}`,
    facts: index === 2 ? [] : ['Authors: Ada', 'Signed off by: Grace'],
    description: `# Message\n\n${prose}`,
    sections: [
      { type: 'text', text: prose },
      { type: 'text', text: `# Over the budget ${rightToLeft}\n\n${'word '.repeat(5_000)}` },
      { type: 'diff', path: 'a.ts', added: 3, deleted: 2, diff },
      {
        type: 'diff',
        path: 'new\nname\u200b.ts',
        oldPath: `old${rightToLeft}name.ts`,
        added: 1,
        deleted: 1,
        diff,
      },
      { type: 'diff', path: 'unread', diff: `no diff ${rightToLeft}` },
      {
        type: 'diff',
        path: 'b.png',
        oldSize: 10,
        newSize: 20,
        diff: 'diff --git a/b.png b/b.png\nBinary files a/b.png and b/b.png differ\n',
      },
    ],
  })),
  language: 'en',
  bundle: {},
};

describe('an exported page', () => {
  let browser: Browser;
  let html: string;

  before(async () => {
    browser = await launchBrowser();
    const file = path.join(root, 'dist/webview/stackExport.mjs');
    const { stackAsHtml } = createRequire(file)(file) as StackExporter;
    const draw = async (formulas: readonly unknown[]) => formulas.map(() => null);
    html = await stackAsHtml(stack, { color, draw }, new AbortController().signal);
  });

  after(() => browser.close());

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 400]) {
      it(`can be read by everybody, in ${colorScheme} colors and ${width} pixels`, async () => {
        const context = await browser.newContext({
          colorScheme,
          offline: true,
          viewport: { width, height: 800 },
        });
        const page = await context.newPage();
        await page.setContent(html);
        await expect(page.locator('article')).toHaveCount(3);
        await expectNoFaults(page);
        await expect.poll(() => overflowOf(page)).toBe(0);
        // What is wider than the page is scrolled with the arrow keys.
        await expect(page.locator('.prose table[tabindex="0"]').first()).toBeVisible();
        await expect(page.locator(':is(.prose table, pre):not([tabindex="0"])')).toHaveCount(0);
        await context.close();
      });
    }
  }

  it('says where something is hidden in code, and where something turns what follows', async () => {
    const page = await browser.newPage();
    await page.setContent(html);
    const article = page.locator('#patch-1');
    const marks = (place: string) => article.locator(place).locator('.hidden-character');
    await expect(marks('.diff .delete')).toHaveCount(2);
    await expect(marks('.diff .add')).toHaveCount(6);
    await expect(marks('.diff .add').first()).toHaveAttribute('data-name', 'U+202E');
    await expect(marks('.diff .add').first()).toHaveAttribute('title', 'Hidden character U+202E');
    await expect(marks('.notice')).toHaveCount(1);
    await expect(marks('.prose.plain')).toHaveCount(1);
    await expect(marks('.prose:not(.plain) p')).toHaveCount(4);
    await expect(marks('.prose:not(.plain) pre')).toHaveCount(4);
    await expect(article.locator('summary bdi')).toHaveText([
      'a.ts',
      'old name.ts',
      'new name\u200b.ts',
      'unread',
      'b.png',
    ]);
    await expect(marks('summary bdi')).toHaveAttribute('data-name', 'U+200B');
    // Each is shown by its name, and ends with itself.
    const first = marks('.diff .add').first();
    await expect
      .poll(() => first.evaluate((mark) => getComputedStyle(mark, '::before').content))
      .toBe('"U+202E"');
    await expect(first).toHaveCSS('unicode-bidi', 'isolate');
    await page.close();
  });
});
