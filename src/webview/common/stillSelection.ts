/** What is selected in lines that are drawn again: it goes on from the same character to the same one. */
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { textNodes } from './textNodes.ts';

/** An end of a selection, as a number of characters from the start of a line. */
interface Place {
  line: Element;
  characters: number;
}

/**
 * Has a selection stay while an element is drawn again with the same words in other nodes. The browser leaves its ends in the nodes
 * where they were, whatever words those have by then.
 *
 * @param lines selects the elements whose words stay.
 */
export function useStillSelection(element: RefObject<Element | null>, lines: string): void {
  const before = places(element.current, lines);
  useLayoutEffect(() => {
    const selection = document.getSelection();
    const now = places(element.current, lines);
    if (selection && before.some((place, index) => place && !isSame(place, now[index]))) {
      const ends = endsOf(selection);
      const [anchor, focus] = before.map((place, index) => (place && endAt(place)) ?? ends[index]);
      if (anchor?.[0] && focus?.[0]) {
        selection.setBaseAndExtent(anchor[0], anchor[1], focus[0], focus[1]);
      }
    }
  });
}

type End = readonly [node: Node | null, offset: number];

function endsOf({ anchorNode, anchorOffset, focusNode, focusOffset }: Selection): [anchor: End, focus: End] {
  return [
    [anchorNode, anchorOffset],
    [focusNode, focusOffset],
  ];
}

/** Where a selection begins and ends, as far as that is in lines of an element; nothing while only the caret stands there. */
function places(element: Element | null, lines: string): (Place | undefined)[] {
  // Without a page there is no element either.
  const selection = element && document.getSelection();
  return !selection || selection.isCollapsed
    ? []
    : endsOf(selection).map(([node, offset]) => {
        const line = (node instanceof Element ? node : node?.parentElement)?.closest(lines);
        if (!node || !line || !element.contains(line)) {
          return undefined;
        }
        const range = document.createRange();
        range.setStart(line, 0);
        range.setEnd(node, offset);
        return { line, characters: range.toString().length };
      });
}

function isSame(one: Place, other: Place | undefined): boolean {
  return one.line === other?.line && one.characters === other.characters;
}

function endAt({ line, characters }: Place): End | undefined {
  let left = characters;
  for (const text of textNodes(line)) {
    if (left <= text.length) {
      return [text, left];
    }
    left -= text.length;
  }
  return undefined;
}
