import { scrollPage } from '../../common/scrollPage.ts';

/** Frames in which what is drawn around an element may still move it. */
const frames = 20;

/**
 * Scrolls to an element, and again when what is drawn around it then moves it.
 *
 * @param offset pixels to scroll further.
 */
export function bringIntoView(element: Element, block: 'start' | 'center', offset = 0): void {
  scrollUntilSettled(element, () => {
    scrollPage(element, block);
    window.scrollBy({ top: offset });
  });
}

/** Scrolls so that an element stands at a height of the window, and again when what is drawn around it then moves it. */
export function bringToHeight(element: Element, height: number): void {
  scrollUntilSettled(element, () => window.scrollBy({ top: element.getBoundingClientRect().top - height }));
}

/** Scrolls again while the heights of sections that are far away turn out to be others. Ends as soon as anything else scrolls. */
function scrollUntilSettled(element: Element, scrollTo: () => void): void {
  let left = frames;
  let [scrolled, top] = [NaN, NaN];
  const scroll = (): void => {
    scrollTo();
    scrolled = window.scrollY;
    top = element.getBoundingClientRect().top;
  };
  const check = (): void => {
    left -= 1;
    if (left < 0 || window.scrollY !== scrolled || !element.isConnected) {
      return;
    }
    if (Math.abs(element.getBoundingClientRect().top - top) > 1) {
      scroll();
    }
    requestAnimationFrame(check);
  };
  scroll();
  requestAnimationFrame(check);
}
