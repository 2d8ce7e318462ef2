/** Reads public SSH keys as OpenSSH writes them, and says in one word what is wrong with anything else. */
import { createHash } from 'node:crypto';
import sshpk from 'sshpk';
import { withoutEnd } from '../../util/budget.ts';

/** The kinds of keys, as `ssh-keygen -l` names them. */
type PublicKeyType = 'ED25519' | 'ECDSA' | 'RSA' | 'DSA' | 'ED25519-SK' | 'ECDSA-SK';

/** A public key that was read and checked. */
export interface PublicKey {
  type: PublicKeyType;
  bits: number;
  /** `SHA256:…`, as `ssh-keygen -l` shows it. */
  fingerprint: string;
  /** Empty when there is none. */
  comment: string;
  /** `ssh-ed25519 AAAA…`, without the comment. */
  line: string;
  /** Set when the key is too weak for today. */
  weakness?: 'dsa' | 'shortRsa';
}

/** Why a text is not taken as a public key. */
export type PublicKeyProblem =
  | 'empty'
  /** A private key, or something that holds one: it must not leave the computer. */
  | 'private'
  /** A certificate: it is made for one key and says nothing on its own. */
  | 'certificate'
  /** A public key in another format than OpenSSH's one line. */
  | 'otherFormat'
  /** More than one key. */
  | 'several'
  | 'unknownType'
  /** The end of the key is missing. */
  | 'truncated'
  | 'malformed';

export type PublicKeyResult = { key: PublicKey } | { problem: PublicKeyProblem };

/** Bits below which an RSA key is weak. */
const shortestGoodRsa = 2048;

/** The kinds of keys by the name they begin with, and of how many fields they are made, the name included. */
const types: ReadonlyMap<string, { type: PublicKeyType; fields: number }> = new Map([
  ['ssh-ed25519', { type: 'ED25519', fields: 2 }],
  ['ecdsa-sha2-nistp256', { type: 'ECDSA', fields: 3 }],
  ['ecdsa-sha2-nistp384', { type: 'ECDSA', fields: 3 }],
  ['ecdsa-sha2-nistp521', { type: 'ECDSA', fields: 3 }],
  ['ssh-rsa', { type: 'RSA', fields: 3 }],
  ['ssh-dss', { type: 'DSA', fields: 5 }],
  ['sk-ssh-ed25519@openssh.com', { type: 'ED25519-SK', fields: 3 }],
  ['sk-ecdsa-sha2-nistp256@openssh.com', { type: 'ECDSA-SK', fields: 4 }],
]);

/** Keys that live on a security token, and the ordinary keys they are but for one more field. */
const ordinaryTypes: ReadonlyMap<string, string> = new Map([
  ['sk-ssh-ed25519@openssh.com', 'ssh-ed25519'],
  ['sk-ecdsa-sha2-nistp256@openssh.com', 'ecdsa-sha2-nistp256'],
]);

const certificateType = /-cert-v\d+@openssh\.com$/;

/** Beginnings of private keys: PEM and OpenSSH's own format, the latter also without its first line; PuTTY; JSON Web Key. */
const privateKey = /PRIVATE KEY|b3BlbnNzaC1rZXktdjE|PuTTY-User-Key-File|"d"\s*:/i;

/** Beginnings of public keys in other formats: RFC 4716, PEM, JSON Web Key. */
const otherFormat = /BEGIN (SSH2 |RSA |EC |DSA )?PUBLIC KEY|"kty"\s*:/;

function holdsPrivateKey(text: string): boolean {
  return privateKey.test(text);
}

/** Reads the content of a `.pub` file, or one line of `ssh-add -L`. */
export function parsePublicKey(text: string): PublicKeyResult {
  if (holdsPrivateKey(text)) {
    return { problem: 'private' };
  }
  if (otherFormat.test(text)) {
    return { problem: 'otherFormat' };
  }
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.length > 1) {
    return { problem: lines.every(startsWithType) ? 'several' : 'malformed' };
  }
  return lines[0] === undefined ? { problem: 'empty' } : parseLine(lines[0]);
}

function startsWithType(line: string): boolean {
  const [name = ''] = line.split(/\s/, 1);
  return types.has(name) || certificateType.test(name);
}

function parseLine(line: string): PublicKeyResult {
  const [, name = '', base64 = '', comment = ''] = /^(\S+)(?:\s+(\S+))?(?:\s+(.*))?$/.exec(line) ?? [];
  if (certificateType.test(name)) {
    return { problem: 'certificate' };
  }
  const known = types.get(name);
  if (!known) {
    return { problem: /^(ssh|ecdsa|sk)-/.test(name) ? 'unknownType' : 'malformed' };
  }
  if (base64 === '') {
    return { problem: 'truncated' };
  }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
    return { problem: 'malformed' };
  }
  const bytes = Buffer.from(base64, 'base64');
  const fields = readFields(bytes);
  if (!fields || bytes.toString('base64') !== base64) {
    return { problem: 'truncated' };
  }
  if (fields[0]?.toString('latin1') !== name) {
    return { problem: 'malformed' };
  }
  if (fields.length < known.fields) {
    return { problem: 'truncated' };
  }
  const bits = checkedSize(name, fields);
  if (bits === undefined) {
    return { problem: 'malformed' };
  }
  const { type } = known;
  const weakness = type === 'DSA' ? 'dsa' : type === 'RSA' && bits < shortestGoodRsa ? 'shortRsa' : undefined;
  return {
    key: {
      type,
      bits,
      fingerprint: `SHA256:${withoutEnd(createHash('sha256').update(bytes).digest('base64'), '=')}`,
      comment: comment.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim(),
      line: `${name} ${base64}`,
      ...(weakness && { weakness }),
    },
  };
}

/**
 * The size of a key that is whole and holds nothing else.
 *
 * sshpk does not know keys on security tokens: their one field more, the name of the application, is taken off first.
 */
function checkedSize(name: string, fields: Buffer[]): number | undefined {
  const ordinary = ordinaryTypes.get(name);
  let plain = fields;
  if (ordinary !== undefined) {
    const application = fields.at(-1)?.toString('utf8') ?? '';
    if (!application.startsWith('ssh:')) {
      return undefined;
    }
    plain = [Buffer.from(ordinary), ...fields.slice(1, -1)];
  }
  const bytes = writeFields(plain);
  try {
    const key = sshpk.parseKey(bytes, 'rfc4253');
    // The key must read back as it was written: sshpk takes the private half away where there is one.
    return key.toBuffer('rfc4253').equals(bytes) && hasWholePoint(key, plain) ? key.size : undefined;
  } catch {
    return undefined;
  }
}

/** Checks that a key on a curve holds a point of that curve's length, which sshpk doesn't. */
function hasWholePoint({ type, size }: sshpk.Key, fields: Buffer[]): boolean {
  const point = fields.at(-1);
  switch (type) {
    case 'ed25519':
      return point?.length === 32;
    case 'ecdsa':
      return point?.[0] === 4 && point.length === 1 + 2 * Math.ceil(size / 8);
    default:
      return true;
  }
}

/** Splits bytes into length-prefixed fields; undefined when they do not end with a field. */
function readFields(bytes: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    if (offset + 4 > bytes.length) {
      return undefined;
    }
    const end = offset + 4 + bytes.readUInt32BE(offset);
    if (end > bytes.length) {
      return undefined;
    }
    fields.push(bytes.subarray(offset + 4, end));
    offset = end;
  }
  return fields;
}

function writeFields(fields: Buffer[]): Buffer {
  return Buffer.concat(
    fields.flatMap((field) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(field.length);
      return [length, field];
    }),
  );
}
