/** The texts in a part of the page, in order; `filter` leaves some out. */
export function textNodes(part: Node, filter?: (node: Node) => number): Text[] {
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT, filter);
  const texts: Text[] = [];
  while (walker.nextNode()) {
    if (walker.currentNode instanceof Text) {
      texts.push(walker.currentNode);
    }
  }
  return texts;
}
