/** Tells elements that come near to what is on screen, so that only those need to be drawn. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** Pixels above and below the screen within which elements are drawn: what a fast scroll passes in a few frames. */
const margin = 1_200;

const listeners = new Map<Element, (near: boolean) => void>();
let observer: IntersectionObserver | undefined;

function observe(element: Element, listener: (near: boolean) => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        listeners.get(entry.target)?.(entry.isIntersecting);
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

/** Whether the element is near to what is on screen. */
export function useNearViewport(element: RefObject<Element | null>, initially = false): boolean {
  const [near, setNear] = useState(initially);
  useLayoutEffect(() => (element.current ? observe(element.current, setNear) : undefined), [element]);
  return near;
}
