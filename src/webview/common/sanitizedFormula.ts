/** MathML that was made of what strangers wrote: nothing but symbols, and where they stand. */
import DOMPurify from 'dompurify';
import { formulaAttributes, formulaTags, mostDepth, mostElements, settleElement } from './formulaElements.ts';

/** The HTML of a formula that may be shown; undefined for one that is none, or too large. */
export function sanitizedFormula(html: string): string | undefined {
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: formulaTags,
    ALLOWED_ATTR: formulaAttributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    // The formula as it was written.
    FORBID_CONTENTS: ['annotation', 'annotation-xml', 'script', 'style', 'svg', 'template', 'title'],
    RETURN_DOM_FRAGMENT: true,
  });
  const math = fragment.querySelector('math');
  if (!math || math.textContent.trim() === '' || math.querySelector('math')) {
    return undefined;
  }
  const elements = [...math.querySelectorAll('*')];
  if (elements.length > mostElements || elements.some((element) => depthOf(element) > mostDepth)) {
    return undefined;
  }
  elements.forEach(settleElement);
  return math.outerHTML;
}

function depthOf(element: Element): number {
  let depth = 0;
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    depth += 1;
  }
  return depth;
}
