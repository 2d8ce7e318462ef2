import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Tells the styles how high a bar is that stays in view, however many lines it takes: what stands beside it, and what is scrolled
 * to, keeps clear of it.
 *
 * @param property the custom property that has the height; 0 while the bar doesn't stay.
 */
export function useHeightKept<T extends HTMLElement>(property: `--${string}`): RefObject<T | null> {
  const bar = useRef<T>(null);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      const { current } = bar;
      const isInView = current && getComputedStyle(current).position === 'sticky';
      style.setProperty(property, `${isInView ? current.offsetHeight : 0}px`);
    });
    // The page as a whole, too: how high it is decides whether the bar stays in view.
    observer.observe(document.documentElement);
    if (bar.current) {
      observer.observe(bar.current);
    }
    return () => observer.disconnect();
  }, []);
  return bar;
}
