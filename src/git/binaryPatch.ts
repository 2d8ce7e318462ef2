/** Contents of files that a diff has whole: git writes what isn't text in base 85, compressed. */
import { inflateSync } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
const valueOf = new Map(Array.from(digits, (digit, value) => [digit, value]));

/**
 * A file as a binary diff leaves it, or finds it; undefined when the diff tells only how both differ, and for anything else.
 *
 * @param largest bytes that it may have.
 */
export function contentOfPatch(
  diff: string,
  largest: number,
  side: 'before' | 'after' = 'after',
): Buffer | undefined {
  const first = /^GIT binary patch\r?\n/m.exec(diff);
  // The way back comes after the way here, and an empty line.
  const from =
    first && (side === 'after' ? first.index + first[0].length : afterEmptyLine(diff, first.index));
  const [begin, count] =
    (from === null ? null : /^literal (\d{1,10})\r?\n/.exec(diff.slice(from, from + 30))) ?? [];
  const size = Number(count);
  if (from === null || begin === undefined || size > largest) {
    return undefined;
  }
  const compressed: Buffer[] = [];
  const start = from + begin.length;
  for (const line of linesFrom(diff, start)) {
    const bytes = decodeLine(line);
    if (!bytes) {
      return undefined;
    }
    compressed.push(bytes);
  }
  try {
    const content = inflateSync(Buffer.concat(compressed), { maxOutputLength: Math.max(1, size) });
    return content.length === size ? content : undefined;
  } catch {
    return undefined;
  }
}

function afterEmptyLine(text: string, from: number): number {
  const ending = text.includes('\r\n') ? '\r\n\r\n' : '\n\n';
  const at = text.indexOf(ending, from);
  return at < 0 ? text.length : at + ending.length;
}

/** The lines up to the first empty one. */
function* linesFrom(text: string, start: number): Generator<string> {
  for (let at = start; at < text.length;) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? text.length : end).trimEnd();
    if (line === '') {
      return;
    }
    yield line;
    at = end < 0 ? text.length : end + 1;
  }
}

/** One line: its first letter says how many bytes it has, then five digits stand for four of them. */
function decodeLine(line: string): Buffer | undefined {
  const letter = line.charCodeAt(0);
  const length = letter >= 97 ? letter - 97 + 27 : letter - 65 + 1;
  const bytes = Buffer.alloc(Math.ceil((line.length - 1) / 5) * 4);
  for (let group = 0; group * 5 + 1 < line.length; group += 1) {
    let value = 0;
    for (let digit = 0; digit < 5; digit += 1) {
      value = value * 85 + (valueOf.get(line.charAt(1 + group * 5 + digit)) ?? Number.NaN);
    }
    if (!(value <= 0xffffffff)) {
      return undefined;
    }
    bytes.writeUInt32BE(value, group * 4);
  }
  return length >= 1 && length <= 52 && length <= bytes.length ? bytes.subarray(0, length) : undefined;
}
