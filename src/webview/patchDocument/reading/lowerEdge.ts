/** The lower end of the text on the screen: above the bar at the lower edge, while that stays there. */
export function lowerEdge(): number {
  const bar = document.querySelector('.finish-bar');
  const stays = bar !== null && getComputedStyle(bar).position === 'sticky';
  return stays ? Math.min(innerHeight, bar.getBoundingClientRect().top) : innerHeight;
}
