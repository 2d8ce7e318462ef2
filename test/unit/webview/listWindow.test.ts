import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Heights, partsOf, spanBetween, type ListPart } from '../../../src/webview/common/listWindow.ts';

const heights = fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 300 });
const measurements = fc.array(fc.tuple(fc.nat(299), fc.integer({ min: 1, max: 900 })), { maxLength: 60 });

/** A list of which some items were measured, and what each is high by plain reckoning. */
const lists = fc.tuple(heights, measurements).map(([expected, measured]) => {
  const list = new Heights(expected);
  const plain = [...expected];
  for (const [index, height] of measured) {
    list.measure(index, height);
    if (index < plain.length) {
      plain[index] = height;
    }
  }
  return { list, plain };
});

/** A screen somewhere over the list, or beside it. */
const screens = fc.record({
  top: fc.integer({ min: -5_000, max: 300_000 }),
  height: fc.integer({ min: 1, max: 5_000 }),
});
const keptItems = fc.array(fc.nat(320), { maxLength: 5 });

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

function heightOf(part: ListPart, list: Heights): number {
  return part.kind === 'room' ? part.height : list.of(part.index);
}

describe('the part of a long list that is drawn', () => {
  it('knows where each item begins, whatever was measured', () => {
    fc.assert(
      fc.property(lists, ({ list, plain }) => {
        plain.forEach((_height, index) => assert.equal(list.before(index), sum(plain.slice(0, index))));
        assert.equal(list.total, sum(plain));
      }),
    );
  });

  it('finds the item at each place', () => {
    fc.assert(
      fc.property(lists, fc.integer({ min: -100, max: 300_000 }), ({ list, plain }, distance) => {
        let index = plain.findIndex((_height, at) => distance < sum(plain.slice(0, at + 1)));
        index = index < 0 ? plain.length - 1 : index;
        assert.equal(list.at(distance), index);
        plain.forEach((_height, at) => assert.equal(list.at(list.before(at)), at));
      }),
    );
  });

  it('has every item once, in order, drawn or as room', () => {
    fc.assert(
      fc.property(lists, screens, keptItems, ({ list, plain }, { top, height }, kept) => {
        const parts = partsOf(list, spanBetween(list, top, top + height), kept);
        const items = parts.flatMap((part) =>
          part.kind === 'item'
            ? [part.index]
            : Array.from({ length: part.end - part.start }, (_value, at) => part.start + at),
        );
        assert.deepEqual(items, [...plain.keys()]);
        kept
          .filter((index) => index < plain.length)
          .forEach((index) => assert.ok(parts.some((part) => part.kind === 'item' && part.index === index)));
      }),
    );
  });

  it('draws all that is on the screen', () => {
    fc.assert(
      fc.property(lists, screens, ({ list }, { top, height }) => {
        const parts = partsOf(list, spanBetween(list, top, top + height), []);
        let at = 0;
        for (const part of parts) {
          const end = at + heightOf(part, list);
          if (part.kind === 'room') {
            assert.ok(end <= top || at > top + height, `room from ${at} to ${end}`);
          }
          at = end;
        }
      }),
    );
  });

  it('is as high as the whole list, whatever of it is drawn', () => {
    fc.assert(
      fc.property(lists, screens, keptItems, ({ list, plain }, { top, height }, kept) => {
        const parts = partsOf(list, spanBetween(list, top, top + height), kept);
        assert.equal(sum(parts.map((part) => heightOf(part, list))), sum(plain));
      }),
    );
  });

  it('keeps the place of what is drawn when something else is on the screen', () => {
    fc.assert(
      fc.property(lists, screens, screens, ({ list }, before, after) => {
        const placesAt = ({ top, height }: typeof before): Map<number, number> => {
          let at = 0;
          const places = new Map<number, number>();
          for (const part of partsOf(list, spanBetween(list, top, top + height), [])) {
            if (part.kind === 'item') {
              places.set(part.index, at);
            }
            at += heightOf(part, list);
          }
          return places;
        };
        const [first, second] = [placesAt(before), placesAt(after)];
        for (const [index, place] of first) {
          assert.equal(second.get(index) ?? place, place);
        }
      }),
    );
  });

  it('draws nothing of a list that is far from the screen, and of one without items', () => {
    const list = new Heights([10, 20, 30]);
    assert.deepEqual(spanBetween(list, 61, 100), { start: 0, end: 0 });
    assert.deepEqual(spanBetween(list, -100, -1), { start: 0, end: 0 });
    assert.deepEqual(partsOf(list, spanBetween(list, 61, 100), []), [
      { kind: 'room', start: 0, end: 3, height: 60 },
    ]);
    assert.deepEqual(partsOf(new Heights([]), spanBetween(new Heights([]), 0, 100), [0]), []);
  });
});
