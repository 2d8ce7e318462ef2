/**
 * Scrolls the page to an element, and nothing else: `scrollIntoView` scrolls VS Code's own page around it too, which is some
 * pixels too high, and is never scrolled back. What stays at the top of the page is the element's `scroll-margin-top`.
 */
export function scrollPage(element: Element, block: 'start' | 'center' | 'nearest'): void {
  const { top, bottom } = element.getBoundingClientRect();
  const toStart = top - parseFloat(getComputedStyle(element).scrollMarginTop);
  const toEnd = bottom - document.documentElement.clientHeight;
  const distance = {
    start: toStart,
    center: (top + toEnd) / 2,
    nearest: Math.min(toStart, Math.max(0, toEnd)),
  }[block];
  window.scrollBy({ top: distance });
}
