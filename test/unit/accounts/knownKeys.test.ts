import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { authorizedKeysLine, findKey, knownKeys } from '../../../src/accounts/sshKeys/knownKeys.ts';
import type { LocalKey } from '../../../src/accounts/sshKeys/localKeys.ts';
import { parsePublicKey, type PublicKey } from '../../../src/accounts/sshKeys/publicKey.ts';

const fixture = (name: string): string =>
  readFileSync(path.join(import.meta.dirname, 'sshKeys', name), 'utf8').trim();

function keyOf(name: string): PublicKey {
  const result = parsePublicKey(fixture(name));
  return 'key' in result ? result.key : assert.fail(name);
}

const ed25519 = keyOf('ed25519.pub');
const rsa = keyOf('rsa2048.pub');
const onThisComputer: LocalKey[] = [
  { file: '/home/ada/.ssh/broken.pub', result: { problem: 'truncated' } },
  { file: '/home/ada/.ssh/id_ed25519.pub', result: { key: ed25519 } },
];

describe('keys of an account', () => {
  it('are known whole when the service shows them', () => {
    const [known] = knownKeys([
      { fingerprint: ed25519.fingerprint, name: 'laptop', publicKey: fixture('ed25519.pub') },
    ]);
    assert.deepEqual(known, { fingerprint: ed25519.fingerprint, name: 'laptop', key: ed25519 });
  });

  it('are known whole when this computer has them, however the service spells the fingerprint', () => {
    for (const fingerprint of [
      ed25519.fingerprint,
      ed25519.fingerprint.replace('SHA256:', ''),
      `${ed25519.fingerprint}=`,
    ]) {
      const [known] = knownKeys([{ fingerprint }], onThisComputer);
      assert.deepEqual(known, { fingerprint, key: ed25519, file: '/home/ada/.ssh/id_ed25519.pub' });
    }
  });

  it('are known by their fingerprint alone otherwise', () => {
    assert.deepEqual(knownKeys([{ fingerprint: rsa.fingerprint, createdAt: 'then' }], onThisComputer), [
      { fingerprint: rsa.fingerprint, createdAt: 'then' },
    ]);
  });

  it('are not known by a key that has another fingerprint', () => {
    const [known] = knownKeys([{ fingerprint: rsa.fingerprint, publicKey: fixture('ed25519.pub') }]);
    assert.deepEqual(known, { fingerprint: rsa.fingerprint });
  });

  it('are found by the key itself', () => {
    const keys = [
      { fingerprint: rsa.fingerprint },
      { fingerprint: ed25519.fingerprint.slice(7), name: 'laptop' },
    ];
    assert.equal(findKey(keys, ed25519)?.name, 'laptop');
    assert.equal(findKey(keys, keyOf('ecdsa256.pub')), undefined);
  });

  it('are one line of authorized_keys each, which no name can leave', () => {
    const { fingerprint } = ed25519;
    assert.equal(authorizedKeysLine({ fingerprint, key: ed25519 }), fixture('ed25519.pub'));
    const nameless = { ...ed25519, comment: '' };
    assert.equal(authorizedKeysLine({ fingerprint, key: nameless }), ed25519.line);
    assert.equal(
      authorizedKeysLine({ fingerprint, key: nameless, name: 'a\nssh-rsa EVIL\u2028b' }),
      `${ed25519.line} a ssh-rsa EVIL b`,
    );
    assert.equal(authorizedKeysLine({ fingerprint }), undefined);
  });
});
