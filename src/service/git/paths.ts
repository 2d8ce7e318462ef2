import { isUtf8 } from 'node:buffer';
import type { RepositoryDecoder } from './encodings.ts';

const escapes: ReadonlyMap<number, string> = new Map([
  [0x07, 'a'],
  [0x08, 'b'],
  [0x09, 't'],
  [0x0a, 'n'],
  [0x0b, 'v'],
  [0x0c, 'f'],
  [0x0d, 'r'],
  [0x22, '"'],
  [0x5c, '\\'],
]);

/**
 * A path as text, without loss: a name that is no UTF-8 is written the way git itself quotes it, such as
 * `"caf\351.txt"`, and so is one that starts with a quotation mark, to tell the two apart.
 */
export function decodePath(bytes: Buffer): string {
  if (isUtf8(bytes) && bytes[0] !== 0x22) {
    return bytes.toString('utf8');
  }
  const quoted = Array.from(bytes, (byte) => {
    const escape = escapes.get(byte);
    if (escape !== undefined) {
      return `\\${escape}`;
    }
    if (byte < 0x20 || byte >= 0x7f) {
      return `\\${byte.toString(8).padStart(3, '0')}`;
    }
    return String.fromCharCode(byte);
  });
  return `"${quoted.join('')}"`;
}

/**
 * A path as people read it: where it is no UTF-8, in the encoding that the repository's texts are in. Two paths may look the same:
 * `decodePath` tells them apart.
 */
export function readablePath(bytes: Buffer, decoder: RepositoryDecoder): string {
  return (isUtf8(bytes) ? undefined : decoder.decodeName(bytes)) ?? decodePath(bytes);
}
