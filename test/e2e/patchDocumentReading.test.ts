import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import { Editor } from '../support/editor.ts';
import { git } from '../support/exampleRepository.ts';
import { expect, expectNone } from '../support/expect.ts';
import { chooseTheme, expectNoFaults, themes } from '../support/pageChecks.ts';
import { pngOf } from '../support/png.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

const numbered = (count: number, change: (line: number) => string | undefined = () => undefined): string =>
  Array.from({ length: count }, (_value, index) => `${change(index + 1) ?? `value(${index + 1});`}\n`).join(
    '',
  );

const prose = `# How it counts :tada:

| Word | Meaning |
|---|---|
| one | 1 |

- [x] counted
- [ ] to be counted

See :tada: \`:tada:\` https://example.org/numbers and src/numbers.ts#L118-L119, but also README.md.[^1]

So $x^2 \\in \\mathbb{R}$, not $\\frac{1$, for $5 and $6.

$$
\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}
$$

\`\`\`math
\\begin{aligned} a &= b \\\\ c &= d \\end{aligned}
\`\`\`

\`\`\`mermaid
graph TD; one-->two
\`\`\`

\`\`\`ts
const counted = 1;
\`\`\`

[^1]: Nothing in [it](src/numbers.ts#L20) has changed.
`;

describe('reading a patch', function () {
  this.timeout(400_000);
  let editor: Editor;
  let window: Workbench;

  before(async () => {
    editor = await Editor.start({ signedIn: true });
    const { repository } = editor;
    const write = async (file: string, text: string): Promise<void> => {
      await mkdir(path.dirname(path.join(repository, file)), { recursive: true });
      await writeFile(path.join(repository, file), text);
    };
    git(repository, 'switch', '--quiet', 'main');
    git(repository, 'switch', '--quiet', '--create', 'count');
    await write('src/numbers.ts', numbered(200));
    await write('src/spaces.ts', 'if (a) {\nb();\n}\n');
    await write('src/old/name.ts', numbered(30));
    await write('run.sh', 'echo\n');
    await write('web/gone.ts', 'gone();\n');
    await write('web/client.ts', 'generated();\n');
    await write('.gitattributes', 'web/client.ts linguist-generated\n');
    await writeFile(path.join(repository, 'logo.png'), pngOf(2, 1));
    git(repository, 'add', '--all');
    git(repository, 'commit', '--quiet', '-m', 'Begin to count');
    await write(
      'src/numbers.ts',
      numbered(200, (line) => ({ 20: 'value(twenty);', 118: 'other(118);' })[line]),
    );
    await write('src/spaces.ts', 'if (a) {\n  b();\n}\n');
    await mkdir(path.join(repository, 'src/new'));
    git(repository, 'mv', 'src/old/name.ts', 'src/new/name.ts');
    await chmod(path.join(repository, 'run.sh'), 0o755);
    await write('package-lock.json', '{\n  "lockfileVersion": 3\n}\n');
    await writeFile(path.join(repository, 'picture.bin'), new Uint8Array(500));
    await writeFile(path.join(repository, 'logo.png'), pngOf(3, 4));
    await write('web/client.ts', 'called();\n');
    await rm(path.join(repository, 'web/gone.ts'));
    git(repository, 'add', '--all');
    git(repository, 'commit', '--quiet', '-m', 'Count to two hundred');
    await editor.service.importRepository();
    await addText('Count to two hundred', prose);
    window = await editor.openWindow();
    await window.tree.expand('greetings');
    await window.tree.expand(/^count/i);
  });

  beforeEach(async () => {
    await window.tree.open('Count to two hundred');
    await window.webview
      .locator('.document:not(.beginning) h1', { hasText: 'Count to two hundred' })
      .waitFor();
  });

  tidyAfterEach(() => window, { editors: true });

  after(async () => {
    await editor.close();
  });

  async function addText(title: string, text: string): Promise<void> {
    const { url, token } = editor.service;
    await using client = new ApiClient({ serverUrl: url, getToken: async () => token });
    const [project] = (await client.projects.list()).items;
    for (const stack of (await client.stacks.list(project!.repositoryId)).items) {
      const patch = stack.patches?.find((candidate) => candidate.title === title);
      if (patch) {
        await client.patches.createSection(stack.uuid, patch.changeId, { type: 'text', text, position: 0 });
      }
    }
  }

  function file(name: string): Locator {
    return window.webview.locator('section[data-section-type="diff"]').filter({
      has: window.webview.locator('h2', { hasText: name }),
    });
  }

  const press = (name: string): Promise<void> =>
    window.webview.getByRole('button', { name, exact: true }).click();

  /**
   * Brings the lines of a file into view: one that was read by a look is folded when it is shown again, and how long a test looks is up
   * to the machine; of one that is far from the screen nothing is drawn.
   */
  async function showLinesOf(name: string): Promise<void> {
    const toggle = file(name).locator('.file-toggle');
    // Scrolls there, and once more where the file is drawn only then.
    await toggle.hover();
    if ((await toggle.getAttribute('aria-expanded')) === 'false') {
      await toggle.click();
    }
    await file(name).locator('tr.row').first().hover();
  }

  it('says what became of a file: renamed, binary, another mode, a lock file, which is folded', async () => {
    await file('name.ts').getByText('renamed', { exact: true }).waitFor();
    // Only what differs is there twice; who hears it is told both paths.
    await file('name.ts').getByText('src/{old new}/name.ts').waitFor();
    await file('name.ts')
      .getByRole('button', { name: 'src/old/name.ts renamed to src/new/name.ts' })
      .waitFor();
    await file('name.ts').getByText('The content is unchanged.').waitFor();
    await file('picture.bin').getByText('Binary file, 500 bytes').waitFor();
    await file('run.sh').getByText('mode 100644 → 100755').waitFor();
    const lock = file('package-lock.json');
    await lock.getByText('lock file', { exact: true }).waitFor();
    await expect(lock.locator('h2').getByRole('button')).toHaveAttribute('aria-expanded', 'false');
  });

  it('folds what is deleted or generated, with a line that says why, and a button that opens it', async () => {
    for (const [name, reason] of [
      ['gone.ts', 'This file was deleted.'],
      ['client.ts', 'This file is generated.'],
      ['package-lock.json', 'A package manager wrote this file.'],
    ] as const) {
      await file(name).getByText(reason).waitFor();
      await expect(file(name).locator('.diff'), name).toHaveCount(0);
    }
    await file('gone.ts').getByRole('button', { name: 'Show Changes' }).click();
    await file('gone.ts').locator('tr[data-line-type="delete"]').first().waitFor();
    await expect(file('gone.ts').getByText('This file was deleted.')).toHaveCount(0);
  });

  it('has the icons of the file icon theme, beside names that are never cut', async () => {
    await file('numbers.ts').locator('span.file-icon').waitFor();
    assert.ok(
      await window.webview
        .locator('body')
        .evaluate(() => [...document.fonts].some(({ family }) => family === 'file-icons-0')),
    );
  });

  it('shows an image before and after: beside each other, and on each other with a slider, by the keyboard alone', async () => {
    const logo = file('logo.png');
    const { keyboard } = window.page;
    await logo.getByText(/^PNG, \d+ bytes → \d+ bytes$/).waitFor();
    await logo.getByText('2 × 1').waitFor();
    await logo.getByText('3 × 4').waitFor();
    await logo.getByRole('radio', { name: 'Side by Side' }).focus();
    await keyboard.press('ArrowRight');
    const swipe = logo.getByRole('slider', { name: 'Swipe' });
    await swipe.focus();
    await keyboard.press('Home');
    await expect(swipe).toHaveAttribute('aria-valuetext', '100 % of the image after');
    const after = logo.locator('.overlaid-images > :last-child');
    await expect(after).toHaveCSS('clip-path', 'inset(0px 0px 0px 0%)');
    await logo.getByRole('radio', { name: 'Swipe' }).focus();
    await keyboard.press('ArrowRight');
    const onionSkin = logo.getByRole('slider', { name: 'Onion Skin' });
    await onionSkin.focus();
    await keyboard.press('End');
    await keyboard.press('ArrowLeft');
    await expect(after).toHaveCSS('opacity', '0.99');
  });

  it('shows emoji by the names that VS Code knows, but for those in code', async () => {
    await window.webview.getByText('See \u{1f389} :tada: https://example.org/numbers').waitFor();
  });

  it("draws formulas with what VS Code's own preview draws them, and shows one with a mistake as it was written", async () => {
    const { webview } = window;
    const formulas = webview.locator('section[data-section-type="text"] math');
    await formulas.nth(2).waitFor();
    assert.deepEqual(await formulas.evaluateAll((all) => all.map(({ textContent }) => textContent)), [
      'x2∈ℝ',
      '∑i=1ni=n(n+1)2',
      'a=bc=d',
    ]);
    await expect(formulas.first()).toHaveCSS('display', 'math');
    await expect(formulas.nth(1)).toHaveCSS('display', 'block math');
    const isHigher = (): Promise<boolean> =>
      formulas.evaluateAll((all) => {
        const [inLine = 0, byItself = 0] = all.map((formula) => formula.getBoundingClientRect().height);
        return byItself > 1.5 * inLine;
      });
    await expect.poll(isHigher, 'a fraction is higher than a line').toBe(true);
    await webview.getByText(String.raw`, not $\frac{1$, for $5 and $6.`).waitFor();
    await webview.locator('pre > code.language-mermaid', { hasText: 'graph TD; one-->two' }).waitFor();
  });

  it('copies formulas as they were written, also one that is selected in part', async () => {
    const { page, webview } = window;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const first = webview.locator('p', { hasText: 'So ' }).filter({ has: page.locator('math') });
    const last = webview.locator('figure.formula').nth(1);
    const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    const selectNothing = (): Promise<void> =>
      webview.locator('body').evaluate(() => document.getSelection()?.removeAllRanges());
    // Drawing the text again, as when colors of its code come, takes the selection away or a part of it.
    await until(async () => {
      // A selected text would be dragged.
      await selectNothing();
      await last.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      const [from, to] = [await first.boundingBox(), await last.locator('math').boundingBox()];
      if (from && to) {
        await page.mouse.move(from.x + 1, from.y + from.height / 2);
        await page.mouse.down();
        await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 });
        await page.mouse.up();
        await page.keyboard.press('Control+C');
      }
      return /^So .*aligned\}/s.test(await copied());
    });
    assert.equal(
      (await copied()).replaceAll(/\n{2,}/g, '\n\n'),
      [
        String.raw`So $x^2 \in \mathbb{R}$, not $\frac{1$, for $5 and $6.`,
        '$$\n' + String.raw`\sum_{i=1}^{n} i = \frac{n(n+1)}{2}` + '\n$$',
        '$$\n' + String.raw`\begin{aligned} a &= b \\ c &= d \end{aligned}` + '\n$$',
      ].join('\n\n'),
    );
    await selectNothing();
  });

  it('draws formulas in the preview of a text that is written, and has none of them be its source with every key', async () => {
    const { webview, page } = window;
    await webview.getByRole('button', { name: 'Edit section' }).first().click();
    const preview = webview.locator('.editor-preview');
    await preview.locator('math').nth(2).waitFor();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('$u$ ');
    await preview.locator('math', { hasText: 'u' }).waitFor();
    const sources = await preview.evaluateHandle((element) => {
      const seen: string[] = [];
      new MutationObserver(() => seen.push(...(element.textContent.match(/\$u\w*\$/g) ?? []))).observe(
        element,
        {
          childList: true,
          subtree: true,
        },
      );
      return seen;
    });
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    let letters = 'u';
    // A machine that is busy takes longer to draw it than the page waits: then it is its source, and not with the next key.
    await until(async () => {
      const seen = (await sources.jsonValue()).length;
      await page.keyboard.type('v');
      letters += 'v';
      await preview.locator('math', { hasText: letters }).waitFor();
      return (await sources.jsonValue()).length === seen;
    });
    await webview.getByRole('button', { name: 'Cancel' }).click();
    await preview.waitFor({ state: 'detached' });
  });

  it('marks the words that have changed in a line', async () => {
    await showLinesOf('numbers.ts');
    const words = file('numbers.ts').locator('tr[data-line-type="add"] mark');
    await words.first().waitFor();
    await expect(words).toHaveText(['twenty', 'other']);
  });

  it('opens what is not shown between changes, in parts or whole', async () => {
    await showLinesOf('numbers.ts');
    const numbers = file('numbers.ts');
    await numbers.getByText('91 unchanged lines').waitFor();
    await numbers.getByRole('button', { name: 'Show 20 lines after' }).first().click();
    await numbers.getByText('71 unchanged lines').waitFor();
    await numbers.getByText('value(43);').waitFor();
    const all = numbers.getByRole('button', { name: 'Show all unchanged lines' }).nth(1);
    await all.focus();
    await window.page.keyboard.press('Enter');
    await numbers.getByText('value(100);').waitFor();
    await numbers.getByText('71 unchanged lines').waitFor({ state: 'detached' });
  });

  it('leaves room for the tools of a section in its first line, however long that is', async () => {
    const section = window.webview.locator('section[data-section-type="text"]').first();
    await window.page.setViewportSize({ width: 900, height: 800 });
    await section.getByRole('button', { name: 'Edit section' }).waitFor();
    const covered = await section.evaluate((element) => {
      const tools = element.querySelector('[role="toolbar"]')!.getBoundingClientRect();
      const line = document.createTextNode('many words '.repeat(100));
      element.querySelector('.prose')!.firstElementChild!.prepend(line);
      const words = document.createRange();
      words.selectNode(line);
      const rows = [...words.getClientRects()];
      line.remove();
      return rows.filter(({ right, top }) => right > tools.left && top < tools.bottom).length;
    });
    await window.page.setViewportSize({ width: 1280, height: 800 });
    assert.equal(covered, 0);
  });

  it('shows both sides beside each other, in every patch from then on, and one in a narrow pane', async () => {
    await showLinesOf('numbers.ts');
    await press('Side by side');
    await file('numbers.ts').locator('.side-by-side td[data-side="old"] mark').first().waitFor();
    await window.runCommand('View: Close All Editors');
    await window.tree.open('Count to two hundred');
    await showLinesOf('numbers.ts');
    await file('numbers.ts').locator('.side-by-side').waitFor();
    await window.page.setViewportSize({ width: 900, height: 800 });
    await file('numbers.ts').locator('.unified').waitFor();
    await window.page.setViewportSize({ width: 1280, height: 800 });
    // In a narrow pane the button would do the opposite.
    await file('numbers.ts').locator('.side-by-side').waitFor();
    await press('Side by side');
    await file('numbers.ts').locator('.unified').waitFor();
  });

  it('hides changes of whitespace', async () => {
    await showLinesOf('spaces.ts');
    const spaces = file('spaces.ts');
    await spaces.locator('tr[data-line-type="add"]').waitFor();
    await press('Ignore whitespace');
    await spaces.getByText('Only whitespace changed.').waitFor();
    await press('Ignore whitespace');
    await spaces.locator('tr[data-line-type="add"]').waitFor();
  });

  it('folds and unfolds all files', async () => {
    await press('Collapse all files');
    await window.webview.locator('tr.row').first().waitFor({ state: 'detached' });
    await press('Expand all files');
    await file('package-lock.json').getByText('lockfileVersion').waitFor();
  });

  it('opens a file of the working tree at a line, by its number and from the keyboard', async () => {
    await showLinesOf('numbers.ts');
    const row = file('numbers.ts').locator('tr[data-line-type="add"]').last();
    await row.locator('td.line-number').nth(1).click();
    await window.editorTab('numbers.ts').waitFor();
    await window.statusBarItem('Ln 118').waitFor();
    await window.editorTab('Count to two hundred').first().click();
    await file('numbers.ts').locator('.diff table').focus();
    await window.page.keyboard.press('ArrowDown');
    await window.page.keyboard.press('ArrowDown');
    // The lines on screen depend on where the person was.
    const focused = window.webview.locator('tr.row:focus td.line-number').nth(1);
    const line = await focused.getAttribute('data-line');
    await window.page.keyboard.press('Enter');
    await window.statusBarItem(`Ln ${line}`).waitFor();
  });

  it('opens a file as the patch leaves it where the working tree does not have it', async () => {
    git(editor.repository, 'rm', '--quiet', '--cached', 'run.sh');
    const elsewhere = path.join(editor.repository, 'run.sh');
    const text = await readFile(elsewhere);
    git(editor.repository, 'stash', '--quiet', '--include-untracked');
    git(editor.repository, 'rm', '--quiet', '--force', 'run.sh');
    await file('run.sh').getByRole('button', { name: 'Open file' }).click();
    await window.editorTab('run.sh').waitFor();
    await window.page.locator('.monaco-editor .view-line', { hasText: 'echo' }).waitFor();
    git(editor.repository, 'reset', '--quiet', '--hard');
    assert.equal(String(await readFile(elsewhere)), String(text));
  });

  it("opens one file, all files and the commit in VS Code's diff editor", async () => {
    const { page } = window;
    await file('numbers.ts').getByRole('button', { name: 'Open changes' }).click();
    await window.editorTab('numbers.ts (Count to two hundred)').waitFor();
    const modified = page.locator('.monaco-diff-editor .modified-in-monaco-diff-editor');
    await modified.getByText('twenty').click();
    // Of a line that is not in the diff, git alone knows what it holds.
    await modified.getByText('value(12);', { exact: true }).waitFor();
    await page.keyboard.type('x');
    const refusal = page.locator('.monaco-editor-overlaymessage').getByText(/read-only/);
    await expectNone(page.locator('.tab.dirty'), { once: refusal });
    await window.closeEditor();
    for (const name of ['Open all changes in the diff editor', 'Open commit']) {
      if (name === 'Open commit') {
        await window.webview.getByRole('button', { name: /Change and commit IDs$/ }).click();
      }
      await press(name);
      await window.editorTab('Count to two hundred (9 files)').waitFor();
      // One that is new is not taken for one that was renamed.
      const became = (changed: string): Promise<string> =>
        page.locator('.multiDiffEntry').filter({ hasText: changed }).locator('.status').innerText();
      await until(async () => (await became('package-lock.json')) + (await became('name.ts')) === 'AR');
      await window.closeEditor();
    }
  });

  it('colors the code as the editor beside it does, and in the colors of another theme', async () => {
    await showLinesOf('spaces.ts');
    const color = (locator: Locator): Promise<string> =>
      locator.first().evaluate((element) => getComputedStyle(element).color);
    const colors: string[] = [];
    for (const theme of ['Light 2026', 'Dark 2026'] as const) {
      await chooseTheme(window, theme);
      const code = file('spaces.ts').locator('tr[data-line-type="context"] .code');
      const keyword = code.locator('[class^="tok-"]', { hasText: /^if$/ });
      // The theme has its own color for plain text at once, and for keywords once the code is colored anew.
      await expect
        .poll(async () => [colors[0], await color(code)].includes(await color(keyword)))
        .toBe(false);
      colors.push(await color(keyword));
    }
    await file('spaces.ts').getByRole('button', { name: 'Open file' }).click();
    const inEditor = window.page.locator('.view-line span[class^="mtk"]', { hasText: /^if$/ });
    await inEditor.first().waitFor();
    await expect.poll(() => color(inEditor)).toBe(colors[1]);
    await window.closeEditor();
  });

  it('copies the path of a file', async () => {
    await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await file('numbers.ts').getByRole('button', { name: 'Copy path' }).click();
    const copied = 'src/numbers.ts';
    await until(async () => (await window.page.evaluate('navigator.clipboard.readText()')) === copied);
    await window.webview.getByRole('button', { name: 'Find in patch' }).click();
    const box = window.webview.getByRole('textbox', { name: 'Find' });
    await box.focus();
    await window.page.keyboard.press('Control+v');
    await until(async () => (await box.inputValue()) === copied);
  });

  it('renders tables, tasks, footnotes, addresses and code, and leads to the lines that prose names', async () => {
    const text = window.webview.locator('section[data-section-type="text"]').first();
    await text.locator('table td', { hasText: 'one' }).waitFor();
    await text.getByRole('img', { name: 'done' }).waitFor();
    await text.getByRole('img', { name: 'to do' }).waitFor();
    await text.locator('a[href="https://example.org/numbers"]').waitFor();
    await expect(text.locator('a', { hasText: 'README' })).toHaveCount(0);
    await text.locator('pre [class^="tok-"]').first().waitFor();
    await text.locator('.footnote-ref a').click();
    await text.locator('.footnotes-list').getByText('Nothing in it has changed.').waitFor();
    await press('Collapse all files');
    await text.getByRole('button', { name: 'src/numbers.ts#L118-L119' }).click();
    const marked = file('numbers.ts').locator('tr.marked');
    await marked.first().and(window.webview.locator(':focus')).waitFor();
    await expect(marked.locator('.code')).toHaveText(['other(118);', 'value(119);']);
    await press('Expand all files');
  });

  it('finds text in all of it, folded files and hidden lines included, and goes from match to match', async () => {
    await press('Collapse all files');
    await window.webview.locator('header h1').click();
    await window.pressInPatch('Control+f');
    const box = window.webview.getByRole('textbox', { name: 'Find' });
    await box.and(window.webview.locator(':focus')).waitFor();
    await window.page.keyboard.type('VALUE(11');
    const count = window.webview.locator('.find-count');
    await count.getByText(/^1 of \d+$/).waitFor();
    const all = Number((await count.textContent())?.split(' ').at(-1));
    assert.ok(all >= 5, `${all}`);
    await file('numbers.ts').locator('tr.marked', { hasText: 'value(11' }).waitFor();
    await window.page.keyboard.press('Enter');
    await count.getByText(`2 of ${all}`).waitFor();
    await window.page.keyboard.press('Shift+Enter');
    await window.page.keyboard.press('Shift+Enter');
    await count.getByText(`${all} of ${all}`).waitFor();
    await press('Previous match');
    await count.getByText(`${all - 1} of ${all}`).waitFor();
    await press('Next match');
    await press('Next match');
    await count.getByText(`1 of ${all}`).waitFor();
    await window.webview.getByRole('button', { name: 'Match case' }).click();
    await count.getByText('No results').waitFor();
    await box.focus();
    await window.page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
    await press('Expand all files');
  });

  it('has an outline, which follows the scrolling and is walked with the keyboard', async () => {
    const { webview, page } = window;
    await page.setViewportSize({ width: 1500, height: 800 });
    const outline = webview.getByRole('navigation', { name: 'Outline' });
    await outline.getByRole('button', { name: 'How it counts \u{1f389}' }).waitFor();
    await outline.getByRole('button', { name: /numbers\.ts/ }).click();
    await file('numbers.ts').and(webview.locator(':focus')).waitFor();
    await outline.locator('[aria-current="true"]', { hasText: 'numbers.ts' }).waitFor();
    // It stays where it is, however far the text is scrolled, as does the toolbar above it.
    await until(() => webview.locator('html').evaluate((element) => element.scrollTop > 200));
    const bar = (await webview.locator('.document-toolbar').boundingBox())!;
    const list = (await outline.boundingBox())!;
    const panel = (await page.locator('iframe.webview.ready:visible').boundingBox())!;
    assert.ok(Math.abs(bar.y - panel.y) < 2, JSON.stringify({ bar, panel }));
    assert.ok(Math.abs(list.y - (bar.y + bar.height)) < 2, JSON.stringify({ bar, list }));
    await outline.locator('[aria-current="true"]').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await webview
      .locator('section[data-section-type="text"]')
      .first()
      .and(webview.locator(':focus'))
      .waitFor();
    await outline.locator('[aria-current="true"]', { hasText: 'How it counts' }).waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await outline.waitFor({ state: 'detached' });
    await press('Outline');
    await outline.getByRole('button', { name: /numbers\.ts/ }).focus();
    await page.keyboard.press('Enter');
    await outline.waitFor({ state: 'detached' });
    await file('numbers.ts').and(webview.locator(':focus')).waitFor();
  });

  it('ticks what was read, by itself or by the person, until it changes', async () => {
    const { webview } = window;
    const numbers = file('numbers.ts');
    const text = webview.locator('section[data-section-type="text"]').first();
    const tick = numbers.getByRole('checkbox', { name: 'Read: src/numbers.ts' });
    const ofText = text.getByRole('checkbox');
    /** Waits until the tree, which shows what is kept, has the number that the page shows already. */
    const isNoted = async (): Promise<void> => {
      const row = window.tree.row('Count to two hundred');
      const count = webview.locator('.document-toolbar').getByText(/^\d+ of 10 read$/);
      await expect
        .poll(async () => (await row.getAttribute('aria-label'))?.includes(await count.innerText()))
        .toBe(true);
    };
    // Whatever was read by a look before: what the person calls unread stays unread, however long it is on the screen.
    await tick.check();
    await tick.uncheck();
    await expect(tick).not.toBeChecked();
    await tick.check();
    await numbers.locator('tr.row').first().waitFor({ state: 'detached' });
    await ofText.check();
    await isNoted();
    await ofText.focus();
    await window.page.keyboard.press('Space');
    await expect(ofText).not.toBeChecked();
    await isNoted();
    await window.page.keyboard.press('Space');
    await expect(ofText).toBeChecked();
    await isNoted();
    await window.runCommand('View: Close All Editors');
    await window.tree.open('Count to two hundred');
    await expect(tick).toBeChecked();
    await expect(ofText).toBeChecked();

    await writeFile(
      path.join(editor.repository, 'src/numbers.ts'),
      numbered(200, () => 'changed();'),
    );
    git(editor.repository, 'commit', '--quiet', '--all', '--amend', '--no-edit');
    await editor.service.importRepository();
    await window.runCommand('Patch Stacks: Refresh');
    await window.runCommand('View: Close All Editors');
    await window.tree.expand(/^count/i);
    await window.tree.row('Count to two hundred').getByText('v2').waitFor();
    await window.tree.open('Count to two hundred');
    await numbers.locator('tr[data-line-type="delete"]', { hasText: 'value(1);' }).waitFor();
    await expect(tick).not.toBeChecked();
    await expect(ofText).toBeChecked();
  });

  it('has no fault that axe finds, in every theme, with a section open for writing', async () => {
    await press('Expand all files');
    await window.webview.getByRole('button', { name: 'Edit section' }).first().click();
    await window.webview.locator('.cm-content').waitFor();
    await window.webview.locator('.preview-block').first().waitFor();
    await window.page.setViewportSize({ width: 1500, height: 800 });
    for (const theme of themes) {
      await chooseTheme(window, theme);
      await expectNoFaults(window.webview, { message: theme });
    }
  });
});
