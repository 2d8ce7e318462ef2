/** Releases, as a person makes them. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { startService, type LocalService } from '../../src/service/service.ts';
import { Editor } from '../support/editor.ts';
import { git } from '../support/exampleRepository.ts';
import { expect, expectNone } from '../support/expect.ts';
import { FaultServer, reply, resetBeforeHeaders, type Fault } from '../support/faultServer.ts';
import { forwardTo } from '../support/forward.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import type { Workbench } from '../support/workbench.ts';

describe('releases', function () {
  this.timeout(400_000);
  let editor: Editor;
  let service: LocalService;
  let server: FaultServer;
  let window: Workbench;
  let head: string;

  /** The requests that reached the server. */
  const sent = (): { version: string; sha: string; channel: string }[] =>
    server.seen
      .filter(({ url }) => url.endsWith('/releases'))
      .map(({ body }) => JSON.parse(body.toString()) as { version: string; sha: string; channel: string });

  /** Answers creations of releases in a way of its own. */
  function misbehave(fault: Fault): void {
    server.use(forwardTo(service.url, ({ url }) => (url.endsWith('/releases') ? fault : undefined)));
  }

  before(async () => {
    server = await FaultServer.start();
    editor = await Editor.start({
      signIn: async (directory) => {
        service = await startService({ dataDirectory: path.join(directory, 'releases') });
        const { pathname } = new URL(service.url);
        return { url: `${server.url}${pathname}`, token: service.token };
      },
    });
    server.use(forwardTo(service.url));
    const { repository } = editor;
    await writeFile(path.join(repository, 'package.json'), '{"version": "1.2.0"}');
    await writeFile(path.join(repository, 'Cargo.toml'), '[package]\nname = "greet"\nversion = "0.3.1"\n');
    git(repository, 'tag', 'v0.9.0');
    git(repository, 'tag', 'v0.10.0-beta.1', 'HEAD~1');
    head = git(repository, 'rev-parse', 'HEAD').trim();
    window = await editor.openWindow();
    await window.tree.welcome.getByText('any projects yet').waitFor();
  });

  beforeEach(() => server.use(forwardTo(service.url)));

  tidyAfterEach(() => window, { editors: true });

  after(async () => {
    await editor.close();
    await service.close();
    await server.stop();
  });

  const dialog = (): Locator => window.page.locator('.monaco-dialog-box');

  /** Opens the form, as it is with nothing typed unless what was typed before is wanted. */
  async function openForm({ withPending = false } = {}): Promise<FrameLocator> {
    await window.runCommand('Patch Stacks: Create Release');
    await window.webview.getByLabel('Version', { exact: true }).waitFor();
    if (!withPending) {
      await window.webview.getByRole('button', { name: 'Clear Form' }).click();
    }
    return window.webview;
  }

  async function create(
    form: FrameLocator,
    fields: { version?: string; commit?: string } = {},
  ): Promise<void> {
    if (fields.version !== undefined) {
      await form.getByLabel('Version', { exact: true }).fill(fields.version);
    }
    if (fields.commit !== undefined) {
      await form.getByLabel('Commit', { exact: true }).fill(fields.commit);
    }
    await form.getByRole('button', { name: 'Create Release' }).click();
  }

  it('are suggested from what the repository says, and made with the keyboard alone', async () => {
    const form = await openForm();
    const version = form.getByLabel('Version', { exact: true });
    await expect(version).toHaveValue('1.2.0');
    await form.getByRole('button', { name: '0.3.1 from Cargo.toml' }).waitFor();
    await form.getByRole('button', { name: '0.10.0-beta.1 from v0.10.0-beta.1' }).click();
    await expect(version).toHaveValue('0.10.0-beta.1');
    await expect(form.getByLabel('Commit', { exact: true })).toHaveValue('HEAD');
    await form.locator('.commit').getByText(head).waitFor();
    await form.getByText('Grüße auf 日本語 🎉').waitFor();

    await version.focus();
    await window.page.keyboard.press('Shift+Home');
    await window.page.keyboard.type('1.2.0-nightly.1');
    await window.page.keyboard.press('Enter');
    await form.getByText('Release created.').waitFor();
    assert.deepEqual(sent(), [{ version: '1.2.0-nightly.1', sha: head, channel: 'nightly' }]);
    const past = form.locator('details').first();
    await past.getByText(`1.2.0-nightly.1+${head.slice(0, 7)}`).waitFor();
    await past.getByText('No builds yet.').waitFor();
  });

  it('are refused in place: what is no version, no commit, or taken', async () => {
    const form = await openForm();
    await create(form, { version: '' });
    await form.getByText('Enter a version.').waitFor();
    await create(form, { version: '1.2' });
    await form.locator('#version-problem').getByText("This isn't a semantic version.").waitFor();
    await form.getByLabel('Use "1.2" even though').check();
    await create(form, { commit: 'no-such-branch' });
    await form.locator('#revision-problem').getByText('Couldn\'t find commit "no-such-branch"').waitFor();
    await create(form, { commit: '--all' });
    await form.locator('#revision-problem').getByText('Couldn\'t find commit "--all"').waitFor();
    assert.deepEqual(sent(), []);

    await create(form, { commit: 'origin/main' });
    await form.getByText('Release created.').waitFor();
    const main = git(editor.repository, 'rev-parse', 'origin/main').trim();
    assert.deepEqual(sent(), [{ version: '1.2', sha: main, channel: 'nightly' }]);

    await create(form, { version: '1.2.0-nightly.1', commit: 'HEAD~1' });
    await form.locator('#version-problem').getByText('This version is already on the server.').waitFor();
    await form.getByText('nightly 1.2.0-nightly.1 already exists.').waitFor();
    await expect(form.getByLabel('Commit', { exact: true })).toHaveValue('HEAD~1');
  });

  it('take a short SHA, and warn of a commit that no one else has', async () => {
    git(editor.repository, 'commit', '--quiet', '--allow-empty', '-m', 'Only here');
    const own = git(editor.repository, 'rev-parse', 'HEAD').trim();
    const form = await openForm();
    const warning = form.getByText("This commit hasn't been pushed.");
    await warning.waitFor();
    await form.getByLabel('Commit', { exact: true }).fill(head.slice(0, 9));
    await form.locator('.commit').getByText(head).waitFor();
    await warning.waitFor({ state: 'hidden' });
    await create(form, { version: '1.2.0-nightly.2', commit: own.slice(0, 9) });
    await form.getByText('Release created.').waitFor();
    assert.equal(sent()[0]?.sha, own);
    git(editor.repository, 'reset', '--quiet', '--keep', 'HEAD~1');
  });

  it('are asked about once more for everyone, and when they were sent before', async () => {
    const form = await openForm();
    await form.getByLabel('release', { exact: false }).last().check();
    await create(form, { version: '2.0.0' });
    await dialog().getByText('Create release 2.0.0 on').waitFor();
    await dialog().getByText('for everyone').waitFor();
    await dialog().getByText(head).waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await form.getByText('Nothing was sent.').waitFor();
    assert.deepEqual(sent(), []);

    await create(form);
    await dialog().getByRole('button', { name: 'Create Release' }).click();
    await form.getByText('Release created.').waitFor();
    assert.deepEqual(sent(), [{ version: '2.0.0', sha: head, channel: 'release' }]);

    await form.getByLabel('nightly').check();
    await create(form);
    await dialog().getByText('Create release 2.0.0 again?').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await form.getByText('Nothing was sent.').waitFor();
    assert.equal(sent().length, 1);
  });

  it('show their notes and builds, and nothing that the notes would do', async () => {
    misbehave(
      reply(
        201,
        JSON.stringify({
          version: '3.0.0',
          sha: head,
          channel: 'nightly',
          released_at: '2026-01-02T03:04:05Z',
          notes: '## News\n\n**Bold** things<img src=x onerror="document.title=\'pwned\'"><script>1</script>',
          builds: [
            {
              os: 'linux',
              arch: 'x64',
              platform: 'linux-x64',
              file: 'greet.tar.gz',
              url: 'https://example.com/g',
            },
            { os: 'evil', file: 'evil.exe', url: 'javascript:alert(1)' },
          ],
        }),
      ),
    );
    const form = await openForm();
    await create(form, { version: '3.0.0' });
    const past = form.locator('details').first();
    await past.getByRole('heading', { name: 'News' }).waitFor();
    await expectNone(past.locator('script, img'), { once: past.locator('strong', { hasText: 'Bold' }) });
    const link = past.getByRole('link', { name: 'greet.tar.gz' });
    await expect(link).toHaveAttribute('href', 'https://example.com/g');
    const build = past.getByRole('cell', { name: 'linux-x64' });
    await expectNone(past.getByRole('link', { name: 'evil.exe' }), { once: build });
    await past.getByRole('button', { name: 'Copy the URL of greet.tar.gz' }).waitFor();
    await window.screenshot('release');
  });

  it('may exist after a failure, which is said, and nothing typed is lost', async () => {
    const form = await openForm();
    misbehave(resetBeforeHeaders);
    await create(form, { version: '4.0.0' });
    await form.getByText('The release may have been created').waitFor();
    await expect(form.getByLabel('Version', { exact: true })).toHaveValue('4.0.0');
    assert.equal(sent().length, 1, 'a creation is not sent twice by itself');
    misbehave(reply(403, '{"error": "Only an admin may create releases."}'));
    await create(form);
    await dialog().getByText('Create release 4.0.0 again?').waitFor();
    await dialog().getByRole('button', { name: 'Create Release' }).click();
    await form.getByText("You don't have permission to do this. Server message: Only an admin").waitFor();

    await window.runCommand('View: Close All Editors');
    await window.editorTab('Create Release').waitFor({ state: 'hidden' });
    const again = await openForm({ withPending: true });
    await again.getByText('Your unsent changes were restored.').waitFor();
    await expect(again.getByLabel('Version', { exact: true })).toHaveValue('4.0.0');
    await again.getByRole('button', { name: 'Clear Form' }).click();
    await expect(again.getByLabel('Version', { exact: true })).toHaveValue('1.2.0');
  });

  it('of this workspace are there after a reload of the window', async () => {
    await openForm();
    await window.reload();
    const past = window.webview.locator('details');
    await past.filter({ hasText: '3.0.0' }).waitFor();
    await expect.poll(() => past.count()).toBeGreaterThanOrEqual(4);
  });
});
