/** Colors the blocks of code in rendered markdown, once it is on the page. */
import { replaceNodes } from './stillHtml.ts';
import { coloring, colorLines } from './themeColors.ts';
import type { Token } from './tokens.ts';
import { inBackground } from '../../util/inBackground.ts';

/** Characters of a block up to which it is colored. */
const longestBlock = 100_000;

/** The blocks that have colors, in which nothing but tokens stands. */
const colored = new WeakSet<Element>();

/**
 * Lines that were colored before, by language: a block that is written comes anew with every key, and would lose its colors for a
 * moment.
 */
const known = new Map<string, Token[]>();
const mostKnown = 2_000;
let knownVersion = 0;

/** Colors each block whose language its author has named. */
export function colorBlocks(prose: Element): void {
  if (knownVersion !== coloring.value.version) {
    knownVersion = coloring.value.version;
    known.clear();
  }
  for (const block of prose.querySelectorAll('pre > code[class*="language-"]')) {
    const language = /(?:^|\s)language-(\S+)/.exec(block.className)?.[1];
    const text = block.textContent;
    const isPlain = block.childElementCount === 0 || colored.has(block);
    if (language !== undefined && isPlain && text.length <= longestBlock) {
      inBackground(colorBlock(block, language, text));
    }
  }
}

async function colorBlock(block: Element, language: string, text: string): Promise<void> {
  const lines = text.split('\n');
  const keyOf = (line: string): string => `${language}\n${line}`;
  if (lines.some((line) => known.has(keyOf(line)))) {
    fill(
      block,
      lines.map((line) => known.get(keyOf(line)) ?? [{ text: line }]),
    );
  }
  const tokens = await colorLines({ language }, lines, true);
  if (!tokens || !block.isConnected || block.textContent !== text) {
    return;
  }
  fill(block, tokens);
  if (known.size > mostKnown) {
    known.clear();
  }
  lines.forEach((line, index) => known.set(keyOf(line), tokens[index] ?? []));
}

function fill(block: Element, lines: readonly Token[][]): void {
  const content = lines.flatMap((tokens, index) => [
    ...(index > 0 ? ['\n'] : []),
    ...tokens.map(({ text, className }) => (className === undefined ? text : spanOf(text, className))),
  ]);
  const filled = block.cloneNode();
  content.forEach((node) => filled.appendChild(typeof node === 'string' ? new Text(node) : node));
  // The same colors come again with whatever else changes in the text.
  if (!filled.isEqualNode(block)) {
    replaceNodes(block, [...block.childNodes], [...filled.childNodes]);
  }
  colored.add(block);
}

function spanOf(text: string, className: string): HTMLElement {
  const span = document.createElement('span');
  span.className = className;
  span.textContent = text;
  return span;
}
