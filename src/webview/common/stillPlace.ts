/**
 * Keeps what the person looks at where it is on the screen while more of a long page is drawn above it, which may be higher or
 * lower than the room that was left for it. The browser does so by itself, but not for the rows of a table.
 */

/** The part of the page in the middle of the screen, how far down it is, and how far the page is scrolled. */
let place: { element: Element; top: number; scrolled: number } | undefined;

/** Parts that are drawn for themselves, and stay when others come and go. */
const parts = 'tr[data-row], .section-place, .patch-place';

/** Notes what is on the screen, before something else is drawn; what was noted in the same frame already holds. */
export function notePlace(): void {
  if (place) {
    return;
  }
  // Beside what may lie over the text.
  const found = document.elementFromPoint(innerWidth * 0.7, innerHeight / 2)?.closest(parts);
  if (found) {
    place = { element: found, top: found.getBoundingClientRect().top, scrolled: scrollY };
    requestAnimationFrame(forgetPlace);
  }
}

/** Forgets what was noted, because the person goes on. */
export function forgetPlace(): void {
  place = undefined;
}

/** Scrolls so that what was noted is where it was; not when something else has scrolled since then. */
export function restorePlace(): void {
  const moved = place?.element.isConnected
    ? place.element.getBoundingClientRect().top - place.top
    : undefined;
  if (!place || moved === undefined || (Math.abs(moved) >= 1 && scrollY !== place.scrolled)) {
    place = undefined;
    return;
  }
  if (Math.abs(moved) >= 1) {
    scrollBy({ top: moved });
  }
  // Else the browser has seen to it, if anything was to be done.
  place.scrolled = scrollY;
}
