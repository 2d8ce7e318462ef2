/** Syntax colors: highlight.js with its common languages; the colors themselves follow the theme (highlight.css). */
import hljs from 'highlight.js/lib/common';

/** File names and endings that highlight.js does not know as aliases of a language. */
const languageByEnding = new Map(
  Object.entries({
    mts: 'typescript',
    cts: 'typescript',
    mjs: 'javascript',
    cjs: 'javascript',
    h: 'cpp',
    hpp: 'cpp',
    yml: 'yaml',
    toml: 'ini',
    htm: 'xml',
    vue: 'xml',
    svelte: 'xml',
    jsonc: 'json',
  }),
);

/** The language of a file, by its path; undefined when none is known. */
export function languageOfPath(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const ending = name.slice(name.lastIndexOf('.') + 1);
  const language = languageByEnding.get(ending) ?? ending;
  return hljs.getLanguage(language) ? language : undefined;
}

/** Code as HTML with a class per token, escaped; undefined when the language is not known, or coloring would take too long. */
export function highlightCode(code: string, language: string | undefined): string | undefined {
  if (!language || !hljs.getLanguage(language) || !isQuick(code, language)) {
    return undefined;
  }
  return colour(code, language);
}

function colour(code: string, language: string): string {
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}

/** Characters that are tried at a time, and of what is colored without a trial: a screen of code should not wait for one. */
const trialLength = 2_000;
const untried = 3_000;

/** Milliseconds for so many characters: code takes one or two, what takes more takes ever more the longer it is. */
const trialLimitMs = 12;

/** The part of a text of which it is tried whether its lines take longer together than each for itself. */
const part = 4;

/**
 * True for code that is colored in a time that grows with its length alone. The expressions of the highlighter's languages have no
 * such bound, and one that has begun can't be stopped: so small parts are tried before the whole.
 */
function isQuick(code: string, language: string): boolean {
  if (code.length <= untried) {
    return true;
  }
  let chunk = '';
  for (const line of code.split('\n')) {
    // A line that is longer than what is tried is tried in parts that double.
    for (let length = trialLength; length < line.length * 2; length *= 2) {
      if (!isTriedQuickly(line.slice(0, length), language)) {
        return false;
      }
    }
    chunk += `${line.slice(0, trialLength)}\n`;
    if (chunk.length >= trialLength) {
      if (!isTriedQuickly(chunk, language)) {
        return false;
      }
      chunk = '';
    }
  }
  const isShort = code.length <= trialLength * part;
  return isShort || isTriedQuickly(code.slice(0, code.length / part), language);
}

function isTriedQuickly(text: string, language: string): boolean {
  const limit = trialLimitMs * Math.max(1, text.length / trialLength);
  // A language takes longer the first time.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const before = performance.now();
    colour(text, language);
    if (performance.now() - before <= limit) {
      return true;
    }
  }
  return false;
}

/** A piece of a line of code, with the class that colors it. */
export interface Token {
  text: string;
  className?: string;
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

/** Code that goes on from one line to the next: a comment, or a string or the like, whose end looks like its beginning. */
type Ongoing = 'comment' | 'string';

/** Code as the tokens of each of its lines; undefined when the language is not known. */
export function highlightLines(code: string, language: string | undefined): Token[][] | undefined {
  return highlightBlock(code, language)?.lines;
}

/** Code as the tokens of each of its lines, with what goes on at the start of each; undefined when the language is not known. */
export function highlightBlock(
  code: string,
  language: string | undefined,
): { lines: Token[][]; ongoing: (Ongoing | undefined)[] } | undefined {
  const html = highlightCode(code, language);
  if (html === undefined) {
    return undefined;
  }
  const lines: Token[][] = [[]];
  const ongoing: (Ongoing | undefined)[] = [undefined];
  const open: string[] = [];
  // The highlighter writes nothing but these tags, these entities, and text.
  for (const [, className, end, text] of html.matchAll(/<span class="([^"]*)">|(<\/span>)|([^<]+)/g)) {
    if (className !== undefined) {
      open.push(className);
    } else if (end !== undefined) {
      open.pop();
    } else {
      addText(
        lines,
        (text ?? '').replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity),
        tokenClass(open),
      );
      while (ongoing.length < lines.length) {
        ongoing.push(ongoingOf(open));
      }
    }
  }
  return { lines, ongoing };
}

function ongoingOf(open: readonly string[]): Ongoing | undefined {
  return open.includes('hljs-comment')
    ? 'comment'
    : open.some((name) => /^hljs-(string|regexp|code|quote)$/.test(name))
      ? 'string'
      : undefined;
}

function addText(lines: Token[][], text: string, className: string | undefined): void {
  text.split('\n').forEach((part, index) => {
    if (index > 0) {
      lines.push([]);
    }
    if (part !== '') {
      lines.at(-1)?.push({ text: part, ...(className !== undefined && { className }) });
    }
  });
}

/** The innermost class, for tokens lie in a line side by side; two depend on what they stand in. */
function tokenClass(open: readonly string[]): string | undefined {
  const innermost = open.at(-1);
  if (innermost === 'hljs-keyword' && open.includes('hljs-meta')) {
    return 'hljs-meta';
  }
  return innermost === 'hljs-attr' && open.includes('hljs-tag') ? 'hljs-attr in-tag' : innermost;
}
