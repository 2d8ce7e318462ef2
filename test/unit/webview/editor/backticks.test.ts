import assert from 'node:assert/strict';
import { insertBracket } from '@codemirror/autocomplete';
import { markdownLanguage } from '@codemirror/lang-markdown';
import { EditorState } from '@codemirror/state';
import { closing, typeMoreBackticks } from '../../../../src/webview/patchDocument/editor/backticks.ts';

/** A text after somebody has typed into it, where `|` stands. */
function typed(text: string, before = '|'): string {
  const anchor = before.indexOf('|');
  let state = EditorState.create({
    doc: before.replace('|', ''),
    selection: { anchor },
    extensions: [closing, markdownLanguage],
  });
  for (const key of text) {
    const transaction = typeMoreBackticks(state, key) ?? insertBracket(state, key);
    ({ state } = transaction ?? state.update(state.replaceSelection(key)));
  }
  return state.doc.toString();
}

describe('backticks that are typed', () => {
  for (const text of [
    '```ts\nx\n```\n',
    '```\ncode\n```\n\n![logo](a.svg)\n',
    'a `b` ``c`` x\n',
    '# Why\n\n- `one`\n- two\n',
    '````\n```\n````\n',
  ]) {
    it(`are no more than were typed in ${JSON.stringify(text)}`, () => assert.equal(typed(text), text));
  }

  it('close themselves when there is one, as brackets do', () => {
    assert.equal(typed('`'), '``');
    assert.equal(typed('See [', 'So |'), 'So See []');
    assert.equal(typed('``'), '``', 'and are typed over');
  });
});
