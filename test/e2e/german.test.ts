/** A window in German: every place that has text of ours is opened, and none of it may be left in English. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { root } from '../../tools/provision.ts';
import { Editor } from '../support/editor.ts';
import { expect } from '../support/expect.ts';
import { extensionHostOf } from '../support/extensionHost.ts';
import { pictureAfterFailure } from '../support/tidy.ts';
import type { Workbench } from '../support/workbench.ts';

describe('a window in German', function () {
  this.timeout(400_000);
  let editor: Editor;
  let window: Workbench;
  /** The English texts that have German ones which differ. */
  let english: ReadonlySet<string>;

  before(async () => {
    const texts = async (file: string): Promise<Record<string, string>> =>
      JSON.parse(await readFile(path.join(root, file), 'utf8')) as Record<string, string>;
    const [manifest, german, bundle] = await Promise.all(
      ['package.nls.json', 'package.nls.de.json', 'l10n/bundle.l10n.de.json'].map(texts),
    );
    english = new Set([
      ...Object.entries(bundle!).flatMap(([text, translation]) => (text === translation ? [] : [text])),
      ...Object.entries(manifest!).flatMap(([key, text]) => (text === german![key] ? [] : [text])),
    ]);
    editor = await Editor.start({ signedIn: true, language: 'de' });
    window = await editor.openWindow({ width: 1600, height: 900 });
  });

  pictureAfterFailure(() => window);

  afterEach(() => window.page.keyboard.press('Escape'));

  after(() => editor.close());

  /** Waits for a text in a place, looks for English in all of it, and takes a screenshot. */
  async function speaksGerman(place: Locator, text: string, picture: string): Promise<void> {
    await place.getByText(text).first().waitFor();
    const found = await place.evaluate((element) => {
      const named = [...element.querySelectorAll('[aria-label], [title], [placeholder]')].flatMap((part) =>
        ['aria-label', 'title', 'placeholder'].map((name) => part.getAttribute(name) ?? ''),
      );
      return [...(element as HTMLElement).innerText.split('\n'), ...named].map((line) => line.trim());
    });
    assert.deepEqual(
      found.filter((line) => english.has(line)),
      [],
    );
    await window.screenshot(`german-${picture}`);
  }

  const main = (frame: FrameLocator): Locator => frame.locator('body');

  it('names the view, its rows and what can be done with them', async () => {
    await window.page.getByRole('tab', { name: 'Patch Stacks' }).click();
    await window.tree.expand(/^greetings/);
    await window.tree.row(/größer/).click({ button: 'right' });
    await window.page.getByRole('menuitem', { name: 'Patch-Stapel schließen' }).waitFor();
    await speaksGerman(window.page.locator('.part.sidebar'), 'Dieser Arbeitsbereich', 'view');
  });

  it('names the commands in the palette', async () => {
    await window.page.keyboard.press('F1');
    await window.quickInput.fill('>Patch Stacks: Nicht');
    await speaksGerman(window.quickInputWidget, 'Nicht gesendete Änderungen anzeigen', 'palette');
  });

  it('shows a patch', async () => {
    await window.tree.expand(/größer/);
    await window.tree.open('Greet people by name');
    await speaksGerman(main(window.webview), 'Abzeichnen', 'patch');
  });

  it('shows the form for a release', async () => {
    await window.runCommand('Patch Stacks: Release erstellen');
    const page = await window.webviewFrame('Release erstellen');
    await speaksGerman(main(page), 'Commit', 'release');
  });

  it('shows the form for feedback', async () => {
    await window.runCommand('Patch Stacks: Feedback senden');
    const page = await window.webviewFrame('Feedback senden');
    await speaksGerman(main(page), 'Nachricht', 'feedback');
  });

  it('shows the form for the profile', async () => {
    await window.runCommand('Patch Stacks: Profil bearbeiten');
    const page = await window.webviewFrame('Profil');
    await speaksGerman(main(page), 'Sprache', 'profile');
  });

  it('asks for a project in steps', async () => {
    await window.runCommand('Patch Stacks: Projekt erstellen');
    await speaksGerman(window.quickInputWidget, 'Projekt', 'project');
  });

  it('leads through the first steps', async () => {
    const ticked = await window.openWalkthrough('Erste Schritte mit Patch Stacks');
    const page = window.page.locator('.gettingStartedContainer');
    await page.getByText('Einen Patch abzeichnen').click();
    await speaksGerman(page, 'Wenn ein Patch in Ordnung ist', 'walkthrough');
    // The note goes when all of it has been on the screen.
    await window.page.setViewportSize({ width: 1600, height: 330 });
    await window.tree.open('Call names people');
    await window.webview.getByRole('button', { name: 'Abzeichnen und weiter', exact: true }).click();
    await speaksGerman(window.webview.locator('.status-line'), 'Nicht abgezeichnet', 'unseen');
    await window.page.setViewportSize({ width: 1600, height: 900 });
    await window.runCommand('Patch Stacks: Patch trotzdem abzeichnen');
    await window.webview.locator('.status-line').getByText('wurde abgezeichnet').waitFor();
    await window.editorTab('Welcome').click();
    await ticked.getByText('Einen Patch abzeichnen').waitFor();
    await ticked.getByText('Einen Patch lesen').waitFor();
    await ticked.getByText('Anmelden oder').waitFor();
    await expect(ticked).toHaveCount(3);
    await window.screenshot('german-walkthrough-ticked');
  });

  // Last: there is another extension host after it.
  it('says so on a page that nobody answers any more', async () => {
    await window.tree.open('Greet people by name');
    await window.webview.locator('.document:not(.beginning) h1').waitFor();
    await window.webview.getByRole('button', { name: 'Abschnitt bearbeiten' }).first().click();
    await window.webview.locator('.cm-content').click();
    await window.page.keyboard.type('x');
    const host = await extensionHostOf(editor);
    await window.runCommand('Patch Stacks: Release erstellen');
    await window.webviewFrame('Release erstellen');
    process.kill(host, 'SIGKILL');
    await window.editorTab('Greet people by name').first().click();
    const notice = window.webview.locator('main.notice');
    await notice.getByText('Der Erweiterungshost von VS Code antwortet nicht.').waitFor();
    await notice.getByText('Ist er beendet, schließen Sie diesen Tab').waitFor();
  });
});
