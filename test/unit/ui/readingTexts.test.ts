import assert from 'node:assert/strict';
import '../../../tools/englishTexts.ts';
import { summaryOf, type ReadingState } from '../../../src/model/reading/readSoFar.ts';
import type { MovedHunk } from '../../../src/util/movedHunk.ts';

const { movedLines, readingText, summaryText } = await import('../../../src/ui/readingTexts.ts');

const hunk = (path: string, from: number, to: number): MovedHunk => ({
  from: { path, line: from },
  to: { path, line: to },
});

describe('how far a patch or a stack is read', () => {
  it('is said of a patch with the words unread and read, and the number of its sections that are', () => {
    assert.equal(readingText({ state: 'unread' }), 'unread');
    assert.equal(readingText({ state: 'partlyRead', part: { read: 0, of: 3 } }), 'unread');
    assert.equal(readingText({ state: 'partlyRead', part: { read: 2, of: 3 } }), '2 of 3 read');
    // All of it looks like what was read elsewhere, which is not to have read it.
    assert.equal(readingText({ state: 'partlyRead', part: { read: 3, of: 3 } }), 'unread');
    assert.equal(readingText({ state: 'read' }), 'read');
    assert.equal(readingText({ state: 'unchanged' }), 'read');
    assert.equal(readingText({ state: 'rebased' }), 'only rebased');
  });

  it('is said of a stack with the same words: a patch with an unread section is unread', () => {
    const text = (...states: ReadingState[]): string =>
      summaryText(summaryOf(states.map((state) => ({ state }))));
    assert.equal(text('unread', 'partlyRead'), 'unread');
    assert.equal(text('read', 'unchanged'), 'read');
    assert.equal(text('partlyRead', 'unread', 'read', 'unchanged', 'unchanged'), '2 unread, 3 read');
    assert.equal(text('changed', 'rebased', 'read'), '1 changed since you read it, 1 only rebased, 1 read');
    assert.equal(text('changed', 'changed'), '2 changed since you read them');
    assert.equal(text('rebased'), '1 only rebased');
  });
});

describe('what a row says of a patch that was read', () => {
  it('is from where and to where its author moved what they did, if that is all that changed', () => {
    assert.equal(
      readingText({ state: 'changed', moved: [hunk('src/a.ts', 3, 20)] }),
      'changed (moved from src/a.ts:3 to src/a.ts:20)',
    );
    const both = [hunk('a.ts', 3, 20), hunk('b\u202e.ts', 4, 5)];
    assert.equal(readingText({ state: 'changed', moved: both }), 'changed (moved in 2 places)');
    assert.deepEqual(movedLines(both), ['Moved from a.ts:3 to a.ts:20', 'Moved from b .ts:4 to b .ts:5']);
    const many = Array.from({ length: 11 }, (_, index) => hunk('a.ts', index, index + 1));
    assert.deepEqual(movedLines(many).slice(9), ['Moved from a.ts:9 to a.ts:10', '…']);
    assert.equal(movedLines(many.slice(1)).at(-1), 'Moved from a.ts:10 to a.ts:11');
  });

  it('is nothing of that otherwise', () => {
    assert.equal(readingText({ state: 'changed' }), 'changed since you read it');
    assert.equal(readingText({ state: 'changed', moved: [] }), 'changed since you read it');
    assert.equal(readingText({ state: 'rebased', moved: [hunk('a', 1, 2)] }), 'only rebased');
    assert.deepEqual(movedLines([]), []);
  });
});
