declare module 'markdown-it-footnote' {
  import type MarkdownIt from 'markdown-it';

  /** The footnotes of Pandoc: `[^1]`. */
  export default function footnotes(markdown: MarkdownIt): void;
}
