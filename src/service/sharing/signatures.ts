/**
 * The SSH signatures of commits, as git makes them (`gpg.format=ssh`): read and checked here, because a process for each commit would take
 * longer than all else. What they are is in OpenSSH's PROTOCOL.sshsig.
 */
import { createHash, createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { withoutEnd } from '../../util/budget.ts';

/** The signature of a commit: the key that made it, or that it isn't one of this commit. */
export type Signature = { fingerprint: string } | 'bad';

const begin = '-----BEGIN SSH SIGNATURE-----';
const end = '-----END SSH SIGNATURE-----';
/** Git signs for this use; what somebody signed for another one counts as nothing. */
const namespace = 'git';
/** Characters of the header of a commit with all that may stand there. */
const longestHeader = 100_000;

const curves: Readonly<Record<string, { name: string; bytes: number; hash: string }>> = {
  nistp256: { name: 'P-256', bytes: 32, hash: 'sha256' },
  nistp384: { name: 'P-384', bytes: 48, hash: 'sha384' },
  nistp521: { name: 'P-521', bytes: 66, hash: 'sha512' },
};

/** Checks the signature of a commit object; undefined when it has none of SSH. */
export function signatureOf(commit: Buffer): Signature | undefined {
  const headerEnd = commit.indexOf('\n\n');
  if (headerEnd < 0 || headerEnd > longestHeader) {
    return undefined;
  }
  const lines = commit.toString('latin1', 0, headerEnd).split('\n');
  const first = lines.findIndex((line) => /^gpgsig(?:-sha256)? /.test(line));
  if (first < 0 || !lines[first]?.endsWith(begin)) {
    return undefined;
  }
  let last = first + 1;
  while (lines[last]?.startsWith(' ')) {
    last++;
  }
  const body = lines.slice(first + 1, last).map((line) => line.slice(1));
  const rest = [...lines.slice(0, first), ...lines.slice(last)].join('\n');
  const signed = Buffer.concat([Buffer.from(rest, 'latin1'), commit.subarray(headerEnd)]);
  try {
    return check(body, signed) ?? 'bad';
  } catch {
    // Whatever is malformed in it: Node's own errors, too, are about what a stranger wrote.
    return 'bad';
  }
}

/** As ssh-keygen shows it. */
function fingerprintOf(key: Buffer): string {
  return `SHA256:${withoutEnd(createHash('sha256').update(key).digest('base64'), '=')}`;
}

function check(lines: readonly string[], signed: Buffer): Signature | undefined {
  if (lines.at(-1) !== end) {
    return undefined;
  }
  const bytes = Buffer.from(lines.slice(0, -1).join(''), 'base64');
  if (bytes.toString('latin1', 0, 6) !== 'SSHSIG' || bytes.readUInt32BE(6) !== 1) {
    return undefined;
  }
  const [key, space, reserved, hash, signature] = fieldsOf(bytes.subarray(10));
  if (!key || !space || !reserved || !hash || !signature || space.toString('latin1') !== namespace) {
    return undefined;
  }
  const digest = hashed(hash.toString('latin1'), signed);
  const message =
    digest && Buffer.concat([Buffer.from('SSHSIG'), ...[space, reserved, hash, digest].map(field)]);
  return message && isSignedBy(key, signature, message) ? { fingerprint: fingerprintOf(key) } : undefined;
}

function hashed(name: string, data: Buffer): Buffer | undefined {
  return name === 'sha256' || name === 'sha512' ? createHash(name).update(data).digest() : undefined;
}

function isSignedBy(key: Buffer, signature: Buffer, message: Buffer): boolean {
  const [typeField, ...parts] = fieldsOf(key);
  const { fields: signatureFields, rest } = splitFields(signature, 2);
  const [algorithm, value] = signatureFields;
  const type = typeField?.toString('latin1') ?? '';
  if (!algorithm || !value) {
    return false;
  }
  const used = algorithm.toString('latin1');
  switch (type) {
    case 'ssh-ed25519':
      return used === type && verify(null, message, publicKey(ed25519(parts[0])), value);
    case 'ssh-rsa': {
      const hash = { 'rsa-sha2-256': 'sha256', 'rsa-sha2-512': 'sha512' }[used];
      const [exponent, modulus] = parts;
      const jwk = { kty: 'RSA', e: base64(exponent), n: base64(unsigned(modulus)) };
      return hash !== undefined && verify(hash, message, publicKey(jwk), value);
    }
    case 'sk-ssh-ed25519@openssh.com':
      return (
        used === type &&
        verify(null, tokenMessage(parts[1], rest, message), publicKey(ed25519(parts[0])), value)
      );
    case 'sk-ecdsa-sha2-nistp256@openssh.com':
      return used === type && isOfCurve(parts, value, tokenMessage(parts[2], rest, message));
    default:
      return type.startsWith('ecdsa-sha2-') && used === type && isOfCurve(parts, value, message);
  }
}

/** A security token signs a digest, with the application that it is for, and what it did (that somebody touched it, and a count). */
function tokenMessage(application: Buffer | undefined, did: Buffer, message: Buffer): Buffer {
  const sha256 = (data: Buffer): Buffer => createHash('sha256').update(data).digest();
  return Buffer.concat([sha256(application ?? Buffer.alloc(0)), did, sha256(message)]);
}

function isOfCurve([name, point]: readonly Buffer[], signature: Buffer, message: Buffer): boolean {
  const curve = curves[name?.toString('latin1') ?? ''];
  const [r, s] = fieldsOf(signature);
  if (!curve || !point || !r || !s || point.length !== 1 + 2 * curve.bytes) {
    return false;
  }
  const x = base64(point.subarray(1, 1 + curve.bytes));
  const y = base64(point.subarray(1 + curve.bytes));
  const key = publicKey({ kty: 'EC', crv: curve.name, x, y });
  const value = Buffer.concat([padded(r, curve.bytes), padded(s, curve.bytes)]);
  return verify(curve.hash, message, { key, dsaEncoding: 'ieee-p1363' }, value);
}

function ed25519(point: Buffer | undefined): JsonWebKey {
  return { kty: 'OKP', crv: 'Ed25519', x: base64(point) };
}

function publicKey(key: JsonWebKey) {
  return createPublicKey({ key, format: 'jwk' });
}

/** The fields, each of which has its length before it, up to the end of the bytes. @throws RangeError where one is longer than they are. */
function fieldsOf(bytes: Buffer): Buffer[] {
  return splitFields(bytes, Infinity).fields;
}

function splitFields(bytes: Buffer, most: number): { fields: Buffer[]; rest: Buffer } {
  const fields: Buffer[] = [];
  let offset = 0;
  while (offset < bytes.length && fields.length < most) {
    const start = offset + 4;
    offset = start + bytes.readUInt32BE(offset);
    if (offset > bytes.length) {
      throw new RangeError('a field is longer than the whole');
    }
    fields.push(bytes.subarray(start, offset));
  }
  return { fields, rest: bytes.subarray(offset) };
}

function field(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function base64(bytes: Buffer | undefined): string {
  return (bytes ?? Buffer.alloc(0)).toString('base64url');
}

/** The same number without the byte that says that it isn't negative. */
function unsigned(number: Buffer | undefined): Buffer {
  return number?.[0] === 0 ? number.subarray(1) : (number ?? Buffer.alloc(0));
}

function padded(number: Buffer, length: number): Buffer {
  const bytes = unsigned(number);
  return Buffer.concat([Buffer.alloc(Math.max(0, length - bytes.length)), bytes]);
}
