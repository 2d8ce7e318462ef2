import * as l10n from '@vscode/l10n';
import type { HTMLAttributes, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PanelSettings } from '../../protocol/panel.ts';
import { shortened } from '../../util/budget.ts';
import { colorBlocks } from './codeBlocks.ts';
import { formulas, mayHaveFormulas, withFormulas } from './drawnFormulas.ts';
import { emoji } from './emoji.ts';
import { useStillHtml } from './stillHtml.ts';
import { useStore } from './store.ts';
import { coloring } from './themeColors.ts';
import { piecesOf, type MarkdownPiece } from './markdownBudget.ts';
import { renderMarkdown, type MarkdownOptions } from './markdown.ts';
import type { LinkTarget, ProseLinks } from '../../util/proseLink.ts';
import { readReference, type FileReference } from './references.ts';
import { sourceLineOf } from './sourceLine.ts';
import { scrollPage } from './scrollPage.ts';
import { hasSelectedText } from './selectedText.ts';

export function markdownOptions({ loadRemoteImages }: PanelSettings): MarkdownOptions {
  return {
    loadRemoteImages,
    blockedImageText,
    lostText: l10n.t('(no longer in the code)'),
    alertText: (kind) =>
      ({
        note: l10n.t('Note'),
        tip: l10n.t('Tip'),
        important: l10n.t('Important'),
        warning: l10n.t('Warning'),
        caution: l10n.t('Caution'),
      })[kind],
    taskText: (done) => (done ? l10n.t('done') : l10n.t('to do')),
  };
}

const blockedImageText: MarkdownOptions['blockedImageText'] = (text, problem) => {
  switch (problem) {
    case 'missing':
      return l10n.t('Image not found in the repository: {0}', text);
    case 'untrusted':
      return l10n.t("Image not loaded (Git isn't run in untrusted folders): {0}", text);
    case 'notOpen':
      return l10n.t("Image not loaded (its Git repository isn't open in this window): {0}", text);
    case 'tooLarge':
      return l10n.t('Image too large: {0}', text);
    case 'otherType':
      return l10n.t('Not an image that can be shown: {0}', text);
    case undefined:
      return text ? l10n.t('Image not loaded: {0}', text) : l10n.t('Image not loaded');
  }
};

/** Characters that are shown without being asked for, and of what is shown as plain text until it is asked for. */
const unasked = 300_000;
const plainBeginning = 2_000;

/** A piece of the text, and how it is drawn; undefined as plain text. */
interface DrawnPiece {
  piece: MarkdownPiece;
  html: string | undefined;
}

/** Draws one piece more in each frame, and none that is over the budget before it is asked for. */
function usePieces(
  markdown: string,
  {
    settings,
    id,
    headingsBelow,
    withReferences,
    links,
    imageAt,
    mark,
  }: {
    settings: PanelSettings;
    id: string;
    headingsBelow: number | undefined;
    withReferences: boolean;
    links: ProseLinks | undefined;
    imageAt: MarkdownOptions['imageAt'];
    mark: ((html: string) => string) | undefined;
  },
): { shown: DrawnPiece[]; rest: MarkdownPiece | undefined; isOnlyOne: boolean; showAll: () => void } {
  const [asked, setAsked] = useState<string>();
  const isAsked = asked === markdown;
  const pieces = useMemo(() => piecesOf(markdown, isAsked), [markdown, isAsked]);
  const known = useStore(emoji, (state) => state.known);
  const hasFormulas = useMemo(() => mayHaveFormulas(markdown), [markdown]);
  const formulasSoFar = useStore(formulas, ({ version }) => (hasFormulas ? version : 0));
  const drawn = useMemo(
    () => new Map<MarkdownPiece, string | undefined>(),
    [pieces, settings, id, headingsBelow, withReferences, links, imageAt, mark, known, formulasSoFar],
  );
  const [progress, setProgress] = useState({ pieces, count: 1 });
  const count = progress.pieces === pieces ? progress.count : 1;
  const shown: DrawnPiece[] = [];
  let length = 0;
  let rest: MarkdownPiece | undefined;
  for (const [index, piece] of pieces.slice(0, count).entries()) {
    if (!drawn.has(piece)) {
      const html = renderMarkdown(piece.source, {
        ...markdownOptions(settings),
        id: index === 0 ? id : `${id}-${index}`,
        firstLine: piece.firstLine,
        isPart: pieces.length > 1,
        withReferences,
        ...(links && { links }),
        ...(imageAt && { imageAt }),
        ...(headingsBelow !== undefined && { headingsBelow }),
      });
      const marked = html !== undefined && mark && pieces.length === 1 ? mark(html) : html;
      drawn.set(
        piece,
        marked === undefined || typeof document === 'undefined' ? marked : withFormulas(marked),
      );
    }
    const html = drawn.get(piece);
    length += piece.source.length;
    if (!isAsked && (html === undefined || length > unasked)) {
      rest = piece;
      break;
    }
    shown.push({ piece, html });
  }
  const isWhole = rest !== undefined || count >= pieces.length;
  useEffect(() => {
    if (isWhole) {
      return;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setProgress({ pieces, count: count + 1 }));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [pieces, count, isWhole]);
  return { shown, rest, isOnlyOne: pieces.length === 1, showAll: () => setAsked(markdown) };
}

/**
 * Markdown from strangers, rendered and sanitized: a long text in pieces, one in each frame. What is over the budget is shown as plain
 * text: its beginning, and the whole of it on request, which takes a while.
 */
export function Prose(props: {
  markdown: string;
  settings: PanelSettings;
  /** Tells its footnotes from those of other prose on the page. */
  id?: string;
  /** The level of the page's heading above it. */
  headingsBelow?: number;
  /** Goes to what a reference such as `src/a.ts#L3-L5` means; without it such references are plain text. */
  onReference?: (reference: FileReference) => void;
  /** Words of it that lead somewhere. */
  links?: ProseLinks | undefined;
  onLink?: (target: LinkTarget) => void;
  /** Gives images of the repository; another function when more of them are there. */
  imageAt?: MarkdownOptions['imageAt'];
  /** Marks something in what was rendered and sanitized; not in a text of several pieces. */
  mark?: (html: string) => string;
}) {
  const { markdown, settings, id = '', headingsBelow, onReference, links, onLink, imageAt, mark } = props;
  const { shown, rest, isOnlyOne, showAll } = usePieces(markdown, {
    settings,
    id,
    headingsBelow,
    withReferences: onReference !== undefined,
    links,
    imageAt,
    mark,
  });
  const element = useRef<HTMLDivElement>(null);
  const version = useStore(coloring, (state) => state.version);
  useLayoutEffect(() => {
    if (element.current) {
      colorBlocks(element.current);
    }
  }, [shown.length, shown.at(-1)?.html, version]);
  const follow = (event: Event): void => {
    const reference = referenceAt(event);
    if (reference) {
      event.preventDefault();
      onReference?.(reference);
    }
    const target = links && targetAt(linkAt(event.target), links);
    if (target && target.kind !== 'address') {
      event.preventDefault();
      onLink?.(target);
    }
  };
  const handlers: HTMLAttributes<HTMLDivElement> = {
    onClick: (event) => {
      goToFootnote(event);
      // Selecting its words is not following it.
      if (!hasSelectedText(event.currentTarget)) {
        follow(event);
      }
    },
    onKeyDown: (event) => {
      if (event.key === 'Enter' || event.key === ' ') {
        follow(event);
      }
    },
  };
  const html = isOnlyOne ? shown[0]?.html : undefined;
  return html === undefined ? (
    <div class="prose" ref={element} dir="auto" {...handlers}>
      {shown.map(({ piece, html: part }) =>
        part === undefined ? (
          <pre class="plain-text" key={piece.firstLine} tabIndex={0}>
            {piece.source}
          </pre>
        ) : (
          <StillHtml key={piece.firstLine} html={part} />
        ),
      )}
      {rest && <OverBudget key="rest" source={rest.source} onShow={showAll} />}
    </div>
  ) : (
    <StillHtml class="prose" within={element} dir="auto" html={html} {...handlers} />
  );
}

/** HTML of which the parts stay that are the same in what it becomes: somebody may have selected them. */
function StillHtml({
  html,
  within,
  ...attributes
}: HTMLAttributes<HTMLDivElement> & { html: string; within?: RefObject<HTMLDivElement | null> }) {
  const own = useRef<HTMLDivElement>(null);
  const element = within ?? own;
  const first = useStillHtml(element, html);
  return <div {...attributes} ref={element} dangerouslySetInnerHTML={{ __html: first }} />;
}

function OverBudget({ source, onShow }: { source: string; onShow: () => void }) {
  return (
    <div class="over-budget">
      <p class="notice">
        {l10n.t('This text is too large or too deeply nested to format.')}{' '}
        <button type="button" class="secondary" onClick={onShow}>
          {l10n.t('Show Anyway')}
        </button>
      </p>
      <pre class="plain-text" tabIndex={0}>
        {shortened(source, plainBeginning)}
      </pre>
    </div>
  );
}

/** The button of a link that something is in. */
export function linkAt(target: EventTarget | null): HTMLElement | undefined {
  return target instanceof Element ? (target.closest<HTMLElement>('[data-link]') ?? undefined) : undefined;
}

/** The target of a link. */
export function targetAt(link: HTMLElement | undefined, links: ProseLinks): LinkTarget | undefined {
  return link && links.at(link.dataset['link'] ?? '', sourceLineOf(link));
}

function referenceAt({ target }: Event): FileReference | undefined {
  const button = target instanceof Element ? target.closest('[data-reference]') : undefined;
  return readReference(button?.getAttribute('data-reference') ?? '');
}

function goToFootnote(event: Event): void {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : undefined;
  const place = link && document.getElementById(link.getAttribute('href')?.slice(1) ?? '');
  if (place) {
    // VS Code would scroll its own page too.
    event.preventDefault();
    event.stopPropagation();
    scrollPage(place, 'start');
  }
}
