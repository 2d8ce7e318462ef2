/** Names of code in markdown: files, with lines or without, and symbols in backticks. */
import { startOf, withoutEnd } from './budget.ts';
import { trailersFrom } from './trailers.ts';

/** A file as prose names it. */
export interface NamedFile {
  path: string;
  /** Lines of it, one-based. */
  start?: number;
  end?: number;
}

/** Everything that a text names. Whether there is such a file or symbol is for the reader to find out. */
export interface ProseNames {
  files: NamedFile[];
  symbols: string[];
}

/** Characters of a text that are looked at. */
const longestText = 200_000;

/** A backslash is a part of it only where markdown doesn't take it for a mark. */
const run = /(?:[\p{L}\p{N}_@.+$/-]|(?<=[\p{L}\p{N}_.])\\(?=[\p{L}\p{N}]))+/gu;
const lines = /(?::|#L)(\d{1,7})(?:-L?(\d{1,7}))?(?![\p{L}\p{N}_])/uy;
/** Lines as compilers say them, with a column that doesn't matter. */
const linesInBrackets = /\((\d{1,7})(?:,\d{1,7}|-(\d{1,7}))?\)/y;
const inlineCode = /`([^`\n]{1,200})`/g;
const symbol =
  /^[#@]?((?:[\p{L}_$][\p{L}\p{N}_$]*(?:\.|::|#|->))*)([\p{L}_$][\p{L}\p{N}_$]*)(?:\(.*\))?[;,]?$/u;

/** Words of languages: each is in every other change. */
const keywords = new Set(
  'any async await bool boolean break case catch char class const continue def default delete elif else enum export extends False final float for from func function get impl import int interface let match module new nil none None null number object package private protected pub public return self set static string struct super switch this throw true True try type typeof undefined use val value var void while with yield'.split(
    ' ',
  ),
);

/** Symbols that are shorter are everywhere. */
const shortestSymbol = 3;

/** Finds what a text names. */
export function namesIn(markdown: string): ProseNames {
  const text = startOf(markdown, longestText);
  return { files: filesIn(text), symbols: symbolsIn(text) };
}

function filesIn(text: string): NamedFile[] {
  return wordsIn(text).flatMap(({ name, start, end }) =>
    // A word that could be the name of a file.
    /[./]|^[A-Z]/.test(name)
      ? [{ path: name, ...(start !== undefined && { start, end: end ?? start }) }]
      : [],
  );
}

/** A word of prose that may name something, with the lines behind it. */
export interface ProseWord extends Omit<NamedFile, 'path'> {
  /** The word with its lines, as it stands there, and its place in the text. */
  text: string;
  index: number;
  /** The word alone, with slashes between the folders of a path. */
  name: string;
}

/** The words of a text that may name something. */
export function wordsIn(text: string): ProseWord[] {
  const words: ProseWord[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(run)) {
    const word = withoutEnd(found, '.-+');
    const path = word.replaceAll('\\', '/');
    const name = path.startsWith('./') ? path.slice(2) : path;
    const [behind = '', first, last] =
      (word === found ? linesBehind(text, index + found.length, name) : null) ?? [];
    // Behind a colon there is the path of an address, and behind a backslash the rest of a path from a drive.
    const before = index > 0 ? text.charAt(index - 1) : '';
    const isRest = (before === ':' && name.startsWith('/')) || (before === '\\' && path !== word);
    if (index >= end && name !== '' && !isRest) {
      words.push({
        text: word + behind,
        index,
        name,
        ...(first !== undefined && { start: Number(first), end: Number(last ?? first) }),
      });
    }
    end = Math.max(end, index + word.length + behind.length);
  }
  return words;
}

/** The lines behind a word: in brackets only those of what may be a file. */
function linesBehind(text: string, index: number, name: string): RegExpExecArray | null {
  const pattern = /\.\p{L}[\p{L}\p{N}]*$/u.test(name) && text.charAt(index) === '(' ? linesInBrackets : lines;
  pattern.lastIndex = index;
  return pattern.exec(text);
}

/** An issue as a text names it: `#123`. */
export interface NamedIssue {
  text: string;
  index: number;
  number: string;
}

/** The issues that a text names. */
export function issuesIn(text: string): NamedIssue[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}_&#/])#(\d{1,7})(?![\p{L}\p{N}_])/gu)].map(
    ({ 0: name, 1: number = '', index }) => ({ text: name, index, number }),
  );
}

/** The code in a text: what is between backticks in one line, and in no block of code. */
export function inlineCodeIn(markdown: string): string[] {
  return [...withoutFences(startOf(markdown, longestText)).matchAll(inlineCode)].map(([, code = '']) =>
    code.trim(),
  );
}

/** The places in a text of names that are known; of code in lines, its content. */
export function namedPlaces(
  markdown: string,
  names: { has: (name: string) => boolean },
): { index: number; text: string }[] {
  const text = withoutFences(startOf(markdown, longestText));
  const places = [...wordsIn(text), ...issuesIn(text), ...codePlacesIn(text)].filter((place) =>
    names.has(place.text),
  );
  // Code is named as a whole, whatever words are in it.
  places.sort((one, other) => one.index - other.index || other.text.length - one.text.length);
  let end = 0;
  return places.filter(({ index, text: name }) => {
    const isFree = index >= end;
    end = isFree ? index + name.length : end;
    return isFree;
  });
}

function codePlacesIn(text: string): { index: number; text: string }[] {
  return [...text.matchAll(inlineCode)].map(({ index, 1: code = '' }) => {
    const name = code.trim();
    return { index: index + 1 + code.indexOf(name), text: name };
  });
}

/** A symbol as a text names it. */
export interface NamedSymbol {
  name: string;
  /** The names of what it is in, from the outside to the inside: of `Follower` in `Follower.follow`. */
  within: readonly string[];
  /** All of it, as it is written. */
  written: string;
}

/** The symbol that a piece of code names; undefined where it is something else, or everywhere. */
export function symbolOf(code: string): NamedSymbol | undefined {
  const [, before = '', name] = symbol.exec(code) ?? [];
  return name !== undefined && name.length >= shortestSymbol && !keywords.has(name)
    ? { name, within: before.split(/\.|::|#|->/).slice(0, -1), written: before + name }
    : undefined;
}

function symbolsIn(text: string): string[] {
  return [...new Set(inlineCodeIn(text).flatMap((code) => symbolOf(code)?.name ?? []))];
}

/** A text with blanks for its blocks of code: what is in them is quoted, not named. */
export function withoutFences(text: string): string {
  let fence: string | undefined;
  return text
    .split('\n')
    .map((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
        fence = fence === undefined ? mark : undefined;
        return ' '.repeat(line.length);
      }
      return fence === undefined ? line : ' '.repeat(line.length);
    })
    .join('\n');
}

/** Texts that stand in the place of one that is still to be written, or of nothing. */
const placeholder =
  /^[^\p{L}\p{N}]*(wip|work in progress|to ?do|tbd|fixme|see (above|below)|as (above|below)|n\/?a)[^\p{L}\p{N}]*$/iu;

/**
 * Returns true for a text that says something to a reader: more than blanks, comments, addresses, code without words about it,
 * the trailers of a commit, and words that only hold the place of a text.
 */
export function saysSomething(markdown: string): boolean {
  const text = withoutComments(startOf(markdown, longestText)).trim();
  const last = text.lastIndexOf('\n\n') + 1;
  const paragraph = text.slice(last).trim().split('\n');
  const said = text.slice(0, last) + paragraph.slice(0, trailersFrom(paragraph)).join('\n');
  const words = withoutFences(said).replaceAll(/<?\bhttps?:\/\/[^\s<>)]+>?/gi, ' ');
  return /[\p{L}\p{N}]/u.test(words) && !placeholder.test(words);
}

function withoutComments(text: string): string {
  let [said, from] = ['', 0];
  for (;;) {
    const start = text.indexOf('<!--', from);
    if (start < 0) {
      return said + text.slice(from);
    }
    said += text.slice(from, start);
    const end = text.indexOf('-->', start + 4);
    if (end < 0) {
      return said;
    }
    from = end + 3;
  }
}
