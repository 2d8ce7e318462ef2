import { isUtf8 } from 'node:buffer';

/**
 * The text of a JSON document in any encoding that JSON has ever allowed (RFC 4627 §3: UTF-8, UTF-16 and UTF-32 in
 * either byte order, with or without a byte order mark). Returns undefined when the bytes are not valid in it.
 */
export function jsonText(bytes: Buffer): string | undefined {
  const [a = 1, b = 1, c = 1, d = 1] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) {
    return utf8(bytes.subarray(3));
  }
  if (a === 0xff && b === 0xfe && c === 0 && d === 0 && bytes.length >= 4) {
    return utf32(bytes.subarray(4), true);
  }
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) {
    return utf32(bytes.subarray(4), false);
  }
  if (a === 0xff && b === 0xfe) {
    return utf16(bytes.subarray(2), true);
  }
  if (a === 0xfe && b === 0xff) {
    return utf16(bytes.subarray(2), false);
  }
  // Without a mark: the first character of a JSON document is ASCII, so its zero bytes show the encoding.
  if (a !== 0 && b !== 0) {
    return utf8(bytes);
  }
  if (a === 0 && b === 0) {
    return utf32(bytes, false);
  }
  if (a === 0) {
    return utf16(bytes, false);
  }
  return c === 0 && d === 0 ? utf32(bytes, true) : utf16(bytes, true);
}

function utf8(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

function utf16(bytes: Buffer, littleEndian: boolean): string | undefined {
  if (bytes.length % 2 !== 0) {
    return undefined;
  }
  const text = (littleEndian ? bytes : Buffer.from(bytes).swap16()).toString('utf16le');
  return text.isWellFormed() ? text : undefined;
}

function utf32(bytes: Buffer, littleEndian: boolean): string | undefined {
  if (bytes.length % 4 !== 0) {
    return undefined;
  }
  const parts: string[] = [];
  for (let offset = 0; offset < bytes.length; offset += 4) {
    const code = littleEndian ? bytes.readUInt32LE(offset) : bytes.readUInt32BE(offset);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      return undefined;
    }
    parts.push(String.fromCodePoint(code));
  }
  return parts.join('');
}

/** `JSON.parse` that returns undefined instead of throwing: its error quotes the text, which can hold a secret. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** As `parseJson`, but integers too large for a number come as their text. Slow: only for texts that need it. */
export function parseJsonExactly(text: string): unknown {
  const keepDigits = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
      ? context?.source
      : value;
  try {
    const value: unknown = JSON.parse(text, keepDigits);
    return value;
  } catch {
    return undefined;
  }
}
