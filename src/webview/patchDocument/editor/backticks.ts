/** Backticks as they are typed: one closes itself, as brackets do, and several of them don't. */
import { closeBrackets } from '@codemirror/autocomplete';
import { markdownLanguage } from '@codemirror/lang-markdown';
import type { EditorState, Extension, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * Types a backtick right behind another: it is one of several that mark code, and have their end where that is typed.
 *
 * @returns undefined for whatever else is typed.
 */
export function typeMoreBackticks(state: EditorState, text: string): Transaction | undefined {
  const { empty, head } = state.selection.main;
  const isOneMore =
    text === '`' &&
    empty &&
    state.selection.ranges.length === 1 &&
    state.sliceDoc(Math.max(0, head - 1), head) === '`' &&
    state.sliceDoc(head, head + 1) !== '`';
  return isOneMore
    ? state.update(state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true })
    : undefined;
}

/** Brackets and backticks that close themselves. */
export const closing: Extension = [
  EditorView.inputHandler.of((view, _from, _to, text) => {
    const transaction = typeMoreBackticks(view.state, text);
    if (transaction) {
      view.dispatch(transaction);
    }
    return transaction !== undefined;
  }),
  closeBrackets(),
  // A quotation mark or a bracket closes itself around a selection, not in the middle of prose.
  markdownLanguage.data.of({ closeBrackets: { brackets: ['(', '[', '`'], before: ')]`' } }),
];
