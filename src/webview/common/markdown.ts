/** Markdown from strangers, made into HTML that cannot do anything but be read. */
import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';
import { highlightCode } from './highlight.ts';

const markdown = new MarkdownIt({
  html: true,
  linkify: true,
  highlight: (code, language) => highlightCode(code, language) ?? '',
});

/** What markdown may become: prose, tables, code, images; no forms, no frames, no styles, no scripts. */
const allowedTags = [
  'a', 'abbr', 'b', 'blockquote', 'br', 'caption', 'code', 'dd', 'del', 'details', 'div', 'dl', 'dt', 'em', 'h1', 'h2',
  'h3', 'h4', 'h5', 'h6', 'hr', 'i', 'img', 'ins', 'kbd', 'li', 'mark', 'ol', 'p', 'pre', 'q', 's', 'samp', 'small',
  'span', 'strong', 'sub', 'summary', 'sup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr', 'tt', 'u', 'ul',
  'var',
]; // prettier-ignore
const allowedAttributes = ['align', 'alt', 'class', 'colspan', 'height', 'href', 'lang', 'open', 'rowspan', 'src', 'start', 'title', 'width']; // prettier-ignore

/** Links that may be followed, and pictures that may be shown. */
const linkTarget = /^(https?|mailto):/i;
const remoteImage = /^https:\/\//i;
const inlineImage = /^data:image\/(png|jpeg|gif|webp);base64,/i;

/** How to treat what markdown refers to. */
export interface MarkdownOptions {
  loadRemoteImages: boolean;
  /** The text that stands for a picture which is not loaded. */
  blockedImageText: (alternativeText: string) => string;
}

/** Renders markdown to sanitized HTML. */
export function renderMarkdown(source: string, options: MarkdownOptions): string {
  const fragment = DOMPurify.sanitize(markdown.render(source), {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: allowedAttributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll('a')) {
    const target = link.getAttribute('href') ?? '';
    if (linkTarget.test(target)) {
      link.title = target;
    } else {
      link.removeAttribute('href');
    }
  }
  for (const image of fragment.querySelectorAll('img')) {
    const source = image.getAttribute('src') ?? '';
    if (!inlineImage.test(source) && !(options.loadRemoteImages && remoteImage.test(source))) {
      const text = document.createElement('span');
      text.className = 'blocked-image';
      text.textContent = options.blockedImageText(image.alt);
      image.replaceWith(text);
    } else {
      image.loading = 'lazy';
    }
  }
  // Classes are for highlighted code alone: any other could borrow the looks of our own controls.
  for (const element of fragment.querySelectorAll('[class]')) {
    const kept = [...element.classList].filter(
      (name) => /^(hljs|language)-?/.test(name) || name === 'blocked-image',
    );
    element.className = kept.join(' ');
  }
  const container = document.createElement('div');
  container.append(fragment);
  return container.innerHTML;
}
