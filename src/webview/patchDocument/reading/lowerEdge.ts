/** The lower end of the text on the screen: above the bar at the lower edge, while that stays there. */
export function lowerEdge(): number {
  const bars = [...document.querySelectorAll('.finish-bar')];
  const edges = bars
    .filter((bar) => getComputedStyle(bar).position === 'sticky')
    .map((bar) => bar.getBoundingClientRect())
    // Of several patches, the one at the edge has its bar there.
    .filter(({ bottom }) => bottom >= innerHeight - 1)
    .map(({ top }) => top);
  return Math.min(innerHeight, ...edges);
}
