import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mergeText } from '../../../../src/model/pending/mergeText.ts';

const merged = (text: string) => ({ kind: 'merged', text });
const conflict = { kind: 'conflict' };

describe('mergeText', () => {
  it('joins changes of different lines', () => {
    assert.deepEqual(mergeText('a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n'), merged('A\nb\nC\n'));
    assert.deepEqual(mergeText('a\nb\nc', 'a\nb\nc\nd', 'x\na\nb\nc'), merged('x\na\nb\nc\nd'));
  });

  it('joins changes of different words of one line', () => {
    const base = 'Prose is one long line, in which two people may change two things.';
    const mine = base.replace('long', 'very long');
    const theirs = base.replace('two things', 'three things');
    assert.deepEqual(mergeText(base, mine, theirs), merged(mine.replace('two things', 'three things')));
  });

  it('finds a conflict where both changed the same word, or added something in the same place', () => {
    assert.deepEqual(mergeText('one two', 'one 2', 'one II'), conflict);
    assert.deepEqual(mergeText('a\n', 'a\nmine\n', 'a\ntheirs\n'), conflict);
    assert.deepEqual(mergeText('a b c', 'a c', 'a B c'), conflict);
  });

  it('takes a change once that both made', () => {
    assert.deepEqual(mergeText('a\nb\nc\n', 'a\nB\nc\n', 'a\nB\nC\n'), merged('a\nB\nC\n'));
  });

  it('ends lines as the service does when it has to join', () => {
    assert.deepEqual(mergeText('a\r\nb\r\nc\r\n', 'A\nb\nc\n', 'a\r\nb\r\nC\r\n'), merged('A\r\nb\r\nC\r\n'));
  });

  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', 'a b', 'b c d', ''), { maxLength: 6 })
    .map((lines) => lines.join('\n'));

  it('changes nothing where only one side did', () => {
    fc.assert(
      fc.property(text, text, (base, other) => {
        assert.deepEqual(mergeText(base, other, base), merged(other));
        assert.deepEqual(mergeText(base, base, other), merged(other));
        assert.deepEqual(mergeText(base, other, other), merged(other));
      }),
    );
  });

  it('comes to the same whoever is asked', () => {
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        assert.deepEqual(mergeText(base, mine, theirs), mergeText(base, theirs, mine));
      }),
    );
  });

  it('loses no line that one of them added', () => {
    fc.assert(
      fc.property(text, fc.nat(6), fc.nat(6), (base, at, other) => {
        const lines = base.split('\n');
        const mine = lines.toSpliced(at, 0, 'MINE').join('\n');
        const theirs = lines.toSpliced(other, 0, 'THEIRS').join('\n');
        const result = mergeText(base, mine, theirs);
        if (result.kind === 'merged') {
          const found = result.text.split('\n');
          assert.ok(found.includes('MINE') && found.includes('THEIRS'), result.text);
          assert.equal(found.length, lines.length + 2);
        }
      }),
    );
  });
});
