import assert from 'node:assert/strict';
import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, expectNone } from '../support/expect.ts';
import { reply, resetBeforeHeaders } from '../support/faultServer.ts';
import { passOn } from '../support/forward.ts';
import { changesOnDisk, nothingOnDisk } from '../support/plantedChanges.ts';
import { pictureAfterFailure } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import { WrittenPatch } from '../support/writtenPatch.ts';

const texts = [
  '# Clicked\n\nBy the mouse.',
  '# Entered\n\nBy a key.',
  '# Cancelled\n\nNothing happens.',
  '# Refused\n\nNot allowed.',
  '# Unreachable\n\nNobody there.',
  '# Joined\n\nFirst words.\n\nMiddle.\n\nLast words.',
  '# Disputed\n\nThe same words.',
  '# Vanishing\n\nSoon gone.',
  '# Undisturbed\n\nLine one.',
  '# Reloaded\n\nHalf.',
  '# Document\n\nOf its own.',
  '# Contested\n\nOne word.',
  '# Shared\n\nFor two windows.',
  '# Pointed\n\nA [link](https://example.org/word), a word, and a **word** again.',
  '# Marked\n\nPlain words.',
  '# Held\n\nHeld words.',
  '# Doomed\n\nTo be deleted.',
  `# Long\n\n${Array.from({ length: 80 }, (_value, index) => `Paragraph ${index} of many.`).join('\n\n')}`,
];

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

describe('writing in the patch document', function () {
  this.timeout(180_000);
  let patch: WrittenPatch;

  before(async () => {
    patch = await WrittenPatch.open(texts, { settings: { 'files.autoSave': 'off' } });
  });

  beforeEach(async () => {
    patch.recover();
    // Whatever the test before has left over the document.
    await patch.page.keyboard.press('Escape');
    await patch.window.editorTab('Greet people by name').first().click();
  });

  pictureAfterFailure(() => patch.window);

  afterEach(async () => {
    // No editor may stay open for the next test.
    const cancel = patch.webview
      .locator('.editor-footer button:not([aria-disabled="true"])')
      .filter({ hasText: 'Cancel' });
    await until(async () => {
      const isOpen = await patch.source.first().isVisible();
      // An editor that is being saved closes by itself.
      if (isOpen && (await cancel.first().isVisible())) {
        await cancel
          .first()
          .click({ timeout: 1000 })
          .catch(() => undefined);
      }
      return !isOpen;
    });
  });

  after(async () => {
    await patch.close();
  });

  const isFocused = (label: string): Promise<void> =>
    expect(patch.webview.locator(':focus').first()).toHaveAttribute('aria-label', label);

  it('begins with a double click on the text, shows a preview, saves, and gives the focus back', async () => {
    await patch.edit('By the mouse');
    await patch.typeAtEnd('\n\nAnd **more**.');
    await patch.webview.locator('.editor-preview strong', { hasText: 'more' }).waitFor();
    await patch.webview.getByText('Saved locally').waitFor();
    await patch.webview.locator('.editor-footer').getByRole('button', { name: 'Save' }).click();
    await patch.source.waitFor({ state: 'detached' });
    await patch.section('By the mouse').locator('.prose strong', { hasText: 'more' }).waitFor();
    assert.ok((await patch.contents()).includes('# Clicked\n\nBy the mouse.\n\nAnd **more**.'));
    await isFocused('Clicked');
  });

  it('leaves the focus where the person has gone by the time that it is saved', async () => {
    const { page, window } = patch;
    const released = Promise.withResolvers<undefined>();
    patch.failWrites(async (response, request, attempt) => {
      await released.promise;
      const answer = await passOn(patch.editor.service.url, request);
      await reply(answer.status, await answer.text())(response, request, attempt);
    });
    await patch.edit('Held words');
    await patch.typeAtEnd(' Kept on their way.');
    await page.keyboard.press('Control+Enter');
    await until(async () => patch.writes > 0);
    await window.runCommandHere('Patch Stacks: Show Recent Changes');
    // VS Code may give the focus back to the document from the palette later than it shows the list.
    await window.quickInput.click();
    const box = window.quickInput.and(page.locator(':focus'));
    await box.waitFor();
    released.resolve(undefined);
    await patch.source.waitFor({ state: 'detached' });
    await page.keyboard.type('typed into the list');
    await expect(box).toHaveValue('typed into the list');
    await window.leaveListForPage();
    await patch.section('Held words').and(patch.webview.locator(':focus, :focus-within')).waitFor();
  });

  it('begins with Enter; keys and buttons put marks; lists go on; a pasted address makes a link', async () => {
    const { page, webview } = patch;
    await patch.section('By a key').focus();
    await patch.window.pressInPatch('Enter', 'section');
    await patch.source.and(webview.locator(':focus')).waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\n\n- one');
    await page.keyboard.press('Enter');
    await page.keyboard.type('two');
    await page.keyboard.press('Control+B');
    await webview.locator('.mark-toolbar [aria-label="Bold"][aria-pressed="true"]').waitFor();
    await page.keyboard.press('Control+Shift+ArrowLeft');
    await patch.source.evaluate((content) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'https://example.org/two');
      content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('word');
    // The preview takes more room with each line.
    await webview.locator('.editor-preview li').getByText('word').waitFor();
    await webview.getByRole('button', { name: 'Italic' }).click();
    await patch.source.filter({ hasText: '_word_' }).waitFor();
    await page.keyboard.press('Control+Z');
    await patch.source.filter({ hasNotText: '_word_' }).waitFor();
    await page.keyboard.press('Control+Shift+Z');
    await patch.save();
    const text = (await patch.contents()).find((content) => content.startsWith('# Entered'));
    assert.match(text ?? '', /- one\n- \*\*\[two\]\(https:\/\/example\.org\/two\)\*\*\n- _word_$/);
  });

  it('has a key and a button for each mark, which the workbench leaves to it', async () => {
    const { page, webview } = patch;
    await patch.section('Plain words').focus();
    await patch.window.pressInPatch('Enter', 'section');
    await patch.source.and(webview.locator(':focus')).waitFor();
    const lines = (): Promise<string[]> => patch.source.locator('.cm-line').allInnerTexts();
    for (const [name, key, expected] of [
      ['Bold', 'Control+b', ['**word**']],
      ['Italic', 'Control+i', ['_word_']],
      ['Code', 'Control+e', ['`word`']],
      ['Link', 'Control+k', ['[word](https://)']],
      ['Heading', 'Control+Shift+H', ['# word']],
      ['List', 'Control+Shift+8', ['- word']],
      ['Numbered list', 'Control+Shift+7', ['1. word']],
      ['Task list', 'Control+Shift+L', ['- [ ] word']],
      ['Quote', 'Control+Shift+.', ['> word']],
      ['Code block', 'Control+Shift+E', ['```', 'word', '```']],
    ] as const) {
      const button = webview.locator('.mark-toolbar').getByRole('button', { name, exact: true });
      for (const putMark of [() => page.keyboard.press(key), () => button.click()]) {
        await page.keyboard.press('Control+a');
        await page.keyboard.type('word');
        await page.keyboard.press('Control+Shift+ArrowLeft');
        await putMark();
        await until(async () => (await lines()).join('\n') === expected.join('\n'));
        await button.and(webview.locator('[aria-pressed="true"]')).waitFor();
        await patch.source.and(webview.locator(':focus')).waitFor();
      }
    }
    // Nothing else of the window has taken one of the keys.
    await expectNone(patch.window.quickInput, { once: page.locator('.part.sidebar') });
  });

  it('has a toolbar that is one stop of the Tab key, with the arrow keys between its buttons', async () => {
    const { page, webview } = patch;
    await patch.edit('Plain words');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Shift+Tab');
    await webview.locator('[aria-label="Bold"]:focus').waitFor();
    await page.keyboard.press('ArrowLeft');
    await webview.locator('[aria-label="Code block"]:focus').waitFor();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await webview.locator('[aria-label="Italic"]:focus').waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await patch.source.and(webview.locator(':focus')).waitFor();
    await expect(patch.source).toHaveText(/^```\n/, { useInnerText: true });
  });

  it('shows what markdown means, and a preview: beside the text, or below it where there is less room', async () => {
    const { page, webview } = patch;
    await patch.edit('Plain words');
    const style = (words: string): Promise<[weight: string, color: string]> =>
      patch.source
        .locator('.cm-line, .cm-line *')
        .filter({ hasText: words })
        .last()
        .evaluate((element) => [getComputedStyle(element).fontWeight, getComputedStyle(element).color]);
    await until(async () => (await style('Marked'))[0] === '700');
    await until(async () => {
      const [[, marked], [, plain]] = [await style('Marked'), await style('Plain words.')];
      return marked !== '' && plain !== '' && marked !== plain;
    });
    const boxes = async (): Promise<[source: Box, preview: Box]> => {
      const [source, preview] = await Promise.all([
        webview.locator('.editor-source').boundingBox(),
        webview.locator('.editor-preview').boundingBox(),
      ]);
      return [source!, preview!];
    };
    await page.setViewportSize({ width: 1500, height: 800 });
    await until(async () => {
      const [source, preview] = await boxes();
      return preview.x >= source.x + source.width && preview.y < source.y + source.height;
    });
    await page.setViewportSize({ width: 800, height: 800 });
    await until(async () => {
      const [source, preview] = await boxes();
      return preview.y >= source.y + source.height && preview.x < source.x + source.width;
    });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('always says how far it is, is saved with Ctrl+S too, and given up with its button', async () => {
    const { page, webview } = patch;
    const status = webview.locator('.editor-status');
    await patch.edit('Plain words');
    await status.getByText('No changes').waitFor();
    await page.keyboard.press('Control+s');
    await patch.source.waitFor({ state: 'detached' });
    assert.equal(patch.writes, 0);
    await patch.edit('Plain words');
    await patch.typeAtEnd(' Twice.');
    await status.getByText('Saved locally').waitFor();
    await webview.locator('.editor-footer').getByRole('button', { name: 'Cancel' }).click();
    await patch.source.waitFor({ state: 'detached' });
    const section = patch.section('Plain words');
    await expectNone(section.getByText('Twice.'), { once: section.locator('.prose') });
    await patch.edit('Plain words');
    await patch.typeAtEnd(' Once.');
    await page.keyboard.press('Control+s');
    await patch.source.waitFor({ state: 'detached' });
    assert.ok((await patch.contents()).includes('# Marked\n\nPlain words. Once.'));
    assert.equal(patch.writes, 1);
  });

  it('is taken back with Escape, and brought back with Undo', async () => {
    await patch.edit('Nothing happens');
    await patch.typeAtEnd(' At all.');
    await patch.page.keyboard.press('Escape');
    await patch.source.waitFor({ state: 'detached' });
    await isFocused('Cancelled');
    await patch.section('Nothing happens').getByRole('button', { name: 'Undo' }).click();
    await patch.source.filter({ hasText: 'At all.' }).and(patch.webview.locator(':focus')).waitFor();
    assert.equal(patch.writes, 0);
  });

  it('begins a new section in any gap, whose title is its heading', async () => {
    await patch.webview.getByRole('button', { name: 'Insert section after Clicked' }).focus();
    await patch.page.keyboard.press('Enter');
    await patch.source.and(patch.webview.locator(':focus')).waitFor();
    await patch.page.keyboard.type('Before it.\n\n## Brand *new*');
    await patch.save();
    await patch.webview.getByRole('region', { name: 'Brand new' }).waitFor();
    const contents = await patch.contents();
    assert.equal(contents.indexOf('Before it.\n\n## Brand *new*'), 1);
  });

  it('begins a new section in a gap that is clicked, and gives it up without a trace', async () => {
    const { page, webview } = patch;
    const before = await patch.contents();
    const gap = webview.getByRole('button', { name: 'Insert section after Entered' });
    const box = (await gap.boundingBox())!;
    await page.mouse.move(box.x - 60, box.y + box.height / 2);
    await until(() => gap.evaluate((element) => getComputedStyle(element).opacity === '1'));
    await gap.click();
    await patch.source.and(webview.locator(':focus')).waitFor();
    const places = webview.locator('section.section');
    const entered = await places.evaluateAll((all) =>
      all.findIndex((one) => one.getAttribute('aria-label') === 'Entered'),
    );
    await expect(places.nth(entered + 1).locator('.cm-content')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await patch.source.waitFor({ state: 'detached' });
    assert.deepEqual(await patch.contents(), before);
  });

  it('deletes from the menu of the section, and adds again with Undo', async () => {
    const { webview } = patch;
    await patch.chooseFromMenu(patch.section('To be deleted'), 'Delete Section');
    await patch.section('To be deleted').waitFor({ state: 'detached' });
    await until(async () => !(await patch.contents()).some((text) => text.includes('Doomed')));
    await webview.locator('.status-line', { hasText: 'Deleted section "Doomed"' }).getByText('Undo').click();
    await patch.section('To be deleted').waitFor();
    // It is shown before the service has it.
    await until(async () => (await patch.contents()).some((text) => text.includes('Doomed')));
    const contents = await patch.contents();
    assert.equal(
      contents.findIndex((text) => text.includes('Doomed')),
      contents.length - 3,
    );
  });

  it('keeps what the service refuses, with the reason, and sends it with Retry', async () => {
    patch.failWrites(reply(403, '{"error":"Only members may write."}'));
    await patch.edit('Not allowed');
    await patch.typeAtEnd(' Yet.');
    await patch.page.keyboard.press('Control+Enter');
    await patch.webview.getByText('Server message: Only members may write.').waitFor();
    await patch.webview.getByText('Not sent, saved locally').waitFor();
    patch.recover();
    await patch.webview.getByRole('button', { name: 'Retry' }).click();
    await patch.source.waitFor({ state: 'detached' });
    assert.ok((await patch.contents()).includes('# Refused\n\nNot allowed. Yet.'));
  });

  for (const [name, fault] of [
    ['is out of reach', resetBeforeHeaders],
    ['has a fault', reply(500, '{"error":"broken"}')],
    ['says that something else was changed', reply(409, '{"error":"changed"}')],
  ] as const) {
    it(`keeps what is typed when the service ${name}`, async () => {
      patch.failWrites(fault);
      await patch.edit('Nobody there');
      await patch.typeAtEnd(' Still.');
      await patch.page.keyboard.press('Control+Enter');
      await patch.webview.locator('.problem').getByRole('button', { name: 'Discard' }).waitFor();
      await patch.source.filter({ hasText: 'Still.' }).waitFor();
      await patch.webview.locator('.problem').getByRole('button', { name: 'Discard' }).click();
      await patch.source.waitFor({ state: 'detached' });
      assert.ok((await patch.contents()).includes('# Unreachable\n\nNobody there.'));
    });
  }

  it('is joined with what someone else has changed meanwhile, and says so', async () => {
    await patch.edit('First words');
    await patch.typeAtEnd(' From me.');
    await patch.changeElsewhere(
      'First words',
      '# Joined\n\nFirst words. From them.\n\nMiddle.\n\nLast words.',
    );
    await patch.save();
    await patch
      .section('From them')
      .getByText(/merged with changes/)
      .waitFor();
    await patch.section('From them').getByText('From me').waitFor();
    assert.ok(
      (await patch.contents()).includes(
        '# Joined\n\nFirst words. From them.\n\nMiddle.\n\nLast words. From me.',
      ),
    );
  });

  /** Takes both changes, and says that this is the decision: only then is it sent. */
  async function decideInMergeEditor(): Promise<void> {
    const { page, window } = patch;
    const result = page.locator('.merge-editor .code-view.result');
    await result.getByText('1 Conflict Remaining').waitFor();
    assert.equal(patch.writes, 0);
    await page.getByRole('button', { name: 'Accept Combination (Yours First)' }).click();
    await result.getByText('0 Conflicts Remaining').waitFor();
    await page.keyboard.press('Control+S');
    assert.equal(patch.writes, 0);
    await window.runCommand('Patch Stacks: Resolve Conflict');
    await nothingOnDisk(patch.editor);
    await page.locator('.merge-editor').waitFor({ state: 'detached' });
  }

  it('sends nothing while two have changed the same words, until the person has decided', async () => {
    await patch.edit('The same words');
    await patch.typeAtEnd(' Mine.');
    await patch.changeElsewhere('The same words', '# Disputed\n\nThe same words. Theirs.');
    await patch.page.keyboard.press('Control+Enter');
    await patch.webview.getByText(/Resolve the conflict/).waitFor();
    assert.equal(patch.writes, 0);
    await patch.webview.getByRole('button', { name: 'Compare', exact: true }).click();
    await patch.page.locator('.monaco-diff-editor').waitFor();
    await patch.window.editorTab('Greet people by name').first().click();
    await patch.source.filter({ hasText: 'Mine.' }).waitFor();
    await patch.webview.getByRole('button', { name: 'Merge…' }).click();
    await decideInMergeEditor();
    await until(async () =>
      (await patch.contents()).some((text) => text.includes('Mine.') && text.includes('Theirs.')),
    );
    await patch.window.editorTab('Greet people by name').first().click();
    await patch.source.waitFor({ state: 'detached' });
  });

  it('keeps the text of a section that is gone, and adds it again as a new one', async () => {
    await patch.edit('Soon gone');
    await patch.typeAtEnd(' Not yet.');
    await patch.deleteElsewhere('Soon gone');
    await patch.page.keyboard.press('Control+Enter');
    await patch.webview.getByRole('button', { name: 'Add as New Section' }).click();
    await until(async () => (await patch.contents()).some((text) => text.includes('Not yet.')));
    await patch.section('Not yet').locator('.prose').waitFor();
    // The one that is gone is not shown beside it.
    await until(async () => (await patch.webview.getByRole('region', { name: 'Vanishing' }).count()) === 1);
  });

  it('is not disturbed when the patch is read again', async () => {
    await patch.edit('Line one');
    await patch.page.keyboard.press('Control+Home');
    await patch.page.keyboard.type('A');
    await patch.changeElsewhere('By a key', '# Entered\n\nBy somebody else.');
    await patch.page.locator('.part.sidebar .actions-container [aria-label^="Refresh"]').first().click();
    await patch.section('By somebody else').waitFor();
    await patch.source.click({ position: { x: 20, y: 20 } });
    await patch.page.keyboard.press('Control+Home');
    await patch.page.keyboard.type('B');
    // The earlier typing is still known to Undo.
    await patch.page.keyboard.press('Control+Z');
    await patch.source.filter({ hasText: /^A# Undisturbed/ }).waitFor();
    await patch.page.keyboard.press('Control+Z');
    await patch.source.filter({ hasText: /^# Undisturbed/ }).waitFor();
    await patch.page.keyboard.press('Control+Shift+Z');
    await patch.page.keyboard.press('Control+Shift+Z');
    await patch.save();
    assert.ok((await patch.contents()).some((text) => text.startsWith('BA# Undisturbed')));
  });

  it('goes on after a reload of the window in the middle of typing', async () => {
    await patch.edit('Half.');
    await patch.typeAtEnd(' A sentence');
    await patch.webview.getByText('Saved locally').waitFor();
    // The extension host is told only of what is typed from now on, not of the whole text.
    await patch.window.page.keyboard.press('Home');
    await patch.window.page.keyboard.insertText('Not ');
    await until(async () =>
      (await changesOnDisk(patch.editor)).some(
        ({ content }) => 'text' in content && content.text === '# Reloaded\n\nNot Half. A sentence',
      ),
    );
    await patch.webview.locator('.document:not(.beginning) h1').first().click();
    await patch.window.reload();
    await patch.source.filter({ hasText: 'A sentence' }).waitFor();
    await patch.webview.locator('.editor-footer').getByRole('button', { name: 'Save' }).click();
    await patch.source.waitFor({ state: 'detached' });
    await patch.section('A sentence').locator('.prose').waitFor();
    assert.ok((await patch.contents()).includes('# Reloaded\n\nNot Half. A sentence'));
  });

  it('in two windows at once keeps both texts, and has the person join them', async () => {
    const second = await patch.editor.openWindow();
    try {
      await patch.show(second);
      const { webview, page } = second;
      await patch.edit('For two windows.');
      await patch.typeAtEnd(' From the first.');
      await webview
        .locator('section.section')
        .filter({ hasText: 'For two windows.' })
        .first()
        .locator('.prose')
        .dblclick();
      await webview.locator('.cm-content:focus').waitFor();
      await page.keyboard.press('Control+End');
      await page.keyboard.insertText(' From the second.');
      const onDisk = async (): Promise<string> =>
        (await changesOnDisk(patch.editor))
          .map(({ content }) => 'text' in content && content.text)
          .join('\n');
      await until(
        async () =>
          (await onDisk()).includes('From the first') && (await onDisk()).includes('From the second'),
      );

      await patch.save();
      await page.keyboard.press('Control+Enter');
      await webview.getByText(/Resolve the conflict/).waitFor();
      assert.ok((await patch.contents()).includes('# Shared\n\nFor two windows. From the first.'));
      assert.match(await onDisk(), /For two windows\. From the second\./);
      await webview.getByRole('button', { name: 'Merge…' }).click();
      await page.getByRole('button', { name: 'Accept Combination (Yours First)' }).click();
      await page.locator('.merge-editor .code-view.result').getByText('0 Conflicts Remaining').waitFor();
      const backup = await backupOf('From the second.', 'patch-stacks-conflict');
      await second.runCommand('Patch Stacks: Resolve Conflict');
      await until(async () => !(await onDisk()).includes('From the second'));
      // Nothing of it is left: VS Code would have the next window open what is not saved.
      await page.locator('.merge-editor').waitFor({ state: 'detached' });
      const shared = (await patch.contents()).find((text) => text.startsWith('# Shared')) ?? '';
      assert.match(shared, /From the first/);
      assert.match(shared, /From the second/);
      // A window that ends without a word may leave behind what it was about to throw away.
      await writeFile(backup.file, backup.head + shared);
      await second.reload();
      await second.tree.row('greetings').first().waitFor();
      await until(() =>
        access(backup.file).then(
          () => false,
          () => true,
        ),
      );
      await page.locator('.tab', { hasText: 'Shared.md' }).waitFor({ state: 'detached' });
    } finally {
      await second.close();
    }
  });

  it('can be done in a text editor, where a refusal leaves the document changed', async () => {
    const { page, window } = patch;
    await patch.chooseFromMenu(patch.section('Of its own'), 'Edit Section in Text Editor');
    await window.statusBarItem('Markdown').waitFor();
    const lines = page.locator('.monaco-editor .view-lines');
    await lines.filter({ hasText: 'Of its own.' }).first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' Saved.');
    patch.failWrites(reply(403, '{"error":"Only members may write."}'));
    await page.keyboard.press('Control+S');
    await window.told(/Only members may write/);
    await page.locator('.tab.dirty', { hasText: 'Document' }).waitFor();
    patch.recover();
    await lines.filter({ hasText: 'Saved.' }).first().click();
    await page.keyboard.press('Control+S');
    await page.locator('.tab.dirty').waitFor({ state: 'detached' });
    assert.ok((await patch.contents()).includes('# Document\n\nOf its own. Saved.'));
    await window.editorTab('Greet people by name').first().click();
    await patch.section('Of its own. Saved.').locator('.prose').waitFor();
  });

  /** Opens a section as a document, and types at its end. */
  async function typeInTextEditor(words: string, text: string): Promise<void> {
    await openInTextEditor(words);
    await lines().filter({ hasText: words }).first().click();
    await patch.page.keyboard.press('Control+End');
    await patch.page.keyboard.type(text);
  }

  /** Saves the document that is open, once VS Code has it as changed, and waits until the service has it. */
  async function saveInTextEditor(): Promise<void> {
    const dirty = patch.page.locator('.tab.dirty').first();
    await dirty.waitFor();
    await patch.page.keyboard.press('Control+S');
    await dirty.waitFor({ state: 'detached' });
  }

  async function openInTextEditor(words: string): Promise<void> {
    await patch.window.editorTab('Greet people by name').first().click();
    await patch.section(words).focus();
    await patch.window.runCommand('Patch Stacks: Edit Section in Text Editor');
  }

  const lines = () => patch.page.locator('.monaco-editor .view-lines');

  it('is kept in a text editor while it is typed, and can be had back when the document is closed unsaved', async () => {
    const { page, window } = patch;
    await typeInTextEditor('Of its own. Saved.', ' Not yet.');
    await window.runCommand('Patch Stacks: Show Unsent Changes');
    await window.quickPickRows.filter({ hasText: 'Document' }).waitFor();
    await page.keyboard.press('Escape');
    await window.runCommand('File: Revert File');
    await page.locator('.tab.dirty').waitFor({ state: 'detached' });
    await window.runCommand('Patch Stacks: Show Unsent Changes');
    await page.getByPlaceholder('No unsent changes.').waitFor();
    await page.keyboard.press('Escape');
    await lines().filter({ hasText: 'Of its own.' }).first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' Not now.');
    await window.runCommand('View: Close Editor');
    await page.getByRole('dialog').getByRole('button', { name: "Don't Save" }).click();
    await window.answerNotification(/Discarded your change to "Document"/, 'Undo');
    await typeInTextEditor('Of its own. Saved. Not now.', ' But now.');
    await saveInTextEditor();
    assert.ok((await patch.contents()).includes('# Document\n\nOf its own. Saved. Not now. But now.'));
    await window.editorTab('Greet people by name').first().click();
  });

  /** The number of discarded changes of a section that can be had back. */
  async function discardedChanges(title: string): Promise<number> {
    const { page, window } = patch;
    await window.runCommand('Patch Stacks: Show Recent Changes');
    const list = page.getByPlaceholder(/Select a change|any changes in this window/);
    await list.waitFor();
    // Of a long list only what is on screen is there.
    await list.fill(title);
    const rows = await window.quickPickRows
      .filter({ hasText: `Discarded your change to "${title}"` })
      .count();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    return rows;
  }

  it('goes on in a text editor with what was typed in the document of the patch', async () => {
    const { webview, window } = patch;
    const discarded = await discardedChanges('Shared');
    await patch.edit('For two windows');
    await patch.typeAtEnd(' Begun');
    await webview.getByText('Saved locally').waitFor();
    await typeInTextEditor('Begun', 'Ended.');
    await saveInTextEditor();
    assert.ok((await patch.contents()).some((text) => text.endsWith(' BegunEnded.')));
    assert.equal(await discardedChanges('Shared'), discarded);
    await window.editorTab('Greet people by name').first().click();
    await patch.source.waitFor({ state: 'detached' });
  });

  it('is no longer shown in a text editor when it is taken back in the document of the patch', async () => {
    const { page, webview, window } = patch;
    await patch.edit('Not allowed');
    await patch.typeAtEnd(' Not meant.');
    await webview.getByText('Saved locally').waitFor();
    await openInTextEditor('Not meant.');
    await lines().filter({ hasText: 'Not meant.' }).waitFor();
    await window.editorTab('Greet people by name').first().click();
    await webview.locator('.editor-footer').getByRole('button', { name: 'Cancel' }).click();
    await patch.source.waitFor({ state: 'detached' });
    await window.editorTab('Refused.md').click();
    await lines().filter({ hasText: 'Not allowed' }).filter({ hasNotText: 'Not meant.' }).waitFor();
    await expect(page.locator('.tab.dirty')).toHaveCount(0);
    await window.editorTab('Greet people by name').first().click();
  });

  it('begins in a text editor with what was typed since that was closed, which changes nothing by itself', async () => {
    const { page, webview, window } = patch;
    await openInTextEditor('Nothing happens.');
    await lines().filter({ hasText: 'Nothing happens.' }).waitFor();
    // VS Code keeps the document for some minutes.
    await window.runCommand('View: Close Editor');
    await window.editorTab('Greet people by name').first().click();
    await patch.edit('Nothing happens.');
    await patch.typeAtEnd(' Something does.');
    await webview.getByText('Saved locally').waitFor();
    await openInTextEditor('Something does.');
    const begun = lines().filter({ hasText: 'Something does.' });
    await expectNone(page.locator('.tab.dirty'), { once: begun });
    await window.editorTab('Greet people by name').first().click();
    await webview.locator('.editor-footer').getByRole('button', { name: 'Cancel' }).click();
    await patch.source.waitFor({ state: 'detached' });
    await window.editorTab('Cancelled.md').click();
    await lines().filter({ hasText: 'Nothing happens.' }).filter({ hasNotText: 'Something does.' }).waitFor();
    await window.editorTab('Greet people by name').first().click();
  });

  it('in a text editor is joined with what was typed into the same section in the document of the patch', async () => {
    const { page, window } = patch;
    await typeInTextEditor('First words', '');
    await window.editorTab('Greet people by name').first().click();
    await patch.edit('Last words');
    await patch.page.keyboard.press('Control+End');
    await patch.page.keyboard.insertText(' At the end.');
    await until(async () => JSON.stringify(await changesOnDisk(patch.editor)).includes('At the end.'));
    await window.editorTab('Joined.md').click();
    await lines().filter({ hasText: 'First words' }).first().click();
    await page.keyboard.press('Control+Home');
    // Faster than the texts are joined.
    await page.keyboard.type('Typed quickly. ');
    await lines().filter({ hasText: 'At the end.' }).first().waitFor();
    await saveInTextEditor();
    const isJoined = (text: string): boolean =>
      text.startsWith('Typed quickly. # Joined') && text.includes(' At the end.');
    assert.ok((await patch.contents()).some(isJoined), JSON.stringify(await patch.contents()));
    await window.editorTab('Greet people by name').first().click();
    await patch.source.waitFor({ state: 'detached' });
  });

  /** The backup that VS Code keeps of a document with these words until it is saved: the file, and its first line. */
  async function backupOf(words: string, scheme = 'patch-stacks'): Promise<{ file: string; head: string }> {
    const backups = path.join(patch.editor.directory, 'vscode/data/User/Backups');
    let found: { file: string; head: string } | undefined;
    await until(async () => {
      const files = await readdir(backups, { recursive: true, withFileTypes: true });
      for (const { name, parentPath } of files.filter((file) => file.isFile())) {
        const file = path.join(parentPath, name);
        const content = await readFile(file, 'utf8').catch(() => '');
        if (content.startsWith(`${scheme}:`) && content.includes(words)) {
          found = { file, head: content.slice(0, content.indexOf('\n') + 1) };
        }
      }
      return found !== undefined;
    });
    return found!;
  }

  it('asks in a text editor what to do when someone else has changed the same words, and merges', async () => {
    const { page, window } = patch;
    await typeInTextEditor('One word.', ' Mine.');
    await patch.changeElsewhere('One word.', '# Contested\n\nOne word. Theirs.');
    await page.keyboard.press('Control+S');
    const merge = window.notifications.getByRole('button', { name: 'Merge…' });
    await merge.waitFor();
    await page.locator('.tab.dirty', { hasText: 'Contested' }).waitFor();
    await expect(window.notification("Failed to save 'Contested.md'")).toHaveText(
      /'patch-stacks:\/Greet people by name\/Contested\.md\?[0-9a-f]{8}'/,
      { useInnerText: true },
    );
    assert.equal(patch.writes, 0);
    const backup = await backupOf('One word. Mine.');
    await merge.click();
    await decideInMergeEditor();
    // Another section of the patch was decided, too, in the same words.
    const merged = async (): Promise<string | undefined> =>
      (await patch.contents()).find((text) => /One word\..*Mine\./.test(text) && text.includes('Theirs.'));
    await until(async () => (await merged()) !== undefined);
    // The document has what was decided, and is no longer changed.
    await window.editorTab('Contested.md').click();
    await lines().filter({ hasText: 'Theirs.' }).filter({ hasText: 'Mine.' }).waitFor();
    await page.locator('.tab.dirty').waitFor({ state: 'detached' });
    // As when a window is loaded again before VS Code has thrown away what it kept of a text that was sent.
    const decided = (await merged()) ?? '';
    await writeFile(backup.file, backup.head + decided);
    const isSettledAfterReload = async (): Promise<void> => {
      await window.reload();
      await lines().filter({ hasText: 'Theirs.' }).first().waitFor();
      await until(() =>
        access(backup.file).then(
          () => false,
          () => true,
        ),
      );
      await page.locator('.tab.dirty').waitFor({ state: 'detached' });
    };
    await isSettledAfterReload();
    assert.ok((await patch.contents()).includes(decided));
    // As when what the window knew at first is older than what was sent.
    const later = `${decided} Later.`;
    await writeFile(backup.file, backup.head + later);
    await patch.changeElsewhere('One word.', later);
    await isSettledAfterReload();
    await nothingOnDisk(patch.editor);
    assert.ok((await patch.contents()).includes(later));
    await window.editorTab('Greet people by name').first().click();
  });

  it('begins where the text was clicked twice', async () => {
    const { page, webview } = patch;
    const word = patch.section('and a word again').locator('.prose strong');
    await word.dblclick({ position: { x: 2, y: 6 } });
    await patch.source.and(webview.locator(':focus')).waitFor();
    await page.keyboard.type('very-');
    await patch.source.filter({ hasText: '**very-word** again' }).waitFor();
    await page.keyboard.press('Escape');
    await patch.source.waitFor({ state: 'detached' });
    await nothingOnDisk(patch.editor);
  });

  it('scrolls the preview with the text', async () => {
    await patch.webview.getByRole('region', { name: 'Long' }).scrollIntoViewIfNeeded();
    await patch.edit('Paragraph 1 of many.');
    const preview = patch.webview.locator('.editor-preview');
    await preview.getByText('Paragraph 79 of many.').waitFor();
    await patch.page.keyboard.press('Control+End');
    await until(() =>
      preview.evaluate(
        ({ scrollTop, clientHeight, scrollHeight }) =>
          scrollTop > 0 && scrollTop + clientHeight + 40 > scrollHeight,
      ),
    );
    await patch.page.keyboard.press('Control+Home');
    // At its first line, below the padding.
    await until(async () => (await preview.evaluate((element) => element.scrollTop)) < 20);
  });

  describe('the review of the patch', () => {
    const statusLine = (): Locator => patch.webview.locator('.status-line');
    const reviewButton = (name: string): Locator => patch.webview.getByRole('button', { name, exact: true });
    /** The button would lead on to the next patch. */
    const signOff = (): Promise<void> => patch.window.runCommand('Patch Stacks: Sign Off Patch');
    const marks = async (): Promise<unknown[]> => {
      const { stackUuid, changeId } = patch.place;
      const { reviewAll } = await patch.client.patches.get(stackUuid, changeId);
      return [reviewAll?.signedOff.length, reviewAll?.rejected.length];
    };

    beforeEach(async () => {
      // A change that another test has made past the page is read before someone agrees with it.
      await patch.window.runCommand('Patch Stacks: Refresh');
      await patch.window.tree.settled();
      await patch.readAll();
      // Messages of VS Code's own lie over the line.
      await patch.window.runCommand('Notifications: Clear All Notifications');
    });

    it('shows at once, waits on disk, and is not sent when it is undone', async () => {
      await signOff();
      await reviewButton('Signed Off').waitFor();
      await statusLine().getByText('Signing off on "Greet people by name" in a few seconds.').waitFor();
      await until(async () => (await changesOnDisk(patch.editor)).some(({ state }) => state === 'queued'));
      await statusLine().getByRole('button', { name: 'Undo' }).click();
      await reviewButton('Sign Off and Next').waitFor();
      await nothingOnDisk(patch.editor);
      assert.deepEqual(await marks(), [0, 0]);
    });

    it('is sent after a while, once, as what was said last; nothing takes it back', async () => {
      const before = patch.writes;
      await signOff();
      await reviewButton('Signed Off').waitFor();
      await reviewButton('Request Changes').click();
      await reviewButton('Changes Requested').waitFor();
      await reviewButton('Sign Off and Next').waitFor();
      const done = statusLine().getByText('Requested changes to "Greet people by name".');
      await expectNone(statusLine().getByRole('button', { name: 'Undo' }), { once: done });
      await patch.webview.locator('.reviewers', { hasText: 'Changes requested by' }).waitFor();
      assert.deepEqual([await marks(), patch.writes - before], [[0, 1], 1]);
      await reviewButton('Changes Requested').press('Enter');
      await patch.window.tree.row('Greet people by name').locator('.codicon-request-changes').waitFor();
      assert.deepEqual([await marks(), await changesOnDisk(patch.editor)], [[0, 1], []]);
    });

    it('is refused when the patch is not what is on the screen any more', async () => {
      const { stackUuid, changeId } = patch.place;
      const { code } = await patch.client.patches.createSection(stackUuid, changeId, {
        type: 'text',
        text: 'Nobody has read this.\n',
      });
      await signOff();
      await patch.window.told(
        /Couldn't sign off on "Greet people by name": The patch has changed since you read it/,
      );
      await patch.webview.getByText('Nobody has read this.').waitFor();
      await reviewButton('Sign Off and Next').waitFor();
      assert.deepEqual(await marks(), [0, 1]);
      await patch.client.patches.deleteSection(stackUuid, changeId, code);
      await patch.window.runCommand('Patch Stacks: Refresh');
      await patch.webview.getByText('Nobody has read this.').waitFor({ state: 'detached' });
    });

    it('is rolled back with the reason when the service refuses it', async () => {
      patch.failWrites(reply(403, '{"error":"Not your patch."}'));
      await signOff();
      await reviewButton('Signed Off').waitFor();
      await patch.window.told(/Not your patch/);
      await reviewButton('Sign Off and Next').waitFor();
      await nothingOnDisk(patch.editor);
    });
  });

  // Last: another account is signed in after it.
  describe('for another account', () => {
    it('is shown in a text editor to no one but the account that typed it', async () => {
      const { client, editor, page, webview, window } = patch;
      await patch.edit('Half.');
      await patch.typeAtEnd(' Of mine.');
      await webview.getByText('Saved locally').waitFor();
      await openInTextEditor('Of mine.');
      await lines().filter({ hasText: 'Of mine.' }).waitFor();
      const [project] = (await client.projects.list()).items;
      await client.projects.update(project!.repositoryId, { shareLevel: 'public' });
      const { login, token } = editor.service.addUser({ name: 'Grace', email: 'grace@example.org' });
      await window.runCommand('Patch Stacks: Sign In with Access Token');
      await window.type(new URL(new URL(editor.service.url).pathname, patch.address).href);
      await window.step(/Your access token for/);
      await window.type(token);
      await window.statusBarItem(login).waitFor();
      await lines().filter({ hasText: 'Half.' }).filter({ hasNotText: 'Of mine.' }).waitFor();
      await page.locator('.tab.dirty', { hasText: 'Reloaded' }).waitFor({ state: 'detached' });
    });
  });
});
