import assert from 'node:assert/strict';
import { insertNewlineContinueMarkup, markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState, type StateCommand } from '@codemirror/state';
import {
  activeMarks,
  markCommands,
  type MarkName,
} from '../../../../src/webview/patchDocument/editor/marks.ts';

/** A state whose selection stands between « and », or whose cursor is ¦. */
function stateOf(marked: string): EditorState {
  const cursor = marked.indexOf('¦');
  const anchor = cursor >= 0 ? cursor : marked.indexOf('«');
  const head = cursor >= 0 ? cursor : marked.indexOf('»') - 1;
  const state = EditorState.create({
    doc: marked.replaceAll(/[¦«»]/g, ''),
    selection: { anchor, head },
    extensions: [markdown({ base: markdownLanguage })],
  });
  ensureSyntaxTree(state, state.doc.length, 5000);
  return state;
}

function shown({ doc, selection: { main } }: EditorState): string {
  const text = doc.toString();
  return main.empty
    ? `${text.slice(0, main.head)}¦${text.slice(main.head)}`
    : `${text.slice(0, main.from)}«${text.slice(main.from, main.to)}»${text.slice(main.to)}`;
}

function after(marked: string, run: StateCommand): string {
  let state = stateOf(marked);
  run({ state, dispatch: (transaction) => (state = transaction.state) });
  return shown(state);
}

const examples: [MarkName, before: string, after: string][] = [
  ['bold', 'a «word» here', 'a **«word»** here'],
  ['bold', 'a **«word»** here', 'a «word» here'],
  ['bold', 'a «**word**» here', 'a «word» here'],
  ['bold', 'a w¦ord', 'a **w¦ord**'],
  ['bold', 'a « word » here', 'a  **«word»**  here'],
  ['bold', 'so ¦', 'so **¦**'],
  ['bold', 'a _«word»_', 'a _**«word»**_'],
  ['italic', 'a «word»', 'a _«word»_'],
  ['italic', 'a *w¦ord*', 'a w¦ord'],
  ['italic', 'a **«word»**', 'a **_«word»_**'],
  ['code', 'a «word»', 'a `«word»`'],
  ['code', 'a «wo`rd»', 'a ``«wo`rd»``'],
  ['code', 'a `w¦ord`', 'a w¦ord'],
  ['link', 'see «this»', 'see [this](«https://»)'],
  ['link', 'see «https://example.org/a»', 'see [¦](https://example.org/a)'],
  ['link', 'see [th¦is](https://example.org)', 'see [this](«https://example.org»)'],
  ['link', 'see ¦', 'see [¦](https://)'],
  ['heading', 'Ti¦tle', '# Ti¦tle'],
  ['heading', '# Ti¦tle', '## Ti¦tle'],
  ['heading', '### Ti¦tle', 'Ti¦tle'],
  ['bulletList', '«a\nb»', '- «a\n- b»'],
  ['bulletList', '«- a\n- b»', '«a\nb»'],
  ['bulletList', '1. «a\n2. b»', '- «a\n- b»'],
  ['bulletList', '«a\n\nb»', '- «a\n\n- b»'],
  ['bulletList', '- [ ] a¦', '- a¦'],
  ['orderedList', '«a\nb»', '1. «a\n2. b»'],
  ['orderedList', '- «a\n- b»', '1. «a\n2. b»'],
  ['task', '  a¦', '  - [ ] a¦'],
  ['task', '- a¦', '- [ ] a¦'],
  ['task', '- [x] a¦', 'a¦'],
  ['quote', '«a\n\nb»', '> «a\n> \n> b»'],
  ['quote', '> «a\n> b»', '«a\nb»'],
  ['codeBlock', 'a\n«b\nc»', 'a\n```\n«b\nc»\n```'],
  ['codeBlock', '```ts\nb¦\n```', 'b¦'],
  ['codeBlock', '«```\nb\n```\nc»', '````\n«```\nb\n```\nc»\n````'],
];

describe('the marks of the editor', () => {
  for (const [mark, before, expected] of examples) {
    it(`${mark}: ${JSON.stringify(before)} becomes ${JSON.stringify(expected)}`, () => {
      assert.equal(after(before, markCommands[mark]), expected);
    });
  }

  it('are known where the cursor stands', () => {
    assert.deepEqual([...activeMarks(stateOf('a **b¦** c'))], ['bold']);
    assert.deepEqual([...activeMarks(stateOf('> - [x] do `i¦t`'))].toSorted(), ['code', 'quote', 'task']);
    assert.deepEqual([...activeMarks(stateOf('## T¦'))], ['heading']);
    assert.deepEqual([...activeMarks(stateOf('plain¦'))], []);
  });

  it('go on in the next line of a list, and end with an empty one', () => {
    assert.equal(after('- a¦', insertNewlineContinueMarkup), '- a\n- ¦');
    assert.equal(after('- [x] a¦', insertNewlineContinueMarkup), '- [x] a\n- [ ] ¦');
    assert.equal(after('9. a¦', insertNewlineContinueMarkup), '9. a\n10. ¦');
    assert.equal(after('- a\n- b\n- ¦', insertNewlineContinueMarkup).includes('- b\n¦'), true);
  });
});
