import { startOf as startOfText, within } from '../util/budget.ts';

/** Characters of a title on a tab, at most: a longer one would push the other tabs out of sight. */
const longest = 50;

/** Characters that a title must not end with; the texts that this is matched with are no longer than that. */
const trailing = within(100, /[\s,;:.\u2013\u2014-]+$/);

/** A patch's title as its tab shows it: a long one ends after a word, with an ellipsis. The document shows the whole. */
export function tabTitle(title: string): string {
  if (title.length <= longest) {
    return title;
  }
  const words = startOf(title, 'word');
  const start = words.length > longest / 2 ? words : startOf(title, 'grapheme');
  return `${trailing.replace(start, '')}…`;
}

/** As many of the first words or characters as leave room for the ellipsis. */
function startOf(title: string, granularity: 'word' | 'grapheme'): string {
  let start = '';
  for (const { segment } of new Intl.Segmenter(undefined, { granularity }).segment(
    startOfText(title, longest * 4),
  )) {
    if (start.length + segment.length >= longest) {
      break;
    }
    start += segment;
  }
  return start;
}
