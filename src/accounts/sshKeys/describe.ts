/** Words for SSH keys, in the language of the window. */
import path from 'node:path';
import * as vscode from 'vscode';
import { parseTimestamp } from '../../api/timestamp.ts';
import { readableAge } from '../../util/age.ts';
import type { KnownKey } from './knownKeys.ts';
import type { PublicKey, PublicKeyProblem } from './publicKey.ts';

/** Type and size: *ED25519, 256 bits*. */
export function describeType({ type, bits, weakness }: PublicKey): string {
  const text = vscode.l10n.t('{0}, {1} bits', type, bits);
  return weakness ? `${text} · ${vscode.l10n.t('weak')}` : text;
}

/** The name of a key: the account's, else its own comment, else its fingerprint. */
export function nameOf({ name, key, fingerprint }: KnownKey): string {
  return [name, key?.comment, fingerprint].find((text) => text !== undefined && text !== '') ?? fingerprint;
}

/** Describes a key and its age on the account: *ED25519, 256 bits · added 3 days ago*. */
export function describeKey({ key, createdAt }: KnownKey): string {
  const added = createdAt === undefined ? undefined : parseTimestamp(createdAt);
  const type = key ? describeType(key) : vscode.l10n.t('unknown type');
  return added ? `${type} · ${vscode.l10n.t('added {0}', readableAge(added, vscode.env.language))}` : type;
}

/** The marks of a key: its fingerprint, its comment, and its place on this computer. */
export function identifyKey(known: KnownKey): string {
  const { fingerprint, key, file } = known;
  return [
    fingerprint,
    key?.comment === nameOf(known) ? undefined : key?.comment,
    file === undefined ? undefined : vscode.l10n.t('{0} on this computer', path.basename(file)),
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(' · ');
}

/** Why a text or a file is not taken as a public key, and what to do. */
export function describeProblem(problem: PublicKeyProblem): string {
  switch (problem) {
    case 'empty':
      return vscode.l10n.t("The file or text doesn't contain a key.");
    case 'private':
      return vscode.l10n.t(
        "This is a private key. Never share it. It hasn't left this computer. Use the public key from the file that ends in .pub.",
      );
    case 'certificate':
      return vscode.l10n.t(
        'This is a certificate, not a key. Use the public key it was issued for, from the file without -cert in its name.',
      );
    case 'otherFormat':
      return vscode.l10n.t(
        "This public key isn't in OpenSSH format. Convert it with: ssh-keygen -i -f FILE (add -m PKCS8 for PEM files).",
      );
    case 'several':
      return vscode.l10n.t("There's more than one key. Add one at a time.");
    case 'unknownType':
      return vscode.l10n.t("This key type isn't supported.");
    case 'truncated':
      return vscode.l10n.t('The key is incomplete. Copy the whole line.');
    case 'malformed':
      return vscode.l10n.t(
        "This isn't a public SSH key. Public keys start with a type, such as ssh-ed25519.",
      );
  }
}

/** Why a key should not be used any more. */
export function describeWeakness({ weakness, bits }: PublicKey): string | undefined {
  switch (weakness) {
    case 'dsa':
      return vscode.l10n.t(
        'DSA keys are weak, and servers no longer accept them. Create an Ed25519 key instead.',
      );
    case 'shortRsa':
      return vscode.l10n.t('A {0}-bit RSA key is weak. Create an Ed25519 key instead.', bits);
    default:
      return undefined;
  }
}
