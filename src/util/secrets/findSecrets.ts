/**
 * Finds what looks like a secret in a text: the one list for all that leaves this computer. The forms are those of
 * secretRules.ts and ownRules.ts.
 */
import { within } from '../budget.ts';
import { lowerCase } from './maskSecrets.ts';
import { formRules, nameRules, serviceRules } from './ownRules.ts';
import { secretRules, secretWords, type SecretRule } from './secretRules.ts';

interface FoundSecret {
  start: number;
  end: number;
}

/** The first and the last line of a private key. Those in between are told line by line: keys may be cut off, and very long. */
const keyBegin = within(200, /^-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?(?:-----)?/);
const keyEnd = within(200, /^-----END[ A-Z0-9_-]{0,100}PRIVATE KEY/);

/** A line of a key, the ends of lines written out or not, or what some keys say of themselves in their first lines. */
const keyLine = within(
  1_000,
  /^(?:[\w+/=]+(?=[\s\\"',]|$)|\s+|\\[nr]|[A-Z][\w-]{1,30}: [^\n\\]{0,200}(?=[\n\\]))/,
);
const keyCharacter = /[\w+/=\s\\]/;

/** Characters. */
const longestMark = 200;
const longestLine = 1000;
const longestKey = 100_000;
const shortestKey = 16;

/** Lines. */
const mostHeaders = 5;

/** A text is looked at in pieces of so many characters, of which the last ones are the first of the next. */
const pieceLength = 1000;
const overlap = 400;
const step = pieceLength - overlap;

const placeholder =
  /^[${<]|\$\{|^%(?:[({]|\w+%$)|^(.)\1+$|(?:example|placeholder|process\.env|change_?me|dummy|your[_-]|0123456789|1234567890|abcdef)/i;

/** As people cross out a secret, all large or all small: random characters are both now and then. */
const crossedOut = /x{4}|X{4}/;

/** Names that have nothing secret, though a word in them sounds like it; as gitleaks has them, but for what is rare. */
const openName =
  /^(?:access(?:ibility|or)|api[_.-]?(?:id|name|version)|author|authentication-results|credentials?[_.-]?id|key[_.-]?(?:alias|board|code|frame|id|length|name|pair|ring|size|stone|word)|keying|secret[_.-]?(?:length|name|size)|(?:authenticity|csrf|public)[_.-]?token|(?:api|credentials|token)[_.-]?ur[il]|(?:key|token)[_.-]?file|[\w.-]*\s+v\d[\w.-]*\s+h1:)/i;

/** A value of a program, named by what it is in or in several words. */
const memberName = /^(?:[a-z_]\w*(?:\.[a-z_]\w*)+|_\w+|[a-z]+\d?(?:_[a-z]+\d?)+)$/i;

const hexadecimal = /^[\da-f-]{20,}$/i;

/** The path of a file, or an address. */
const place = /^(?:[~.]{0,2}[/\\]|[a-z]:\\|urn:)|:\/\//i;

/** A constant, also where its name is a text. */
const constantName = /^[A-Z\d]+(?:_[A-Z\d]+)+$/;

const isNameRule: ReadonlySet<SecretRule> = new Set(nameRules);

/** All places of a text that look like a secret, in their order; they do not overlap. @param more forms for a text of one kind. */
export function findSecrets(text: string, more: readonly SecretRule[] = []): FoundSecret[] {
  const found = [...privateKeys(text), ...looksLike(text, more)];
  found.sort((first, second) => first.start - second.start);
  const joined: FoundSecret[] = [];
  for (const one of found) {
    const last = joined.at(-1);
    if (last && one.start < last.end) {
      last.end = Math.max(last.end, one.end);
    } else {
      joined.push(one);
    }
  }
  return joined;
}

/** Private keys in the form of text, also where one end of them is missing. */
function* privateKeys(text: string): Generator<FoundSecret> {
  const nextBegin = nextOf(text, '-----BEGIN');
  const nextEnd = nextOf(text, '-----END');
  let before = 0;
  for (let place = text.indexOf('PRIVATE KEY'); place >= 0; place = text.indexOf('PRIVATE KEY', place + 1)) {
    const nearest = Math.max(before, place - longestMark);
    const within = text.slice(nearest, place).lastIndexOf('-----');
    if (within < 0) {
      continue;
    }
    const mark = nearest + within;
    const head = text.slice(mark, mark + longestMark);
    const begin = keyBegin.exec(head);
    if (begin) {
      const body = mark + begin[0].length;
      const end = nextEnd(body);
      const isWhole = end - body < longestKey && end < nextBegin(body);
      before = isWhole ? end : materialEnd(text, body);
      // A line that begins so is a key, whatever follows; within a line there has to be some of it.
      if (before - body >= shortestKey || mark === 0 || text.charAt(mark - 1) === '\n') {
        yield { start: body, end: before };
      }
    } else if (keyEnd.test(head)) {
      const start = materialStart(text, mark, before);
      if (mark - start >= shortestKey) {
        yield { start, end: mark };
      }
      before = place;
    }
  }
}

/** Finds the next place of a word from places that only go forward; Infinity when there is none. */
function nextOf(text: string, word: string): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) {
      const place = text.indexOf(word, from);
      found = place < 0 ? Infinity : place;
    }
    return found;
  };
}

/** Finds the end of a key's lines that begin at a place. */
function materialEnd(text: string, from: number): number {
  let end = from;
  for (let headers = 0; end < text.length;) {
    const line = keyLine.exec(text.slice(end, end + longestLine))?.[0] ?? '';
    const isHeader = line !== '' && headers < mostHeaders && line.includes(': ');
    if (line === '' || (line.includes(': ') && !isHeader)) {
      break;
    }
    headers += isHeader ? 1 : 0;
    end += line.length;
  }
  return end;
}

/** Finds the beginning of a key's lines that end at a place. */
function materialStart(text: string, to: number, atLeast: number): number {
  let start = to;
  while (start > atLeast && keyCharacter.test(text.charAt(start - 1))) {
    start -= 1;
  }
  return start;
}

/** Looks for secrets in what comes in pieces, such as a file that is being read. */
export class SecretScan {
  #rest = '';
  #found = false;

  /**
   * Returns true once there is a secret in what has come until now. @param bytes in whichever encoding: forms of secrets are ASCII.
   */
  push(bytes: Uint8Array): boolean {
    // Of UTF-16 every other byte is none.
    const text = this.#rest + Buffer.from(bytes).toString('latin1').replaceAll('\0', '');
    // A secret that the end cuts off is looked at when there is more of it.
    this.#found ||= findSecrets(text).some(({ end }) => end < text.length);
    this.#rest = text.slice(-pieceLength);
    return this.#found;
  }

  end(): boolean {
    return this.#found || findSecrets(this.#rest).length > 0;
  }
}

function* looksLike(text: string, more: readonly SecretRule[]): Generator<FoundSecret> {
  const lower = lowerCase(text);
  for (const rule of [...formRules, ...nameRules, ...more]) {
    yield* inPieces(
      text,
      rule[0].split(' ').map((word) => piecesWith(lower, word)),
      rule,
    );
  }
  const pieces = new Map<string, Set<number>>();
  for (const { index, 1: word = '' } of lower.matchAll(secretWords)) {
    let numbers = pieces.get(word);
    if (!numbers) {
      pieces.set(word, (numbers = new Set()));
    }
    addPieces(numbers, index);
  }
  const found = [...pieces];
  for (const rule of [...secretRules, ...serviceRules]) {
    const words = rule[0].split(' ');
    const near = found.filter(([longest]) => words.some((word) => longest.startsWith(word)));
    yield* inPieces(
      text,
      near.map(([, numbers]) => numbers),
      rule,
    );
  }
}

function* inPieces(
  text: string,
  pieces: readonly ReadonlySet<number>[],
  rule: SecretRule,
): Generator<FoundSecret> {
  for (const number of new Set(pieces.flatMap((numbers) => [...numbers]))) {
    yield* inPiece(text, number, rule);
  }
}

/** The numbers of the pieces that have a word: all of them when there is none to tell by. */
function piecesWith(text: string, word: string): Set<number> {
  if (word === '') {
    return new Set(Array.from({ length: Math.ceil(text.length / step) }, (_, number) => number));
  }
  const numbers = new Set<number>();
  for (let place = text.indexOf(word); place >= 0;) {
    place = text.indexOf(word, addPieces(numbers, place));
  }
  return numbers;
}

/** Adds the pieces that a place is in. @returns where others begin. */
function addPieces(numbers: Set<number>, place: number): number {
  const number = Math.floor(place / step);
  numbers.add(number);
  if (place - number * step >= overlap) {
    return (number + 1) * step;
  }
  // The beginning of a piece is the end of the one before.
  if (number > 0) {
    numbers.add(number - 1);
  }
  return number * step + overlap;
}

function* inPiece(text: string, number: number, rule: SecretRule): Generator<FoundSecret> {
  const [, pattern, entropy] = rule;
  // With the character before it, so that a word is not taken to begin where a piece does.
  const first = Math.max(0, number * step - 1);
  const end = Math.min(text.length, number * step + pieceLength - 1);
  for (let from = first; from < end;) {
    const match = pattern.exec(text.slice(from, end));
    if (!match) {
      return;
    }
    const [whole] = match;
    const groups: readonly (string | undefined)[] = match.slice(1);
    const secret = groups.find((group) => group !== undefined) ?? whole;
    const at = from + match.index;
    const matchEnd = at + whole.length;
    // A match that goes on behind the end stands in the next piece as a whole.
    const isCut = matchEnd === end && end < text.length && at >= first + step;
    const begin = at + whole.lastIndexOf(secret);
    if (!isCut && isSecret(rule, whole, secret, entropy)) {
      yield { start: begin, end: tokenEnd(text, begin + secret.length) };
    }
    from = Math.max(at + 1, matchEnd);
  }
}

function isSecret(rule: SecretRule, whole: string, secret: string, entropy: number): boolean {
  const isNamed = isNameRule.has(rule);
  // Of sixteen characters none says more than four bits, and of the same bits they need more.
  const least = isNamed && hexadecimal.test(secret) ? 2.9 : entropy;
  const isPlaceholder = (): boolean => placeholder.test(secret) || crossedOut.test(secret);
  if (entropyOf(secret) < least || (entropy > 0 && isPlaceholder())) {
    return false;
  }
  if (!isNamed) {
    return true;
  }
  // Names of values in a program mostly have no digit, and no quotes.
  const isName = constantName.test(secret) || (memberName.test(secret) && !/['"`]$/.test(whole));
  return (
    /\d/.test(secret) && /[a-z]/i.test(secret) && !isName && !openName.test(whole) && !place.test(secret)
  );
}

const tokenCharacter = /[\w+/=-]/;

/** Finds the end of a token that is longer than its form says. */
function tokenEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && tokenCharacter.test(text.charAt(end))) {
    end += 1;
  }
  return end;
}

/** Bits for each character of a text, by how often each occurs in it. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  let bits = 0;
  for (const count of counts.values()) {
    bits -= (count / text.length) * Math.log2(count / text.length);
  }
  return bits;
}
