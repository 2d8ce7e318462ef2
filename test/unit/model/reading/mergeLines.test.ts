import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { editsBetween, linesOf, mergeLines } from '../../../../src/model/reading/mergeLines.ts';

const lines = (text: string): string[] => Array.from(text, (line) => `${line}\n`);
const joined = (text: string): string => lines(text).join('');

describe('the edits between two texts', () => {
  it('are told as late as they can be, like git tells them', () => {
    assert.deepEqual(editsBetween(joined('xaby'), joined('xababy')), [
      { start: 3, end: 3, lines: lines('ab') },
    ]);
    assert.deepEqual(editsBetween(joined('xababy'), joined('xaby')), [{ start: 3, end: 5, lines: [] }]);
  });

  it('are not told of texts that have too little in common', () => {
    const many = (prefix: string): string =>
      Array.from({ length: 5000 }, (_, index) => `${prefix}${index}\n`).join('');
    assert.equal(editsBetween(many('a'), many('b')), undefined);
    assert.deepEqual(mergeLines(many('a'), many('b'), ''), { kind: 'unknown' });
  });
});

describe('the edits between any two texts', () => {
  /** Few different lines, of which the last one need not end, and texts that have much in common. */
  const text = fc
    .array(fc.constantFrom('a\n', 'b\n', 'ab\n', '\n', 'aa\r\n'), { maxLength: 8 })
    .chain((lines) => fc.constantFrom('', 'a', 'ab').map((end) => `${lines.join('')}${end}`));

  const applied = (before: string, after: string): string => {
    const left = linesOf(before);
    for (const { start, end, lines: others } of (editsBetween(before, after) ?? []).toReversed()) {
      left.splice(start, end - start, ...others);
    }
    return left.join('');
  };

  it('make one of the other', () => {
    fc.assert(fc.property(text, text, (before, after) => assert.equal(applied(before, after), after)));
  });

  it('take whole lines, and none of those that both begin and end with', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const [was, is] = [linesOf(before), linesOf(after)];
        for (const { start, end, lines: others } of editsBetween(before, after) ?? []) {
          assert.ok(start < end || others.length > 0);
          assert.ok(others.every((line) => is.includes(line)));
          assert.ok(start === end || others.length === 0 || was[start] !== others[0]);
          assert.ok(start === end || others.length === 0 || was[end - 1] !== others.at(-1));
        }
      }),
    );
  });

  it('are the same behind lines that both have, however many', () => {
    fc.assert(
      fc.property(text, text, fc.nat(200), (before, after, count) => {
        const more = numbered(count);
        const moved = editsBetween(before, after)?.map((edit) => ({
          ...edit,
          start: edit.start + count,
          end: edit.end + count,
        }));
        assert.deepEqual(editsBetween(`${more}${before}`, `${more}${after}`), moved);
      }),
    );
  });

  it('are the same before lines that both have, however many', () => {
    fc.assert(
      fc.property(text, text, fc.nat(200), (before, after, count) => {
        const [one, other] = [`${before}\n--\n`, `${after}\n--\n`];
        const more = numbered(count);
        assert.deepEqual(editsBetween(`${one}${more}`, `${other}${more}`), editsBetween(one, other));
      }),
    );
  });

  it('are those of a single line, whichever character of a long text is another one', () => {
    const before = numbered(150);
    const was = linesOf(before);
    for (const [at, character] of Array.from(before).entries()) {
      if (character !== '\n') {
        const after = `${before.slice(0, at)}#${before.slice(at + 1)}`;
        const start = linesOf(before.slice(0, at + 1)).length - 1;
        const line = linesOf(after)[start] ?? assert.fail();
        assert.deepEqual(editsBetween(before, after, was), [{ start, end: start + 1, lines: [line] }]);
      }
    }
  });

  const numbered = (count: number): string =>
    Array.from({ length: count }, (_, index) => `line ${index}\n`).join('');
});

describe('a merge of lines', () => {
  it('joins changes that do not touch, and no others', () => {
    assert.deepEqual(mergeLines(joined('abcde'), joined('aBcde'), joined('abcDe')), {
      kind: 'clean',
      text: joined('aBcDe'),
      isShared: false,
    });
    assert.deepEqual(mergeLines(joined('abcde'), joined('aBcde'), joined('abCde')), { kind: 'conflict' });
  });

  it('takes repeated lines for inserted where git does', () => {
    assert.deepEqual(mergeLines(joined('xxaxx'), joined('xabxx'), joined('mxxaxxx')), {
      kind: 'clean',
      text: joined('mxabxxx'),
      isShared: false,
    });
  });

  it('says when both changed the same', () => {
    assert.deepEqual(mergeLines(joined('abcde'), joined('aBcde'), joined('aBcdE')), {
      kind: 'clean',
      text: joined('aBcdE'),
      isShared: true,
    });
  });
});
