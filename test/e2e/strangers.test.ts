import { fileFromBytes } from '../../src/api/uploads.ts';
import { WrittenPatch } from '../support/writtenPatch.ts';

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('a patch of strangers, in the window', function () {
  this.timeout(240_000);
  let patch: WrittenPatch;

  before(async () => {
    patch = await WrittenPatch.open(['# Text\n\nOf a stranger.']);
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      console.log(`--- a picture: ${await patch.window.screenshot(`failed-${Date.now()}`)}`);
    }
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
    await webview.getByRole('button', { name: 'Open changes', exact: true }).first().click();
    await window.editorTab('greet.ts (Greet people by name)').waitFor();
    const diff = page.locator('.monaco-diff-editor');
    await diff.locator('.editor.original', { hasText: "return 'Hello'" }).waitFor();
    await diff.locator('.editor.modified', { hasText: 'Hello, ${name}' }).waitFor();
    await window.runCommand('View: Close Editor');
  });
});
