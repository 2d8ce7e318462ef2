/** Takes secrets that are known out of a text, in whichever encoding they stand there. */
import { decodings } from './decoded.ts';

/** A part of a text. */
export interface Range {
  start: number;
  end: number;
}

const mask = '***';

/** One or two characters would mask half of any text and protect nothing. */
const shortestSecret = 3;

/** Characters of Base64 that are not there by chance. */
const shortestCore = 6;

/** Replaces every secret in a text, whether it stands there as it is, with escapes, in hexadecimal digits or within Base64. */
export function maskSecrets(text: string, secrets: readonly (string | undefined)[]): string {
  const known = secrets.filter((secret) => secret !== undefined && secret.length >= shortestSecret);
  if (known.length === 0) {
    return text;
  }
  const forms = known.map((secret) => formsOf(secret ?? ''));
  const ranges: Range[] = [];
  for (const { text: decoded, placeOf } of decodings(text)) {
    const add = ({ start, end }: Range): void => {
      ranges.push({ start: placeOf(start), end: placeOf(end) });
    };
    const lower = lowerCase(decoded);
    const alphabet = decoded.replaceAll('-', '+').replaceAll('_', '/');
    for (const { plain, hex, base64 } of forms) {
      plain.forEach((form) => placesOf(decoded, form).forEach(add));
      hex.forEach((form) => placesOf(lower, form).forEach(add));
      base64.forEach((form) => {
        let until = 0;
        for (const place of placesOf(alphabet, form)) {
          if (place.start < until) {
            continue;
          }
          const run = wholeRun(alphabet, place);
          until = run.end;
          add(run);
        }
      });
    }
  }
  return withoutRanges(text, ranges);
}

/** Replaces parts of a text, which may overlap. */
export function withoutRanges(text: string, ranges: readonly Range[]): string {
  let masked = '';
  let from = 0;
  let until = -1;
  for (const { start, end } of ranges.toSorted((first, second) => first.start - second.start)) {
    if (start > until || until < 0) {
      masked += text.slice(from, start) + mask;
    }
    until = Math.max(until, end);
    from = Math.max(from, until);
  }
  return masked + text.slice(from);
}

/** A text in which only the letters of ASCII are made small: each character keeps its place. */
export function lowerCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

interface Forms {
  plain: readonly string[];
  /** In lower case. */
  hex: readonly string[];
  /** In the first alphabet of Base64. */
  base64: readonly string[];
}

function formsOf(secret: string): Forms {
  const bytes = Buffer.from(secret);
  const digits = bytes.toString('hex');
  const pairs = digits.match(/../g) ?? [];
  const whole = bytes.toString('base64');
  const cores = [0, 1, 2]
    .map((before) => coreOf(bytes, before))
    .filter(({ length }) => length >= shortestCore);
  return {
    plain: [secret, secret.toWellFormed(), encodeURIComponent(secret.toWellFormed())],
    hex: [digits, pairs.join(' '), pairs.join(':')],
    base64: [whole, ...cores],
  };
}

/** The characters for some bytes in the Base64 of any text that has so many bytes before them, whatever surrounds them. */
function coreOf(bytes: Buffer, before: number): string {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes])
    .toString('base64')
    .replaceAll('=', '');
  // Characters to which what stands before, or what comes after, adds some bits.
  const first = [0, 2, 3][before] ?? 0;
  const last = (before + bytes.length) % 3 === 0 ? encoded.length : encoded.length - 1;
  return encoded.slice(first, last);
}

function placesOf(text: string, form: string): Range[] {
  const places: Range[] = [];
  for (let start = text.indexOf(form); start >= 0; start = text.indexOf(form, start + form.length)) {
    places.push({ start, end: start + form.length });
  }
  return places;
}

const base64Character = /[A-Za-z0-9+/=]/;

/** All the Base64 that a place is in. */
function wholeRun(text: string, { start, end }: Range): Range {
  const run = { start, end };
  while (run.start > 0 && base64Character.test(text.charAt(run.start - 1))) {
    run.start -= 1;
  }
  while (run.end < text.length && base64Character.test(text.charAt(run.end))) {
    run.end += 1;
  }
  return run;
}
