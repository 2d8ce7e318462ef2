/** The encodings in which a secret may come into a log, for the tests that look for it in all of them. */

type Encode = (secret: string) => string;

const escaped = (secret: string, escape: (code: number) => string): string =>
  Array.from(secret, (character) => escape(character.charCodeAt(0))).join('');
const hexOf = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
const base64 = (before: string, encoding: BufferEncoding, after = ''): Encode => (secret) =>
  Buffer.from(`${before}${secret}${after}`).toString(encoding); // prettier-ignore

/** Each by what it is. Secrets are ASCII. */
export const encodings: Readonly<Record<string, Encode>> = {
  'as it is': (secret) => secret,
  'percent-encoded': encodeURIComponent,
  'percent-encoded in lower case': (secret) =>
    encodeURIComponent(secret).replaceAll(/%../g, (escape) => escape.toLowerCase()),
  'percent-encoded whole': (secret) => escaped(secret, (code) => `%${hexOf(code, 2)}`),
  'percent-encoded twice': (secret) => encodeURIComponent(escaped(secret, (code) => `%${hexOf(code, 2)}`)),
  'in escapes of JavaScript': (secret) => escaped(secret, (code) => `\\u${hexOf(code, 4)}`),
  'in short escapes': (secret) => escaped(secret, (code) => `\\x${hexOf(code, 2).toUpperCase()}`),
  'as JSON': (secret) => JSON.stringify(secret),
  'as JSON in JSON': (secret) => JSON.stringify(JSON.stringify(secret)),
  'in entities of HTML': (secret) => escaped(secret, (code) => `&#${code};`),
  'in hexadecimal entities': (secret) => escaped(secret, (code) => `&#x${hexOf(code, 2)};`),
  'in hexadecimal digits': (secret) => Buffer.from(secret).toString('hex'),
  'in large hexadecimal digits': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  'as the bytes of a buffer': (secret) => escaped(secret, (code) => `${hexOf(code, 2)} `),
  'in Base64': base64('', 'base64'),
  'in Base64, one byte later': base64('x', 'base64'),
  'in Base64, two bytes later': base64('xy', 'base64'),
  'in Base64 of a header': base64('Bearer ', 'base64'),
  'in Base64 of a name and a password': base64('ada:', 'base64'),
  'in Base64 of JSON': base64('{"token":"', 'base64', '"}'),
  'in the Base64 of addresses': base64('', 'base64url'),
  'in the Base64 of addresses, one byte later': base64('Bearer ', 'base64url', ' '),
  'in the Base64 of addresses, two bytes later': base64('ab', 'base64url', '?'),
  'in percent-encoded Base64': (secret) => encodeURIComponent(base64('ada:', 'base64')(secret)),
};

/** The parts of a secret that are in an encoding of it, whatever stands around: the ends of Base64 depend on their neighbors. */
export function tellsOf(secret: string): string[] {
  const inner = (encoded: string): string => encoded.replaceAll('=', '').slice(4, -4);
  const all = Object.entries(encodings).map(([name, encode]) =>
    name.includes('Base64') ? inner(encode(secret)) : encode(secret).trim(),
  );
  return [...new Set([secret, ...all])].filter(({ length }) => length > 6);
}
