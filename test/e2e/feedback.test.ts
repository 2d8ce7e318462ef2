/** Feedback, as a person sends it. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { globSync } from 'node:fs';
import { truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { startService, type LocalService } from '../../src/service/service.ts';
import { Database } from '../../src/service/storage/database.ts';
import { attachmentsOf, listFeedback, readAttachment } from '../../src/service/storage/feedback.ts';
import { Editor } from '../support/editor.ts';
import { git } from '../support/exampleRepository.ts';
import { expect, expectNone } from '../support/expect.ts';
import {
  FaultServer,
  reply,
  resetBeforeHeaders,
  stalledHeaders,
  type Fault,
} from '../support/faultServer.ts';
import { forwardTo } from '../support/forward.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import type { Workbench } from '../support/workbench.ts';
import { readZip } from '../support/zip.ts';

describe('feedback', function () {
  this.timeout(400_000);
  let editor: Editor;
  let service: LocalService;
  let server: FaultServer;
  let token: string;
  let database: Database;
  let window: Workbench;

  before(async () => {
    server = await FaultServer.start();
    editor = await Editor.start({
      signIn: async (directory) => {
        const dataDirectory = path.join(directory, 'feedback');
        service = await startService({ dataDirectory });
        database = new Database(path.join(dataDirectory, 'patch-stacks.sqlite'));
        const { pathname } = new URL(service.url);
        ({ token } = service.addUser({ name: 'Grace Hopper', email: 'grace@example.org' }));
        return { url: `${server.url}${pathname}`, token };
      },
    });
    server.use(forwardTo(service.url));
    const { repository } = editor;
    await writeFile(path.join(repository, '.env'), 'PASSWORD=hunter2\n');
    await writeFile(path.join(repository, 'deploy.key'), 'secret\n');
    await writeFile(path.join(repository, 'untracked.txt'), 'not in git\n');
    git(repository, 'add', '--force', '.env', 'deploy.key');
    await writeFile(path.join(repository, 'notes.txt'), 'changed and not committed\n');
    window = await editor.openWindow();
    await window.tree.welcome.getByText('any projects yet').waitFor();
  });

  beforeEach(() => server.use(forwardTo(service.url)));

  tidyAfterEach(() => window, { editors: true });

  after(async () => {
    await editor.close();
    database.close();
    await service.close();
    await server.stop();
  });

  /** Answers feedback in a way of its own. */
  function misbehave(fault: Fault): void {
    server.use(forwardTo(service.url, ({ url }) => (url.endsWith('/feedback') ? fault : undefined)));
  }

  /** The feedback that the service has received last. */
  function received() {
    const [last] = listFeedback(database);
    assert.ok(last, 'the service has received nothing');
    const attachments = attachmentsOf(database, last.id).map(({ id, kind, file_name: name }) => ({
      kind,
      name,
      bytes: Buffer.concat([...readAttachment(database, id)]),
    }));
    return { ...last, attachments };
  }

  /** Opens the form, as it is with nothing typed unless what was typed before is wanted. */
  async function openForm({ withPending = false } = {}): Promise<FrameLocator> {
    await window.runCommand('Patch Stacks: Send Feedback');
    await window.webview.getByLabel('Message').waitFor();
    if (!withPending) {
      await window.webview.getByRole('button', { name: 'Clear Form' }).click();
    }
    return window.webview;
  }

  const send = (form: FrameLocator): Promise<void> => form.getByRole('button', { name: /^Send/ }).click();

  const sent = (form: FrameLocator): Promise<void> => form.getByText('Sent. Thank you.').waitFor();

  async function chooseFile(form: FrameLocator, file: string): Promise<void> {
    const openDialog = async (): Promise<void> => {
      await form.getByRole('button', { name: 'Choose Files…' }).click();
      await window.quickInputWidget.getByText('Files to attach to the feedback').waitFor();
      await window.quickPickRow('..').waitFor();
    };
    await window.chooseFile(openDialog, file, window.quickInputWidget.getByText(path.basename(file)).first());
    await form.getByRole('button', { name: `Remove ${path.basename(file)}` }).waitFor();
  }

  it('is refused in place, and then sent with the keyboard alone, without attachments', async () => {
    const form = await openForm();
    await send(form);
    await form.locator('#message-problem').getByText('Enter a message').waitFor();
    assert.equal(server.seen.filter(({ url }) => url.endsWith('/feedback')).length, 0);
    await form.getByLabel('Message').focus();
    await window.page.keyboard.type('It **works**');
    await form.getByRole('button', { name: 'Preview' }).click();
    await form.locator('.preview strong', { hasText: 'works' }).waitFor();
    const email = form.getByLabel('Reply address');
    await expect(email).toHaveValue('grace@example.org');
    await email.fill('not an address');
    await send(form);
    await form.locator('#email-problem').getByText('Enter a valid email address').waitFor();
    await email.fill('ada@example.org');
    const context = form.getByLabel('Context');
    await expect(context).toHaveValue(/^Extension: Patch Stacks \d/);
    const suggested = await context.inputValue();
    assert.match(suggested, new RegExp(`^Server: ${new URL(server.url).host}$`, 'm'));
    assert.ok(!suggested.includes(token));
    await context.fill(`${suggested}\nand more`);
    await email.focus();
    await window.page.keyboard.press('Enter');
    await sent(form);
    const { message, email: address, context: sentContext, attachments } = received();
    assert.deepEqual(
      [message, address, sentContext],
      ['It **works**', 'ada@example.org', `${suggested}\nand more`],
    );
    assert.deepEqual(attachments, []);
    await expect(form.getByLabel('Message')).toHaveValue('');
  });

  it('keeps the focus in the field that is being corrected, whatever else is wrong', async () => {
    const form = await openForm();
    const email = form.getByLabel('Reply address');
    await email.fill('not an address');
    await send(form);
    await form.locator('#message-problem').waitFor();
    await form.locator('#email-problem').waitFor();
    await expect(form.getByLabel('Message')).toBeFocused();
    // Not with a key: VS Code selects all on the page a moment later.
    await email.selectText();
    await window.page.keyboard.type('ada@example.org');
    await expect(email).toHaveValue('ada@example.org');
    await expect(form.getByLabel('Message')).toHaveValue('');
    await expect(form.locator('#message-problem')).toBeVisible();
    await form.getByRole('button', { name: 'Clear Form' }).click();
    await form.locator('#message-problem').waitFor({ state: 'detached' });
  });

  it('takes the log along as it was shown, without the token', async () => {
    const form = await openForm();
    await form.getByText('View the log as it would be sent').click();
    const log = form.locator('pre.log');
    await expect(log).toHaveText(/\/user/);
    const shown = await log.innerText();
    assert.ok(!shown.includes(token));
    await form.getByLabel("This window's log").check();
    await send(form);
    await sent(form);
    const [attached, ...others] = received().attachments;
    assert.deepEqual(others, []);
    assert.equal(attached?.kind, 'logs');
    assert.equal(attached.bytes.toString().trim(), shown.trim());
  });

  it('takes the repository along: what Git lists, without secrets, and what the person leaves out', async () => {
    const form = await openForm();
    await form.getByLabel('Message').fill('Look at this');
    await form.getByLabel('Repository').selectOption('greetings');
    await form.getByText(/^\d+ files, .* uncompressed$/).waitFor();
    await form.getByText('Excluded because they look like secrets: 2').waitFor();
    await form.getByText('deploy.key').waitFor();
    await window.screenshot('feedback');
    await form.getByLabel('Exclude more files').fill('picture.bin\n');
    await form.getByText('Excluded by your patterns: 1').waitFor();
    await send(form);
    await sent(form);
    const [repository] = received().attachments;
    assert.equal(repository?.kind, 'repo');
    const files = await readZip(repository.bytes);
    const listed = git(editor.repository, 'ls-files', '-z').split('\0').filter(Boolean);
    const leftOut = ['.env', 'deploy.key', 'picture.bin'];
    assert.ok(leftOut.every((name) => listed.includes(name)));
    assert.deepEqual([...files.keys()].sort(), listed.filter((name) => !leftOut.includes(name)).sort());
    assert.equal(files.get('notes.txt')?.toString(), 'changed and not committed\n');
    assert.equal(files.get('日本語.txt')?.toString(), 'こんにちは\n');
  });

  it('takes chosen files along, and refuses what is too large', async () => {
    const report = path.join(editor.directory, 'report.txt');
    await writeFile(report, 'a report\n');
    const form = await openForm();
    await chooseFile(form, report);
    await send(form);
    await sent(form);
    const [data] = received().attachments;
    assert.equal(data?.kind, 'data');
    assert.equal((await readZip(data.bytes)).get('report.txt')?.toString(), 'a report\n');

    const huge = path.join(editor.directory, 'huge.zip');
    await writeFile(huge, '');
    await truncate(huge, 101 * 1024 * 1024);
    await form.getByLabel('Message').fill('Far too much');
    await chooseFile(form, huge);
    await send(form);
    await form.locator('#data-problem').getByText('larger than 100 MB').waitFor();
    await expect(form.getByLabel('Message')).toHaveValue('Far too much');
    await form.getByRole('button', { name: 'Remove huge.zip' }).click();
    await send(form);
    await sent(form);
    assert.deepEqual(received().attachments, []);
  });

  it('can be canceled while it is sent, and nothing typed is lost', async () => {
    const large = path.join(editor.directory, 'large.bin');
    await writeFile(large, randomBytes(24 * 1024 * 1024));
    const form = await openForm();
    await form.getByLabel('Message').fill('Wait, no');
    await chooseFile(form, large);
    const progress = form.getByRole('progressbar', { name: 'Sending…' });
    misbehave(stalledHeaders);
    await send(form);
    await expect.poll(() => progress.evaluate((bar: HTMLProgressElement) => bar.position)).toBe(1);
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.getByText('Canceled, but your feedback may have arrived. Your text is still here.').waitFor();
    server.unread = /feedback$/;
    await send(form);
    await progress.waitFor();
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.getByText('Canceled. Your text is still here.').waitFor();
    server.unread = undefined;
    await expect(form.getByLabel('Message')).toHaveValue('Wait, no');
    await form.getByRole('button', { name: 'Remove large.bin' }).waitFor();
    await expect.poll(packed, { timeout: 10_000 }).toEqual([]);
  });

  it('that failed is there as a whole, also after the tab and the window were closed', async () => {
    const report = path.join(editor.directory, 'report.txt');
    await writeFile(report, 'a report\n');
    const form = await openForm();
    await form.getByLabel('Message').fill('Do not lose me');
    await form.getByLabel('Reply address').fill('me@example.org');
    await form.getByLabel("This window's log").check();
    await chooseFile(form, report);
    misbehave(resetBeforeHeaders);
    await send(form);
    await form.getByText("The server can't be reached.").waitFor();
    await form.getByText('Your feedback may have arrived. If you send it again').waitFor();
    assert.equal(
      server.seen.filter(({ url }) => url.endsWith('/feedback')).length,
      1,
      'it is not sent twice by itself',
    );
    misbehave(reply(500, '{"error": "no room"}'));
    await send(form);
    await form.getByText('Server message: no room').waitFor();
    await form.getByText('Your feedback may have arrived. If you send it again').waitFor();
    misbehave(reply(422, '{"errors": [{"field": "email", "message": "is blocked"}]}'));
    await send(form);
    await form.locator('#email-problem').getByText('is blocked').waitFor();
    await expectNone(form.getByText('may have arrived'), { once: form.locator('#email-problem') });

    await window.reload();
    const again = await openForm({ withPending: true });
    await again.getByText('Your unsent changes were restored.').waitFor();
    await expect(again.getByLabel('Message')).toHaveValue('Do not lose me');
    await expect(again.getByLabel('Reply address')).toHaveValue('me@example.org');
    await expect(again.getByLabel("This window's log")).toBeChecked();
    server.use(forwardTo(service.url));
    await send(again);
    await sent(again);
    assert.deepEqual(
      received()
        .attachments.map(({ kind }) => kind)
        .sort(),
      ['data', 'logs'],
    );
  });

  /** The folders of attachments that are being sent. */
  async function packed(): Promise<string[]> {
    const storage = path.join(editor.directory, 'vscode/data/User/globalStorage/patch-stacks.patch-stacks');
    return globSync('feedback/*/packed-*', { cwd: storage });
  }
});
