/** Texts as they are when what is written in escapes is read: a secret in a query or in JSON is the same secret. */

/** A text without escapes, and where each of its characters stands in the text that was given. */
interface Decoded {
  text: string;
  /** The place of a character, and of the end. */
  placeOf: (index: number) => number;
}

/** Nobody reads a text that is encoded more often than this. */
const mostLevels = 3;

/** Escapes: bytes of an address, characters of a program, of JSON and of HTML. */
const escapes =
  /(?:%[\da-f]{2})+|\\u\{[\da-f]{1,6}\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\[nrt"'\\/]|&#x[\da-f]{1,6};|&#\d{1,7};|&(?:quot|amp|apos|lt|gt);/gi;

const simple: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
const entities: Readonly<Record<string, string>> = { quot: '"', amp: '&', apos: "'", lt: '<', gt: '>' };

/** The text, and what it says when it is decoded once and more often. */
export function* decodings(text: string): Generator<Decoded> {
  let current: Decoded = { text, placeOf: (index) => index };
  yield current;
  for (let level = 0; level < mostLevels; level += 1) {
    const next = decodedOnce(current);
    if (!next) {
      return;
    }
    current = next;
    yield current;
  }
}

/** Undefined when nothing is escaped. */
function decodedOnce({ text, placeOf }: Decoded): Decoded | undefined {
  const parts: string[] = [];
  /** Beginnings, in the new text and in the old, of stretches without escapes and of single characters that were escaped. */
  const marks: { at: number; from: number; isWhole: boolean }[] = [];
  let at = 0;
  let last = 0;
  const add = (part: string, from: number, isWhole: boolean): void => {
    if (part !== '') {
      marks.push({ at, from, isWhole });
      parts.push(part);
      at += part.length;
    }
  };
  for (const match of text.matchAll(escapes)) {
    const [escape] = match;
    add(text.slice(last, match.index), last, false);
    last = match.index + escape.length;
    if (escape.startsWith('%')) {
      let from = match.index;
      for (const character of Buffer.from(escape.replaceAll('%', ''), 'hex').toString('utf8')) {
        add(character, from, true);
        from = Math.min(last, from + 3 * Buffer.byteLength(character));
      }
    } else {
      add(meaningOf(escape), match.index, true);
    }
  }
  if (last === 0) {
    return undefined;
  }
  add(text.slice(last), last, false);
  marks.push({ at, from: text.length, isWhole: true });
  return {
    text: parts.join(''),
    placeOf: (index) => {
      let low = 0;
      for (let high = marks.length - 1; low < high;) {
        const middle = Math.ceil((low + high) / 2);
        if ((marks[middle]?.at ?? 0) <= index) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      const mark = marks[low] ?? { at: 0, from: 0, isWhole: false };
      return placeOf(mark.isWhole ? mark.from : mark.from + index - mark.at);
    },
  };
}

function meaningOf(escape: string): string {
  if (escape.startsWith('&')) {
    const digits = /^&#(x?)(\w+);$/i.exec(escape);
    return digits
      ? characterOf(Number.parseInt(digits[2] ?? '', digits[1] === '' ? 10 : 16))
      : (entities[escape.slice(1, -1).toLowerCase()] ?? escape);
  }
  const number = /^\\[ux]\{?([\da-f]+)\}?$/i.exec(escape)?.[1];
  const character = escape.slice(1);
  return number === undefined ? (simple[character] ?? character) : characterOf(Number.parseInt(number, 16));
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
}
