/** A tag, as far as it goes without another one in it. */
const tag = /<\/?[a-z][^<>]*/gi;
/** A value in quotes, or the name of the attribute in question. */
const valueOrStyle = /"[^"]*"|'[^']*'|(?<=[\s"'/])style(?=\s*=)/gi;

/**
 * HTML from strangers without styles, which the page's policy refuses and complains of as soon as they are read, long before
 * the sanitizer drops them. This is about quiet, not about safety: what is missed here is still refused and dropped.
 */
export function withoutStyles(html: string): string {
  return html.replace(tag, (text) =>
    text
      // It is read to its end as text, and dropped with it, just as a style is.
      .replace(/^(<\/?)style\b/i, '$1noframes')
      .replace(valueOrStyle, (part) => (/^style$/i.test(part) ? 'data-style' : part)),
  );
}
