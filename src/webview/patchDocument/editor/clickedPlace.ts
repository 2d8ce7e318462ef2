/** From a click on rendered markdown to the place in its source. */
import { sourceLineAttribute } from '../../common/sourceLine.ts';

/** The place of a click, as far as the page knows: a block, and the text around the click. */
interface ClickedPlace {
  /** The line of the source at which the block begins, counted from 0. */
  line: number;
  /** The text of the block before the click and after it. */
  before: string;
  after: string;
}

/** The place of a click on rendered markdown; undefined when it isn't known. */
export function clickedPlace({ clientX, clientY }: MouseEvent): ClickedPlace | undefined {
  const caret = document.caretPositionFromPoint(clientX, clientY);
  const node = caret?.offsetNode;
  const block = (node instanceof Element ? node : node?.parentElement)?.closest(`[${sourceLineAttribute}]`);
  const line = Number(block?.getAttribute(sourceLineAttribute) ?? Number.NaN);
  if (!caret || !block || !Number.isInteger(line)) {
    return undefined;
  }
  const range = document.createRange();
  range.setStart(block, 0);
  range.setEnd(caret.offsetNode, caret.offset);
  const before = range.toString();
  return { line, before, after: block.textContent.slice(before.length) };
}

/** Characters before the place that was clicked on that are looked at. */
const longestWord = 200;

/** Letters and figures of any script: what stands in the source as it stands on the page. */
const wordCharacter = /^[\p{L}\p{N}]$/u;
const wordAfter = /^[\p{L}\p{N}]*/u;

/**
 * The place in the source that was clicked on: in the same word, when the source has it as often as the page. Else the start
 * of the block.
 */
export function placeInSource(source: string, { line, before, after }: ClickedPlace): number {
  let start = 0;
  for (let count = 0; count < line; count++) {
    start = source.indexOf('\n', start) + 1;
    if (start === 0) {
      return source.length;
    }
  }
  const head = wordAtEnd(before);
  const word = head + (wordAfter.exec(after)?.[0] ?? '');
  if (word === '') {
    return start;
  }
  const earlier = before.slice(0, before.length - head.length).split(word).length - 1;
  // The targets of links aren't on the page.
  const shown = source.replaceAll(/\]\([^)\]]*\)/g, (target) => ' '.repeat(target.length));
  let found = shown.indexOf(word, start);
  for (let count = 0; count < earlier && found >= 0; count++) {
    found = shown.indexOf(word, found + word.length);
  }
  return found < 0 ? start : found + head.length;
}

/** From the end on: an expression would try from each character. */
function wordAtEnd(text: string): string {
  const word: string[] = [];
  for (const character of Array.from(text.slice(-longestWord)).reverse()) {
    if (!wordCharacter.test(character)) {
      break;
    }
    word.unshift(character);
  }
  return word.join('');
}
