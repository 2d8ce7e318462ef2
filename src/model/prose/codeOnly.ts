/** Tells code from the comments and strings in it, as far as that can be told without knowing the language. */

/** Each matches at the place where it begins. Those without an end go on to the end of the line, or of the text. */
const parts = {
  slashes: /\/\/.*/y,
  block: /\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/)?/y,
  hash: /#.*/y,
  dashes: /--.*/y,
  semicolon: /;.*/y,
  percent: /%.*/y,
  tags: /<!--[^-]*(?:-(?!->)[^-]*)*(?:-->)?/y,
  docs: /"""[^"\\]*(?:(?:\\[^]|"(?!""))[^"\\]*)*(?:""")?|'''[^'\\]*(?:(?:\\[^]|'(?!''))[^'\\]*)*(?:''')?/y,
  double: /"(?:\\.|[^"\\\n])*"?/y,
  single: /'(?:\\.|[^'\\\n])*'?/y,
  /** A string of several lines. */
  several: /"(?:\\[^]|[^"\\])*"?/y,
  template: /`(?:\\[^]|[^`\\])*`?/y,
  /** One character: where a lone mark is something else, such as a lifetime. */
  character: /'(?:\\[^\n]{1,9}?|[^'\\\n])'/y,
  pattern: /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n]){0,200}\]|[^/\\\n[]){1,200}\//y,
};

type Part = keyof typeof parts;

const beginning = /[/#;%<"'`-]/g;

const languages: readonly [extensions: string, parts: readonly Part[]][] = [
  ['js jsx mjs cjs ts tsx mts cts vue svelte', ['slashes', 'block', 'pattern', 'double', 'single', 'template']],
  ['py pyi pyw rb sh bash zsh fish yml yaml toml ini cfg conf r pl pm mk cmake nix ex exs jl tcl', ['hash', 'docs', 'double', 'single']],
  ['rs', ['slashes', 'block', 'several', 'character']],
  ['go', ['slashes', 'block', 'double', 'template', 'character']],
  ['kt kts swift scala java cs', ['slashes', 'block', 'docs', 'double', 'character']],
  ['php', ['slashes', 'block', 'hash', 'double', 'single']],
  ['sql lua hs elm ada', ['dashes', 'double', 'character']],
  ['lisp el clj cljs scm rkt asm', ['semicolon', 'several']],
  ['tex erl hrl', ['percent', 'double']],
  ['xml svg', ['tags', 'double', 'single']],
]; // prettier-ignore

const partsByExtension = new Map(
  languages.flatMap(([extensions, of]) => extensions.split(' ').map((extension) => [extension, of] as const)),
);

/** Those of C, which most other languages have. */
const common: readonly Part[] = ['slashes', 'block', 'double', 'character'];

/** The ends of the names of files in which people write about code. */
export const proseExtensions: readonly string[] = 'md mdx markdown rst adoc txt html'.split(' ');

/** The marks that strings of several lines begin and end with alike. */
const openMarks: Partial<Record<Part, readonly string[]>> = {
  docs: ['"""', "'''"],
  several: ['"'],
  template: ['`'],
};

/**
 * Gives code with blanks for its comments and strings: each line and each character of the rest keeps its place. Of files in which
 * people write about code there is none.
 *
 * @param text whole lines of a file. Where they begin in a comment of several lines, that is left out, too, if they have its end; where
 *   a string of several lines has one mark alone, nobody knows which side of it is code.
 */
export function codeOnly(text: string, path: string): string {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (proseExtensions.includes(extension)) {
    return blank(text);
  }
  const code = withoutParts(text, partsByExtension.get(extension) ?? common);
  const end = code.lastIndexOf('*/') + 2;
  const known = end > 1 ? blank(code.slice(0, end)) + code.slice(end) : code;
  // In a comment of which neither the beginning nor the end is there.
  return known.replace(/^[ \t]*\*(?:[ \t].*)?$/gm, blank);
}

function withoutParts(text: string, of: readonly Part[]): string {
  const kept: string[] = [];
  let [from, at] = [0, 0];
  for (;;) {
    beginning.lastIndex = at;
    const found = beginning.exec(text);
    if (!found) {
      return kept.join('') + text.slice(from);
    }
    const { end, isOpen } = partAt(text, found.index, of);
    if (isOpen) {
      return blank(text);
    }
    if (end !== undefined) {
      kept.push(text.slice(from, found.index), blank(text.slice(found.index, end)));
      from = end;
    }
    at = end ?? found.index + 1;
  }
}

function partAt(text: string, index: number, of: readonly Part[]): { end?: number; isOpen?: boolean } {
  for (const name of of) {
    const part = parts[name];
    part.lastIndex = index;
    if ((name !== 'pattern' || mayBePattern(text, index)) && part.test(text)) {
      const end = part.lastIndex;
      const mark = openMarks[name]?.find((candidate) => text.startsWith(candidate, index));
      const isClosed =
        mark === undefined || (end >= index + 2 * mark.length && text.startsWith(mark, end - mark.length));
      return { end, isOpen: !isClosed };
    }
  }
  return {};
}

/** Returns true for a slash that divides nothing. */
function mayBePattern(text: string, index: number): boolean {
  let at = index - 1;
  while (text.charAt(at) === ' ' && index - at < 100) {
    at -= 1;
  }
  return at < 0 || '\n(,=:[!&|?{};+'.includes(text.charAt(at));
}

function blank(text: string): string {
  return text.includes('\n') ? text.replace(/[^\n]/g, ' ') : ' '.repeat(text.length);
}
