/** Shows both sides of a text that two people changed at the same time. */
import type MarkdownIt from 'markdown-it';
import { conflictLines } from '../../util/sharedConflict.ts';

/** Either of both texts. */
export type ConflictSide = 'earlier' | 'later';

/** The titles of both in English. */
const titles = {
  earlier: 'Changed by two people at the same time. The earlier text:',
  later: 'The later text:',
};

interface Environment {
  conflictText?: (side: ConflictSide) => string;
  /** True within one of both texts, and once it is known that there is no whole conflict any more. */
  hasNoConflict?: boolean;
}

type BlockState = Parameters<Parameters<InstanceType<typeof MarkdownIt>['block']['ruler']['before']>[2]>[0];

/** Has a renderer show both texts of a conflict as such. Their titles come from the `conflictText` of its surroundings. */
export function useConflicts(markdown: InstanceType<typeof MarkdownIt>): void {
  markdown.block.ruler.before(
    'blockquote',
    'conflict',
    (state, start, end, isLook) => {
      const environment = state.env as Environment;
      if (environment.hasNoConflict === true || lineAt(state, start) !== conflictLines.earlier) {
        return false;
      }
      const before = find(state, conflictLines.before, start + 1, end);
      const middle = find(state, conflictLines.later, before + 1, end);
      const last = find(state, conflictLines.end, middle + 1, end);
      if (last >= end) {
        // Else a text of many such lines would be searched from each of them.
        environment.hasNoConflict = true;
        return false;
      }
      if (!isLook) {
        environment.hasNoConflict = true;
        addSide(state, 'earlier', start + 1, before, [start, start + 1]);
        // The text before both is shown nowhere: it is in neither.
        addSide(state, 'later', middle + 1, last, [before, last + 1]);
        environment.hasNoConflict = false;
        state.line = last + 1;
      }
      return true;
    },
    { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
  );
}

function lineAt({ src, bMarks, eMarks }: BlockState, line: number): string {
  return src.slice(bMarks[line], eMarks[line]).trimEnd();
}

/** The next line that is this one; `end` where there is none. */
function find(state: BlockState, wanted: string, from: number, end: number): number {
  let line = from;
  while (line < end && lineAt(state, line) !== wanted) {
    line += 1;
  }
  return line;
}

/** @param lines those that the title stands for. */
function addSide(
  state: BlockState,
  side: ConflictSide,
  from: number,
  to: number,
  lines: [number, number],
): void {
  const { conflictText = (name: ConflictSide): string => titles[name] } = state.env as Environment;
  const { parentType, lineMax, blkIndent } = state;
  const open = state.push('blockquote_open', 'blockquote', 1);
  open.attrSet('class', 'alert alert-warning');
  open.map = [from - 1, to];
  const head = state.push('paragraph_open', 'p', 1);
  head.attrSet('class', 'alert-title');
  head.map = lines;
  const title = state.push('inline', '', 0);
  title.children = [Object.assign(new state.Token('text', '', 0), { content: conflictText(side) })];
  state.push('paragraph_close', 'p', -1);
  Object.assign(state, { parentType: 'blockquote', lineMax: to, blkIndent: 0 });
  state.md.block.tokenize(state, from, to);
  Object.assign(state, { parentType, lineMax, blkIndent });
  state.push('blockquote_close', 'blockquote', -1);
}
