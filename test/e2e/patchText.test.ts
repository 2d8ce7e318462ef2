import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { Editor } from '../support/editor.ts';
import { git } from '../support/exampleRepository.ts';
import { expect, expectNone } from '../support/expect.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

const title = 'Count in words';

/** Begins in the middle of the file, inside a string over many lines. */
const page = (greeting: string): string =>
  [
    'export const page = `',
    ...Array.from({ length: 12 }, (_value, index) => `  <p>${index}</p>`),
    `  <h1>${greeting}</h1>`,
    '`;',
    'export const length = 3;',
    'const other = "four";',
    '',
  ].join('\n');

describe('the text of a patch', function () {
  this.timeout(180_000);
  let editor: Editor;
  let window: Workbench;

  before(async () => {
    editor = await Editor.start({ signedIn: true });
    const { repository } = editor;
    const write = async (file: string, text: string): Promise<void> => {
      await mkdir(path.dirname(path.join(repository, file)), { recursive: true });
      await writeFile(path.join(repository, file), text);
    };
    const commit = (...args: string[]): void => {
      git(repository, 'add', '--all');
      git(repository, 'commit', '--quiet', ...args);
    };
    git(repository, 'switch', '--quiet', 'main');
    git(repository, 'switch', '--quiet', '--create', 'count');
    await write('.gitattributes', '* -text\n');
    await write('src/first.ts', 'const one = 1;\nconst two = 2;\n\nexport { one, two };\n');
    await write('src/page.ts', page('Hello'));
    await write('src/second.ts', 'const three = 3;\nconst four = 4;\n');
    await write('windows.txt', 'first\nsecond\nthird\n');
    commit('-m', 'Begin to count');
    await write('src/first.ts', "const one = 'one';\nconst two = 2;\n\nexport { one, two };\n");
    await write('src/page.ts', page('Good day'));
    await write('src/second.ts', "const three = 'three';\nconst four = 4;\n");
    await write('windows.txt', 'first\r\nsecond\r\nthird\r\n');
    await write('empty.txt', '');
    commit(
      '-m',
      title,
      '-m',
      'Read these words first.\n\nThey are about numbers.',
      '-m',
      'Reviewed-by: Grace <grace@example.org>\nSigned-off-by: Ada <ada@example.org>',
    );
    await editor.service.importRepository();
    const context = await editor.openContext();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    window = await editor.openWindow({ context });
    await window.page.setViewportSize({ width: 1280, height: 1300 });
    await window.tree.expand('greetings');
    await window.tree.expand(/^count/i);
  });

  beforeEach(async () => {
    await window.tree.open(title);
    await window.webview.locator('.document:not(.beginning) h1', { hasText: title }).waitFor();
  });

  tidyAfterEach(() => window, { editors: true });

  after(async () => {
    await editor.close();
  });

  const file = (name: string): Locator =>
    window.webview.locator('section[data-section-type="diff"]').filter({
      has: window.webview.locator('h2', { hasText: name }),
    });
  const prose = (): Locator => window.webview.locator('section[data-section-type="text"]').first();
  const code = (name: string, text: string, side = ''): Locator =>
    file(name).locator(`td.code${side}`, { hasText: text });

  /** Selects with the mouse from the start of one element's text to the end of another's. */
  async function select(from: Locator, to: Locator): Promise<void> {
    const { mouse } = window.page;
    // A text that is selected already would be dragged.
    await window.webview.locator('.patch-header h1').click();
    await from.scrollIntoViewIfNeeded();
    const start = (await from.boundingBox())!;
    const end = (await to.boundingBox())!;
    await mouse.move(start.x + 1, start.y + 5);
    await mouse.down();
    await mouse.move(end.x + 20, end.y + end.height / 2, { steps: 6 });
    await mouse.move(end.x + end.width - 2, end.y + end.height - 4, { steps: 3 });
    await mouse.up();
  }

  /** The text that Ctrl+C copies. */
  async function copied(): Promise<string> {
    await window.page.evaluate('navigator.clipboard.writeText("nothing yet")');
    await window.page.keyboard.press('Control+C');
    let text = '';
    await until(async () => {
      text = await window.page.evaluate('navigator.clipboard.readText()');
      return text !== 'nothing yet';
    });
    return text;
  }

  const selected = (): Promise<string> =>
    window.webview.locator('body').evaluate(() => document.getSelection()?.toString() ?? '');

  it('is selected in prose by dragging, and edited by a double click alone', async () => {
    const { webview } = window;
    await select(prose().getByText('Read these words first.'), prose().getByText('They are about numbers.'));
    await expect.poll(selected).toMatch(/^Read these words first\.\s+They are about numbers\.$/);
    assert.match(await copied(), /^Read these words first\.\s+They are about numbers\.\s*$/);
    await prose().getByText('Read these words first.').click();
    // The section has the focus once the click has done all that it does.
    const section = webview.locator('section.section:focus');
    await expectNone(webview.locator('.cm-content'), { once: section });
    await window.page.keyboard.press('Enter');
    await webview.locator('.cm-content').and(webview.locator(':focus')).waitFor();
    await window.page.keyboard.press('Escape');
    await webview.locator('.cm-content').waitFor({ state: 'detached' });
    await prose().getByText('Read these words first.').dblclick();
    await webview.locator('.cm-content').and(webview.locator(':focus')).waitFor();
    await window.page.keyboard.press('Escape');
    await webview.locator('.cm-content').waitFor({ state: 'detached' });
  });

  it('is copied from a diff as the code alone', async () => {
    await select(code('first.ts', 'const one = 1'), code('first.ts', 'export'));
    const lines = ['const one = 1;', "const one = 'one';", 'const two = 2;', '', 'export { one, two };'];
    assert.equal(await copied(), lines.join('\n'));
  });

  it('is copied across prose, sections and files', async () => {
    await select(prose().getByText('They are about numbers.'), code('second.ts', 'const four'));
    const text = await copied();
    assert.match(text, /^They are about numbers\.\n/);
    assert.match(text, /\nsrc\/first\.ts\n\nconst one = 1;\nconst one = 'one';\nconst two = 2;\n\nexport/);
    assert.match(text, /\nsrc\/second\.ts\n\nconst three = 3;\nconst three = 'three';\nconst four = 4;$/);
    assert.doesNotMatch(text, /^[+−-]|^\d+$|^Read$|\t/m);
    await select(code('first.ts', 'export'), code('second.ts', 'const four'));
    assert.match(await copied(), /^export \{ one, two \};\n[^]*\nconst four = 4;$/);
  });

  it('is copied of one side where two stand beside each other, in all files', async () => {
    const { webview, page: browserPage } = window;
    await browserPage.setViewportSize({ width: 1700, height: 1300 });
    await webview.getByRole('button', { name: 'Side by side', exact: true }).click();
    const [left, right] = ['[data-side="old"]', '[data-side="new"]'];
    await code('first.ts', 'const one', left).waitFor();
    await select(code('first.ts', 'const one', left), code('first.ts', 'export', left));
    assert.equal(await copied(), 'const one = 1;\nconst two = 2;\n\nexport { one, two };');
    await select(code('first.ts', 'const two', right), code('second.ts', 'const four', right));
    const text = await copied();
    assert.match(text, /^const two = 2;\n\nexport/);
    assert.match(text, /\nconst three = 'three';\nconst four = 4;$/);
    assert.doesNotMatch(text, /three = 3/);
    await select(code('first.ts', 'const two', left), code('second.ts', 'const four', left));
    assert.match(await copied(), /\nconst three = 3;\nconst four = 4;$/);
    await select(prose().getByText('They are about numbers.'), code('first.ts', 'const two', right));
    assert.match(await copied(), /\nconst one = 'one';\nconst two = 2;$/);
    await webview.getByRole('button', { name: 'Side by side', exact: true }).click();
    await browserPage.setViewportSize({ width: 1280, height: 1300 });
  });

  it('says that a file is empty, that line ends have changed, and each trailer on its own line', async () => {
    await file('empty.txt').getByText('The file is empty.').waitFor();
    const ends = file('windows.txt');
    const note = ends.getByText('Only line endings changed, from LF to CRLF.');
    await expectNone(ends.locator('tr.row'), { once: note });
    await ends.getByRole('button', { name: 'Show These Lines' }).click();
    await ends.locator('tr[data-line-type="add"] .hidden-character').first().waitFor();
    const trailers = prose().locator('p', { hasText: 'Signed-off-by' });
    await expect
      .poll(() => trailers.innerText())
      .toBe('Reviewed-by: Grace grace@example.org\nSigned-off-by: Ada ada@example.org');
  });

  it('has the colors of the whole file, though its diff begins in the middle of a string', async () => {
    const looks = (text: string): Promise<string | null> =>
      code('page.ts', text).first().locator('span').first().getAttribute('class', { timeout: 5_000 });
    // Without the file, the words of the text would look like those of a language.
    await until(async () => {
      const [inside, alsoInside, keyword] = [
        await looks('Good day'),
        await looks('Hello'),
        await looks('const other'),
      ];
      return inside === alsoInside && inside !== keyword;
    });
    assert.notEqual(await looks('export const length'), await looks('Hello'));
  });

  it('is selected in names of files and of people, which are pressed anyway', async () => {
    const { webview } = window;
    const name = file('second.ts').locator('h2 .path');
    await select(name, name);
    await expect.poll(selected).toBe('src/second.ts');
    assert.equal(await copied(), 'src/second.ts');
    await code('second.ts', 'const four').waitFor();
    await name.click();
    await code('second.ts', 'const four').waitFor({ state: 'detached' });
    await name.press('Enter');
    await code('second.ts', 'const four').waitFor();
    const person = webview.locator('.authors bdi').first();
    await select(person, person);
    await expect.poll(selected).toMatch(/Ada/);
  });
});
