import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync, sign as signWith } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseSshPublicKey } from '../../../../src/service/sshKeys.ts';
import { signatureOf } from '../../../../src/service/sharing/signatures.ts';
import { GitRepository } from '../../../support/gitRepository.ts';

describe('signatures of commits', () => {
  let folder: string;
  let repository: GitRepository;

  before(function () {
    folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-keys-'));
    repository = GitRepository.withMain('signed');
    repository.git('config', 'gpg.format', 'ssh');
    try {
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path.join(folder, 'probe')]);
    } catch {
      this.skip();
    }
  });

  after(() => {
    repository.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  function sign(options: readonly string[], message = 'Signed'): { commit: Buffer; fingerprint: string } {
    const file = path.join(folder, options.join('-'));
    execFileSync('ssh-keygen', ['-q', ...options, '-N', '', '-f', file]);
    repository.git('config', 'user.signingKey', `${file}.pub`);
    const sha = repository.git('commit-tree', '-S', 'HEAD^{tree}', '-m', message);
    const { fingerprint } = parseSshPublicKey(readFileSync(`${file}.pub`, 'utf8'));
    const commit = execFileSync('git', ['cat-file', 'commit', sha], { cwd: repository.directory });
    return { commit, fingerprint };
  }

  for (const kind of ['ed25519', 'rsa', 'ecdsa-256', 'ecdsa-384', 'ecdsa-521']) {
    it(`are of a key (${kind}) and of nothing else than what it signed`, () => {
      const [type = '', bits = '2048'] = kind.split('-');
      const { commit, fingerprint } = sign(['-t', type, ...(type === 'ed25519' ? [] : ['-b', bits])]);
      assert.deepEqual(signatureOf(commit), { fingerprint });
      const other = Buffer.from(commit.toString('latin1').replace('Signed', 'Forged'), 'latin1');
      assert.equal(signatureOf(other), 'bad');
    });
  }

  it('are bad whatever byte of them is another one, and never fail', () => {
    const { commit } = sign(['-t', 'ed25519', '-C', 'bytes']);
    const text = commit.toString('latin1');
    const lines = text.slice(text.indexOf('BEGIN SSH'), text.indexOf('\n -----END'));
    const base64 = lines.split('\n ').slice(1).join('');
    const bytes = Buffer.from(base64, 'base64');
    for (const [index] of bytes.entries()) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 0x41;
      const forged = changed
        .toString('base64')
        .match(/.{1,70}/g)!
        .join('\n ');
      const whole = text.replace(base64.match(/.{1,70}/g)!.join('\n '), forged);
      assert.notEqual(whole, text);
      assert.equal(signatureOf(Buffer.from(whole, 'latin1')), 'bad', `byte ${index}`);
    }
    assert.equal(signatureOf(Buffer.from(text.replace(lines.slice(-40), ''), 'latin1')), 'bad');
  });

  it('are none where a commit has none, or one of another kind', () => {
    const plain = execFileSync('git', ['cat-file', 'commit', 'HEAD'], { cwd: repository.directory });
    assert.equal(signatureOf(plain), undefined);
    const pgp = plain.toString('latin1').replace('\n\n', '\ngpgsig -----BEGIN PGP SIGNATURE-----\n x\n\n');
    assert.equal(signatureOf(Buffer.from(pgp, 'latin1')), undefined);
  });

  it('are of a key on a security token, which signs what it did, too', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const field = (value: string | Buffer): Buffer => {
      const bytes = Buffer.from(value as string, 'latin1');
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return Buffer.concat([length, bytes]);
    };
    const type = 'sk-ssh-ed25519@openssh.com';
    const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
    const key = Buffer.concat([field(type), field(point), field('ssh:')]);
    const plain = execFileSync('git', ['cat-file', 'commit', 'HEAD'], { cwd: repository.directory });
    const sha = (name: string, data: string | Buffer): Buffer => createHash(name).update(data).digest();
    const rest = [field('git'), field(''), field('sha512')];
    const message = Buffer.concat([Buffer.from('SSHSIG'), ...rest, field(sha('sha512', plain))]);
    const signed = (did: Buffer, told = did): Buffer => {
      const digest = Buffer.concat([sha('sha256', 'ssh:'), did, sha('sha256', message)]);
      const signature = Buffer.concat([field(type), field(signWith(null, digest, privateKey)), told]);
      const version = Buffer.from([0, 0, 0, 1]);
      const whole = Buffer.concat([Buffer.from('SSHSIG'), version, field(key), ...rest, field(signature)]);
      const lines = [
        '-----BEGIN SSH SIGNATURE-----',
        whole.toString('base64'),
        '-----END SSH SIGNATURE-----',
      ];
      return Buffer.from(
        plain.toString('latin1').replace('\n\n', `\ngpgsig ${lines.join('\n ')}\n\n`),
        'latin1',
      );
    };
    const touched = Buffer.from([1, 0, 0, 0, 7]);
    const { fingerprint } = parseSshPublicKey(`${type} ${key.toString('base64')}`);
    assert.deepEqual(signatureOf(signed(touched)), { fingerprint });
    assert.equal(signatureOf(signed(touched, Buffer.from([1, 0, 0, 0, 8]))), 'bad');
  });

  it('count only for what git signs', () => {
    const { commit } = sign(['-t', 'ed25519', '-C', 'purpose']);
    const text = commit.toString('latin1');
    const payload = path.join(folder, 'payload');
    writeFileSync(payload, text.replace(/gpgsig [\s\S]*?END SSH SIGNATURE-----\n/, ''), 'latin1');
    execFileSync(
      'ssh-keygen',
      ['-q', '-Y', 'sign', '-n', 'file', '-f', path.join(folder, '-t-ed25519--C-purpose'), payload],
      { stdio: 'ignore' },
    );
    const signature = readFileSync(`${payload}.sig`, 'latin1').trimEnd().replaceAll('\n', '\n ');
    const whole = text.replace(/gpgsig [\s\S]*?END SSH SIGNATURE-----/, `gpgsig ${signature}`);
    assert.equal(signatureOf(Buffer.from(whole, 'latin1')), 'bad');
  });
});
