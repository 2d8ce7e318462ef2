import assert from 'node:assert/strict';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { pasteLink } from '../../../../src/webview/patchDocument/editor/pasteLink.ts';

/** Pastes onto what stands between « and »; undefined when the paste is left to the editor. */
function paste(marked: string, pasted: string): string | undefined {
  let state = EditorState.create({
    doc: marked.replaceAll(/[«»]/g, ''),
    selection: { anchor: marked.indexOf('«'), head: marked.indexOf('»') - 1 },
    extensions: [markdown({ base: markdownLanguage })],
  });
  ensureSyntaxTree(state, state.doc.length, 5000);
  const done = pasteLink({ state, dispatch: (transaction) => (state = transaction.state) }, pasted);
  return done ? state.doc.toString() : undefined;
}

describe('an address pasted onto words', () => {
  const url = 'https://example.org/a';

  it('makes them a link', () => {
    assert.equal(paste('see «this»', url), `see [this](${url})`);
    assert.equal(paste('see **«this»**', ` ${url}\n`), `see **[this](${url})**`);
    assert.equal(paste('write «me»', 'mailto:a@example.org'), 'write [me](mailto:a@example.org)');
    assert.equal(paste('«this»', 'https://example.org/a_(b)'), '[this](<https://example.org/a_(b)>)');
  });

  it('replaces them where that would be no link', () => {
    assert.equal(paste('see «»', url), undefined);
    assert.equal(paste('`see «this»`', url), undefined);
    assert.equal(paste('[«this»](https://example.org)', url), undefined);
    assert.equal(paste('«https://example.com»', url), undefined);
    assert.equal(paste('«one\ntwo»', url), undefined);
    assert.equal(paste('«this»', 'not an address'), undefined);
    assert.equal(paste('«this»', 'javascript:alert(1)'), undefined);
  });
});
