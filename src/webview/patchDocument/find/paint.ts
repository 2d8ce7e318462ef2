/** Marks what was found in what is drawn of the document, without touching its elements. */
import { textNodes } from '../../common/textNodes.ts';
import { lowerEdge } from '../reading/lowerEdge.ts';
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
  if (match.kind === 'prose') {
    const prose = section?.querySelector('.prose');
    return prose ? rangesIn(prose, query)[match.occurrence] : undefined;
  }
  const cell = section?.querySelector(
    `tr.marked td.code:not([data-side='${match.side === 'old' ? 'new' : 'old'}'])`,
  );
  if (!cell) {
    return undefined;
  }
  // Of a long line, the part that has it.
  const parts = [...cell.querySelectorAll<HTMLElement>('[data-start]')];
  const part = parts.findLast(({ dataset }) => Number(dataset['start']) <= match.at);
  const offset = match.at - Number(part?.dataset['start'] ?? 0);
  return rangeAt(textsIn(part ?? cell), offset, query.text.length);
}

/** The places of a text in an element, though it may be spread over several nodes. */
function rangesIn(element: Element, query: Query): Range[] {
  const parts = [...element.querySelectorAll('[data-start]')];
  if (parts.length > 0) {
    return parts.flatMap((part) => rangesIn(part, query));
  }
  const nodes = textsIn(element);
  return occurrences(nodes.map(({ data }) => data).join(''), query).flatMap(
    (offset) => rangeAt(nodes, offset, query.text.length) ?? [],
  );
}

function textsIn(element: Element): Text[] {
  // Removed words aren't searched.
  return textNodes(element, ({ parentElement }) =>
    parentElement?.closest('.removed-words') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
}

function rangeAt(nodes: readonly Text[], offset: number, length: number): Range | undefined {
  const at = (place: number, isEnd: boolean): [Text, number] | undefined => {
    let left = place;
    for (const node of nodes) {
      if (left < node.length || (isEnd && left === node.length)) {
        return [node, left];
      }
      left -= node.length;
    }
    return undefined;
  };
  const [start, end] = [at(offset, false), at(offset + length, true)];
  if (!start || !end) {
    return undefined;
  }
  const range = document.createRange();
  range.setStart(...start);
  range.setEnd(...end);
  return range;
}

function scrollTo(range: Range): void {
  const { top, bottom } = range.getBoundingClientRect();
  if (top < 80 || bottom > lowerEdge() - 20) {
    window.scrollBy({ top: top - lowerEdge() / 2 });
  }
}
