/** What is selected in lines that are drawn again: it goes on from the same character to the same one. */
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { distanceFrom, endsOf, placeIn, selectAgain } from './selectionEnds.ts';

/** An end of a selection, as a number of characters from the start of a line. */
interface Place {
  line: Element;
  characters: number | undefined;
}

/**
 * Has a selection stay while an element is drawn again with the same words in other nodes. The browser leaves its ends in the nodes
 * where they were, whatever words those have by then.
 *
 * @param lines selects the elements whose words stay.
 */
export function useStillSelection(element: RefObject<Element | null>, lines: string): void {
  const before = placesIn(element.current, lines);
  useLayoutEffect(() => {
    const selection = document.getSelection();
    const now = placesIn(element.current, lines);
    if (selection && before.some((place, index) => place && !isSame(place, now[index]))) {
      selectAgain(
        selection,
        before.map((place) => place && placeIn([place.line], place.characters)),
      );
    }
  });
}

/** Where a selection begins and ends, as far as that is in lines of an element; nothing while only the caret stands there. */
function placesIn(element: Element | null, lines: string): (Place | undefined)[] {
  // Without a page there is no element either.
  const selection = element && document.getSelection();
  return !selection || selection.isCollapsed
    ? []
    : endsOf(selection).map((end) => {
        const [node] = end;
        const line = (node instanceof Element ? node : node?.parentElement)?.closest(lines);
        return line && element.contains(line) ? { line, characters: distanceFrom([line], end) } : undefined;
      });
}

function isSame(one: Place, other: Place | undefined): boolean {
  return one.line === other?.line && one.characters === other.characters;
}
