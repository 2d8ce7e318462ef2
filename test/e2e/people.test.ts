/** The profile, the cards of users and the SSH keys, as a person meets them. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import type { BrowserContext, FrameLocator, Locator } from 'playwright-core';
import { ApiClient } from '../../src/api/client.ts';
import { fileFromBytes } from '../../src/api/uploads.ts';
import { Editor } from '../support/editor.ts';
import { expect, expectNone } from '../support/expect.ts';
import { Relay } from '../support/relay.ts';
import { tidyAfterEach } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

const fixtures = path.join(import.meta.dirname, '../unit/accounts/sshKeys');
const fixture = (name: string): Promise<string> => readFile(path.join(fixtures, name), 'utf8');
const fingerprints = JSON.parse(await fixture('fingerprints.json')) as Record<string, string>;

function fingerprintOf(name: string): string {
  return /SHA256:\S+/.exec(fingerprints[name] ?? '')?.[0] ?? assert.fail(name);
}

/** A PNG of one color. */
function png(width: number, height: number, [red, green, blue]: [number, number, number]): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const row = Buffer.concat([
    Buffer.from([0]),
    ...Array<Buffer>(width).fill(Buffer.from([red, green, blue])),
  ]);
  const pixels = deflateSync(Buffer.concat(Array<Buffer>(height).fill(row)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('people', function () {
  this.timeout(400_000);
  let editor: Editor;
  let context: BrowserContext;
  let window: Workbench;
  /** Between the extension host and the service. */
  let relay: Relay;
  let client: ApiClient;
  let login: string;

  before(async () => {
    editor = await Editor.start({
      signedIn: true,
      reachedAt: async (serviceUrl) => {
        relay = await Relay.start(serviceUrl);
        return relay.throughThis(serviceUrl);
      },
      env: async (directory) => {
        const home = path.join(directory, 'home');
        const bin = path.join(directory, 'bin');
        await mkdir(path.join(home, '.ssh'), { recursive: true });
        await mkdir(bin);
        for (const name of ['ed25519.pub', 'rsa1024.pub', 'ed25519-cert.pub']) {
          await copyFile(path.join(fixtures, name), path.join(home, '.ssh', name));
        }
        // An agent that holds one key which is in no file.
        const agent = path.join(bin, 'ssh-add');
        await writeFile(agent, `#!/bin/sh\ncat '${path.join(fixtures, 'ecdsa384.pub')}'\n`);
        await chmod(agent, 0o755);
        return { HOME: home, PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}` };
      },
    });
    client = new ApiClient({
      serverUrl: editor.service.url,
      getToken: async () => editor.service.token,
    });
    login = (await client.users.me()).login ?? '';
    context = await editor.openContext();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    window = await editor.openWindow({ context });
    await window.statusBarItem(login).waitFor();
  });

  beforeEach(async () => {
    for (const { fingerprint } of (await client.users.keys(login)).items) {
      await client.users.deleteKey(fingerprint);
    }
  });

  tidyAfterEach(() => window, { editors: true });

  after(async () => {
    await client.close();
    await editor.close();
    await relay.stop();
  });

  async function openProfile(): Promise<FrameLocator> {
    await window.runCommand('Patch Stacks: Edit Profile');
    await window.webview.getByLabel('Given name').waitFor();
    return window.webview;
  }

  /** The folder in which the extension keeps changes that are not saved yet. */
  const pendingChanges = (): string =>
    path.join(editor.directory, 'vscode/data/User/globalStorage/patch-stacks.patch-stacks');

  async function clipboard(): Promise<string> {
    return window.page.evaluate('navigator.clipboard.readText()');
  }

  const keyNames = async (): Promise<(string | undefined)[]> =>
    (await client.users.keys(login)).items.map(({ name }) => name);

  describe('edit their profile', () => {
    it('with the keyboard, and see what the service has kept', async () => {
      const form = await openProfile();
      await form.getByLabel('Given name').focus();
      await window.page.keyboard.press('Shift+Home');
      await window.page.keyboard.type('Ada');
      await window.page.keyboard.press('Tab');
      await window.page.keyboard.type('Löwe');
      await form.getByText('Unsaved changes').waitFor();
      await window.page.keyboard.press('Enter');
      await form.getByText('Saved.', { exact: true }).waitFor();
      const user = await client.users.me();
      assert.deepEqual([user.givenName, user.familyName], ['Ada', 'Löwe']);
      await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();

      await form.getByLabel('Language').selectOption('de');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByText('Saved.', { exact: true }).waitFor();
      assert.equal((await client.users.me()).locale, 'de');

      await form.getByLabel('Language').selectOption('en');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByText('Saved.', { exact: true }).waitFor();
      await window.undoRecentChange('Changed your profile.');
      await until(async () => (await client.users.me()).locale === 'de');
    });

    it('and are told in place what the service refuses, without losing what they typed', async () => {
      const form = await openProfile();
      const name = form.getByLabel('Name', { exact: true });
      const before = await name.inputValue();
      const tooLong = 'x'.repeat(300);
      await name.fill(tooLong);
      await form.getByLabel('Given name').fill('Countess');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.locator('#name-problem').waitFor();
      await form.getByRole('button', { name: 'Save Again' }).waitFor();
      await expect(name).toHaveAttribute('aria-invalid', 'true');
      await expect(name).toHaveValue(tooLong);
      await expect(form.getByLabel('Given name')).toHaveValue('Countess');

      await name.fill('  ');
      await form.getByRole('button', { name: 'Save' }).click();
      await expect(form.locator('#name-problem')).toHaveText('Enter a name.', { useInnerText: true });

      await name.fill(before);
      await form.getByRole('button', { name: /^Save/ }).click();
      await form.getByText('Saved.', { exact: true }).waitFor();
      assert.equal((await client.users.me()).givenName, 'Countess');
    });

    it('and find again what they typed after the tab was closed', async () => {
      const form = await openProfile();
      const family = form.getByLabel('Family name');
      const before = await family.inputValue();
      await family.fill('King-Noel');
      await until(() => holdsText(pendingChanges(), 'King-Noel'));
      await window.runCommand('View: Close All Editors');
      await window.editorTab('Profile').waitFor({ state: 'hidden' });

      const again = await openProfile();
      await again.getByText('Your unsaved changes were restored.').waitFor();
      await expect(again.getByLabel('Family name')).toHaveValue('King-Noel');
      await again.getByRole('button', { name: 'Discard Changes' }).click();
      await expect(again.getByLabel('Family name')).toHaveValue(before);
      await window.runCommand('View: Close All Editors');
      await window.editorTab('Profile').waitFor({ state: 'hidden' });
      await expect((await openProfile()).getByLabel('Family name')).toHaveValue(before);
      assert.notEqual((await client.users.me()).familyName, 'King-Noel');
    });

    it('and have the form back after a reload of the window, with what they typed', async () => {
      const form = await openProfile();
      const family = form.getByLabel('Family name');
      const before = await family.inputValue();
      await family.fill('Byron');
      await until(() => holdsText(pendingChanges(), 'Byron'));
      await window.reload();
      await window.webview.getByText('Your unsaved changes were restored.').waitFor();
      await expect(window.webview.getByLabel('Family name')).toHaveValue('Byron');
      await window.webview.getByRole('button', { name: 'Discard Changes' }).click();
      await expect(window.webview.getByLabel('Family name')).toHaveValue(before);
    });

    it('and choose a picture, which is checked by its content', async () => {
      const form = await openProfile();
      const file = form.locator('input[type="file"]');
      const problem = form.locator('#avatar-problem');
      const picture = png(64, 64, [0x80, 0x30, 0xc0]);
      const refuse = async (name: string, buffer: Buffer, reason: RegExp): Promise<void> => {
        await file.setInputFiles({ name, mimeType: 'image/png', buffer });
        await problem.filter({ hasText: reason }).waitFor();
        await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
      };
      await refuse('picture.png', Buffer.from('<svg onload="alert(1)"/>'), /isn't an image|file type is/);
      await refuse('picture.jpg', picture, /is "\.jpg", but the file is a PNG image/);
      await refuse('picture.png', picture.subarray(0, 60), /damaged/);
      await refuse('picture.png', Buffer.alloc(0), /empty/);
      await refuse(
        'picture.png',
        Buffer.concat([picture, Buffer.alloc(6 * 1024 * 1024)]),
        /larger than 5 MB/,
      );
      await refuse('picture.png', Buffer.from('%PDF-1.7\n%âãÏÓ\n'), /file type is PDF/);

      await file.setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer: picture });
      const shown = form.locator('.avatar img');
      await expect(shown).toHaveAttribute('src', /^data:image\/png;base64,/);
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByText('Saved.', { exact: true }).waitFor();
      const { avatarUrl } = await client.users.me();
      assert.deepEqual(await client.image(avatarUrl ?? ''), picture);
      await expect(shown).toHaveAttribute('src', /^data:image\/png;base64,/);
      // Nobody has the picture from before.
      await window.runCommand('Patch Stacks: Show Recent Changes');
      await window.pick('Changed your profile.');
      await expectNone(window.quickPickRow('Undo'), { once: window.quickPickRow('Show Before and After') });
      await window.page.keyboard.press('Escape');
    });
  });

  describe('see others', () => {
    before(async () => {
      const { login: other, token } = editor.service.addUser({
        name: 'Grace Hopper',
        email: 'grace@example.org',
      });
      assert.equal(other, 'grace');
      const grace = new ApiClient({ serverUrl: editor.service.url, getToken: async () => token });
      await grace.users.addKey({ name: 'ship', publicKey: await fixture('rsa2048.pub') });
      await grace.users.updateMe({ avatar: fileFromBytes('a.png', png(32, 32, [0x20, 0x90, 0x60])) });
      await grace.close();
      editor.service.addOrganization({ slug: 'navy', name: 'The Navy', members: ['grace'] });
    });

    it('by their login, which is refused in place when no one has it', async () => {
      await window.runCommand('Patch Stacks: Show User');
      const box = window.page.locator('.quick-input-widget');
      await box.getByText('Username').waitFor();
      await window.type('two words');
      await box.getByText("Usernames can't contain").waitFor();
      await window.type('nobody');
      await box.getByText('User "nobody" doesn\'t exist on').waitFor();
      await window.type('@grace');
      const card = window.webview.locator('[data-user="grace"]');
      await card.getByRole('heading', { name: 'Grace Hopper' }).waitFor();
      await card.getByText('The Navy').waitFor();
      await card.getByText('grace@example.org').waitFor();
      await card.getByText(fingerprintOf('rsa2048.pub')).waitFor();
      await card.locator('.avatar img[src^="data:image/png"]').waitFor();
      await card.getByText('The server shows only fingerprints').waitFor();
      await expect(card.getByRole('button', { name: 'Copy as authorized_keys' })).toBeDisabled();
      await card.getByRole('button', { name: 'Copy the fingerprint of ship' }).click();
      await card.getByText('Copied the fingerprint.').waitFor();
      await expect.poll(() => clipboard()).toBe(fingerprintOf('rsa2048.pub'));
    });

    it('and find them again after a reload of the window', async () => {
      await window.runCommand('Patch Stacks: Show User');
      await window.type('grace');
      await window.webview.locator('[data-user="grace"]').waitFor();
      await window.reload();
      await window.webview.locator('[data-user="grace"]').getByText('The Navy').waitFor();
    });

    it('and the next one in the tab that is open', async () => {
      for (const user of ['grace', login]) {
        await window.runCommand('Patch Stacks: Show User');
        await window.type(user);
        await window.webview.locator(`[data-user="${user}"]`).waitFor();
      }
      await expect(window.editorTab('')).toHaveCount(1);
    });

    it('and themselves, with keys that this computer has to copy', async () => {
      await client.users.addKey({ name: 'laptop', publicKey: await fixture('ed25519.pub') });
      await window.runCommand('Patch Stacks: Show User');
      await window.type(login);
      const card = window.webview.locator(`[data-user="${login}"]`);
      await card.getByText('ED25519, 256 bits').waitFor();
      await card.getByRole('button', { name: 'Copy as authorized_keys' }).click();
      await card.getByText('Copied 1 key.').waitFor();
      await expect.poll(() => clipboard()).toBe(await fixture('ed25519.pub'));
      await card.getByRole('button', { name: 'Edit Profile' }).click();
      await window.editorTab('Profile').waitFor();
    });
  });

  describe('have SSH keys', () => {
    const box = (): Locator => window.quickInputWidget;
    const dialog = (): Locator => window.page.locator('.monaco-dialog-box');
    // By the accessible name: rows keep hidden texts of lists that were shown before.
    const row = (text: string): Locator =>
      window.quickPickRows.and(window.page.locator(`[aria-label*="${text}"]`));

    /** Takes the name that is suggested. */
    async function acceptName(suggested: string): Promise<void> {
      await until(async () => (await window.quickInput.inputValue()) === suggested);
      await window.quickInput.press('Enter');
    }

    /** Chooses a file in VS Code's own file chooser. */
    async function chooseFile(file: string): Promise<void> {
      await box().getByText('Choose a Public SSH Key').waitFor();
      await until(async () => (await window.quickInput.inputValue()).endsWith('/.ssh/'));
      await window.quickInput.fill(`${path.dirname(file)}/`);
      await row(path.basename(file)).click();
    }

    async function paste(text: string): Promise<void> {
      await window.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
      await window.quickInput.focus();
      await window.page.keyboard.press('ControlOrMeta+V');
    }

    it('to add from this computer: those that are added or no keys are marked', async () => {
      await client.users.addKey({ name: 'laptop', publicKey: await fixture('ed25519.pub') });
      await window.runCommand('Patch Stacks: Add SSH Key');
      await row('ed25519.pub').getByText('This key has already been added as "laptop".').waitFor();
      await row('ed25519-cert.pub').getByText('This is a certificate').waitFor();
      await row('rsa1024.pub').getByText('RSA, 1024 bits').waitFor();
      await row('ec 384').getByText('ECDSA, 384 bits').waitFor();

      await row('ed25519.pub').getByText('This key has already been added').click();
      await window.told('This key has already been added as "laptop".');
      assert.deepEqual(await keyNames(), ['laptop']);

      await row('ec 384').click();
      await box().getByText(fingerprintOf('ecdsa384.pub')).waitFor();
      await acceptName('ec 384');
      await window.told('Added SSH key "ec 384".');
      assert.deepEqual((await keyNames()).sort(), ['ec 384', 'laptop']);
    });

    it('to paste: what is none is refused where it was pasted, a private one before all', async () => {
      await client.users.addKey({ name: 'laptop', publicKey: await fixture('ed25519.pub') });
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
      const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      const requests: string[] = [];
      window.page.on('request', (request) => requests.push(`${request.url()} ${request.postData() ?? ''}`));

      await window.runCommand('Patch Stacks: Add SSH Key');
      await window.pick('Paste a public key…');
      await box().getByText('Paste the contents of a .pub file').waitFor();
      await paste(secret);
      await box().getByText('This is a private key. Never share it.').waitFor();
      await expect(window.quickInput).toHaveValue('');
      await window.acceptInput();
      await box().getByText("The file or text doesn't contain a key.").waitFor();

      for (const [text, reason] of [
        [(await fixture('ed25519.pub')).slice(0, 60), 'The key is incomplete.'],
        [await fixture('ed25519-cert.pub'), 'This is a certificate, not a key.'],
        ['hello', "This isn't a public SSH key"],
        [await fixture('ed25519.pub'), 'This key has already been added as "laptop".'],
      ] as const) {
        await window.quickInput.fill(text.trim());
        await box().getByText(reason).waitFor();
        await window.acceptInput();
        await box().getByText(reason).waitFor();
      }
      await window.quickInput.fill((await fixture('sk-ed25519.pub')).trim());
      await window.acceptInput();
      await box().getByText(fingerprintOf('sk-ed25519.pub')).waitFor();
      await until(async () => (await window.quickInput.inputValue()) === 'token');
      await window.quickInput.fill('token in my pocket');
      await window.quickInput.press('Enter');
      await window.told('Added SSH key "token in my pocket".');
      assert.deepEqual((await keyNames()).sort(), ['laptop', 'token in my pocket']);
      const part = secret.split('\n')[1] ?? '?';
      assert.deepEqual(
        requests.filter((request) => request.includes(part)),
        [],
      );
      assert.ok(relay.sent.includes('token in my pocket'), 'what the extension host sends was seen');
      assert.ok(!relay.sent.includes(part));
    });

    it('to be warned of when they are weak', async () => {
      await window.runCommand('Patch Stacks: Add SSH Key');
      await row('rsa1024.pub').click();
      await dialog().getByText('A 1024-bit RSA key is weak.').waitFor();
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await dialog().waitFor({ state: 'hidden' });
      assert.deepEqual(await keyNames(), []);

      await window.runCommand('Patch Stacks: Add SSH Key');
      await row('rsa1024.pub').click();
      await dialog().getByRole('button', { name: 'Add Anyway' }).click();
      await box().getByText(fingerprintOf('rsa1024.pub')).waitFor();
      await acceptName('rsa1024');
      await window.told('Added SSH key "rsa1024".');
      assert.deepEqual(await keyNames(), ['rsa1024']);
    });

    it('to manage, with all that is known of them', async () => {
      await client.users.addKey({ name: 'laptop', publicKey: await fixture('ed25519.pub') });
      await client.users.addKey({ name: 'elsewhere', publicKey: await fixture('rsa3072.pub') });
      await window.runCommand('Patch Stacks: Manage SSH Keys');
      await row('laptop')
        .getByText(/^ED25519, 256 bits · added /)
        .waitFor();
      await row('laptop')
        .getByText(/^SHA256:.* · ed@home · ed25519\.pub on this computer$/)
        .waitFor();
      await row('elsewhere').getByText('unknown type').waitFor();

      await row('elsewhere').click();
      // Nobody shows it.
      await expectNone(row('Copy Public Key'), { once: row('Copy Fingerprint') });
      await row('Copy Fingerprint').click();
      await window.statusBarItem('Copied the fingerprint.').waitFor();
      await until(async () => (await clipboard()) === fingerprintOf('rsa3072.pub'));
    });

    it('to manage with the mouse and with the keyboard alone', async () => {
      await client.users.addKey({ name: 'laptop', publicKey: await fixture('ed25519.pub') });
      await window.runCommand('Patch Stacks: Manage SSH Keys');
      await row('laptop').getByRole('button', { name: 'Copy Fingerprint' }).click();
      await window.statusBarItem('Copied the fingerprint.').waitFor();
      await until(async () => (await clipboard()) === fingerprintOf('ed25519.pub'));

      await window.runCommand('Patch Stacks: Manage SSH Keys');
      await row('laptop').getByRole('button', { name: 'Delete…' }).click();
      await dialog().getByText('Delete the SSH key "laptop"?').waitFor();
      await window.page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'hidden' });
      await box().getByPlaceholder('Select an SSH key').waitFor();
      await row('laptop').waitFor();
      // A key that comes while the dialog gives back the focus reaches no one.
      while (await row('laptop').isVisible()) {
        await window.page.keyboard.press('Escape');
        await row('laptop')
          .waitFor({ state: 'hidden', timeout: 2_000 })
          .catch(() => undefined);
      }

      const { keyboard } = window.page;
      await window.runCommand('Patch Stacks: Manage SSH Keys');
      await row('laptop').and(window.page.locator('.focused')).waitFor();
      await window.quickInput.press('Enter');
      await row('Copy Public Key').waitFor();
      await keyboard.press('ArrowUp');
      await keyboard.press('Enter');
      await dialog().getByText('Delete the SSH key "laptop"?').waitFor();
      await keyboard.press('Enter');
      await box().getByPlaceholder("You don't have any SSH keys yet.").waitFor();
      assert.deepEqual(await keyNames(), []);
    });

    it('to add from a file, which is read before anything is sent', async () => {
      const { privateKey } = generateKeyPairSync('ed25519');
      const secret = path.join(editor.directory, 'home/secret');
      await writeFile(secret, privateKey.export({ type: 'pkcs8', format: 'pem' }));
      const file = path.join(editor.directory, 'home/work key.pub');
      await copyFile(path.join(fixtures, 'sk-ecdsa.pub'), file);

      await window.runCommand('Patch Stacks: Add SSH Key');
      await row('Choose File…').click();
      await chooseFile(secret);
      await dialog().getByText("secret can't be added.").waitFor();
      await dialog().getByText('This is a private key. Never share it.').waitFor();
      await dialog().getByRole('button', { name: 'Choose Another File' }).click();
      await chooseFile(file);
      await box().getByText(fingerprintOf('sk-ecdsa.pub')).waitFor();
      await acceptName('token ec');
      await window.told('Added SSH key "token ec".');
      assert.ok(relay.sent.includes('token ec'), 'what the extension host sends was seen');
      assert.ok(!relay.sent.includes((await readFile(secret, 'utf8')).split('\n')[1] ?? '?'));
      assert.deepEqual(await keyNames(), ['token ec']);
    });

    it('to delete, after being asked, and to have back', async () => {
      await client.users.addKey({ name: 'my laptop', publicKey: await fixture('ed25519.pub') });
      await client.users.addKey({ name: 'elsewhere', publicKey: await fixture('rsa3072.pub') });
      await window.runCommand('Patch Stacks: Delete SSH Key');
      await row('my laptop').click();
      await dialog().getByText('Delete the SSH key "my laptop"?').waitFor();
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await dialog().waitFor({ state: 'hidden' });
      assert.deepEqual((await keyNames()).sort(), ['elsewhere', 'my laptop']);

      await window.runCommand('Patch Stacks: Delete SSH Key');
      await row('my laptop').click();
      await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
      await window.told('Deleted SSH key "my laptop".');
      assert.deepEqual(await keyNames(), ['elsewhere']);
      await window.answerNotification('Deleted SSH key "my laptop".', 'Undo');
      await window.told('Restored SSH key "my laptop".');
      const keys = (await client.users.keys(login)).items;
      const laptop = keys.find(({ name }) => name === 'my laptop');
      assert.equal(laptop?.fingerprint, fingerprintOf('ed25519.pub'));

      await window.runCommand('Patch Stacks: Delete SSH Key');
      await row('my laptop').click();
      await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
      // It's in the list once it is told: before, the one above is the latest of these words.
      await window.toldInList('Deleted SSH key "my laptop".');
      await window.undoRecentChange('Deleted SSH key "my laptop".');
      await until(async () => (await keyNames()).length === 2);

      await window.runCommand('Patch Stacks: Delete SSH Key');
      await row('elsewhere').click();
      await dialog().getByText("You can't undo this here").waitFor();
      await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
      await window.told('Deleted SSH key "elsewhere".');
      const deleted = window.notification('Deleted SSH key "elsewhere".');
      await expectNone(deleted.getByRole('button', { name: 'Undo' }), { once: deleted });
      assert.deepEqual(await keyNames(), ['my laptop']);
    });
  });

  describe('without the service', () => {
    it('lose nothing they typed while the service cannot be reached', async () => {
      const form = await openProfile();
      await form.getByLabel('Given name').fill('Augusta');
      relay.behave('cut');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByRole('alert').getByText("The server can't be reached.").waitFor();
      await expect(form.getByLabel('Given name')).toHaveValue('Augusta');
      await window.runCommand('View: Close All Editors');
      await window.editorTab('Profile').waitFor({ state: 'hidden' });
      await window.runCommand('Patch Stacks: Edit Profile');
      await window.webview.getByRole('alert').getByText("The server can't be reached.").waitFor();

      relay.behave('leads');
      await window.webview.getByRole('button', { name: 'Retry' }).click();
      await window.webview.getByText('Your unsaved changes were restored.').waitFor();
      await expect(window.webview.getByLabel('Given name')).toHaveValue('Augusta');
      await window.webview.getByRole('button', { name: 'Save' }).click();
      await window.webview.getByText('Saved.', { exact: true }).waitFor();
      assert.equal((await client.users.me()).givenName, 'Augusta');
    });
  });
});

/** Resolves to true when a file below a folder holds a text. */
async function holdsText(folder: string, text: string): Promise<boolean> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const texts = names.map((name) => readFile(path.join(folder, name), 'utf8').catch(() => ''));
  return (await Promise.all(texts)).some((content) => content.includes(text));
}
