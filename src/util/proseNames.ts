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

const run = /[\p{L}\p{N}_@.+$/-]+/gu;
const lines = /(?::|#L)(\d{1,7})(?:-L?(\d{1,7}))?(?![\p{L}\p{N}_])/uy;
const inlineCode = /`([^`\n]{1,200})`/g;
const symbol =
  /^[#@]?(?:[\p{L}_$][\p{L}\p{N}_$]*(?:\.|::|#|->))*([\p{L}_$][\p{L}\p{N}_$]*)(?:\(.*\))?[;,]?$/u;

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
  const files: NamedFile[] = [];
  for (const { 0: found, index } of text.matchAll(run)) {
    const name = withoutEnd(found, '.-+');
    const path = name.startsWith('./') ? name.slice(2) : name;
    // A word that could be the name of a file.
    if (path === '' || !/[./]|^[A-Z]/.test(path)) {
      continue;
    }
    lines.lastIndex = index + found.length;
    const [, start, end] = lines.exec(text) ?? [];
    files.push({
      path,
      ...(start !== undefined && { start: Number(start), end: Number(end ?? start) }),
    });
  }
  return files;
}

function symbolsIn(text: string): string[] {
  const symbols = new Set<string>();
  for (const [, code = ''] of withoutFences(text).matchAll(inlineCode)) {
    const name = symbol.exec(code.trim())?.[1];
    if (name !== undefined && name.length >= shortestSymbol && !keywords.has(name)) {
      symbols.add(name);
    }
  }
  return [...symbols];
}

/** A text without its blocks of code: what is in them is quoted, not named. */
function withoutFences(text: string): string {
  let fence: string | undefined;
  return text
    .split('\n')
    .map((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
        fence = fence === undefined ? mark : undefined;
        return '';
      }
      return fence === undefined ? line : '';
    })
    .join('\n');
}

/** Returns true for a text that says something to a reader: more than blanks, comments, and the trailers of a commit. */
export function saysSomething(markdown: string): boolean {
  const text = withoutComments(startOf(markdown, longestText)).trim();
  const last = text.lastIndexOf('\n\n') + 1;
  const paragraph = text.slice(last).trim().split('\n');
  const said = text.slice(0, last) + paragraph.slice(0, trailersFrom(paragraph)).join('\n');
  return /[\p{L}\p{N}]/u.test(said);
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
