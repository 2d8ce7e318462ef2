/** Marks what was found in what is drawn of the document, without touching its elements. */
import { occurrences, type Match, type Query } from './search.ts';

/** Names in patchDocument.css. */
const all = 'find-matches';
const one = 'find-current';

/** Marks every place of a text, and the one that is shown; nothing without a query. */
export function paintMatches(query: Query | undefined, current: Match | undefined, scroll = false): void {
  CSS.highlights.delete(all);
  CSS.highlights.delete(one);
  if (!query || query.text === '') {
    return;
  }
  const marks = new Highlight();
  for (const element of document.querySelectorAll('[data-section] :is(td.code, .prose)')) {
    for (const range of rangesIn(element, query)) {
      marks.add(range);
    }
  }
  CSS.highlights.set(all, marks);
  const range = current && rangeOf(current, query);
  if (range) {
    const mark = new Highlight(range);
    mark.priority = 1;
    CSS.highlights.set(one, mark);
    if (scroll && current.kind === 'prose') {
      scrollTo(range);
    }
  }
}

function rangeOf(match: Match, query: Query): Range | undefined {
  const section = document.querySelector(`[data-section="${CSS.escape(match.code)}"]`);
  const places =
    match.kind === 'prose'
      ? section?.querySelectorAll('.prose')
      : section?.querySelectorAll(
          `tr.marked td.code:not([data-side='${match.side === 'old' ? 'new' : 'old'}'])`,
        );
  const place = places?.[0];
  return place && rangesIn(place, query)[match.occurrence];
}

/** The places of a text in an element, though it may be spread over several nodes. */
function rangesIn(element: Element, query: Query): Range[] {
  const nodes: Text[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    nodes.push(walker.currentNode as Text);
  }
  const found = occurrences(nodes.map(({ data }) => data).join(''), query);
  const at = (offset: number, isEnd: boolean): [Text, number] | undefined => {
    let left = offset;
    for (const node of nodes) {
      if (left < node.length || (isEnd && left === node.length)) {
        return [node, left];
      }
      left -= node.length;
    }
    return undefined;
  };
  return found.flatMap((offset) => {
    const [start, end] = [at(offset, false), at(offset + query.text.length, true)];
    if (!start || !end) {
      return [];
    }
    const range = document.createRange();
    range.setStart(...start);
    range.setEnd(...end);
    return [range];
  });
}

function scrollTo(range: Range): void {
  const { top, bottom } = range.getBoundingClientRect();
  if (top < 80 || bottom > window.innerHeight - 20) {
    window.scrollBy({ top: top - window.innerHeight / 2 });
  }
}
