/** Where a selection begins and ends, by the number of characters before that, which stays when nodes are replaced by others. */
import { textNodes } from './textNodes.ts';

/** A place in the page. */
export type End = readonly [node: Node | null, offset: number];

/** Where a selection was begun, and where it has come to; nothing without one. */
export function endsOf(selection: Selection | null): End[] {
  return selection
    ? [
        [selection.anchorNode, selection.anchorOffset],
        [selection.focusNode, selection.focusOffset],
      ]
    : [];
}

/** Characters of text from the start of some nodes to a place in one of them; undefined for one that is in none. */
export function distanceFrom([first, ...others]: readonly Node[], [node, offset]: End): number | undefined {
  if (!first || !node || ![first, ...others].some((one) => one.contains(node))) {
    return undefined;
  }
  const range = document.createRange();
  range.setStartBefore(first);
  range.setEnd(node, offset);
  return range.toString().length;
}

/** The place so many characters from the start of some nodes. */
export function placeIn(nodes: readonly Node[], distance: number | undefined): End | undefined {
  let left = distance;
  for (const text of nodes.flatMap((node) => (node instanceof Text ? [node] : textNodes(node)))) {
    if (left !== undefined && left <= text.length) {
      return [text, left];
    }
    left = left === undefined ? undefined : left - text.length;
  }
  return undefined;
}

/** Selects from one place to another, where those are known, and leaves the others. */
export function selectAgain(selection: Selection, places: readonly (End | undefined)[]): void {
  const [anchor, focus] = endsOf(selection).map((end, index) => places[index] ?? end);
  if (anchor?.[0] && focus?.[0]) {
    selection.setBaseAndExtent(anchor[0], anchor[1], focus[0], focus[1]);
  }
}
