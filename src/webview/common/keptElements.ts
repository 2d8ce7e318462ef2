/** Tells the HTML in a text of strangers that is taken over from what only looks like it: a type's parameters, a place for a name. */
import type MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';

/** Elements that markdown may become: prose, tables, code, images; no forms, no frames, no styles, no scripts. */
export const allowedTags = [
  'a', 'abbr', 'b', 'blockquote', 'br', 'caption', 'code', 'dd', 'del', 'details', 'div', 'dl', 'dt', 'em', 'h1', 'h2',
  'h3', 'h4', 'h5', 'h6', 'hr', 'i', 'img', 'ins', 'kbd', 'li', 'mark', 'ol', 'p', 'pre', 'q', 's', 'samp', 'small',
  'span', 'strong', 'sub', 'summary', 'sup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr', 'tt', 'u', 'ul',
  'var',
]; // prettier-ignore

const allowed = new Set(allowedTags);

/** Attributes that have no value. */
const bareAttributes = new Set(['compact', 'hidden', 'nowrap', 'open', 'reversed']);

/** A tag, at a place. */
const tag =
  /<\/?([a-z][a-z0-9-]*)((?:\s+[^\s"'=<>`/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*\/?>/iy;
const value = /(?<!\s)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+)/g;

/** A piece of HTML: a tag of an element that is kept, or text in which whatever else is written stands as it was typed. */
export interface HtmlPart {
  kind: 'tag' | 'text';
  html: string;
}

/** Splits HTML of strangers into the tags of elements that are kept, and text. */
export function htmlParts(html: string): HtmlPart[] {
  const parts: HtmlPart[] = [];
  let end = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', Math.max(end, at + 1))) {
    const found = keptTagAt(html, at);
    if (found !== undefined) {
      parts.push(textPart(html.slice(end, at)), { kind: 'tag', html: found });
      end = at + found.length;
    }
  }
  return [...parts, textPart(html.slice(end))];
}

function textPart(html: string): HtmlPart {
  return { kind: 'text', html: html.replaceAll('<', '&lt;') };
}

/** The tag of an element that is kept at a place: of words without a value, as in `a <b and c> d`, it makes no attributes. */
function keptTagAt(html: string, at: number): string | undefined {
  tag.lastIndex = at;
  const [whole, name = '', attributes = ''] = tag.exec(html) ?? [];
  const bare = attributes
    .replace(value, '=')
    .split(/\s+/)
    .filter((word) => word !== '' && !word.endsWith('='));
  const isKept =
    allowed.has(name.toLowerCase()) && bare.every((word) => bareAttributes.has(word.toLowerCase()));
  return isKept ? whole : undefined;
}

/** Elements that have no end. */
const voidElements = new Set(['br', 'hr', 'img']);

/** Elements whose end may be left out, in those that end them. */
const openEnded = new Set(['dd', 'dt', 'li', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr']);
const enders = ['dl', 'ol', 'table', 'ul'];

/** Has text made of tags that begin or end nothing: a text that speaks of a closing tag has no element by that. */
function pairTags(texts: readonly HtmlPart[][]): void {
  const open = new Map<string, HtmlPart[]>();
  const left: { part: HtmlPart; isEnded: boolean }[] = [];
  const asText = (part: HtmlPart): void => void Object.assign(part, textPart(part.html));
  for (const part of texts.flat().filter(({ kind }) => kind === 'tag')) {
    const [, slash = '', found = ''] = /^<(\/?)([a-z0-9]+)/i.exec(part.html) ?? [];
    const name = found.toLowerCase();
    if (voidElements.has(name)) {
      continue;
    }
    const begun = open.get(name) ?? [];
    open.set(name, begun);
    if (slash === '') {
      begun.push(part);
      left.push({ part, isEnded: openEnded.has(name) && enders.some((ender) => open.get(ender)?.length) });
    } else if (begun.pop() === undefined) {
      asText(part);
    }
  }
  const unmatched = new Set([...open.values()].flat());
  left.filter(({ part, isEnded }) => !isEnded && unmatched.has(part)).forEach(({ part }) => asText(part));
}

/** The pieces of HTML in a token, as the rule below has left them. */
export function partsOf(token: Token | undefined): HtmlPart[] {
  return (token?.meta as { parts?: HtmlPart[] } | null)?.parts ?? htmlParts(token?.content ?? '');
}

/** Has a renderer show as it was typed what looks like HTML and is no element that is kept. */
export function useKeptElements(markdown: InstanceType<typeof MarkdownIt>): void {
  markdown.inline.ruler.before('html_inline', 'no_element', (state, silent) => {
    if (state.src[state.pos] !== '<' || keptTagAt(state.src, state.pos) !== undefined) {
      return false;
    }
    if (!silent) {
      state.pending += '<';
    }
    state.pos += 1;
    return true;
  });
  markdown.core.ruler.after('block', 'no_element', (state) => {
    state.tokens = state.tokens.flatMap((token) =>
      token.type === 'html_block' && keptTagAt(token.content, token.content.indexOf('<')) === undefined
        ? asParagraphs(token, state.Token)
        : [token],
    );
  });
  markdown.core.ruler.push('element_pairs', ({ tokens }) => {
    const found = htmlTokens(tokens);
    const texts = found.map(({ content }) => htmlParts(content));
    pairTags(texts);
    found.forEach((token, index) => (token.meta = { parts: texts[index] }));
  });
}

function htmlTokens(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token) =>
    token.type === 'html_block' || token.type === 'html_inline' ? [token] : htmlTokens(token.children ?? []),
  );
}

/** What was taken for a block of HTML as the paragraphs that it would have been. */
function asParagraphs({ content, level, map }: Token, TokenOf: typeof Token): Token[] {
  let line = map?.[0] ?? 0;
  return content
    .trimEnd()
    .split('\n\n')
    .flatMap((text) => {
      const lines = text.split('\n').length;
      const [open, inline, close] = [
        new TokenOf('paragraph_open', 'p', 1),
        new TokenOf('inline', '', 0),
        new TokenOf('paragraph_close', 'p', -1),
      ];
      Object.assign(open, { block: true, level, map: [line, line + lines] });
      Object.assign(inline, {
        block: true,
        level: level + 1,
        map: [line, line + lines],
        content: text.trim(),
        children: [],
      });
      Object.assign(close, { block: true, level });
      line += lines + 1;
      return text.trim() === '' ? [] : [open, inline, close];
    });
}
