import assert from 'node:assert/strict';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readAgentKeys, readKeyFile, readKeyFiles } from '../../../src/accounts/sshKeys/localKeys.ts';

const fixtures = path.join(import.meta.dirname, 'sshKeys');
const ed25519 = readFileSync(path.join(fixtures, 'ed25519.pub'), 'utf8');
const rsa = readFileSync(path.join(fixtures, 'rsa2048.pub'), 'utf8');

describe('keys on this computer', () => {
  let directory: string;

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-local-keys-'));
  });

  after(() => rm(directory, { recursive: true, force: true }));

  it('are the .pub files of the folder, with what is wrong with those that are none', async () => {
    const folder = path.join(directory, 'ssh');
    await mkdir(path.join(folder, 'folder.pub'), { recursive: true });
    await copyFile(path.join(fixtures, 'rsa2048.pub'), path.join(folder, 'b.pub'));
    await copyFile(path.join(fixtures, 'ed25519.pub'), path.join(folder, 'a.pub'));
    await copyFile(path.join(fixtures, 'ed25519-cert.pub'), path.join(folder, 'a-cert.pub'));
    await writeFile(path.join(folder, 'oops.pub'), '-----BEGIN OPENSSH PRIVATE KEY-----\n');
    await writeFile(path.join(folder, 'id_ed25519'), '-----BEGIN OPENSSH PRIVATE KEY-----\n');
    await writeFile(path.join(folder, 'huge.pub'), `${ed25519}${'#'.repeat(100_000)}`);
    const found = (await readKeyFiles(folder)).map(({ file = '', result }) => [
      path.basename(file),
      'key' in result ? result.key.comment : result.problem,
    ]);
    assert.deepEqual(found, [
      ['a-cert.pub', 'certificate'],
      ['a.pub', 'ed@home'],
      ['b.pub', 'rsa2048'],
      ['huge.pub', 'malformed'],
      ['oops.pub', 'private'],
    ]);
  });

  it('are none where there is no folder', async () => {
    assert.deepEqual(await readKeyFiles(path.join(directory, 'nowhere')), []);
  });

  it('are told from a private key of any length by its beginning', async () => {
    const file = path.join(directory, 'private');
    await writeFile(file, `-----BEGIN RSA PRIVATE KEY-----\n${'A'.repeat(200_000)}`);
    assert.deepEqual(await readKeyFile(file), { problem: 'private' });
  });

  describe('in the agent', function () {
    /** A program that answers as ssh-add does. */
    async function agent(script: string): Promise<string> {
      const file = path.join(directory, `ssh-add-${Math.random().toString(36).slice(2)}`);
      await writeFile(file, `#!/bin/sh\n[ "$1" = -L ] || exit 9\n${script}\n`);
      await chmod(file, 0o755);
      return file;
    }

    before(function () {
      if (process.platform === 'win32') {
        this.skip();
      }
    });

    it('are the ones it lists', async () => {
      const answer = await readAgentKeys(await agent(`cat <<'KEYS'\n${ed25519}${rsa}KEYS`));
      assert.ok('keys' in answer);
      assert.deepEqual(
        answer.keys.map(({ result }) => 'key' in result && result.key.comment),
        ['ed@home', 'rsa2048'],
      );
    });

    it('are none when it holds none', async () => {
      assert.deepEqual(await readAgentKeys(await agent('echo The agent has no identities.; exit 1')), {
        keys: [],
      });
    });

    it('are not known without an agent, without ssh-add, or when it fails', async () => {
      assert.deepEqual(await readAgentKeys(await agent('exit 2')), { problem: 'notRunning' });
      assert.deepEqual(await readAgentKeys(path.join(directory, 'no-ssh-add')), { problem: 'notInstalled' });
      assert.deepEqual(await readAgentKeys(await agent('exit 42')), { problem: 'failed' });
    });
  });
});
