import { createHash } from 'node:crypto';
import { invalid } from './errors.ts';
import { withoutEnd } from '../util/budget.ts';

/** An SSH public key that was read and checked. */
interface SshPublicKey {
  /** `type base64`, without the comment. */
  publicKey: string;
  /** `SHA256:` and the digest in Base64 without padding, as ssh-keygen shows it. */
  fingerprint: string;
}

/** The key types OpenSSH accepts today, with the least number of bytes of a whole key. */
const keyTypes: ReadonlyMap<string, number> = new Map([
  ['ssh-ed25519', 51],
  ['ssh-rsa', 140],
  ['ecdsa-sha2-nistp256', 104],
  ['ecdsa-sha2-nistp384', 136],
  ['ecdsa-sha2-nistp521', 172],
  ['sk-ssh-ed25519@openssh.com', 60],
  ['sk-ecdsa-sha2-nistp256@openssh.com', 115],
]);

/**
 * Reads a public key as it stands in an OpenSSH `.pub` file.
 *
 * @throws HttpError 422 on the field `public_key`, with the reason.
 */
export function parseSshPublicKey(text: string): SshPublicKey {
  const line = text.trim();
  if (line.includes('PRIVATE KEY')) {
    throw invalid('public_key', 'is a private key. Never share it: use the content of the .pub file instead');
  }
  const [type = '', base64 = ''] = line.split(/\s+/);
  const least = keyTypes.get(type);
  if (least === undefined || /[\r\n]/.test(line)) {
    throw invalid(
      'public_key',
      `must be one line that starts with a key type: ${[...keyTypes.keys()].join(', ')}`,
    );
  }
  const bytes = Buffer.from(base64, 'base64');
  if (base64 === '' || withoutEnd(bytes.toString('base64'), '=') !== withoutEnd(base64, '=')) {
    throw invalid('public_key', "doesn't have valid Base64 after the key type");
  }
  if (bytes.length < least || !hasWholeFields(bytes, type)) {
    throw invalid('public_key', `isn't a complete ${type} key. Copy it again`);
  }
  const digest = withoutEnd(createHash('sha256').update(bytes).digest('base64'), '=');
  return { publicKey: `${type} ${base64}`, fingerprint: `SHA256:${digest}` };
}

/** True when the bytes are length-prefixed fields to the last byte, the first of which is the key's type. */
function hasWholeFields(bytes: Buffer, type: string): boolean {
  let offset = 0;
  let first: string | undefined;
  while (offset + 4 <= bytes.length) {
    const end = offset + 4 + bytes.readUInt32BE(offset);
    if (end > bytes.length) {
      return false;
    }
    first ??= bytes.toString('latin1', offset + 4, end);
    offset = end;
  }
  return offset === bytes.length && first === type;
}
