import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import {
  parsePublicKey,
  type PublicKey,
  type PublicKeyProblem,
} from '../../../src/accounts/sshKeys/publicKey.ts';

const folder = path.join(import.meta.dirname, 'sshKeys');
const fixture = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
/** For each key of the folder what `ssh-keygen -lf` says of it. */
const expected = JSON.parse(fixture('fingerprints.json')) as Record<string, string>;
const hasSshKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined;

function parsed(text: string): PublicKey {
  const result = parsePublicKey(text);
  assert.ok('key' in result, `refused as ${'problem' in result ? result.problem : ''}: ${text.slice(0, 60)}`);
  return result.key;
}

function problem(text: string): PublicKeyProblem | undefined {
  const result = parsePublicKey(text);
  return 'problem' in result ? result.problem : undefined;
}

/** As `ssh-keygen -l` writes a key. */
function describeKey({ bits, fingerprint, comment, type }: PublicKey): string {
  return `${bits} ${fingerprint} ${comment || 'no comment'} (${type})`;
}

/** Bytes as length-prefixed fields after a key type. */
function line(type: string, ...fields: (Buffer | string)[]): string {
  const bytes = [Buffer.from(type), ...fields.map((field) => Buffer.from(field))].flatMap((field) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(field.length);
    return [length, field];
  });
  return `${type} ${Buffer.concat(bytes).toString('base64')}`;
}

describe('public SSH keys', () => {
  it('have a fixture for every format OpenSSH writes', () => {
    const types = new Set(Object.keys(expected).map((name) => parsed(fixture(name)).type));
    assert.deepEqual([...types].sort(), ['DSA', 'ECDSA', 'ECDSA-SK', 'ED25519', 'ED25519-SK', 'RSA']);
  });

  for (const [name, description] of Object.entries(expected)) {
    it(`${name} is read as ssh-keygen reads it`, () => {
      assert.equal(describeKey(parsed(fixture(name))), description);
    });
  }

  describe('beside ssh-keygen', () => {
    let directory: string;

    before(function () {
      if (!hasSshKeygen) {
        this.skip();
      }
      directory = mkdtempSync(path.join(tmpdir(), 'patch-stacks-keys-'));
    });

    after(() => {
      if (hasSshKeygen) {
        rmSync(directory, { recursive: true });
      }
    });

    it('the fixtures are what it says they are', () => {
      for (const [name, description] of Object.entries(expected)) {
        const { status, stdout } = spawnSync('ssh-keygen', ['-lf', path.join(folder, name)], {
          encoding: 'utf8',
        });
        // OpenSSH 10 has forgotten DSA.
        if (status === 0 || name !== 'dsa.pub') {
          assert.equal(stdout.trim(), description);
        }
      }
    });

    for (const [type, bits] of [
      ['ed25519', 256],
      ['ecdsa', 256],
      ['ecdsa', 384],
      ['ecdsa', 521],
      ['rsa', 1024],
      ['rsa', 2048],
      ['rsa', 3072],
    ] as const) {
      it(`a fresh ${type} key of ${bits} bits is read as it reads it`, () => {
        const file = path.join(directory, `${type}${bits}`);
        const comment = 'Ada Löwe @ home';
        execFileSync('ssh-keygen', [
          ...['-q', '-t', type, '-b', String(bits), '-N', '', '-C', comment, '-f', file],
        ]);
        // Without a language set, it writes other letters than English ones as numbers.
        const env = { ...process.env, LC_ALL: 'C.UTF-8' };
        const said = execFileSync('ssh-keygen', ['-lf', `${file}.pub`], { encoding: 'utf8', env }).trim();
        const text = readFileSync(`${file}.pub`, 'utf8');
        assert.equal(describeKey(parsed(text)), said);
        assert.equal(`${parsed(text).line} ${comment}`, text.trim());
        assert.equal(problem(readFileSync(file, 'utf8')), 'private');
      });
    }
  });

  it('are weak when they are DSA or RSA under 2048 bits, and only then', () => {
    const weak = Object.keys(expected).filter((name) => parsed(fixture(name)).weakness !== undefined);
    assert.deepEqual(weak, ['dsa.pub', 'rsa1024.pub']);
    assert.equal(parsed(fixture('dsa.pub')).weakness, 'dsa');
    assert.equal(parsed(fixture('rsa1024.pub')).weakness, 'shortRsa');
  });

  it('may stand between blank lines, comments, blanks and a byte order mark', () => {
    const { fingerprint } = parsed(fixture('ed25519.pub'));
    const text = `\uFEFF# laptop\r\n\r\n  ${fixture('ed25519.pub').trim().replace(' ', '\t ')}  \r\n`;
    assert.equal(parsed(text).fingerprint, fingerprint);
    assert.equal(parsed(text).comment, 'ed@home');
    assert.equal(parsed(parsed(text).line).comment, '');
  });

  it('carry no control characters in their comment', () => {
    const key = parsed(`${parsed(fixture('ed25519.pub')).line} a\u0007b\u202Ec`);
    assert.equal(key.comment, 'a b c');
  });

  describe('are refused', () => {
    const ed25519 = fixture('ed25519.pub').trim();
    const [type = '', base64 = ''] = ed25519.split(' ');

    it('when they are private, in every format, also on one line or without the first one', () => {
      const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const openSsh = Buffer.from('openssh-key-v1\0and the rest of it, which matters to nobody').toString(
        'base64',
      );
      const texts = [
        rsa.export({ type: 'pkcs1', format: 'pem' }),
        rsa.export({ type: 'pkcs8', format: 'pem' }),
        privateKey.export({ type: 'sec1', format: 'pem' }),
        privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' }),
        JSON.stringify(privateKey.export({ format: 'jwk' })),
        `-----BEGIN OPENSSH PRIVATE KEY-----\n${openSsh}\n-----END OPENSSH PRIVATE KEY-----\n`,
        openSsh,
        'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n',
        '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n',
      ].map(String);
      for (const text of texts) {
        assert.equal(problem(text), 'private', text);
        assert.equal(problem(text.replaceAll('\n', '')), 'private', text);
        assert.equal(problem(`${ed25519}\n${text}`), 'private', 'after a public key');
        assert.equal(problem(`${ed25519} ${text.replaceAll('\n', ' ')}`), 'private', 'as a comment');
      }
    });

    it('when private parts hide in the line of a public one', () => {
      const seed = Buffer.alloc(64, 7);
      assert.notEqual(problem(line('ssh-ed25519', Buffer.alloc(32, 1), seed)), undefined);
      const jwk = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ format: 'jwk' });
      const part = (name: 'n' | 'e' | 'd' | 'qi' | 'p' | 'q'): Buffer =>
        Buffer.concat([Buffer.from([0]), Buffer.from(jwk[name] ?? '', 'base64url')]);
      const parts = (['n', 'e', 'd', 'qi', 'p', 'q'] as const).map(part);
      assert.notEqual(problem(line('ssh-rsa', ...parts)), undefined);
    });

    it('when they are cut off, wherever', () => {
      for (const name of Object.keys(expected)) {
        const { line: whole } = parsed(fixture(name));
        const start = whole.indexOf(' ') + 1;
        fc.assert(
          fc.property(fc.integer({ min: start, max: whole.length - 1 }), (end) => {
            assert.equal(problem(whole.slice(0, end)), 'truncated');
          }),
          { numRuns: 100 },
        );
      }
    });

    it('when they are certificates', () => {
      assert.equal(problem(fixture('ed25519-cert.pub')), 'certificate');
    });

    it('when there is more than one', () => {
      assert.equal(problem(fixture('ed25519.pub') + fixture('rsa2048.pub')), 'several');
    });

    it('when they are in another format', () => {
      const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
      const formats = [
        publicKey.export({ type: 'spki', format: 'pem' }),
        publicKey.export({ type: 'pkcs1', format: 'pem' }),
        '---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n---- END SSH2 PUBLIC KEY ----\n',
      ].map(String);
      for (const text of formats) {
        assert.equal(problem(text), 'otherFormat', text);
      }
    });

    it('when they are not what they say', () => {
      assert.equal(problem(''), 'empty');
      assert.equal(problem(' \n# nothing\n'), 'empty');
      assert.equal(problem('hello'), 'malformed');
      assert.equal(problem(`${type} not-base64!`), 'malformed');
      assert.equal(problem(type), 'truncated');
      assert.equal(problem(`ssh-rsa ${base64}`), 'malformed', 'another type than in the key');
      assert.equal(problem(`ssh-ed448 ${base64}`), 'unknownType');
      assert.equal(problem(`from="10.0.0.1" ${ed25519}`), 'malformed', 'options before the key');
      assert.equal(problem(`${ed25519}\nhello`), 'malformed');
      assert.equal(problem(line('ssh-ed25519', Buffer.alloc(31, 1))), 'malformed', 'a byte short');
      assert.equal(problem(line('ssh-ed25519', Buffer.alloc(32, 1), 'more')), 'malformed', 'a field more');
      assert.equal(problem(line('ssh-rsa', Buffer.from([1, 0, 1]))), 'truncated', 'a field less');
      const point = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 3)]);
      assert.equal(problem(line('ecdsa-sha2-nistp256', 'nistp384', point)), 'malformed', 'another curve');
      assert.equal(problem(line('ecdsa-sha2-nistp384', 'nistp384', point)), 'malformed', 'a short point');
      assert.equal(
        problem(line('sk-ssh-ed25519@openssh.com', Buffer.alloc(32, 1), 'https://example.com')),
        'malformed',
        'made for the web, not for SSH',
      );
    });

    it('and never throw, whatever they are', () => {
      fc.assert(
        fc.property(
          fc.constantFrom('ssh-ed25519', 'ssh-rsa', 'ecdsa-sha2-nistp256', 'sk-ssh-ed25519@openssh.com'),
          fc.array(fc.uint8Array({ maxLength: 70 }), { maxLength: 5 }),
          fc.string({ unit: 'binary' }),
          (name, fields, comment) => {
            parsePublicKey(`${line(name, ...fields.map((field) => Buffer.from(field)))} ${comment}`);
            parsePublicKey(comment);
          },
        ),
      );
    });
  });
});
