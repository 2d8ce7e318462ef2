import assert from 'node:assert/strict';
import { editsBetween, mergeLines } from '../../../../src/model/reading/mergeLines.ts';

const lines = (text: string): string[] => Array.from(text, (line) => `${line}\n`);
const joined = (text: string): string => lines(text).join('');

describe('the edits between two texts', () => {
  it('are told as late as they can be, like git tells them', () => {
    assert.deepEqual(editsBetween(lines('xaby'), lines('xababy')), [
      { start: 3, end: 3, lines: lines('ab') },
    ]);
    assert.deepEqual(editsBetween(lines('xababy'), lines('xaby')), [{ start: 3, end: 5, lines: [] }]);
  });

  it('are not told of texts that have too little in common', () => {
    const many = (prefix: string): string[] =>
      Array.from({ length: 5000 }, (_, index) => `${prefix}${index}\n`);
    assert.equal(editsBetween(many('a'), many('b')), undefined);
    assert.deepEqual(mergeLines(many('a').join(''), many('b').join(''), ''), { kind: 'unknown' });
  });
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
