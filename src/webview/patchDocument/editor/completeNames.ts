import {
  autocompletion,
  closeCompletion,
  completionKeymap,
  completionStatus,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { Prec, type Extension } from '@codemirror/state';
import { EditorView, keymap, type KeyBinding } from '@codemirror/view';
import type { OfferedName } from '../../../util/proseProblem.ts';

/** CodeMirror's own icons for kinds of names. */
const types: Record<OfferedName['kind'], string> = {
  file: 'text',
  symbol: 'function',
  patch: 'constant',
  person: 'variable',
};

/** CodeMirror's own keys; but Escape is for the list only while that is there, and else ends the writing. */
const keys: KeyBinding[] = [
  ...completionKeymap.filter(({ key }) => key !== 'Escape'),
  { key: 'Escape', run: (view) => completionStatus(view.state) === 'active' && closeCompletion(view) },
];

/** The beginning of a path: nobody who writes other words is offered anything, unless they ask for it. */
const isBeginning = (typed: string): boolean =>
  typed.length >= 3 && /[/.]/.test(typed) && !typed.endsWith('.');

/** Characters of a word that are looked at. */
const longestWord = 200;

/** Offers what a text can name while it is written. @param names asked for when something is to be offered first. */
export function completeNames(names: () => Promise<readonly OfferedName[]>): Extension {
  return [
    autocompletion({
      override: [(context) => offer(context, names)],
      icons: false,
      // Enter ends a line in prose: it takes what is offered only once one of them was chosen.
      selectOnOpen: false,
      // So no key takes by mistake what has just come up, and none has to be pressed twice.
      interactionDelay: 0,
      defaultKeymap: false,
    }),
    Prec.highest(keymap.of(keys)),
    theme,
  ];
}

/** The colors of VS Code's own list; CodeMirror's are for a page that is always light. */
const theme = EditorView.theme({
  '.cm-tooltip.cm-tooltip-autocomplete': {
    border: '1px solid var(--vscode-editorSuggestWidget-border, var(--vscode-widget-border, transparent))',
    borderRadius: '3px',
    color: 'var(--vscode-editorSuggestWidget-foreground)',
    backgroundColor: 'var(--vscode-editorSuggestWidget-background)',
    boxShadow: '0 2px 8px var(--vscode-widget-shadow, transparent)',
    '& > ul': {
      maxWidth: 'min(500px, 95vw)',
      fontFamily: 'var(--vscode-editor-font-family)',
      fontSize: 'var(--vscode-editor-font-size)',
    },
    '& > ul > li': { padding: '2px 8px', lineHeight: '1.4' },
    '& > ul > li[aria-selected]': {
      color: 'var(--vscode-editorSuggestWidget-selectedForeground, inherit)',
      backgroundColor: 'var(--vscode-editorSuggestWidget-selectedBackground)',
      outline: '1px solid var(--vscode-contrastActiveBorder, transparent)',
      outlineOffset: '-1px',
    },
  },
  // The color that VS Code has for it can't be read on every theme's selected row.
  '.cm-completionMatchedText': { textDecoration: 'underline', fontWeight: 'bold' },
  '.cm-completionDetail': { marginLeft: '1em', fontStyle: 'normal' },
});

/** The names that are offered at a place; null where nothing is. */
export async function offer(
  context: CompletionContext,
  names: () => Promise<readonly OfferedName[]>,
): Promise<CompletionResult | null> {
  const { from, typed } = wordBefore(context);
  const isMarked = /^[@`]/.test(typed);
  if (!context.explicit && !isMarked && !isBeginning(typed)) {
    return null;
  }
  const wanted = (await names()).filter(({ kind }) =>
    typed.startsWith('@') ? kind === 'person' : typed.startsWith('`') ? kind !== 'person' : true,
  );
  return {
    from: isMarked ? from + 1 : from,
    options: wanted.map((name) => completionOf(name, typed)),
    validFor: /^[\p{L}\p{N}_.$/+-]*$/u,
  };
}

/** The word that is typed at the moment, with the mark before it. */
function wordBefore({ state, pos }: CompletionContext): { from: number; typed: string } {
  const line = state.doc.lineAt(pos);
  const first = Math.max(line.from, pos - longestWord);
  let from = pos;
  while (from > first && /[\p{L}\p{N}_.$/+-]/u.test(state.sliceDoc(from - 1, from))) {
    from -= 1;
  }
  if (from > line.from && /[@`]/.test(state.sliceDoc(from - 1, from))) {
    from -= 1;
  }
  return { from, typed: state.sliceDoc(from, pos) };
}

function completionOf({ kind, name, detail }: OfferedName, typed: string): Completion {
  const isQuoted = typed.startsWith('`');
  const whole =
    kind === 'symbol' && !isQuoted
      ? `\`${name}\``
      : kind === 'person' && !typed.startsWith('@')
        ? `@${name}`
        : name;
  return {
    label: name,
    type: types[kind],
    ...(detail !== undefined && { detail }),
    apply: (view, _completion, from, to) => insert(view, whole, from, isQuoted ? endOfQuote(view, to) : to),
  };
}

/** A backtick that closed itself is behind what is typed: the cursor goes past it. */
function endOfQuote(view: EditorView, to: number): number {
  return view.state.sliceDoc(to, to + 1) === '`' ? to + 1 : to;
}

function insert(view: EditorView, text: string, from: number, to: number): void {
  const whole =
    to > from && view.state.sliceDoc(to - 1, to) === '`' && !text.startsWith('`') ? `${text}\`` : text;
  view.dispatch({
    changes: { from, to, insert: whole },
    selection: { anchor: from + whole.length },
    userEvent: 'input.complete',
  });
}
