/** Tells elements that come near to what is on screen, so that only those need to be drawn. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** Pixels above and below the screen within which elements are drawn: what a fast scroll passes in a few frames. */
const margin = 1_000;

/** Where an element is. */
interface Nearness {
  near: boolean;
  /** Pixels that it was high when it was near last: as much room is to be left for it. */
  height: number | undefined;
}

const listeners = new Map<Element, (entry: IntersectionObserverEntry) => void>();
let observer: IntersectionObserver | undefined;

function observe(element: Element, listener: (entry: IntersectionObserverEntry) => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        listeners.get(entry.target)?.(entry);
      }
    },
    // Named, because margins are not honoured for the implicit root of a frame from another origin.
    { root: document, rootMargin: `${margin}px 0px` },
  );
  listeners.set(element, listener);
  observer.observe(element);
  return () => {
    listeners.delete(element);
    observer?.unobserve(element);
  };
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

/** Whether the element is near to what is on screen, or in use. */
export function useNearViewport(element: RefObject<Element | null>, initially = false): Nearness {
  const [nearness, setNearness] = useState<Nearness>({ near: initially, height: undefined });
  useLayoutEffect(() => {
    const { current } = element;
    return current
      ? observe(current, ({ isIntersecting, boundingClientRect }) =>
          setNearness((before) => {
            const near = isIntersecting || (before.near && isInUse(current));
            return near === before.near
              ? before
              : { near, height: before.near ? boundingClientRect.height : before.height };
          }),
        )
      : undefined;
  }, [element]);
  return nearness;
}
