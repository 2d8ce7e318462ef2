import assert from 'node:assert/strict';
import { ChangeSet, Text } from '@codemirror/state';
import fc from 'fast-check';
import { withChanges, type TextChanges } from '../../../src/util/textChanges.ts';

const text = fc.array(fc.constantFrom('a', 'word', ' ', '\n', '\n\n', '🎈', 'é', '\u2028')).map((parts) => parts.join('')); // prettier-ignore

/** A text, and several edits of it in a row: from, to and what is put there. */
const edited = fc.tuple(text, fc.array(fc.tuple(fc.nat(), fc.nat(), text), { maxLength: 6 }));

/** The edits as one change of the editor, and the text that it has then. */
function edit(before: string, edits: readonly (readonly [number, number, string])[]) {
  let doc = Text.of(before.split('\n'));
  let changes = ChangeSet.empty(doc.length);
  for (const [one, other, insert] of edits) {
    const [from = 0, to = 0] = [one % (doc.length + 1), other % (doc.length + 1)].sort((a, b) => a - b);
    const next = ChangeSet.of({ from, to, insert }, doc.length);
    doc = next.apply(doc);
    changes = changes.compose(next);
  }
  return { after: doc.toString(), changes: changes.toJSON() as TextChanges };
}

describe('changes of a text', () => {
  it('make of it what the editor has made of it', () => {
    fc.assert(
      fc.property(edited, ([before, edits]) => {
        const { after, changes } = edit(before, edits);
        assert.equal(withChanges(before, changes), after);
      }),
    );
  });

  it('are none of a text of another length', () => {
    fc.assert(
      fc.property(edited, text, ([before, edits], other) => {
        fc.pre(before.length !== other.length);
        assert.equal(withChanges(other, edit(before, edits).changes), undefined);
      }),
    );
  });

  it('can be all of it, and nothing', () => {
    assert.equal(withChanges('', []), '');
    assert.equal(withChanges('same', [4]), 'same');
    assert.equal(withChanges('gone', [[4]]), '');
    assert.equal(withChanges('', [[0, 'two', 'lines']]), 'two\nlines');
    assert.equal(withChanges('one\ntwo', [3, [1, ' '], 3]), 'one two');
  });
});
