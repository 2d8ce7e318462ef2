/** HTML that changes while somebody reads it: what stays the same is left in the page, and with it the focus and a selection. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { distanceFrom, endsOf, placeIn, selectAgain } from './selectionEnds.ts';

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
    node.localName === after.localName
  ) {
    // A reference stays the button that it was when it becomes known where it leads: the focus stays, and no key is lost.
    changeAttributes(node, before, after);
    changeNodes(node, before, after);
  } else {
    replaceNodes(node.parentNode, [node], [after], node.nextSibling);
  }
}

/** Leaves alone what somebody else has set, such as which part describes the element. */
function changeAttributes(element: Element, before: Element, after: Element): void {
  for (const { name } of before.attributes) {
    if (!after.hasAttribute(name)) {
      element.removeAttribute(name);
    }
  }
  for (const { name, value } of after.attributes) {
    if (before.getAttribute(name) !== value) {
      element.setAttribute(name, value);
    }
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
    selectAgain(
      selection,
      distances.map((distance) => placeIn(news, distance)),
    );
  }
}
