/** True when some of an element's text is selected: then the press that ended the selecting was no press on it. */
export function hasSelectedText(element: Node): boolean {
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
}
