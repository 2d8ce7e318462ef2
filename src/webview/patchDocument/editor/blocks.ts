/** The blocks of a markdown text, each of which can be rendered by itself: so that a keystroke renders one of them. */
import { ensureSyntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

/** One or more blocks of markdown that are rendered together. */
export interface MarkdownBlock {
  /** The first line, and the line after the last, counted from 0. */
  from: number;
  to: number;
  source: string;
}

/** A footnote is rendered at the end of the whole text, wherever it is defined. */
const footnote = /^ {0,3}\[\^[^\]\n]+\]:/m;

/**
 * Splits the text of an editor into blocks; undefined when that is to go on later.
 *
 * @param parseTimeMs milliseconds that parsing may take at a time.
 */
export function markdownBlocks(state: EditorState, parseTimeMs = 8): MarkdownBlock[] | undefined {
  const tree = ensureSyntaxTree(state, state.doc.length, parseTimeMs);
  if (!tree) {
    return undefined;
  }
  const text = state.doc.toString();
  if (footnote.test(text)) {
    return [{ from: 0, to: state.doc.lines, source: text }];
  }
  const definitions: string[] = [];
  const ranges: { from: number; to: number; html: boolean }[] = [];
  for (let node = tree.topNode.firstChild; node !== null; node = node.nextSibling) {
    if (node.name === 'LinkReference') {
      definitions.push(text.slice(node.from, node.to));
    }
    ranges.push({ from: node.from, to: node.to, html: /^(HTML|Comment|Processing)/.test(node.name) });
  }
  // An element can begin in one block and end in another.
  const firstHtml = ranges.findIndex(({ html }) => html);
  if (firstHtml >= 0) {
    const lastHtml = ranges.findLastIndex(({ html }) => html);
    const joined = { from: ranges[firstHtml]?.from ?? 0, to: ranges[lastHtml]?.to ?? 0, html: true };
    ranges.splice(firstHtml, lastHtml - firstHtml + 1, joined);
  }
  const shared = definitions.length === 0 ? '' : `\n\n${definitions.join('\n')}`;
  return ranges.map(({ from, to }) => {
    const first = state.doc.lineAt(from);
    return {
      from: first.number - 1,
      to: to <= first.to ? first.number : state.doc.lineAt(to).number,
      // From the start of the line: an indentation is part of what it means.
      source: text.slice(first.from, to) + shared,
    };
  });
}
