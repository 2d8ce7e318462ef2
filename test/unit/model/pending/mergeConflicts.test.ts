import assert from 'node:assert/strict';
import { openConflicts, textWithMarkers } from '../../../../src/model/pending/mergeConflicts.ts';

describe('the conflicts of a merge', () => {
  const texts = {
    base: 'title\n\nfirst\n\nmiddle\n\nlast\n',
    theirs: 'Title\n\nfirst, theirs\n\nmiddle\n\nlast, theirs\n',
    mine: 'title\n\nfirst, mine\n\nmiddle\n\nlast, mine\n',
  };
  const merged = (first: string, last: string): string => `Title\n\n${first}\n\nmiddle\n\n${last}\n`;

  it('begin with both sides in view, and all else joined', () => {
    const begun = textWithMarkers(texts, 'On the Server', 'Yours');
    assert.equal(
      begun,
      merged(
        '<<<<<<< On the Server\nfirst, theirs\n=======\nfirst, mine\n>>>>>>> Yours',
        '<<<<<<< On the Server\nlast, theirs\n=======\nlast, mine\n>>>>>>> Yours',
      ),
    );
    assert.equal(openConflicts(texts, begun), 2);
  });

  it('are open where the text says what it said before both changes', () => {
    assert.equal(openConflicts(texts, merged('first', 'last')), 2);
    assert.equal(openConflicts(texts, texts.base), 2);
    assert.equal(openConflicts(texts, merged('first, mine', 'last')), 1);
    assert.equal(openConflicts(texts, merged('first', 'last').replaceAll('\n', '\r\n')), 2);
    assert.equal(openConflicts(texts, merged('first', 'last').trimEnd()), 2);
    // A change elsewhere resolves nothing.
    assert.equal(openConflicts(texts, merged('first', 'last').replace('middle', 'between')), 2);
  });

  it('are decided by either side, both, or words of one’s own', () => {
    for (const [first, last] of [
      ['first, mine', 'last, theirs'],
      ['first, theirs\nfirst, mine', 'last, by both'],
      ['', ''],
    ] as const) {
      assert.equal(openConflicts(texts, merged(first, last)), 0);
    }
  });

  it('are found where both have added something, or one has deleted it', () => {
    const added = { base: 'a\nb', theirs: 'a\ntheirs\nb', mine: 'a\nmine\nb' };
    assert.equal(openConflicts(added, 'a\nb'), 1);
    assert.equal(openConflicts(added, 'a\nmine\ntheirs\nb'), 0);
    const deleted = { base: 'a\nb\nc', theirs: 'a\nc', mine: 'a\nB\nc' };
    assert.equal(openConflicts(deleted, 'a\nb\nc'), 1);
    assert.equal(openConflicts(deleted, 'a\nc'), 0);
  });

  it('may be in a text that speaks of such marks itself', () => {
    const marked = { base: '<<<<<<< HEAD\na', theirs: '<<<<<<< HEAD\nb', mine: '<<<<<<< HEAD\nc' };
    assert.equal(openConflicts(marked, '<<<<<<< HEAD\nb'), 0);
    assert.equal(openConflicts(marked, '<<<<<<< HEAD\na'), 1);
  });
});
