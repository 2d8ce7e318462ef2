/** The marks of markdown as commands on an editor's state: each puts its mark, or takes it away where it stands. */
import { syntaxTree } from '@codemirror/language';
import {
  EditorSelection,
  type ChangeSpec,
  type EditorState,
  type SelectionRange,
  type StateCommand,
  type TransactionSpec,
} from '@codemirror/state';

type SyntaxNode = ReturnType<ReturnType<typeof syntaxTree>['resolveInner']>;

/** The marks that the toolbar and the shortcuts can set. */
export type MarkName =
  | 'bold'
  | 'italic'
  | 'code'
  | 'link'
  | 'heading'
  | 'bulletList'
  | 'orderedList'
  | 'task'
  | 'quote'
  | 'codeBlock';

/** The command of each mark. */
export const markCommands: Readonly<Record<MarkName, StateCommand>> = {
  bold: inlineMark('StrongEmphasis', () => '**'),
  italic: inlineMark('Emphasis', () => '_'),
  code: inlineMark('InlineCode', backticksAround),
  link: command(changeLink),
  heading: lineMark(nextHeading),
  bulletList: lineMark(toggledPrefix(/^(\s*)[-*+] (?!\[[ xX]\] )/, () => '- ')),
  orderedList: lineMark(toggledPrefix(/^(\s*)\d+[.)] /, (index) => `${index + 1}. `)),
  task: lineMark(toggledPrefix(/^(\s*)[-*+] \[[ xX]\] /, () => '- [ ] ')),
  quote: lineMark(toggledPrefix(/^(\s*)> ?/, () => '> ', { joins: true })),
  codeBlock: command(toggleCodeBlock),
};

/** The marks around the cursor, which the toolbar shows as pressed. */
export function activeMarks(state: EditorState): ReadonlySet<MarkName> {
  const marks = new Set<MarkName>();
  const { head } = state.selection.main;
  for (
    let node: SyntaxNode | null = syntaxTree(state).resolveInner(head, -1);
    node !== null;
    node = node.parent
  ) {
    const mark = markOfNode(node.name);
    if (mark) {
      marks.add(mark);
    }
    if (node.name === 'ListItem') {
      const line = state.sliceDoc(node.from, state.doc.lineAt(node.from).to);
      marks.add(/^[-*+] \[[ xX]\] /.test(line) ? 'task' : /^\d/.test(line) ? 'orderedList' : 'bulletList');
    }
  }
  return marks;
}

function markOfNode(name: string): MarkName | undefined {
  switch (name) {
    case 'StrongEmphasis':
      return 'bold';
    case 'Emphasis':
      return 'italic';
    case 'InlineCode':
      return 'code';
    case 'Link':
      return 'link';
    case 'Blockquote':
      return 'quote';
    case 'FencedCode':
      return 'codeBlock';
    default:
      return /^(ATX|Setext)Heading/.test(name) ? 'heading' : undefined;
  }
}

function command(change: (state: EditorState) => TransactionSpec): StateCommand {
  return ({ state, dispatch }) => {
    if (state.readOnly) {
      return false;
    }
    dispatch(state.update(change(state), { scrollIntoView: true, userEvent: 'input.mark' }));
    return true;
  };
}

/** A mark on both sides of a text, such as bold. Without a selection it takes the word at the cursor. */
function inlineMark(nodeName: string, marker: (text: string) => string): StateCommand {
  return command((state) =>
    state.changeByRange((range) => {
      const marked = enclosing(state, range, nodeName);
      if (marked?.firstChild && marked.lastChild) {
        return unmarked(range, marked.firstChild, marked.lastChild);
      }
      const { from, to } = trimmed(state, range.empty ? (state.wordAt(range.head) ?? range) : range);
      const text = state.sliceDoc(from, to);
      const mark = marker(text);
      return {
        changes: [
          { from, insert: mark },
          { from: to, insert: mark },
        ],
        range: range.empty
          ? EditorSelection.cursor(range.head + mark.length)
          : EditorSelection.range(from + mark.length, to + mark.length),
      };
    }),
  );
}

function unmarked(
  range: SelectionRange,
  open: SyntaxNode,
  close: SyntaxNode,
): { changes: ChangeSpec; range: SelectionRange } {
  const width = open.to - open.from;
  const moved = (position: number): number => Math.min(Math.max(position, open.to), close.from) - width;
  return {
    changes: [
      { from: open.from, to: open.to },
      { from: close.from, to: close.to },
    ],
    range: EditorSelection.range(moved(range.anchor), moved(range.head)),
  };
}

/** The innermost node of this name that holds a range whole, with its marks or without. */
function enclosing(state: EditorState, { from, to }: SelectionRange, name: string): SyntaxNode | undefined {
  const tree = syntaxTree(state);
  for (const start of [tree.resolveInner(from, 1), tree.resolveInner(from, -1)]) {
    for (let node: SyntaxNode | null = start; node !== null; node = node.parent) {
      if (node.name === name && node.from <= from && node.to >= to) {
        return node;
      }
    }
  }
  return undefined;
}

/** A range without the whitespace at its ends: markdown takes no mark beside a space. */
function trimmed(state: EditorState, range: { from: number; to: number }): { from: number; to: number } {
  const text = state.sliceDoc(range.from, range.to);
  const inner = text.trim();
  if (inner === '') {
    return { from: range.from, to: range.to };
  }
  const from = range.from + text.indexOf(inner);
  return { from, to: from + inner.length };
}

/** As many backticks as the text does not have in a row. */
function backticksAround(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  return '`'.repeat(longest + 1);
}

const address = /^(https?:\/\/|mailto:)\S+$/i;

/** Makes the selection a link and has its address typed, or its text when the selection is an address. */
function changeLink(state: EditorState): TransactionSpec {
  return state.changeByRange((range) => {
    const link = enclosing(state, range, 'Link');
    const url = link?.getChild('URL');
    if (url) {
      return { range: EditorSelection.range(url.from, url.to) };
    }
    const { from, to } = trimmed(state, range.empty ? (state.wordAt(range.head) ?? range) : range);
    const text = state.sliceDoc(from, to);
    if (address.test(text)) {
      return {
        changes: { from, to, insert: `[](${text})` },
        range: EditorSelection.cursor(from + 1),
      };
    }
    const placeholder = 'https://';
    const start = from + text.length + 3;
    return {
      changes: { from, to, insert: `[${text}](${placeholder})` },
      range:
        text === ''
          ? EditorSelection.cursor(from + 1)
          : EditorSelection.range(start, start + placeholder.length),
    };
  });
}

/** A mark at the start of each selected line. */
function lineMark(change: (lines: string[]) => string[]): StateCommand {
  return command((state) => {
    const changes: ChangeSpec[] = [];
    let last = -1;
    for (const { from, to } of state.selection.ranges) {
      const lines = [];
      for (let line = state.doc.lineAt(from); ; line = state.doc.line(line.number + 1)) {
        if (line.number > last) {
          lines.push(line);
          last = line.number;
        }
        if (line.to >= to || line.number === state.doc.lines) {
          break;
        }
      }
      const changed = change(lines.map(({ text }) => text));
      lines.forEach((line, index) => {
        const text = changed[index] ?? line.text;
        // Only the start of a line changes: the cursor keeps its place in what follows.
        let kept = 0;
        while (kept < Math.min(text.length, line.length) && text.at(-1 - kept) === line.text.at(-1 - kept)) {
          kept += 1;
        }
        if (text !== line.text) {
          changes.push({
            from: line.from,
            to: line.to - kept,
            insert: text.slice(0, text.length - kept),
          });
        }
      });
    }
    const set = state.changes(changes);
    return { changes: set, selection: state.selection.map(set, 1) };
  });
}

/** From no heading through the first three levels and back. */
function nextHeading(lines: string[]): string[] {
  return lines.map((line) => {
    const [, marks = '', rest = line] = /^(#{1,6})\s+(.*)$/.exec(line) ?? [];
    return marks.length >= 3 ? rest : `${'#'.repeat(marks.length + 1)} ${rest}`;
  });
}

/**
 * Puts a prefix on lines, or takes it away when all of them have it.
 *
 * @param prefix the mark of the line with this index.
 * @param options.joins also empty lines take it, so that the block stays one.
 */
function toggledPrefix(
  pattern: RegExp,
  prefix: (index: number) => string,
  options: { joins?: boolean } = {},
): (lines: string[]) => string[] {
  return (lines) => {
    const takesMark = (line: string): boolean =>
      options.joins === true || line.trim() !== '' || lines.length === 1;
    if (lines.every((line) => !takesMark(line) || pattern.test(line))) {
      return lines.map((line) => line.replace(pattern, '$1'));
    }
    let index = 0;
    return lines.map((line) => {
      if (!takesMark(line)) {
        return line;
      }
      const [indent = ''] = /^\s*/.exec(line) ?? [];
      const rest = line.slice(indent.length);
      // One kind of list becomes another instead of standing in it.
      const bare = options.joins ? rest : rest.replace(/^([-*+] (\[[ xX]\] )?|\d+[.)] )/, '');
      return `${indent}${prefix(index++)}${bare}`;
    });
  };
}

/** Puts the selected lines between fences, or takes the fences around the cursor away. */
function toggleCodeBlock(state: EditorState): TransactionSpec {
  const { main } = state.selection;
  const block = enclosing(state, main, 'FencedCode');
  if (block) {
    const first = state.doc.lineAt(block.from);
    const last = state.doc.lineAt(block.to);
    const closed = last.number > first.number && /^\s*(`{3,}|~{3,})\s*$/.test(last.text);
    return {
      changes: [
        { from: first.from, to: Math.min(first.to + 1, state.doc.length) },
        ...(closed && last.from > first.to + 1
          ? [{ from: last.from - 1, to: last.to }]
          : closed
            ? [{ from: last.from, to: last.to }]
            : []),
      ],
    };
  }
  const first = state.doc.lineAt(main.from);
  const last = state.doc.lineAt(main.to);
  const text = state.sliceDoc(first.from, last.to);
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return {
    changes: { from: first.from, to: last.to, insert: `${fence}\n${text}\n${fence}` },
    selection: EditorSelection.range(main.anchor + fence.length + 1, main.head + fence.length + 1),
  };
}
