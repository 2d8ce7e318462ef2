import { StateEffect, StateField, type Extension } from '@codemirror/state';
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view';

/** A part of the text. */
export interface Place {
  start: number;
  end: number;
}

const setPlaces = StateEffect.define<readonly Place[]>();

const mark = Decoration.mark({ class: 'problem' });

const places = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, transaction) => {
    let next = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setPlaces)) {
        const { length } = transaction.newDoc;
        const known = effect.value.filter(({ start, end }) => start < end && end <= length);
        next = Decoration.set(
          known.map(({ start, end }) => mark.range(start, end)),
          true,
        );
      }
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Underlines what may be better said in another way. */
export const markProblems: Extension = [
  places,
  EditorView.theme({
    '.problem': { textDecoration: 'underline wavy var(--vscode-editorInfo-foreground) 1px' },
  }),
];

/** Underlines these places from now on. */
export function showProblems(view: EditorView, found: readonly Place[]): void {
  view.dispatch({ effects: setPlaces.of(found) });
}
