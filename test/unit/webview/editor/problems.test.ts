import assert from 'node:assert/strict';
import { EditorState, type TransactionSpec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { completeNames } from '../../../../src/webview/patchDocument/editor/completeNames.ts';
import { markProblems, showProblems } from '../../../../src/webview/patchDocument/editor/problems.ts';

describe('what an editor underlines', () => {
  it('are the places that were told last, where they have come to', () => {
    let state = EditorState.create({
      doc: 'one two three',
      extensions: [completeNames(async () => []), markProblems],
    });
    const view = {
      dispatch: (...specs: TransactionSpec[]) => {
        ({ state } = state.update(...specs));
      },
    } as unknown as EditorView;
    const marked = (): string[] => {
      const found: string[] = [];
      for (const marks of state.facet(EditorView.decorations)) {
        if (typeof marks !== 'function') {
          marks.between(0, state.doc.length, (from, to) => void found.push(state.sliceDoc(from, to)));
        }
      }
      return found;
    };
    showProblems(view, [
      { start: 8, end: 13 },
      { start: 0, end: 3 },
      { start: 4, end: 4 },
      { start: 9, end: 99 },
    ]);
    assert.deepEqual(marked(), ['one', 'three']);
    view.dispatch({ changes: { from: 4, insert: 'and ' } });
    assert.deepEqual(marked(), ['one', 'three']);
    showProblems(view, [{ start: 4, end: 7 }]);
    assert.deepEqual(marked(), ['and']);
  });
});
