import { useEffect } from 'preact/hooks';
import type { Reading } from './reading.ts';

/** Pixels below the toolbar in which a section counts as the one that is read. */
export const readingLine = 80;

/** Notes which section is read while the person scrolls. */
export function useFollowScroll(reading: Reading, key: unknown): void {
  useOnScroll(() => {
    const current = sectionAt(readingLine)?.getAttribute('data-section') ?? undefined;
    if (current !== undefined && current !== reading.store.value.current) {
      reading.store.update({ current });
    }
  }, [reading, key]);
}

/** Notes something of the page at first and while the person scrolls, once in a frame. @param inputs has it begun anew, as with hooks. */
export function useOnScroll(note: () => void, inputs: readonly unknown[]): void {
  useEffect(() => {
    let frame = 0;
    const onScroll = (): void => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        note();
      });
    };
    onScroll();
    document.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      document.removeEventListener('scroll', onScroll);
      cancelAnimationFrame(frame);
    };
  }, inputs);
}

/** The last section that begins above a height of the window: they lie one below the other, so halving finds it. */
export function sectionAt(height: number): Element | undefined {
  const sections = document.getElementsByClassName('section');
  let [low, high] = [0, sections.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const top = sections[middle]?.getBoundingClientRect().top ?? Infinity;
    if (top <= height) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return sections[low];
}
