/** Markdown from strangers, made into HTML that cannot do anything but be read. */
import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import { useAlerts, type AlertKind } from './alerts.ts';
import { drawEmoji } from './emoji.ts';
import { formulaClass, useFormulas } from './formulas.ts';
import { isInlineImage, isRemoteImage, isRepositoryImage } from './imageAddresses.ts';
import { checkSource, OverBudget, useBudget } from './markdownBudget.ts';
import { allowedTags, partsOf, useKeptElements } from './keptElements.ts';
import { useLeftOutLines } from './leftOutLines.ts';
import { sourceLineAttribute, sourceLineOf } from './sourceLine.ts';
import { textNodes } from './textNodes.ts';
import { trailersFrom } from '../../util/trailers.ts';
import { withoutStyles } from './withoutStyles.ts';
import { imagePath, type ImageProblem, type ProseImage } from '../../util/proseImage.ts';
import { ProseLinks, type LinkTarget } from '../../util/proseLink.ts';
import { issuesIn, wordsIn } from '../../util/proseNames.ts';
import { findReferences, readReference } from './references.ts';

/**
 * Reads markdown as all of our pages do: every word of it is shown, but for those of addresses, of attributes and of the marks themselves.
 *
 * @param html true when what it makes of HTML is sanitized; else that is text like any other.
 */
export function createMarkdown(html: boolean): InstanceType<typeof MarkdownIt> {
  const markdown = new MarkdownIt({ html, linkify: true })
    .use(footnotes)
    .use(useBudget)
    .use(useAlerts)
    .use(useFormulas)
    .use(useKeptElements)
    .use(useLeftOutLines);
  for (const kind of ['html_block', 'html_inline']) {
    markdown.renderer.rules[kind] = (tokens, index) =>
      partsOf(tokens[index])
        .map((part) => (part.kind === 'tag' ? withoutStyles(part.html) : part.html))
        .join('');
  }

  // Cells are aligned by an attribute: of styles, which strangers may write too, none is taken over.
  for (const cell of ['th_open', 'td_open']) {
    markdown.renderer.rules[cell] = (tokens, index, options, _environment, renderer) => {
      const token = tokens[index];
      const alignment = /^text-align:(\w+)$/.exec(String(token?.attrGet('style')))?.[1];
      if (alignment !== undefined) {
        token?.attrSet('align', alignment);
      }
      if (token?.attrs) {
        token.attrs = token.attrs.filter(([name]) => name !== 'style');
      }
      return renderer.renderToken(tokens, index, options);
    };
  }
  // File names end like domains do: `README.md` is no link.
  markdown.linkify.set({ fuzzyLink: false });

  markdown.core.ruler.push('source-lines', ({ tokens, env }) => {
    const { firstLine = 0 } = env as { firstLine?: number };
    for (const token of tokens) {
      if (token.map && token.nesting >= 0) {
        token.attrSet(sourceLineAttribute, String(token.map[0] + firstLine));
      }
    }
  });

  // Each trailer of a commit's message has a line of its own, as in git.
  markdown.core.ruler.push('trailers', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      const breaks = token.children?.filter(({ type }) => type === 'softbreak' || type === 'hardbreak') ?? [];
      if (breaks.length > 0 && tokens[index - 1]?.type === 'paragraph_open') {
        const lines = token.content.split('\n');
        // With a line break inside of a token it is not known which line is which.
        const first = breaks.length === lines.length - 1 ? trailersFrom(lines) : lines.length;
        for (const end of breaks.slice(Math.max(0, first - 1))) {
          end.type = 'hardbreak';
          end.tag = 'br';
        }
      }
    }
  });
  return markdown;
}

const markdown = createMarkdown(true);

const allowedAttributes = ['align', 'alt', 'class', 'colspan', 'height', 'href', 'id', 'lang', 'open', 'rowspan', 'src', 'start', 'title', 'width']; // prettier-ignore

/** Classes that blocks of code, alerts, formulas and the footnotes need: any other could borrow the looks of our own controls. */
const allowedClass =
  /^(language-.*|alert(-title|-note|-tip|-important|-warning|-caution)?|footnote(s-sep|s-list|-ref|-item|-backref)|formula)$/;

/** The places that footnotes and what refers to them have. */
const footnotePlace = /^fn(ref)?\d+(:\d+)?$/;

/** Links that may be followed. */
const linkTarget = /^(https?|mailto):/i;

export interface MarkdownOptions {
  loadRemoteImages: boolean;
  /** The line of the whole text with which this part of it begins. */
  firstLine?: number;
  /** True for one of several parts of a text. */
  isPart?: boolean;
  /** Tells the footnotes of this text from those of others on the page. */
  id?: string;
  /** Turns references such as `src/a.ts#L3` into buttons, with the reference in `data-reference`. */
  withReferences?: boolean;
  /** Words that lead somewhere, which become buttons with the words in `data-link`. */
  links?: ProseLinks;
  /** The level of the page's heading above it: its own headings are below that. */
  headingsBelow?: number;
  /** Gives an image of the repository by its path; undefined while it isn't there. Without it, none is shown. */
  imageAt?: (path: string) => ProseImage | undefined;
  /** The text that stands for a picture which is not loaded, and for one of the repository that can't be. */
  blockedImageText: (alternativeText: string, problem?: ImageProblem) => string;
  taskText: (done: boolean) => string;
  /** The title of an alert. */
  alertText: (kind: AlertKind) => string;
  /** The word behind lines that nobody finds again. */
  lostText: string;
}

const noLinks = new ProseLinks();

/** Names in a text that become buttons: the same one may stand there again and again. */
const mostLinks = 1_000;

/** Renders markdown to sanitized HTML; undefined when it asks for more than the budget has. */
export function renderMarkdown(source: string, options: MarkdownOptions): string | undefined {
  return withinBudget(() => {
    checkSource(source);
    return typeof document === 'undefined' ? renderWithoutBrowser(source, options) : render(source, options);
  });
}

function withinBudget<T>(attempt: () => T): T | undefined {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof OverBudget) {
      return undefined;
    }
    throw error;
  }
}

function render(source: string, options: MarkdownOptions): string {
  const fragment = sanitized(source, options);
  for (const element of fragment.querySelectorAll('[class]')) {
    element.className = [...element.classList].filter((name) => allowedClass.test(name)).join(' ');
  }
  placeFootnotes(fragment, options.id ?? '');
  drawTasks(fragment, options.taskText);
  drawEmoji(fragment);
  if (options.withReferences) {
    linkReferences(fragment, options.links ?? noLinks, options.lostText);
  }
  if (options.headingsBelow !== undefined) {
    for (const heading of fragment.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
      heading.ariaLevel = String(Math.min(6, Number(heading.tagName[1]) + options.headingsBelow));
    }
  }
  for (const link of fragment.querySelectorAll('a')) {
    const target = link.getAttribute('href') ?? '';
    if (linkTarget.test(target)) {
      link.title = target;
    } else if (!target.startsWith('#')) {
      // It would look as if it led somewhere.
      link.replaceWith(...link.childNodes);
    }
  }
  // An address means something on links and pictures only.
  for (const element of fragment.querySelectorAll('[src]:not(img), [href]:not(a)')) {
    element.removeAttribute('src');
    element.removeAttribute('href');
  }
  drawImages(fragment, options);
  for (const block of fragment.querySelectorAll('pre, table')) {
    // A block that scrolls sideways can be scrolled with the keyboard.
    block.setAttribute('tabindex', '0');
  }
  const container = document.createElement('div');
  container.append(fragment);
  return container.innerHTML;
}

/** Images of the repository come from the extension host, others from where the person lets them come from. */
function drawImages(fragment: DocumentFragment, options: MarkdownOptions): void {
  for (const image of fragment.querySelectorAll('img')) {
    const source = image.getAttribute('src') ?? '';
    const path = options.imageAt && imagePath(source);
    const known = path === undefined ? undefined : options.imageAt?.(path);
    if (known && 'address' in known && isRepositoryImage(known.address)) {
      image.src = known.address;
      continue;
    }
    if (!isInlineImage(source) && !(options.loadRemoteImages && isRemoteImage(source))) {
      const text = document.createElement('span');
      text.className = 'blocked-image';
      const problem = known && 'problem' in known ? known.problem : undefined;
      text.textContent = options.blockedImageText(image.alt === '' ? (path ?? '') : image.alt, problem);
      if (path !== undefined) {
        text.title = path;
      }
      image.replaceWith(text);
    } else {
      image.loading = 'lazy';
    }
  }
}

/**
 * Renders markdown where there is no browser to sanitize with: nothing of the HTML in it is taken over, links lead nowhere,
 * pictures are not loaded.
 */
function renderWithoutBrowser(
  source: string,
  { blockedImageText, isPart, alertText }: MarkdownOptions,
): string {
  const { rules } = markdown.renderer;
  rules['html_block'] = rules['html_inline'] = (tokens, index) =>
    partsOf(tokens[index])
      .map((part) => (part.kind === 'tag' ? '' : part.html))
      .join('');
  rules['link_open'] = () => '<a>';
  rules['footnote_ref'] = rules['footnote_anchor'] = () => '';
  rules['image'] = (tokens, index) => {
    const text = blockedImageText(tokens[index]?.content ?? '');
    return `<span class="blocked-image">${markdown.utils.escapeHtml(text)}</span>`;
  };
  return markdown.render(source, { isPart, alertText });
}

/**
 * The words of markdown once it is rendered, without its marks; the source itself when it is over the budget, as it is shown then.
 */
export function plainText(source: string): string {
  const words = withinBudget(() => {
    checkSource(source);
    return sanitized(source).textContent;
  });
  return words ?? source;
}

function sanitized(
  source: string,
  { firstLine = 0, isPart = false, alertText }: Partial<MarkdownOptions> = {},
): DocumentFragment {
  const words = { isPart, ...(alertText && { alertText }) };
  // Behind a character, a frameset means nothing; in front, it takes the place of the body, and there is no fragment.
  const fragment = DOMPurify.sanitize(`.${markdown.render(source, { firstLine, ...words })}`, {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: [...allowedAttributes, sourceLineAttribute],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  const { firstChild } = fragment;
  if (firstChild instanceof Text) {
    firstChild.deleteData(0, 1);
  }
  return fragment;
}

/** Footnotes have places on the page to go to and back from; nothing else from strangers has. */
function placeFootnotes(fragment: DocumentFragment, id: string): void {
  const place = (name: string): string => `prose-${id}-${name}`;
  for (const element of fragment.querySelectorAll('[id]')) {
    if (footnotePlace.test(element.id)) {
      element.id = place(element.id);
    } else {
      element.removeAttribute('id');
    }
  }
  for (const link of fragment.querySelectorAll('a[href^="#"]')) {
    const name = link.getAttribute('href')?.slice(1) ?? '';
    if (footnotePlace.test(name)) {
      link.setAttribute('href', `#${place(name)}`);
    } else {
      link.removeAttribute('href');
    }
  }
}

/** List items that begin with `[ ]` or `[x]` get a box. */
function drawTasks(fragment: DocumentFragment, taskText: (done: boolean) => string): void {
  for (const item of fragment.querySelectorAll('li')) {
    const first = item.firstElementChild;
    const start = item.firstChild?.textContent?.trim() === '' && first?.tagName === 'P' ? first : item;
    const text = start.firstChild;
    const [mark] = text instanceof Text ? (/^\[[ xX]\]\s/.exec(text.data) ?? []) : [];
    if (mark === undefined || !(text instanceof Text)) {
      continue;
    }
    const done = mark[1] !== ' ';
    const box = document.createElement('span');
    box.className = done ? 'task codicon codicon-check' : 'task';
    box.setAttribute('role', 'img');
    box.setAttribute('aria-label', taskText(done));
    text.data = text.data.slice(mark.length);
    text.before(box);
    item.className = 'task-item';
  }
}

/** Names of what is known, and references to lines of files, in running text, as code or as links, become buttons. */
function linkReferences(fragment: DocumentFragment, links: ProseLinks, lostText: string): void {
  let left = mostLinks;
  const buttonOf = (
    name: string,
    place: Element | null,
    content: (Node | string)[],
  ): HTMLElement | undefined => {
    const target = left > 0 ? links.at(name, sourceLineOf(place)) : undefined;
    left -= target ? 1 : 0;
    return target
      ? linkButton(name, target, content, lostText)
      : name.includes('#L') && !links.has(name) && readReference(name)
        ? referenceButton(name, content)
        : undefined;
  };
  for (const link of fragment.querySelectorAll('a[href]')) {
    const button = buttonOf(link.getAttribute('href') ?? '', link, [...link.childNodes]);
    if (button) {
      link.replaceWith(button);
    }
  }
  for (const code of fragment.querySelectorAll('code')) {
    const button = code.closest('pre, a, .reference')
      ? undefined
      : buttonOf(code.textContent.trim(), code, [code.cloneNode(true)]);
    if (button) {
      code.replaceWith(button);
    }
  }
  const texts = textNodes(fragment).filter(
    ({ data, parentElement }) =>
      (!links.isEmpty || data.includes('#L')) &&
      !parentElement?.closest(`pre, code, a, .reference, .${formulaClass}`),
  );
  for (const text of texts) {
    const parts: (string | Node)[] = [];
    let end = 0;
    for (const { index, text: name } of namesIn(text.data, links)) {
      const button = index < end ? undefined : buttonOf(name, text.parentElement, [name]);
      if (button) {
        parts.push(text.data.slice(end, index), button);
        end = index + name.length;
      }
    }
    if (end > 0) {
      text.replaceWith(...parts, text.data.slice(end));
    }
  }
}

/** The words of a text that become buttons, in their order. */
function namesIn(text: string, links: ProseLinks): { index: number; text: string }[] {
  const words = links.isEmpty
    ? []
    : [...wordsIn(text), ...issuesIn(text)].filter((word) => links.has(word.text));
  return [...words, ...findReferences(text)].sort((one, other) => one.index - other.index);
}

function referenceButton(reference: string, content: (Node | string)[]): HTMLElement {
  const button = buttonAround(content);
  button.setAttribute('data-reference', reference);
  return button;
}

function linkButton(
  name: string,
  target: LinkTarget,
  content: (Node | string)[],
  lostText: string,
): HTMLElement {
  if (target.kind === 'address') {
    return addressLink(name, target.url, content);
  }
  const button = buttonAround(content);
  button.setAttribute('data-link', name);
  if (target.kind === 'lost') {
    const lost = document.createElement('span');
    lost.className = 'lost';
    lost.textContent = ` ${lostText}`;
    button.append(lost);
  }
  return button;
}

/** A page in the web opens as every other link does. */
function addressLink(name: string, url: string, content: (Node | string)[]): HTMLElement {
  const link = document.createElement('a');
  link.href = url;
  link.setAttribute('data-link', name);
  link.append(...content);
  return link;
}

/** Not a button element: that is wrapped as a whole, and away from the full stop after it. */
function buttonAround(content: (Node | string)[]): HTMLElement {
  const button = document.createElement('span');
  button.setAttribute('role', 'button');
  button.tabIndex = 0;
  button.className = 'reference';
  button.append(...content);
  return button;
}
