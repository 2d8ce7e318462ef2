/**
 * Takes screenshots of every state of the patch document, to be looked at: in each theme, and where it matters in a narrow, an
 * enlarged, a wide window too. All pictures of a state are on one sheet: FOLDER/STATE.png.
 *
 *   node tools/bootstrap.mjs tools/pictures/documentPictures.ts [--only STATE,…] [FOLDER]
 */
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Locator } from 'playwright-core';
import { Author, numberedLines } from '../../test/support/author.ts';
import { git } from '../../test/support/exampleRepository.ts';
import { reply, resetBeforeHeaders, stalledHeaders } from '../../test/support/faultServer.ts';
import { extensionHostOf } from '../../test/support/extensionHost.ts';
import { plantChange } from '../../test/support/plantedChanges.ts';
import { pngOf } from '../../test/support/png.ts';
import { followSystemTheme } from '../../test/support/pageChecks.ts';
import { until } from '../../test/support/until.ts';
import { WrittenPatch } from '../../test/support/writtenPatch.ts';
import { buildExtension } from '../build.ts';
import { testFolder } from '../provision.ts';
import { all, PictureSheets, small } from './pictureSheets.ts';

const { values: options, positionals } = parseArgs({
  options: { only: { type: 'string' } },
  allowPositionals: true,
});
const folder = path.resolve(positionals[0] ?? path.join(testFolder, 'documentPictures'));
const only = options.only?.split(',');

const title = 'Greet people by name';
const texts = [
  '# Why\n\nA greeting without a name is **rude**: people notice. See `src/greet.ts#L1-L3`.\n\n- [x] names\n- [ ] titles',
  '## How\n\n| Before | After |\n|---|---|\n| `Hello` | `Hello, Ada` |\n\n```ts\nconst greeting = greet("Ada"); // for people\n```',
  '## What is left\n\n> Titles and honors.\n\n1. ask\n2. listen',
];

/** All that prose can hold. */
const prose = `# Everything that prose has

A paragraph with *emphasis*, **importance**, ~~what is gone~~, <kbd>Ctrl</kbd>+<kbd>K</kbd>, [a link](https://example.org),
https://example.org by itself, \`code\`, a footnote[^1], src/greet.ts#L1-L3 and a picture ![of a cat](https://example.org/cat.png).

## A second heading
### A third heading
#### A fourth heading

- a list
  - in a list
    1. in a list
- [x] done
- [ ] to do
  with a second line

> A quotation.
>
> - with a list
>
> > and another quotation

---

| Left | Middle | Right |
|:-----|:------:|------:|
| a long cell that has to be wrapped where there is little room | \`b\` | 1 |
| c | d | 1,000 |

\`\`\`python
def greet(name: str) -> str:  # a comment
    return f"Hello, {name}, and everybody else who reads this line to its very end, which is not on screen"
\`\`\`

    indented code

A formula in a line, $e^{i\\pi} + 1 = 0$ or $\\forall x \\in \\mathbb{R}: \\sqrt{x^2} = |x|$, one with a mistake, $\\frac{1$, and others by themselves:

$$
\\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{2} \\qquad \\left( \\sum_{k=1}^{n} k \\right)^2 = \\boxed{\\frac{n^2(n+1)^2}{4}}
$$

\`\`\`math
\\begin{aligned} f(x) &= (x+1)^2 \\\\ &= x^2 + 2x + 1 \\end{aligned}
\\qquad \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix} \\cancel{y} \\mathbf{F} = m\\vec{a}
\`\`\`

\`\`\`mermaid
graph LR; one --> two
\`\`\`

<details open><summary>More of it</summary>

What was folded.

</details>

[^1]: What the footnote says.
`;

/** In a script that is written from right to left. */
const hebrew = {
  title: 'לברך אנשים בשמם (greet.ts)',
  text: '# למה\n\nברכה בלי שם היא **גסה**: אנשים שמים לב. ראו `src/greet.ts#L1-L3`.\n\n- [x] שמות\n- [ ] תארים\n\n> תארים וכיבודים.\n\n1. לשאול\n2. להקשיב',
};

await buildExtension();
await mkdir(folder, { recursive: true });
const patch = await WrittenPatch.open(texts);
const { editor, window, page, webview, source } = patch;
const { keyboard, mouse } = page;
const sheets = new PictureSheets(window, folder, only);
const take = sheets.take.bind(sheets);
try {
  await followSystemTheme(window);
  await addPatches();
  await photographReading();
  await photographFiles();
  await photographWriting();
  await photographMoving();
  await photographReviews();
  await photographSignOff();
  await photographStackStatuses();
  await photographFailures();
  await photographComparison();
  await photographForm();
  await photographSilence();
} catch (error) {
  await page.screenshot({ path: path.join(folder, 'broken.png') });
  throw error;
} finally {
  await patch.close();
}

/** Patches that are empty, large and huge, one with a file of each kind, and those that cannot be read. */
async function addPatches(): Promise<void> {
  const { repository } = editor;
  const commit = (name: string): void => {
    git(repository, 'add', '--all');
    git(repository, 'commit', '--quiet', '--allow-empty', '-m', name);
  };
  const write = (file: string, content: string | Uint8Array): Promise<void> =>
    writeFile(path.join(repository, file), content);
  const numbers = Array.from(
    { length: 200 },
    (_value, index) => `count(${index}); // ${'on and '.repeat(index % 9)}on`,
  );
  await write('numbers.ts', numbers.join('\n'));
  commit('Count');
  numbers[60] = 'count(60, "slowly");\u202e // not what it looks like';
  numbers[62] = '\tcount( 62 );';
  numbers.splice(120, 2, `count(${'1 + '.repeat(60)}0);`);
  numbers[190] = `${numbers[190] ?? ''} `;
  await write('numbers.ts', `${numbers.join('\n')}\n`);
  commit('Count in another way');
  for (const name of ['Change nothing', 'Wait for ever', 'Fail', 'Be gone', 'Be out of reach']) {
    commit(name);
  }
  await write('run.sh', 'echo\n');
  commit('Add a script');
  git(repository, 'mv', 'src/people.ts', 'src/humans.ts');
  await chmod(path.join(repository, 'run.sh'), 0o755);
  await write('package-lock.json', '{}\n');
  await write(
    'picture.bin',
    Uint8Array.from({ length: 900 }, (_value, index) => index % 256),
  );
  await write('src/greet.ts', `// A greeting\n\n${'// and more of it\n'.repeat(60)}`);
  commit('Set everything up');
  const plan = Array.from({ length: 12 }, (_value, index) => `  step(${index}, 'of the plan that moves');`);
  const steps = ['function plan() {', ...plan, '}', ''].join('\n');
  const folders = 'packages/services/authentication/providers/internal/sessions';
  await mkdir(path.join(repository, folders, 'legacy'), { recursive: true });
  await write('plan.ts', `${steps}\n${numberedLines('plan')}`);
  await write('steps.ts', numberedLines('step'));
  await write('gone.ts', numberedLines('gone'));
  await write('picture.png', pngOf(320, 200));
  await write(`${folders}/legacy/concurrent.ts`, numberedLines('of many'));
  commit('Plan');
  await write('plan.ts', numberedLines('plan'));
  await write('steps.ts', `${numberedLines('step')}\n${steps}`);
  await write('picture.png', pngOf(400, 160, [200, 120, 60]));
  await write('made.go', '// Code generated by hand. DO NOT EDIT.\n');
  await rm(path.join(repository, 'gone.ts'));
  await mkdir(path.join(repository, folders, 'current'), { recursive: true });
  git(repository, 'mv', `${folders}/legacy/concurrent.ts`, `${folders}/current/pool.ts`);
  commit('Move the plan');
  await write('huge.txt', Array.from({ length: 20_000 }, (_value, index) => `line ${index}`).join('\n'));
  commit('Add a huge file');
  await mkdir(path.join(repository, 'src/people/of/many/countries'), { recursive: true });
  for (let index = 0; index < 120; index++) {
    const lines = Array.from({ length: 30 }, (_value, line) => `export const greeting${line} = '${index}';`);
    await write(`src/people/of/many/countries/greeting${index}.ts`, lines.join('\n'));
  }
  commit('Greet everybody in the world');
  await patch.importRepository();
  await window.runCommand('Patch Stacks: Refresh');
}

/** Opens a patch, beside nothing. */
async function open(name: string, stack = /größer/i): Promise<void> {
  await window.runCommand('View: Close All Editors');
  await window.runCommand('Notifications: Clear All Notifications');
  await window.runCommand('View: Show Patch Stacks');
  await window.tree.expand('greetings');
  await window.tree.expand(stack);
  // A row that is drawn again while it is clicked opens nothing.
  await window.tree.settled();
  await window.tree.open(name);
  await window.runCommand('View: Close Primary Side Bar');
}

/** Opens a patch, and waits until it is drawn. */
async function show(name: string, stack?: RegExp): Promise<void> {
  await open(name, stack);
  await webview.locator('.document:not(.beginning) h1', { hasText: name }).waitFor();
}

function section(words: string): Locator {
  return webview.locator('.document:not(.beginning) section.section').filter({ hasText: words }).first();
}

function file(name: string): Locator {
  return webview
    .locator('.document:not(.beginning) section[data-section-type="diff"]')
    .filter({ hasText: name })
    .first();
}

/** Presses a button of the document. */
async function press(name: string): Promise<void> {
  await webview.getByRole('button', { name, exact: true }).click();
}

async function toTop(): Promise<void> {
  await webview.locator('html').evaluate((element) => element.scrollTo(0, 0));
}

async function photographReading(): Promise<void> {
  await show(title);
  await section('rude').locator('.prose').waitFor();
  await webview.locator('.code [class^="tok-"]').first().waitFor();
  await take('typical', { also: all });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await webview.locator('body.vscode-reduce-motion').waitFor();
  await section('Before').hover();
  await take('reduced-motion');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await mouse.move(0, 0);

  // In the whole window it is beside the text until it is closed, in a small one over the text when it is opened.
  const outline = webview.getByRole('navigation', { name: 'Outline' });
  const setOutline = async (shown: boolean): Promise<void> => {
    if ((await outline.isVisible()) !== shown) {
      await press('Outline');
      await outline.waitFor({ state: shown ? 'visible' : 'hidden' });
    }
  };
  await setOutline(false);
  await take('outline', { also: small, before: () => setOutline(true) });
  await setOutline(true);

  await press('Find in patch');
  await webview.getByRole('textbox', { name: 'Find' }).fill('name');
  await webview
    .locator('.find-count')
    .getByText(/^1 of \d+$/)
    .waitFor();
  await take('find', { also: small });
  await keyboard.press('Escape');

  await press('Side by side');
  await take('side-by-side', { also: all, of: file('greet.ts').locator('tr').last() });
  await press('Side by side');
  await take('unified', { of: file('greet.ts').locator('tr').last() });
  await webview.getByRole('button', { name: 'src/greet.ts#L1-L3' }).click();
  await webview.locator('tr.marked').first().waitFor();
  await take('marked');
  await toTop();
  const marks = [section('rude'), file('greet.ts')].map((one) => one.getByRole('checkbox').first());
  for (const mark of marks) {
    await mark.check();
  }
  await take('viewed', { also: small });
  for (const mark of marks) {
    // The answer to the tick may come after it was taken away.
    await until(async () => {
      if (await mark.isChecked()) {
        await mark.click();
      }
      return !(await mark.isChecked());
    });
  }

  await section('rude').hover();
  await take('hovered');
  await section('rude').focus();
  await keyboard.press('Tab');
  await take('focused');

  await show('Set everything up');
  await webview.locator('.badge', { hasText: 'renamed' }).waitFor();
  await take('files', { also: small });
  await press('Collapse all files');
  await take('folded');
  await press('Expand all files');
  // The header of the file stays while its lines scroll below it.
  await take('scrolled', { also: small, of: file('greet.ts').locator('tr[data-row="30"]') });
  await show('Count in another way');
  await webview.locator('tr.gap').first().waitFor();
  await take('gaps', { also: small });
  await press('Side by side');
  await take('gaps-side-by-side');
  await press('Side by side');
  await press('Ignore whitespace');
  await take('white-space');
  await press('Ignore whitespace');
  await show('Add a huge file');
  await webview.getByRole('button', { name: 'huge.txt', exact: true }).waitFor();
  await take('huge');
  await show('Greet everybody in the world');
  await webview.locator('tr.row').first().waitFor();
  await take('large', { also: small });
  await show('Change nothing');
  await webview.getByText("This patch doesn't have any sections.").waitFor();
  await take('empty', { also: small });
}

async function photographWriting(): Promise<void> {
  await show(title);
  const edit = async (words: string, typed: string): Promise<void> => {
    await section(words).focus();
    await keyboard.press('Enter');
    await source.and(webview.locator(':focus')).waitFor();
    await keyboard.press('Control+End');
    await keyboard.insertText(typed);
    await webview.getByText('Saved locally').waitFor();
  };
  const footer = webview.locator('.editor-footer');
  const discard = async (): Promise<void> => {
    await webview.locator('.problem').getByRole('button', { name: 'Discard' }).click();
    await source.waitFor({ state: 'detached' });
    await window.runCommand('Notifications: Clear All Notifications');
  };
  await edit('rude', '\n\nAnd a **bold** word, [a link](https://example.org) and `code`.');
  await take('editing', { also: small });
  await keyboard.press('Escape');
  await source.waitFor({ state: 'detached' });
  await webview.locator('.writing-note', { hasText: 'Your change was discarded.' }).waitFor();
  await take('discarded', { also: small });

  await press('Dismiss');
  await webview.getByRole('button', { name: 'Insert section after Why' }).focus();
  await take('gap', { also: small });
  await keyboard.press('Enter');
  await source.and(webview.locator(':focus')).waitFor();
  await take('adding');
  await keyboard.press('Escape');
  await source.waitFor({ state: 'detached' });

  const looked = Promise.withResolvers<null>();
  patch.failWrites(async (response, request, attempt) => {
    await looked.promise;
    await reply(403, '{"error":"Only members may write."}')(response, request, attempt);
  });
  await edit('honors', ' And medals.');
  await keyboard.press('Control+Enter');
  await webview.getByText('Saving…').waitFor();
  await take('saving', { of: footer });
  looked.resolve(null);
  await webview.getByText(/Only members may write/).waitFor();
  await take('refused', { also: small, of: footer });
  await discard();
  patch.failWrites(resetBeforeHeaders);
  await edit('honors', ' And medals.');
  await keyboard.press('Control+Enter');
  await webview.getByText('Not sent, saved locally').waitFor();
  await take('unsent', { of: footer });
  await discard();
  patch.recover();

  const [text = ''] = (await patch.contents()).filter((content) => content.includes('honors'));
  await edit('honors', ' Mine.');
  await patch.changeElsewhere('honors', `${text} Theirs.`);
  await keyboard.press('Control+Enter');
  await webview.getByText(/Resolve the conflict/).waitFor();
  await take('conflict', { also: small, of: footer });
  await discard();

  await edit('honors', ' Saved.');
  await keyboard.press('Control+Enter');
  await source.waitFor({ state: 'detached' });
  await take('saved');

  await edit('honors', ' Not yet.');
  await patch.deleteElsewhere('honors');
  await keyboard.press('Control+Enter');
  await webview.getByRole('button', { name: 'Add as New Section' }).waitFor();
  await take('gone', { of: footer });
  await webview.getByRole('button', { name: 'Add as New Section' }).click();
  await source.waitFor({ state: 'detached' });
}

async function photographMoving(): Promise<void> {
  const handle = (words: string): Locator => section(words).locator('.drag-handle');
  const dismiss = webview.locator('.status-line').getByRole('button', { name: 'Dismiss' });
  await toTop();
  if (await dismiss.isVisible()) {
    await dismiss.click();
  }
  await section('rude').hover();
  await handle('rude').click();
  await section('Before').hover();
  await handle('Before').click();
  await webview.getByText('2 sections selected').waitFor({ state: 'attached' });
  await take('selected', { also: small });
  await keyboard.press('Escape');

  await section('rude').hover();
  const from = await handle('rude').boundingBox();
  const to = await section('Before').boundingBox();
  if (!from || !to) {
    throw new Error('There is nothing to drag.');
  }
  await mouse.move(from.x + 8, from.y + 8);
  await mouse.down();
  await mouse.move(from.x + 8, from.y + 40, { steps: 4 });
  // Nobody says after how many moves the browser drags.
  await until(async () => {
    await mouse.move(to.x + 60, to.y + to.height - 4, { steps: 8 });
    return webview.locator('section[data-drop-edge]').first().isVisible();
  });
  await take('dragging');
  await mouse.move(to.x + 62, to.y + to.height - 4, { steps: 2 });
  await mouse.up();
  await webview.locator('.status-line .writing-note').waitFor();
  await take('moved');
  await webview.locator('.status-line').getByText('Undo').click();
  await dismiss.click();

  await section('honors').focus();
  await window.runCommand('Patch Stacks: Delete Section');
  await section('honors').waitFor({ state: 'detached' });
  await webview.locator('.status-line .writing-note').waitFor();
  await take('deleted', { also: small });
  await webview.locator('.status-line').getByText('Undo').click();
  await section('honors').waitFor();
  // It is shown before the server has it again.
  await until(async () => (await patch.contents()).some((content) => content.includes('honors')));

  patch.failWrites(resetBeforeHeaders);
  await section('honors').focus();
  await window.pressInPatch('Alt+ArrowUp', 'section');
  await webview.getByText(/Couldn't save the new section order/).waitFor();
  await window.runCommand('Notifications: Clear All Notifications');
  await take('not-moved', { also: small });
  await webview.locator('.problem').getByRole('button', { name: 'Discard' }).click();
  patch.recover();
}

/** The header's reviews, and sections that can't be read. */
async function photographReviews(): Promise<void> {
  await show(title);
  const people = ['Grace Hopper', 'Emmy Noether', 'שרה', 'Somebody with quite a long name indeed'];
  const users = people.map((name, index) => ({ id: 10 + index, login: `user${index}`, name }));
  const review = { viewed: users, signed_off: users.slice(0, 2), rejected: [] as object[] };
  const change = async (amend: (read: Record<string, unknown>) => unknown, until: string): Promise<void> => {
    patch.amendReads(amend);
    await window.runCommand('Patch Stacks: Refresh');
    await webview.locator('.document:not(.beginning)').getByText(until).first().waitFor();
    await toTop();
    await window.runCommand('Notifications: Clear All Notifications');
  };
  await change(
    (read) => ({ ...read, review: { signed_off: users.slice(0, 1) }, review_all: review }),
    'Signed off by',
  );
  await take('signed-off', { also: small });
  await change(
    (read) => ({
      ...read,
      title: `${title}, ${'and by every other word that they like to be called by, '.repeat(3)}`,
      description: 'What the service says of it: **more** than the first section does.\n\nIn two paragraphs.',
      review_all: { ...review, signed_off: [], rejected: users.slice(1) },
    }),
    'Changes requested by',
  );
  await take('rejected', { also: small });
  await change(
    (read) => ({
      ...read,
      sections: [
        { id: 1, code: 'odd', section_type: 'hologram', position: 0 },
        ...(read['sections'] as object[]),
      ],
    }),
    'Couldn\'t read section "odd"',
  );
  await take('unreadable');
  const withText = (data: string) => (read: Record<string, unknown>) => ({
    ...read,
    sections: [
      { id: 1, code: 'prose', section_type: 'text', type: 'text', position: 0, data },
      ...(read['sections'] as object[]),
    ],
  });
  await change(withText(prose), 'Everything that prose has');
  await take('prose', { also: small });
  await section('Everything that prose has')
    .locator('hr')
    .first()
    .evaluate((element) => element.scrollIntoView());
  await take('prose-continued', { also: small });
  const endless = 'x'.repeat(200);
  await change(
    (read) => ({
      ...withText(`# ${endless}\n\n${endless} \`${endless}\` [${endless}](https://example.org)`)(read),
      title: endless,
      contributors: [{ user: { id: 20, login: endless, name: endless } }, { text: endless }],
      version: endless,
      review_all: { ...review, viewed: [{ id: 20, login: endless, name: endless }] },
      sections: (read['sections'] as Record<string, unknown>[]).map((given) =>
        given['section_type'] === 'text'
          ? { ...given, data: `# ${endless}\n\n${endless} \`${endless}\` [${endless}](https://example.org)` }
          : { ...given, new_path: `${'folder/'.repeat(30)}${endless}.ts` },
      ),
    }),
    endless,
  );
  await take('endless', { also: all });
  await take('endless-file', { also: small, of: file('folder/').locator('tr').last() });
  const { title: rightToLeft, text } = hebrew;
  await change(
    (read) => ({
      ...withText(text)(read),
      title: rightToLeft,
      description: `${rightToLeft}.`,
      review_all: review,
    }),
    rightToLeft,
  );
  await take('right-to-left', { also: small });
  patch.recover();
  await window.runCommand('Patch Stacks: Refresh');
}

/** Images, lines that were moved, and files that begin folded. */
async function photographFiles(): Promise<void> {
  await show('Move the plan');
  const picture = file('picture.png');
  await picture.locator('.image-size').nth(1).waitFor();
  await take('images', { also: all, of: picture.locator('figure').last() });
  await picture.getByLabel('Swipe').check();
  await take('images-swipe', { also: small, of: picture.locator('.overlaid') });
  await picture.getByLabel('Onion Skin').check();
  await take('images-onion-skin', { of: picture.locator('.overlaid') });
  await file('steps.ts').locator('.moved-label').waitFor();
  await take('moved-lines', { also: all, of: file('steps.ts').locator('tr').last() });
  await press('Side by side');
  await take('moved-lines-side-by-side', { of: file('steps.ts').locator('tr').last() });
  await press('Side by side');
  await file('gone.ts').getByText('This file was deleted.').waitFor();
  await take('folded', { also: all, of: file('pool.ts') });
}

/** The reasons that keep a patch from being signed off, and its changes since it was. */
async function photographSignOff(): Promise<void> {
  await show('Greet everybody in the world');
  await press('Sign Off');
  await webview.locator('.unseen-note').waitFor();
  await take('unseen', { also: all });
  await show(title);
  await window.runCommand('Patch Stacks: Sign Off Patch Anyway');
  await webview.locator('.reviewers', { hasText: 'Signed off by' }).waitFor();
  await patch.changeElsewhere('Titles and honors', '## What is left\n\nNothing.');
  await window.runCommand('Patch Stacks: Refresh');
  await webview.locator('.since-sign-off').waitFor();
  await toTop();
  await window.runCommand('Notifications: Clear All Notifications');
  await take('since-sign-off', { also: small });
}

/** A patch that was read, and rebased, amended and reworded since. */
async function photographComparison(): Promise<void> {
  const author = new Author(editor.repository);
  const update = async (): Promise<void> => {
    await editor.service.importRepository();
    await window.runCommand('Patch Stacks: Refresh');
  };
  author.goOnWithMain('Add lists', () =>
    author.write({ 'list.txt': numberedLines('line'), 'other.txt': numberedLines('other') }),
  );
  author.begin('tale');
  // A stack of one patch would have the title of the patch.
  author.write({ 'plan.ts': 'export const plan = [];\n' });
  author.commit('Plan a tale');
  author.replace('list.txt', 'line 10\n', 'the tenth\n');
  author.replace('other.txt', 'other 10\n', 'the tenth\n');
  author.write({
    'beginning.ts': "export const beginning = 'Once';\n",
    'gone.ts': 'export const gone = true;\n',
  });
  author.commit('Begin', 'Every tale **begins** somewhere, and this one here.');
  await update();
  await show('Begin', /^tale/i);
  // All of it is on the screen until it was read.
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ ...size, height: 3000 });
  await webview.locator('.rail-dot[aria-current="page"][data-mark="read"]').waitFor();
  await page.setViewportSize(size);
  author.goOnWithMain('Go on', () => {
    author.replace('list.txt', 'line 24\n', 'of the base\n');
    author.replace('list.txt', 'line 28\n', '');
    author.replace('other.txt', 'other 30\n', 'of the base\n');
  });
  author.rebase('tale');
  author.replace('list.txt', 'line 26\n', 'the twenty-sixth\n');
  author.write({ 'new.ts': 'export const fresh = true;\n' });
  author.delete('gone.ts');
  author.amend('Begin', 'Every tale **begins** somewhere, and that one there.');
  await update();
  await window.runCommand('View: Show Patch Stacks');
  await window.tree
    .row(/^Begin/)
    .and(page.locator('[aria-label*="changed since you read it"]'))
    .waitFor();
  await show('Begin', /^tale/i);
  await webview.getByRole('region', { name: 'Comparison' }).waitFor();
  await take('compared', { also: all });
  await take('compared-file', { also: all, of: file('list.txt').locator('tr').last() });
  await press('Show Whole Patch');
  await take('compared-whole', { also: small });
}

/** A form that opens with the reason for which it was not sent. */
async function photographForm(): Promise<void> {
  await plantChange(editor, {
    subject: { kind: 'form', form: 'feedback' },
    content: { fields: { message: 'Once more' } },
    title: 'Send Feedback',
    state: 'failed',
    failure: { kind: 'connection' },
  });
  patch.recover();
  await window.runCommand('View: Close All Editors');
  await window.runCommand('Patch Stacks: Send Feedback');
  const problem = webview.locator('.problem');
  await problem.waitFor();
  await take('form-unsent', { also: small, of: problem });
  await press('Clear Form');
  await problem.waitFor({ state: 'detached' });
}

/** A text that is typed while the extension host does nothing, and after it has died. */
async function photographSilence(): Promise<void> {
  const note = webview.locator('.silence-note');
  await window.runCommand('View: Close All Editors');
  await show(title);
  await section('rude').focus();
  await keyboard.press('Enter');
  await source.and(webview.locator(':focus')).waitFor();
  await keyboard.press('Control+End');
  await keyboard.type(' Polite');
  const host = await extensionHostOf(editor);
  process.kill(host, 'SIGSTOP');
  await keyboard.type(' is better.');
  await note.waitFor();
  await take('silent', { also: all });
  await press('Save');
  await webview.getByText(/^Not saved: /).waitFor();
  await take('silent-not-saved', { also: small, of: webview.locator('.editor-footer') });
  // Another tab begins with the text when the extension host is another one.
  process.kill(host, 'SIGKILL');
  await window.notification('Extension host').or(window.tree.row(title)).first().waitFor();
  await show(title);
  await webview.locator('.writing-note').getByText("was restored. It isn't saved yet.").waitFor();
  await take('handed-over', { also: small });

  await window.runCommand('Patch Stacks: Send Feedback');
  await webview.getByLabel('Message').fill('It is good');
  const next = await extensionHostOf(editor);
  process.kill(next, 'SIGKILL');
  await webview.getByLabel('Message').pressSequentially(', mostly.');
  await note.waitFor();
  await take('form-silent', { also: all });
  await press('Send');
  await webview.locator('.problem').waitFor();
  await take('form-silent-not-sent', { of: webview.locator('.problem') });
  await window.runCommand('Patch Stacks: Send Feedback');
  await webview.getByText("was restored. It isn't saved yet.").waitFor();
  await take('form-handed-over', { also: small });
}

/** Patches of patch stacks that are closed or inactive. */
async function photographStackStatuses(): Promise<void> {
  const refresh = (): Promise<void> => window.runCommand('Patch Stacks: Refresh');
  await patch.setStackStatus('closed');
  await refresh();
  await webview.getByRole('button', { name: 'Reopen Patch Stack' }).waitFor();
  await take('closed', { also: small });
  await patch.setStackStatus('active');
  git(editor.repository, 'commit', '--quiet', '--allow-empty', '-m', 'Say it once more');
  await patch.importRepository();
  await refresh();
  await webview.getByRole('button', { name: 'Open Newest Version' }).waitFor();
  await take('inactive');
}

async function photographFailures(): Promise<void> {
  await show('Add a picture');
  patch.failReads(resetBeforeHeaders);
  await window.runCommand('Patch Stacks: Refresh');
  await webview.locator('.stale').waitFor();
  await window.runCommand('Notifications: Clear All Notifications');
  await take('stale', { also: small });

  await open('Be out of reach');
  await webview.getByRole('alert').waitFor();
  await take('out-of-reach');
  patch.failReads(reply(404, '{"error":"There is no such patch."}'));
  await open('Be gone');
  await webview.getByRole('alert').waitFor();
  await take('not-found');
  patch.failReads(reply(500, '{"error":"The database is locked."}'));
  await open('Fail');
  await webview.getByRole('alert').waitFor();
  await take('failed', { also: small });
  patch.failReads(stalledHeaders);
  await open('Wait for ever');
  await webview.getByText('Loading the patch…').waitFor();
  await take('loading');
  patch.recover();
}
