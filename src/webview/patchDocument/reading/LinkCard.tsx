import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { listedLines, startOfLines, type LinkTarget, type ProseLinks } from '../../../util/proseLink.ts';
import { plainText } from '../../../util/visibleText.ts';
import { linkAt, targetAt } from '../../common/Prose.tsx';

/** Milliseconds that the mouse rests on a link before it is said where that leads. */
const restMs = 300;

/** Characters of a commit's SHA that are shown. */
const shortSha = 10;

const cardId = 'link-card';

interface Card {
  target: LinkTarget;
  link: HTMLElement;
}

/** The link that is looked at, by the mouse or the keyboard, and what notices it. */
export function useLinkCard(links: ProseLinks | undefined) {
  const [card, setCard] = useState<Card>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const text = useRef<HTMLDivElement>(null);
  const showIn = (element: EventTarget | null, delayMs: number): void => {
    clearTimeout(timer.current);
    const link = linkAt(element);
    const target = links && targetAt(link, links);
    if (link && target) {
      timer.current = setTimeout(() => setCard({ target, link }), delayMs);
    } else if (!isInCard(element)) {
      timer.current = setTimeout(() => setCard(undefined), delayMs);
    }
  };
  const hide = (): void => {
    clearTimeout(timer.current);
    setCard(undefined);
  };
  useEffect(() => {
    // Whoever is at the words already does not come to them again when it becomes known where they lead.
    const link = text.current?.querySelector('[data-link]:is(:focus, :hover)');
    if (link) {
      showIn(link, 0);
    }
    return hide;
  }, [links]);
  return {
    card,
    ref: text,
    onMouseOver: ({ target }: MouseEvent) => showIn(target, restMs),
    // Into the card the mouse may go: it is a part of this.
    onMouseLeave: hide,
    onFocusIn: ({ target }: FocusEvent) => showIn(target, 0),
    onFocusOut: hide,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape' && card) {
        event.stopPropagation();
        hide();
      }
    },
  };
}

function isInCard(element: EventTarget | null): boolean {
  return element instanceof Element && element.closest('.link-card') !== null;
}

/** Says where a link leads: the lines that it names, as they are now. */
export function LinkCard({ target, link }: Card) {
  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = card;
    if (!current) {
      return;
    }
    const { top, bottom, left } = link.getBoundingClientRect();
    const { width, height } = current.getBoundingClientRect();
    const hasRoom = bottom + height <= innerHeight || top < height;
    current.style.left = `${Math.max(0, Math.min(left, document.body.clientWidth - width - 8))}px`;
    current.style.top = `${hasRoom ? bottom : top - height}px`;
    link.setAttribute('aria-describedby', cardId);
    return () => link.removeAttribute('aria-describedby');
  }, [target, link]);
  return (
    <div ref={card} id={cardId} class="link-card" role="tooltip">
      <CardContent target={target} />
    </div>
  );
}

function CardContent({ target }: { target: LinkTarget }) {
  switch (target.kind) {
    case 'file': {
      const { path, start, end, lines = [] } = target;
      return (
        <>
          <p dir="auto">{start === undefined ? plainText(path) : placeText(path, start, end)}</p>
          {lines.length > 0 && <pre>{startOfLines(target)}</pre>}
        </>
      );
    }
    case 'lost':
      return <p>{l10n.t("These lines are gone, or they changed so much that they can't be found again.")}</p>;
    case 'several':
      return (
        <>
          <p>{l10n.t('Several lines may be meant:')}</p>
          <ul>
            {listedLines(target).map(({ path, line, text }) => (
              <li key={`${path}:${line}`}>
                <span dir="auto">{placeText(path, line)}</span> <code>{plainText(text)}</code>
              </li>
            ))}
            {target.more > 0 && <li>{l10n.t('{0} more', target.more)}</li>}
          </ul>
        </>
      );
    case 'line':
      return <pre>{target.text.trim()}</pre>;
    case 'patch':
      return <p dir="auto">{plainText(target.title === '' ? target.changeId : target.title)}</p>;
    case 'commit':
      return <p dir="auto">{plainText(`${target.sha.slice(0, shortSha)} ${target.title}`)}</p>;
    case 'person':
      return <p dir="auto">{plainText(target.login)}</p>;
    case 'address':
      return <p dir="auto">{plainText(target.url)}</p>;
  }
}

function placeText(path: string, start: number, end = start): string {
  return `${plainText(path)}:${start}${end > start ? `-${end}` : ''}`;
}
