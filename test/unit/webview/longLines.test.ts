import assert from 'node:assert/strict';
import fc from 'fast-check';
import { drawnParts, isLong } from '../../../src/webview/patchDocument/diff/longLines.ts';
import { changedWords, type Range } from '../../../src/webview/patchDocument/diff/pairs.ts';

const words = (count: number): string =>
  Array.from({ length: count }, (_value, index) => `word${index}=${index};`).join(' ');

/** The parts of a line in some ranges, and outside of them. */
function split(text: string, ranges: readonly Range[]): { inside: string; outside: string } {
  let [inside, outside, at] = ['', '', 0];
  for (const { start, end } of ranges) {
    outside += text.slice(at, start);
    inside += text.slice(start, end);
    at = end;
  }
  return { inside, outside: outside + text.slice(at) };
}

describe('a line that is drawn in parts', () => {
  it('is drawn whole as long as it is short', () => {
    assert.deepEqual(drawnParts('short', []), [{ start: 0, end: 5 }]);
    assert.ok(!isLong('x'.repeat(5_000)));
    assert.ok(isLong('x'.repeat(5_001)));
  });

  it('begins with its beginning where nothing is known to have changed', () => {
    assert.deepEqual(drawnParts('x'.repeat(2_000_000), []), [{ start: 0, end: 1_000 }]);
  });

  it('shows what changed with what is around it, what is asked for, and little more', () => {
    const ranges = fc.array(
      fc.tuple(fc.nat(1_990_000), fc.integer({ min: 1, max: 3_000 })).map(([start, length]) => ({
        start,
        end: start + length,
      })),
      { maxLength: 40 },
    );
    const text = 'x'.repeat(2_000_000);
    fc.assert(
      fc.property(ranges, ranges, (some, asked) => {
        const changed = some.toSorted((a, b) => a.start - b.start);
        const parts = drawnParts(text, changed, asked);
        let before = 0;
        for (const { start, end } of parts) {
          assert.ok(start >= before && end > start && end <= text.length);
          before = end + 1;
        }
        const isShown = (at: number): boolean => parts.some(({ start, end }) => start <= at && at < end);
        const [first] = changed;
        assert.ok(!first || (isShown(first.start) && isShown(Math.max(0, first.start - 100))));
        assert.ok(asked.every(({ start, end }) => isShown(start) && isShown(end - 1)));
        const all = parts.reduce((sum, { start, end }) => sum + end - start, 0);
        const wanted = asked.reduce((sum, { start, end }) => sum + end - start, 0);
        assert.ok(all <= 12_000 + wanted + asked.length * 400, String(all));
      }),
    );
  });
});

describe('the words that changed in a long line', () => {
  it('are found between what is the same, whole', () => {
    const [before, after] = [
      `${words(90_000)} old ${words(90_000)}`,
      `${words(90_000)} new ${words(90_000)}`,
    ];
    const changed = changedWords(before, after, Infinity);
    assert.deepEqual(split(before, changed.before).inside, 'old');
    assert.deepEqual(split(after, changed.after).inside, 'new');
  });

  it('are found where there are several, far from each other', () => {
    const before = `${words(40_000)} one ${words(40_000)} two ${words(40_000)}`;
    const after = `${words(40_000)} first ${words(40_000)} second ${words(40_000)}`;
    const changed = changedWords(before, after, Infinity);
    assert.deepEqual(
      changed.after.map(({ start, end }) => after.slice(start, end).trim()),
      ['first', 'second'],
    );
  });

  it('leave what is the same on both sides, whatever the lines are', () => {
    const pieces = fc.array(fc.constantFrom('aa', 'b', ' ', ';', 'ä', 'word', '  ', '=='), {
      maxLength: 400,
    });
    fc.assert(
      fc.property(pieces, pieces, pieces, fc.boolean(), (start, one, other, isSame) => {
        const filling = words(200);
        const [a, b] = [
          `${start.join('')}${filling}${one.join('')}`,
          `${start.join('')}${filling}${other.join('')}`,
        ];
        const end = isSame ? filling : '';
        const changed = changedWords(a + end, b + end);
        assert.equal(
          split(a + end, changed.before).outside.replaceAll(/\s/g, ''),
          split(b + end, changed.after).outside.replaceAll(/\s/g, ''),
        );
      }),
    );
  });

  it('are all of it where nothing is alike', () => {
    const [before, after] = ['a'.repeat(500_000), 'b'.repeat(500_000)];
    assert.deepEqual(changedWords(before, after), {
      before: [{ start: 0, end: 500_000 }],
      after: [{ start: 0, end: 500_000 }],
    });
  });
});
