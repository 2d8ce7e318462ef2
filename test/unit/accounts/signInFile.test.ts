import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readOnce, SignInFileError } from '../../../src/accounts/signInFile.ts';
import { SignInFile } from '../../../tools/signInFile.ts';

const isWindows = process.platform === 'win32';
const signIn = { url: 'http://127.0.0.1:1/api', token: 'a-secret-token' };
const text = JSON.stringify(signIn);

describe('the file of a sign-in', () => {
  let directory: string;
  let file: string;

  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'patch-stacks-sign-in-'));
    file = path.join(directory, 'sign-in.json');
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** It is refused, gone afterwards, and the message says nothing of it. */
  async function assertRefused(): Promise<void> {
    await assert.rejects(readOnce(file), (error: unknown) => {
      assert.ok(error instanceof SignInFileError, String(error));
      assert.doesNotMatch(error.message, /secret|127/);
      return true;
    });
    assert.equal(statSync(file, { throwIfNoEntry: false }), undefined);
  }

  it('is for one reader', async () => {
    writeFileSync(file, text, { mode: 0o600 });
    assert.deepEqual(await readOnce(file), signIn);
    assert.equal(existsSync(file), false);
    assert.equal(await readOnce(file), undefined);
  });

  it('may say more: what is of another kind is left out', async () => {
    const more = { folder: '/a', data: '/b', showsStack: true, branch: 'feature' };
    writeFileSync(file, JSON.stringify({ ...signIn, ...more, other: 1 }), { mode: 0o600 });
    assert.deepEqual(await readOnce(file), { ...signIn, ...more });
    const wrong = { folder: 1, data: null, showsStack: 'yes', branch: ['feature'] };
    writeFileSync(file, JSON.stringify({ ...signIn, ...wrong }), { mode: 0o600 });
    assert.deepEqual(await readOnce(file), signIn);
    writeFileSync(file, JSON.stringify({ ...signIn, showsStack: false }), { mode: 0o600 });
    assert.deepEqual(await readOnce(file), signIn);
  });

  for (const [what, content] of [
    ['nothing', ''],
    ['half of a sign-in', text.slice(0, -4)],
    ['a sign-in without a token', JSON.stringify({ ...signIn, token: '' })],
    ['a token that is no text', JSON.stringify({ ...signIn, token: [signIn.token] })],
    ['no record', 'null'],
    ['far too much', JSON.stringify({ ...signIn, more: 'x'.repeat(20_000) })],
  ] as const) {
    it(`is deleted and not taken when it holds ${what}`, async () => {
      writeFileSync(file, content, { mode: 0o600 });
      await assertRefused();
    });
  }

  for (const mode of [0o640, 0o604, 0o620, 0o602]) {
    it(`is deleted and not taken when others are let in: ${mode.toString(8)}`, async function () {
      if (isWindows) {
        this.skip();
      }
      writeFileSync(file, text);
      chmodSync(file, mode);
      await assertRefused();
    });
  }

  it('is deleted and not taken when it is someone else’s', async function () {
    if (process.getuid?.() !== 0) {
      this.skip();
    }
    writeFileSync(file, text, { mode: 0o600 });
    chownSync(file, 65534, 65534);
    await assertRefused();
  });

  it('is deleted and not taken when it is a link, whose target stays', async function () {
    if (isWindows) {
      this.skip();
    }
    const target = path.join(directory, 'target');
    writeFileSync(target, text, { mode: 0o600 });
    symlinkSync(target, file);
    await assertRefused();
    assert.equal(readFileSync(target, 'utf8'), text);
  });

  it('is deleted and not waited for when it is a pipe', async function () {
    if (isWindows) {
      this.skip();
    }
    execFileSync('mkfifo', ['-m', '600', file]);
    await assertRefused();
  });

  it('is written for this user alone, also where it lay open before', async () => {
    const folder = path.join(directory, 'hand-over');
    const handedOver = new SignInFile(directory, signIn);
    handedOver.write();
    chmodSync(folder, 0o755);
    chmodSync(path.join(folder, 'sign-in.json'), 0o644);
    handedOver.write();
    const written = handedOver.environment['PATCH_STACKS_SIGN_IN_FILE'] ?? '';
    if (!isWindows) {
      assert.equal(statSync(folder).mode & 0o777, 0o700);
      assert.equal(statSync(written).mode & 0o777, 0o600);
    }
    assert.deepEqual(await readOnce(written), signIn);
    handedOver.write();
    handedOver.delete();
    assert.equal(existsSync(folder), false);
  });
});
