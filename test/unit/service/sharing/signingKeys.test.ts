import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { signingKeys } from '../../../../src/service/sharing/signingKeys.ts';

describe('the keys that sign what is shared', () => {
  const names = ['HOME', 'USERPROFILE', 'GIT_CONFIG_GLOBAL'];
  const before = new Map(names.map((name) => [name, process.env[name]]));
  let home: string;

  beforeEach(() => {
    home = mkdtempSync(path.join(tmpdir(), 'patch-stacks-home-'));
    mkdirSync(path.join(home, '.ssh'));
    process.env['HOME'] = home;
    process.env['USERPROFILE'] = home;
    process.env['GIT_CONFIG_GLOBAL'] = path.join(home, 'config');
    writeFileSync(path.join(home, 'config'), '');
  });

  afterEach(() => {
    for (const [name, value] of before) {
      if (value === undefined) {
        Reflect.deleteProperty(process.env, name);
      } else {
        process.env[name] = value;
      }
    }
    rmSync(home, { recursive: true });
  });

  it('are none where nothing is configured or published, whatever keys there are', async () => {
    writeFileSync(path.join(home, '.ssh', 'id.pub'), 'ssh-ed25519 AAAA ada@home\n');
    assert.deepEqual(await signingKeys(home, []), []);
  });

  it('are those that were published: by their files, else by the agent', async () => {
    const file = path.join(home, '.ssh', 'id.pub');
    writeFileSync(file, 'ssh-ed25519 AAAA ada@home\n');
    assert.deepEqual(await signingKeys(home, ['ssh-rsa BBBB', 'ssh-ed25519 AAAA']), [
      { 'gpg.format': 'ssh', 'user.signingKey': 'key::ssh-rsa BBBB' },
      { 'gpg.format': 'ssh', 'user.signingKey': file },
    ]);
  });

  it('begin with the one that git is configured with, if it signs with SSH', async () => {
    const config = path.join(home, 'config');
    writeFileSync(config, '[gpg]\n\tformat = ssh\n[user]\n\tsigningKey = ~/.ssh/id.pub\n');
    const published = { 'gpg.format': 'ssh', 'user.signingKey': 'key::ssh-rsa BBBB' };
    assert.deepEqual(await signingKeys(home, ['ssh-rsa BBBB']), [{}, published]);
    writeFileSync(config, '[user]\n\tsigningKey = 0123ABCD\n');
    assert.deepEqual(await signingKeys(home, ['ssh-rsa BBBB']), [published]);
  });
});
