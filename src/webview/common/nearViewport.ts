/** Tells elements that come near to what is on screen, so that only those need to be drawn. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** Pixels above and below the screen within which elements are near: what a fast scroll passes in a few frames. */
const aFewScreens = 1_000;

/** Pixels within which all is near, once the first screen is drawn. */
export const everywhere = 1_000_000;

/** Where an element is. */
interface Nearness {
  near: boolean;
  /** Pixels that it was high when it was near last: as much room is to be left for it. */
  height: number | undefined;
}

const listeners = new Map<Element, (entry: IntersectionObserverEntry) => void>();
/** By how far they look. */
const observers = new Map<number, IntersectionObserver>();

function observe(
  element: Element,
  reach: number,
  listener: (entry: IntersectionObserverEntry) => void,
): () => void {
  const observer = observers.get(reach) ?? createObserver(reach);
  observers.set(reach, observer);
  listeners.set(element, listener);
  observer.observe(element);
  return () => {
    listeners.delete(element);
    observer.unobserve(element);
  };
}

function createObserver(reach: number): IntersectionObserver {
  return new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        listeners.get(entry.target)?.(entry);
      }
    },
    // Named, because margins are not honoured for the implicit root of a frame from another origin.
    { root: document, rootMargin: `${reach}px 0px` },
  );
}

/** Whether what is in an element must stay though it is far: the focus, what is selected, what is being dragged. */
function isInUse(element: Element): boolean {
  const selection = document.getSelection();
  return (
    element.contains(document.activeElement) ||
    element.matches('[data-dragged]') ||
    (selection !== null && !selection.isCollapsed && selection.containsNode(element, true))
  );
}

/**
 * Whether the element is near to what is on screen, or in use.
 *
 * @param reach pixels above and below the screen that are near.
 */
export function useNearViewport(
  element: RefObject<Element | null>,
  initially = false,
  reach = aFewScreens,
): Nearness {
  const [nearness, setNearness] = useState<Nearness>({ near: initially, height: undefined });
  useLayoutEffect(() => {
    const { current } = element;
    return current
      ? observe(current, reach, ({ isIntersecting, boundingClientRect }) =>
          setNearness((before) => {
            const near = isIntersecting || (before.near && isInUse(current));
            return near === before.near
              ? before
              : { near, height: before.near ? boundingClientRect.height : before.height };
          }),
        )
      : undefined;
  }, [element, reach]);
  return nearness;
}
