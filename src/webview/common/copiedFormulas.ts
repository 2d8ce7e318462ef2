/** Copying drawn formulas: their source is copied. The browser would copy each symbol as a line of its own. */

/** The attribute of a drawn formula with its source, dollar signs included: no attribute that texts can have themselves. */
export const formulaSourceAttribute = 'data-formula';

const drawn = `[${formulaSourceAttribute}]`;

/** A formula as it is copied: as it was written, or, when it was written as a block of code, between the signs that mean the same. */
export function copiedFormula(written: string, isCode: boolean): string {
  return isCode ? `$$\n${written.trim()}\n$$` : written;
}

/** Has formulas copied as they were written, unless what is copied is made by someone else. */
export function copyFormulas(): void {
  // Listeners of the document, which know more of what is copied, come before one of the window.
  addEventListener('copy', (event) => {
    const selection = document.getSelection();
    const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
    if (
      event.defaultPrevented ||
      !range ||
      range.collapsed ||
      !event.clipboardData ||
      copiesItself(event.target)
    ) {
      return;
    }
    const whole = withWholeFormulas(range);
    const contents = whole.cloneContents();
    if (contents.querySelector(drawn)) {
      event.preventDefault();
      event.clipboardData.setData('text/plain', laidOutText(contents));
    }
  });
}

/** True for boxes and editors, which copy their own text themselves. */
export function copiesItself(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, .cm-editor') !== null;
}

/** The selected part, with all of the formulas at its ends. */
export function withWholeFormulas(range: Range): Range {
  const whole = range.cloneRange();
  const first = formulaAround(range.startContainer);
  const last = formulaAround(range.endContainer);
  if (first) {
    whole.setStartBefore(first);
  }
  if (last) {
    whole.setEndAfter(last);
  }
  return whole;
}

function formulaAround(node: Node): Element | null {
  return (node instanceof Element ? node : node.parentElement)?.closest(drawn) ?? null;
}

/** The text of a part of the page as the browser lays it out, with the sources of formulas. */
export function laidOutText(contents: DocumentFragment): string {
  const place = document.createElement('div');
  place.className = 'being-copied';
  place.append(contents);
  for (const formula of place.querySelectorAll(drawn)) {
    const source = document.createElement(formula.tagName === 'FIGURE' ? 'p' : 'span');
    source.style.whiteSpace = 'pre-wrap';
    source.textContent = formula.getAttribute(formulaSourceAttribute);
    formula.replaceWith(source);
  }
  document.body.append(place);
  const text = place.innerText.trim();
  place.remove();
  return text;
}
