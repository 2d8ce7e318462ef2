/** Text of repositories whose files and commit messages aren't all UTF-8: which encoding it is, and what it says. */
import { isUtf8 } from 'node:buffer';
// Only what tells the encodings of East Asia apart: the rest of the library is tables four times as large.
import { big5, euc_jp, euc_kr, gb_18030, sjis } from 'chardet/lib/encoding/mbcs.js';

/** Text that was bytes. */
export interface DecodedText {
  text: string;
  /** The name of the encoding; undefined for UTF-8, `bytes` where none fits. */
  encoding: string | undefined;
}

/** The name that stands for bytes in no encoding: what isn't ASCII is written as `\xE9`. */
const noEncoding = 'bytes';

/** The encodings of WHATWG that files may be in and that git takes for text, by what people and programs call them. */
const known = new Map(
  [
    'Shift_JIS', 'EUC-JP', 'ISO-2022-JP', 'GBK', 'GB18030', 'Big5', 'EUC-KR', 'KOI8-R', 'KOI8-U', 'macintosh', 'IBM866',
    ...[1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258].map((page) => `windows-${page}`),
    ...[2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16].map((part) => `ISO-8859-${part}`),
  ].map((name) => [plainName(name), name]),
); // prettier-ignore
for (const [alias, name] of [
  ['latin1', 'windows-1252'],
  ['ISO-8859-1', 'windows-1252'],
  ['ISO-8859-9', 'windows-1254'],
  ['SJIS', 'Shift_JIS'],
  ['cp932', 'Shift_JIS'],
  ['windows-31j', 'Shift_JIS'],
  ['GB2312', 'GBK'],
  ['cp866', 'IBM866'],
  ['cp950', 'Big5'],
  ['Big5-HKSCS', 'Big5'],
  ['macroman', 'macintosh'],
] as const) {
  known.set(plainName(alias), name);
}

/** An encoding by any of its names, as this module calls it; undefined for UTF-8, and for what nobody knows. */
export function knownEncoding(name = ''): string | undefined {
  return known.get(plainName(name));
}

/** The encoding that somebody said a file is in; without a file, all of them. */
export type DeclaredEncoding = (file?: string) => string | undefined;

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

const recognizers = [
  { encoding: 'Shift_JIS', recognizer: new sjis() },
  { encoding: 'EUC-JP', recognizer: new euc_jp() },
  { encoding: 'GB18030', recognizer: new gb_18030() },
  { encoding: 'Big5', recognizer: new big5() },
  { encoding: 'EUC-KR', recognizer: new euc_kr() },
];
/** Properties that the library requires, and these recognizers don't look at. */
const unusedStatistics = { byteStats: [], c1Bytes: false, inputBytes: new Uint8Array(), inputLen: 0 };

/** Percent that the library must be sure of its guess to overrule the encoding of the rest of the repository. */
const sure = 60;
/** More bytes say no more about the encoding that they are in. */
const sampleSize = 64 * 1024;

/** Decodes the text of one repository: short ones are taken for what the longer ones are in. */
export class RepositoryDecoder {
  readonly #declared: DeclaredEncoding;
  readonly #seen = new Map<string, number>();

  /** @param declared What the repository itself says that its files are in. */
  constructor(declared: DeclaredEncoding = () => undefined) {
    this.#declared = declared;
  }

  /** A text that is in one encoding as a whole. @param file The file that it is of; none for a message. */
  decode(bytes: Buffer, file?: string): DecodedText {
    if (isUtf8(bytes)) {
      return { text: bytes.toString('utf8'), encoding: undefined };
    }
    for (const name of this.#candidates(bytes, this.#declared(file))) {
      const text = decodeAs(name, bytes);
      if (text !== undefined) {
        this.#seen.set(name, (this.#seen.get(name) ?? 0) + bytes.length);
        return { text, encoding: name };
      }
    }
    return { text: escapeBytes(bytes), encoding: noEncoding };
  }

  /** The name of a file that isn't UTF-8; undefined where no encoding makes a name of it. */
  decodeName(bytes: Buffer): string | undefined {
    for (const name of this.#candidates(bytes, this.#declared())) {
      const text = decodeAs(name, bytes);
      if (text !== undefined && !/[\p{Cc}\ufffd]/u.test(text)) {
        return text;
      }
    }
    return undefined;
  }

  /** The diff of one file, of which one side may be in another encoding than the other. */
  decodeDiff(bytes: Buffer, file?: string): DecodedText {
    if (isUtf8(bytes)) {
      return { text: bytes.toString('utf8'), encoding: undefined };
    }
    const lines = splitLines(bytes);
    const sides = Map.groupBy(lines, ({ side }) => side);
    const decoded = new Map<DiffLine, string>();
    let encoding: string | undefined;
    for (const [side, group] of sides) {
      if (side === 'header') {
        // The names of files, which have nothing to do with what the files are in.
        group.forEach((line) => decoded.set(line, isUtf8(line.bytes) ? line.bytes.toString('utf8') : escapeBytes(line.bytes)));
        continue;
      } // prettier-ignore
      const whole = this.decode(Buffer.concat(group.map((line) => line.bytes)), file);
      encoding ??= whole.encoding;
      // An encoding may take several bytes for a character, but none takes the end of a line for a part of one.
      const texts = whole.text.split(/(?<=\n)/);
      group.forEach((line, index) => decoded.set(line, texts[index] ?? ''));
    }
    return { text: lines.map((line) => decoded.get(line) ?? '').join(''), encoding };
  }

  *#candidates(bytes: Buffer, declared: string | undefined): Iterable<string> {
    const sample = sampleOf(bytes);
    const found = recognizers
      .flatMap(({ encoding, recognizer }) => {
        const match = recognizer.match({ ...unusedStatistics, rawInput: sample, rawLen: sample.length });
        return match ? [{ encoding, confidence: match.confidence }] : [];
      })
      .toSorted((one, other) => other.confidence - one.confidence);
    const [usual] = [...this.#seen].sort(([, one], [, other]) => other - one);
    const names = [
      declared,
      ...found.filter(({ confidence }) => confidence >= sure).map(({ encoding }) => encoding),
      usual?.[0],
      singleByteEncoding(sample),
      ...found.map(({ encoding }) => encoding),
      'windows-1252',
    ];
    yield* new Set(names.filter((name) => name !== undefined));
  }
}

/** The encoding of a text whose letters are a byte each, if that is what they look like. */
function singleByteEncoding(sample: Buffer): string | undefined {
  const text = sample.toString('latin1');
  const runs = [...text.matchAll(/[\u0080-\u00ff]+/g)];
  const isLetter = (at: number): boolean => /^[a-z]$/i.test(text[at] ?? '');
  const amongLetters = runs.filter(
    ({ index, 0: run }) => isLetter(index - 1) || isLetter(index + run.length),
  );
  const length = runs.reduce((sum, [run]) => sum + run.length, 0);
  // As in the words of Western Europe.
  if (length < 1.5 * runs.length && 2 * amongLetters.length > runs.length) {
    return 'windows-1252';
  }
  // Most letters are small: these two have those of Russian where the other one has the large ones.
  const part = (letters: RegExp): number =>
    (text.match(letters)?.length ?? 0) / (text.match(/[\u0080-\u00ff]/g)?.length ?? 1);
  return part(/[\u00e0-\u00ff]/g) > 0.7
    ? 'windows-1251'
    : part(/[\u00c0-\u00df]/g) > 0.7
      ? 'KOI8-R'
      : undefined;
}

interface DiffLine {
  side: 'header' | 'old' | 'new' | 'both';
  /** With its end. */
  bytes: Buffer;
}

function splitLines(bytes: Buffer): DiffLine[] {
  const lines: DiffLine[] = [];
  let inHeader = true;
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0x0a, start) + 1 || bytes.length;
    const line = bytes.subarray(start, end);
    start = end;
    const mark = String.fromCharCode(line[0] ?? 0);
    inHeader = mark === '@' ? false : inHeader || mark === 'd';
    lines.push({
      side: inHeader ? 'header' : mark === '-' ? 'old' : mark === '+' ? 'new' : 'both',
      bytes: line,
    });
  }
  return lines;
}

/** The lines that say something about the encoding: most of a program is ASCII. */
function sampleOf(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let size = 0;
  for (let start = 0; start < bytes.length && size < sampleSize;) {
    const end = bytes.indexOf(0x0a, start) + 1 || bytes.length;
    const line = bytes.subarray(start, Math.min(end, start + sampleSize));
    start = end;
    if (line.some((byte) => byte >= 0x80)) {
      parts.push(line);
      size += line.length;
    }
  }
  return Buffer.concat(parts);
}

function decodeAs(name: string, bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder(name, { fatal: true, ignoreBOM: true }).decode(bytes);
    // No one writes control characters of this kind, or those that mean something on one computer alone.
    return /[\u0080-\u009f\ue000-\uf8ff]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function escapeBytes(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(/[\u0080-\u00ff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}
