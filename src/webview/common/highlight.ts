/** Syntax colours: highlight.js with its common languages; the colours themselves follow the theme (highlight.css). */
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

/** Code as HTML with a class per token, escaped; undefined when the language is not known. */
export function highlightCode(code: string, language: string | undefined): string | undefined {
  if (!language || !hljs.getLanguage(language)) {
    return undefined;
  }
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}

/**
 * Cuts highlighted HTML into lines, closing the spans that are open at a line's end and opening them again on the next,
 * so that each line stands alone.
 */
export function splitHighlightedLines(html: string): string[] {
  const lines: string[] = [];
  const open: string[] = [];
  for (const line of html.split('\n')) {
    const start = open.join('');
    for (const [tag] of line.matchAll(/<span[^>]*>|<\/span>/g)) {
      if (tag === '</span>') {
        open.pop();
      } else {
        open.push(tag);
      }
    }
    lines.push(start + line + '</span>'.repeat(open.length));
  }
  return lines;
}
