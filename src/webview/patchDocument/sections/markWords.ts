/** Marks in rendered prose the words that were added since, and puts those that went where they were. */
import { textNodes } from '../../common/textNodes.ts';
import { compareProse } from '../../../util/compareProse.ts';
import { undisguised } from '../../../util/visibleText.ts';

/** A text of the page, and where it begins in all of it. */
interface Place {
  node: Text;
  start: number;
  /** The words from the start on, and the removed ones to be put between them. */
  parts: { kind: 'same' | 'added' | 'removed'; text: string }[];
}

/**
 * See the module. Both are HTML that the sanitizer has let through; nothing but text is added to it.
 *
 * @returns undefined when no word differs.
 */
export function markWords(before: string, after: string): string | undefined {
  const template = document.createElement('template');
  template.innerHTML = before;
  const textBefore = template.content.textContent;
  template.innerHTML = after;
  const changes = compareProse(textBefore, template.content.textContent);
  if (changes.every(({ kind, text }) => kind === 'same' || text.trim() === '')) {
    return undefined;
  }
  const places = placesIn(template.content);
  if (places.length === 0) {
    return undefined;
  }
  let [at, index] = [0, 0];
  for (const { kind, text } of changes) {
    if (kind === 'removed') {
      // After the words before it: what stands between blocks is no place for text.
      (places[at > (places[index]?.start ?? 0) ? index : Math.max(0, index - 1)] ?? places[0])?.parts.push({
        kind,
        text,
      });
      continue;
    }
    let left = text;
    while (left !== '') {
      const place = places[index];
      const end = place ? place.start + place.node.length : Infinity;
      const from = place && at >= place.start ? place : undefined;
      const count = Math.min(left.length, (from ? end : (place?.start ?? Infinity)) - at);
      from?.parts.push({ kind, text: left.slice(0, count) });
      at += count;
      left = left.slice(count);
      if (at >= end) {
        index += 1;
      }
    }
  }
  places.forEach(draw);
  return template.innerHTML;
}

/** The texts that say something: between blocks there are others, where only blocks may stand. */
function placesIn(content: DocumentFragment): Place[] {
  const places: Place[] = [];
  let start = 0;
  for (const node of textNodes(content)) {
    if (node.data.trim() !== '') {
      places.push({ node, start, parts: [] });
    }
    start += node.length;
  }
  return places;
}

function draw({ node, parts }: Place): void {
  const marks = { added: ['ins', 'added-words'], removed: ['del', 'removed-words'] } as const;
  const drawn = parts.map(({ kind, text }) => {
    if (kind === 'same' || text.trim() === '') {
      return kind === 'removed' ? '' : text;
    }
    const [name, className] = marks[kind];
    const element = document.createElement(name);
    element.className = className;
    // Characters that turn the direction of words would turn those around them, too.
    element.textContent = undisguised(text);
    return element;
  });
  node.replaceWith(...drawn);
}
