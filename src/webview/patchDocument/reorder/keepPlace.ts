/** Keeps what the person looks at where it is on the screen, and the focus where it is, when sections change their order. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { giveFocus } from '../../common/focusKeeping.ts';
import { scrollPage } from '../../common/scrollPage.ts';
import { bringToHeight } from '../reading/bringIntoView.ts';
import { sectionAt } from '../reading/followScroll.ts';
import { sectionOf } from '../reading/sectionPlaces.ts';
import { isSameOrder } from '../writing/order.ts';
import type { Reordering } from '../writing/reordering.ts';

/** The state of the page before it is drawn in another order. */
interface Place {
  focused: Element | null;
  kept: Element | undefined;
  height: number;
  /** The section that was moved, by its code. */
  moved: string | undefined;
}

/**
 * Has a new order of the sections drawn around what the person looks at: what they moved by one place, what they dropped
 * something beside, else where the focus is, else what is at the top of the window. So it is also when an order is taken
 * back, or was made by somebody else.
 *
 * @param codes the sections in the order in which they are about to be drawn.
 * @returns those that have to be drawn for it, wherever they are.
 */
export function useKeptPlace(codes: readonly string[], reordering: Reordering): string[] {
  const drawn = useRef<readonly string[]>([]);
  const isReordered = !isSameOrder(drawn.current, codes) && hasSameMembers(drawn.current, codes);
  const place = isReordered ? findPlace(reordering) : undefined;
  useLayoutEffect(() => {
    drawn.current = codes;
    if (place) {
      restore(place);
    }
  });
  return [place?.kept?.getAttribute('data-section'), place?.moved].filter(
    (code) => code !== undefined && code !== null,
  );
}

function findPlace(reordering: Reordering): Place {
  const move = reordering.takeMove();
  const focused = document.activeElement;
  const kept =
    move === undefined ? (focused?.closest('[data-section]') ?? sectionAt(0)) : sectionOf(move.beside);
  const { top, bottom } = kept?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
  const isOnScreen = top < document.documentElement.clientHeight && bottom > 0;
  return { focused, kept: isOnScreen ? kept : undefined, height: top, moved: move?.code };
}

function restore({ focused, kept, height, moved: code }: Place): void {
  const moved = sectionOf(code);
  // A node that is moved within the page loses the focus.
  if (focused instanceof HTMLElement && focused.isConnected && focused !== document.activeElement) {
    giveFocus(focused, { preventScroll: true });
  }
  if (moved && !moved.contains(document.activeElement)) {
    giveFocus(moved, { preventScroll: true });
  }
  if (kept) {
    bringToHeight(kept, height);
  } else if (moved) {
    scrollPage(moved, 'nearest');
  }
}

function hasSameMembers(a: readonly string[], b: readonly string[]): boolean {
  const members = new Set(a);
  return a.length === b.length && b.every((code) => members.has(code));
}
