import { createHash } from 'node:crypto';
import { invalid } from './errors.ts';
import type { AvatarRow } from './storage/users.ts';

/** The first bytes of the images that browsers show. SVG isn't among them: it can carry scripts. */
const signatures: readonly { mediaType: string; matches: (bytes: Buffer) => boolean }[] = [
  {
    mediaType: 'image/png',
    matches: (bytes) => bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n',
  },
  { mediaType: 'image/jpeg', matches: (bytes) => bytes.subarray(0, 3).toString('latin1') === '\xff\xd8\xff' },
  { mediaType: 'image/gif', matches: (bytes) => /^GIF8[79]a/.test(bytes.subarray(0, 6).toString('latin1')) },
  {
    mediaType: 'image/webp',
    matches: (bytes) => /^RIFF[^]{4}WEBP/.test(bytes.subarray(0, 12).toString('latin1')),
  },
];

/**
 * Checks an image by its content, whatever its name says.
 *
 * @param maximum The largest image in bytes.
 * @throws HttpError 422 on the field `avatar`.
 */
export function readImage(bytes: Buffer, maximum: number): AvatarRow {
  if (bytes.length > maximum) {
    throw invalid('avatar', `must be at most ${maximum.toLocaleString('en')} bytes`);
  }
  const signature = signatures.find(({ matches }) => matches(bytes));
  if (!signature) {
    throw invalid('avatar', 'must be a PNG, JPEG, GIF, or WebP image');
  }
  return { sha: createHash('sha256').update(bytes).digest('hex'), media_type: signature.mediaType, bytes };
}
