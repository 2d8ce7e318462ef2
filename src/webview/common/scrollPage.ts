/**
 * Scrolls the page to an element, and nothing else: `scrollIntoView` scrolls VS Code's own page around it too, which is some
 * pixels too high, and is never scrolled back. What stays at the top of the page is the element's `scroll-margin-top`, what stays at
 * its lower edge the page's `scroll-padding-bottom`.
 */
export function scrollPage(element: Element, block: 'start' | 'center' | 'nearest'): void {
  const { top, bottom } = element.getBoundingClientRect();
  const toStart = top - parseFloat(getComputedStyle(element).scrollMarginTop);
  const { documentElement: page } = document;
  const toEnd = bottom - page.clientHeight + (parseFloat(getComputedStyle(page).scrollPaddingBottom) || 0);
  const distance = {
    start: toStart,
    center: (top + toEnd) / 2,
    nearest: Math.min(toStart, Math.max(0, toEnd)),
  }[block];
  window.scrollBy({ top: distance });
}
