import assert from 'node:assert/strict';
import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import type { OfferedName } from '../../../../src/util/proseProblem.ts';
import { offer } from '../../../../src/webview/patchDocument/editor/completeNames.ts';

const names: OfferedName[] = [
  { kind: 'file', name: 'src/a.ts' },
  { kind: 'symbol', name: 'load', detail: 'function load() {' },
  { kind: 'person', name: 'ada' },
];
/** The names that are offered behind a text, and the place from which one of them stands. */
const offered = async (text: string, explicit = false): Promise<string | undefined> => {
  const state = EditorState.create({ doc: text });
  const found = await offer(new CompletionContext(state, text.length, explicit), async () => names);
  return found
    ? `${text.slice(found.from)}: ${found.options.map(({ label }) => label).join(' ')}`
    : undefined;
};

describe('the names that an editor offers', () => {
  it('are for the beginning of a path, and wherever they are asked for', async () => {
    assert.equal(await offered('See src/'), 'src/: src/a.ts load ada');
    assert.equal(await offered('See a.t'), 'a.t: src/a.ts load ada');
    for (const text of ['See src', 'See s/', 'That is it.', 'See ']) {
      assert.equal(await offered(text), undefined, text);
    }
    assert.equal(await offered('See ', true), ': src/a.ts load ada');
  });

  it('are people behind an at sign, and code behind a backtick', async () => {
    assert.equal(await offered('Thanks to @'), ': ada');
    assert.equal(await offered('In `lo'), 'lo: src/a.ts load');
  });

  it('are found in any line, however long', async () => {
    assert.equal(await offered(`one\n${'a'.repeat(100_000)}`, true), `${'a'.repeat(200)}: src/a.ts load ada`);
  });
});
