import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileFromBytes } from '../../src/api/uploads.ts';
import { watchDeeds } from '../support/deeds.ts';
import { expectNone } from '../support/expect.ts';
import { isFull } from '../support/full.ts';
import { pictureAfterFailure } from '../support/tidy.ts';
import { WrittenPatch } from '../support/writtenPatch.ts';

const file = path.resolve(import.meta.dirname, '../support/xssVectors.txt');
const all = readFileSync(file, 'utf8')
  .split(/\r?\n/)
  .filter((line) => line.trim() !== '');

/** Vectors in one patch. */
const atOnce = 60;

/** What the page makes of each, patchDocumentSafety.test.ts tells; here is the way to there, which a patch full of them has gone. */
const vectors = isFull ? all : all.filter((_vector, index) => index % Math.ceil(all.length / atOnce) === 0);

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('a patch of strangers, in the window', function () {
  this.timeout(700_000);
  let patch: WrittenPatch;

  before(async () => {
    patch = await WrittenPatch.open(['# Text\n\nOf a stranger.']);
  });

  pictureAfterFailure(() => patch.window);

  afterEach(async () => {
    patch.recover();
  });

  after(async () => {
    await patch.close();
  });

  const refresh = (): Promise<void> => patch.window.runCommand('Patch Stacks: Refresh');

  it('shows the pictures of people that the service has', async () => {
    await patch.client.users.updateMe({ avatar: fileFromBytes('me.png', picture) });
    const serviceOrigin = new URL(patch.editor.service.url).origin;
    const origin = new URL(patch.address).origin;
    patch.amendReads((view) => JSON.parse(JSON.stringify(view).replaceAll(serviceOrigin, origin)));
    await refresh();
    await patch.webview.locator('.authors .avatar img[src^="data:image/png"]').waitFor();
  });

  it('shows changes in the diff editor as far as their diffs tell, when no repository has the commit', async () => {
    const { page, webview, window } = patch;
    patch.amendReads((view) => ({ ...view, commit_sha: 'f'.repeat(40) }));
    await refresh();
    await webview.getByText('f'.repeat(10)).waitFor();
    await webview.getByRole('button', { name: /Change and commit IDs$/ }).click();
    const copy = webview.getByRole('button', { name: 'Copy commit ID' });
    await expectNone(webview.getByRole('button', { name: 'Open commit' }), { once: copy });
    await webview.getByRole('button', { name: 'Open changes', exact: true }).first().click();
    await window.editorTab('greet.ts (Greet people by name)').waitFor();
    const diff = page.locator('.monaco-diff-editor');
    await diff.locator('.editor.original', { hasText: "return 'Hello'" }).waitFor();
    await diff.locator('.editor.modified', { hasText: 'Hello, ${name}' }).waitFor();
    await diff.locator('.editor.modified .view-lines').getByText('Hello, ${name}').click();
    await page.keyboard.type('x');
    const refusal = page.locator('.monaco-editor-overlaymessage').getByText(/read-only/);
    await expectNone(page.locator('.tab.dirty'), { once: refusal });
    await window.runCommand('View: Close All Editors');
    await window.editorTab('').first().waitFor({ state: 'detached' });
  });

  it(`does nothing but be read: ${vectors.length} vectors in every field`, async () => {
    const { page, webview, window } = patch;
    const deeds = watchDeeds(page);

    // Below the workspace, the project and the stack; by whichever title the view knows it now.
    const row = window.tree.rows.nth(3);
    await row.click();
    await webview.locator('.document:not(.beginning) .patch-header h1').waitFor();
    for (let start = 0; start < vectors.length; start += atOnce) {
      const some = vectors.slice(start, start + atOnce);
      const mark = `Round ${start / atOnce}`;
      patch.amendReads((view) => ({ ...view, ...hostile(some, mark) }));
      await refresh();
      await webview.locator('.document:not(.beginning) h1', { hasText: mark }).waitFor();
      // Everything is drawn once that is drawn only when it is near.
      const drawn = await webview.locator('html').evaluate(async (page) => {
        const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
        const seen = new Set<string | null>();
        for (let top = 0; top < page.scrollHeight; top += 600) {
          page.scrollTo(0, top);
          await nextFrame();
          await nextFrame();
          for (const section of document.querySelectorAll('section.section')) {
            seen.add(section.getAttribute('data-section'));
          }
        }
        return [...seen];
      });
      // In the first round the sections of the patch as it is may still be there for a moment.
      const theirs = drawn.filter((code) => /^(text|diff)-\d+$/.test(code ?? ''));
      assert.equal(theirs.length, 2 * some.length);
      // Closed and opened again, it begins as the extension host draws it.
      await window.runCommand('View: Close All Editors');
      await window.editorTab('').first().waitFor({ state: 'detached' });
      await row.click();
      await webview.locator('.document:not(.beginning) h1', { hasText: mark }).waitFor();
    }
    assert.deepEqual(deeds, []);
  });
});

/** A patch in which every text that comes from strangers is a vector. */
function hostile(some: readonly string[], mark: string): object {
  const people = some.map((vector, index) => ({
    email: vector,
    user: { id: 100 + index, login: vector, name: vector, email: vector, avatar_url: vector },
  }));
  const users = people.map(({ user }) => user);
  return {
    title: `${mark} ${some.join(' ')}`,
    description: some.join('\n\n'),
    version: some[0],
    contributors: people,
    review: { viewed: users, signed_off: users, rejected: users },
    review_all: { viewed: users, signed_off: users, rejected: users },
    sections: some.flatMap((vector, index) => [
      {
        id: index,
        code: `text-${index}`,
        identifier: `text-${index}`,
        version: 1,
        position: 2 * index,
        section_type: 'text',
        type: 'text',
        title: vector,
        data: `${vector}\n\n[x](<${vector}>) ![x](${vector}) \`${vector}#L1\`\n\n\`\`\`${vector}\n${vector}\n\`\`\``,
      },
      {
        id: 1_000 + index,
        code: `diff-${index}`,
        identifier: vector,
        version: 1,
        position: 2 * index + 1,
        section_type: 'diff',
        type: 'diff',
        title: vector,
        old_path: vector,
        new_path: `${vector}.ts`,
        hunks: 1,
        lines: 1,
        deletions: 1,
        diff_patch: `--- a/${vector}\n+++ b/${vector}\n@@ -1,2 +1,2 @@ ${vector}\n ${vector}\n-${vector} a\n+${vector} b\n`,
      },
    ]),
  };
}
