import assert from 'node:assert/strict';
import type { MarkedHunk } from '../../../src/model/reading/carryMarks.ts';
import { placesOf } from '../../../src/model/reading/hunks.ts';
import type { ReadingState } from '../../../src/model/reading/readSoFar.ts';
import type { StackPlace } from '../../../src/patch/stackPlaces.ts';
import { nextUnread, type PatchToRead } from '../../../src/patch/unread.ts';

const patch = (changeId: string, state: ReadingState, ...isRead: boolean[]): PatchToRead => ({
  changeId,
  codes: isRead.map((_, index) => `${changeId}${index}`),
  reading: { state, sections: isRead.map((one) => ({ hunks: [], isRead: one, isTicked: false })) },
  placesIn: () => [],
});

describe('what is read next', () => {
  const stack = [
    patch('a', 'read', true, true),
    patch('b', 'changed', true, false, true, false),
    patch('c', 'rebased', true),
    // Something was taken out of it.
    patch('d', 'changed', true),
    { changeId: 'e', codes: ['e0'], reading: undefined, placesIn: () => [] },
    patch('f', 'unread', false),
  ];
  const walk = (from: Partial<StackPlace>, direction: 'next' | 'previous'): string[] => {
    const found: string[] = [];
    let here = from;
    for (let count = 0; count < 5; count += 1) {
      const next = nextUnread(stack, here, direction);
      found.push(next?.sectionCode ?? next?.changeId ?? '');
      here = next ?? {};
    }
    return found;
  };

  it('is each text or file that was not read, through all patches, and then the first again', () => {
    assert.deepEqual(walk({}, 'next'), ['b1', 'b3', 'd', 'f0', 'b1']);
    assert.deepEqual(walk({ changeId: 'b', sectionCode: 'b1' }, 'next'), ['b3', 'd', 'f0', 'b1', 'b3']);
    assert.deepEqual(walk({ changeId: 'c' }, 'next'), ['d', 'f0', 'b1', 'b3', 'd']);
  });

  it('is the one before, the other way round', () => {
    assert.deepEqual(walk({ changeId: 'f', sectionCode: 'f0' }, 'previous'), ['d', 'b3', 'b1', 'f0', 'd']);
    assert.deepEqual(walk({ changeId: 'b', sectionCode: 'b2' }, 'previous'), ['b1', 'f0', 'd', 'b3', 'b1']);
  });

  describe('in the files of a patch', () => {
    const print = { patch: 'a', path: 'file', lines: '', before: [], after: [], isTelling: true };
    const hunk = (seen: boolean): MarkedHunk => ({ print, mark: { seen, viewed: false } });
    const diff = `old mode 100644
new mode 100755
--- a/file
+++ b/file
@@ -10,3 +10,4 @@
 context
-removed
+added
+added
 context
@@ -30,4 +31,2 @@
 context
-removed
-removed
 context
@@ -50,2 +49,4 @@
+added
 context
 context
+added
`;
    /** Three patches: of the second its file was read but for the changes that are named. */
    const withUnread = (...left: number[]): PatchToRead[] => [
      patch('a', 'unread', false),
      {
        changeId: 'b',
        codes: ['b0', 'b1'],
        reading: {
          state: 'changed',
          sections: [
            { hunks: [hunk(true)], isRead: true, isTicked: false },
            {
              hunks: [0, 1, 2, 3, 4].map((index) => hunk(!left.includes(index))),
              isRead: left.length === 0,
              isTicked: false,
            },
          ],
        },
        placesIn: (section) => (section === 1 ? placesOf(diff) : [undefined]),
      },
      patch('c', 'unread', false),
    ];
    const walkIn = (
      stack: PatchToRead[],
      count: number,
      direction: 'next' | 'previous' = 'next',
    ): string[] => {
      let here: Partial<StackPlace> = { changeId: 'b' };
      return Array.from({ length: count }, () => {
        here = nextUnread(stack, here, direction) ?? {};
        const { sectionCode = '', line } = here;
        return line
          ? `${sectionCode} ${line.side} ${line.line}${line.end ? `-${line.end}` : ''}`
          : sectionCode;
      });
    };

    it('is each change that was not read, by its line', () => {
      assert.deepEqual(walkIn(withUnread(1, 2, 3, 4), 5), [
        'b1 new 11-12',
        'b1 old 31',
        'b1 new 49-49',
        'b1 new 52-52',
        'c0',
      ]);
      assert.deepEqual(walkIn(withUnread(2, 4), 3), ['b1 old 31', 'b1 new 52-52', 'c0']);
      assert.deepEqual(walkIn(withUnread(0, 1), 3), ['b1', 'b1 new 11-12', 'c0']);
      assert.deepEqual(walkIn(withUnread(1, 2), 3, 'previous'), ['a0', 'c0', 'b1 old 31']);
    });

    it('is each change of a file in a stack of which nothing was read', () => {
      const untouched: PatchToRead = {
        changeId: 'b',
        codes: ['b0', 'b1'],
        reading: { state: 'unread', sections: [0, 1].map(() => ({ isRead: false, isTicked: false })) },
        placesIn: (section) => (section === 1 ? placesOf(diff) : []),
      };
      assert.deepEqual(walkIn([untouched], 6), [
        'b0',
        'b1',
        'b1 new 11-12',
        'b1 old 31',
        'b1 new 49-49',
        'b1 new 52-52',
      ]);
    });

    it('goes on from the line that the person is at', () => {
      const from = (side: 'old' | 'new', line: number, direction: 'next' | 'previous'): number | undefined =>
        nextUnread(withUnread(1, 2, 3), { changeId: 'b', sectionCode: 'b1', line: { side, line } }, direction)
          ?.line?.line;
      assert.deepEqual([from('new', 10, 'next'), from('new', 10, 'previous')], [11, undefined]);
      assert.deepEqual([from('new', 12, 'next'), from('new', 12, 'previous')], [31, undefined]);
      assert.deepEqual([from('new', 20, 'next'), from('new', 20, 'previous')], [31, 11]);
      assert.deepEqual([from('old', 32, 'next'), from('old', 32, 'previous')], [49, 11]);
      assert.deepEqual([from('old', 33, 'next'), from('old', 33, 'previous')], [49, 31]);
    });
  });

  it('is nothing when all was read', () => {
    assert.equal(nextUnread([patch('a', 'read', true), patch('c', 'rebased', true)], {}, 'next'), undefined);
  });
});
