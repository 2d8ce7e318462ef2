/** How long a title on a tab is, at most: a longer one would push the other tabs out of sight. */
const longest = 50;

/** A patch's title as its tab shows it: a long one ends after a word, with an ellipsis. The document shows the whole. */
export function tabTitle(title: string): string {
  if (title.length <= longest) {
    return title;
  }
  const words = startOf(title, 'word');
  const start = words.length > longest / 2 ? words : startOf(title, 'grapheme');
  return `${start.replace(/[\s,;:.–—-]+$/, '')}…`;
}

/** As many of the first words or characters as leave room for the ellipsis. */
function startOf(title: string, granularity: 'word' | 'grapheme'): string {
  let start = '';
  for (const { segment } of new Intl.Segmenter(undefined, { granularity }).segment(title)) {
    if (start.length + segment.length >= longest) {
      break;
    }
    start += segment;
  }
  return start;
}
