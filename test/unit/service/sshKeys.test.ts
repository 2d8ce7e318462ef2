import assert from 'node:assert/strict';
import { HttpError } from '../../../src/service/errors.ts';
import { parseSshPublicKey } from '../../../src/service/sshKeys.ts';
import { sshKeys } from '../../support/sshKeys.ts';

describe('SSH public keys', () => {
  for (const [name, { line, fingerprint }] of Object.entries(sshKeys)) {
    it(`have the fingerprint that ssh-keygen shows: ${name}`, () => {
      const key = parseSshPublicKey(`  ${line}\n`);
      assert.equal(key.fingerprint, fingerprint);
      assert.equal(key.publicKey, line.split(' ').slice(0, 2).join(' '));
    });
  }

  const [type = '', base64 = ''] = sshKeys.ed25519.line.split(' ');
  const refused: [string, string, RegExp][] = [
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nabc', /private key/],
    ['another type', 'ssh-dss AAAA', /key type/],
    ['two lines', `${sshKeys.ed25519.line}\n${sshKeys.rsa.line}`, /one line/],
    ['no Base64', `${type} !!!!`, /Base64/],
    ['nothing after the type', type, /Base64/],
    ['a key cut short', `${type} ${base64.slice(0, 40)}`, /isn't a complete/],
    [
      'a key of another type than it says',
      `ssh-rsa ${sshKeys.ecdsa521.line.split(' ')[1] ?? ''}`,
      /isn't a complete/,
    ],
    [
      'a key with a byte too many',
      `${type} ${Buffer.concat([Buffer.from(base64, 'base64'), Buffer.from([0])]).toString('base64')}`,
      /isn't a complete/,
    ],
  ];
  for (const [name, text, reason] of refused) {
    it(`are refused: ${name}`, () => {
      assert.throws(
        () => parseSshPublicKey(text),
        (error) => error instanceof HttpError && error.status === 422 && reason.test(error.message),
      );
    });
  }
});
