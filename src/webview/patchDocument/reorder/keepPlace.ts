/** Keeps what the person looks at where it is on the screen, and the focus where it is, when sections change their order. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { scrollPage } from '../../common/scrollPage.ts';
import { bringToHeight } from '../bringIntoView.ts';
import { sectionAt } from '../outline/followScroll.ts';
import { isSameOrder } from './order.ts';
import type { Reordering } from './reordering.ts';

/** What is on the page before it is drawn in another order. */
interface Place {
  focused: Element | null;
  kept: Element | undefined;
  height: number;
  moved: HTMLElement | undefined;
}

/**
 * Has a new order of the sections drawn around what the person looks at: what they moved by one place, what they dropped
 * something beside, else where the focus is, else what is at the top of the window. So it is also when an order is taken
 * back, or was made by somebody else.
 *
 * @param codes the sections in the order in which they are about to be drawn.
 */
export function useKeptPlace(codes: readonly string[], reordering: Reordering): void {
  const drawn = useRef<readonly string[]>([]);
  const isReordered = !isSameOrder(drawn.current, codes) && hasSameMembers(drawn.current, codes);
  const place = isReordered ? findPlace(reordering) : undefined;
  useLayoutEffect(() => {
    drawn.current = codes;
    if (place) {
      restore(place);
    }
  });
}

function findPlace(reordering: Reordering): Place {
  const move = reordering.takeMove();
  const focused = document.activeElement;
  const kept =
    move === undefined ? (focused?.closest('[data-section]') ?? sectionAt(0)) : sectionOf(move.beside);
  const { top, bottom } = kept?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
  const isOnScreen = top < document.documentElement.clientHeight && bottom > 0;
  return { focused, kept: isOnScreen ? kept : undefined, height: top, moved: sectionOf(move?.code) };
}

function restore({ focused, kept, height, moved }: Place): void {
  // A node that is moved within the page loses the focus.
  if (focused instanceof HTMLElement && focused.isConnected && focused !== document.activeElement) {
    focused.focus({ preventScroll: true });
  }
  if (moved && document.hasFocus() && !moved.contains(document.activeElement)) {
    moved.focus({ preventScroll: true });
  }
  if (kept) {
    bringToHeight(kept, height);
  } else if (moved) {
    scrollPage(moved, 'nearest');
  }
}

function sectionOf(code: string | undefined): HTMLElement | undefined {
  return code === undefined
    ? undefined
    : (document.querySelector<HTMLElement>(`[data-section="${CSS.escape(code)}"]`) ?? undefined);
}

function hasSameMembers(a: readonly string[], b: readonly string[]): boolean {
  const members = new Set(a);
  return a.length === b.length && b.every((code) => members.has(code));
}
