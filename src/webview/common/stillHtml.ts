/** HTML that changes while somebody reads it: what stays the same is left in the page, and with it the focus and a selection. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { textNodes } from './textNodes.ts';

/** Shows HTML in an element. @returns the HTML to begin with: later ones come to the element by themselves. */
export function useStillHtml(element: RefObject<Element | null>, html: string): string {
  const first = useRef(html);
  const shown = useRef(html);
  useLayoutEffect(() => {
    if (element.current && shown.current !== html) {
      changeNodes(element.current, nodesOf(shown.current), nodesOf(html));
    }
    shown.current = html;
  }, [html]);
  return first.current;
}

function nodesOf(html: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = html;
  return template.content;
}

/** Changes what is in a node as something else was changed: parts that somebody has colored since are the same as before. */
export function changeNodes(node: Node, before: Node, after: Node): void {
  const nodes = [...node.childNodes];
  const [olds, news] = [[...before.childNodes], [...after.childNodes]];
  if (nodes.length !== olds.length) {
    replaceNodes(node, nodes, news);
    return;
  }
  const isSame = (old: Node | undefined, now: Node | undefined): boolean =>
    old !== undefined && now !== undefined && old.isEqualNode(now);
  let [start, end] = [0, 0];
  while (isSame(olds[start], news[start])) {
    start += 1;
  }
  while (end < Math.min(olds.length, news.length) - start && isSame(olds.at(-1 - end), news.at(-1 - end))) {
    end += 1;
  }
  const changed = nodes.slice(start, nodes.length - end);
  const by = news.slice(start, news.length - end);
  if (changed.length === by.length) {
    changed.forEach((one, index) => changeNode(one, olds[start + index], by[index]));
  } else {
    replaceNodes(node, changed, by, nodes[nodes.length - end]);
  }
}

function changeNode(node: ChildNode, before: Node | undefined, after: Node | undefined): void {
  if (!before || !after || before.isEqualNode(after)) {
    return;
  }
  if (node instanceof Text && after instanceof Text) {
    changeText(node, after.data);
  } else if (
    node instanceof Element &&
    before instanceof Element &&
    after instanceof Element &&
    node.cloneNode().isEqualNode(after.cloneNode())
  ) {
    changeNodes(node, before, after);
  } else {
    replaceNodes(node.parentNode, [node], [after], node.nextSibling);
  }
}

/** Puts in place only what differs: the browser then leaves a selection in the rest of it where it is. */
function changeText(node: Text, text: string): void {
  const { data } = node;
  let [start, end] = [0, 0];
  while (start < data.length && data[start] === text[start]) {
    start += 1;
  }
  while (end < Math.min(data.length, text.length) - start && data.at(-1 - end) === text.at(-1 - end)) {
    end += 1;
  }
  node.replaceData(start, data.length - end - start, text.slice(start, text.length - end));
}

type End = readonly [node: Node | null, offset: number];

/**
 * Puts nodes in the place of others. A selection that begins or ends in those goes on at the same distance from their start.
 *
 * @param next the node before which they stand; left out at the end.
 */
export function replaceNodes(
  parent: Node | null,
  olds: readonly ChildNode[],
  news: readonly Node[],
  next: Node | null = null,
): void {
  const selection = document.getSelection();
  const distances = endsOf(selection).map((end) => distanceFrom(olds, end));
  for (const node of news) {
    parent?.insertBefore(node, next);
  }
  olds.forEach((node) => node.remove());
  if (selection && distances.some((distance) => distance !== undefined)) {
    const now = endsOf(selection);
    const [anchor, focus] = distances.map((distance, index) => placeIn(news, distance) ?? now[index]);
    if (anchor?.[0] && focus?.[0]) {
      selection.setBaseAndExtent(anchor[0], anchor[1], focus[0], focus[1]);
    }
  }
}

function endsOf(selection: Selection | null): End[] {
  return selection
    ? [
        [selection.anchorNode, selection.anchorOffset],
        [selection.focusNode, selection.focusOffset],
      ]
    : [];
}

/** Characters of text from the start of some nodes to a place in one of them. */
function distanceFrom([first, ...others]: readonly Node[], [node, offset]: End): number | undefined {
  if (!first || !node || ![first, ...others].some((one) => one.contains(node))) {
    return undefined;
  }
  const range = document.createRange();
  range.setStartBefore(first);
  range.setEnd(node, offset);
  return range.toString().length;
}

function placeIn(nodes: readonly Node[], distance: number | undefined): End | undefined {
  let left = distance;
  for (const text of nodes.flatMap((node) => (node instanceof Text ? [node] : textNodes(node)))) {
    if (left !== undefined && left <= text.length) {
      return [text, left];
    }
    left = left === undefined ? undefined : left - text.length;
  }
  return undefined;
}
