import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SharedText } from '../../../../src/service/sharing/fold.ts';
import { placeSections } from '../../../../src/service/sharing/placeSections.ts';

const text = (since: number, after: string | null | undefined, isThere = true): SharedText => ({
  text: isThere ? 'x' : null,
  heads: [],
  person: undefined,
  others: [],
  after,
  since: [since, 0],
});

describe('placeSections', () => {
  it('puts a text behind what its writer saw before it', () => {
    const texts = new Map([
      ['t1', text(1, '/a')],
      ['t2', text(2, '/a')],
      ['t3', text(3, null)],
      ['t4', text(4, 't1')],
    ]);
    assert.deepEqual(placeSections(['message', '/a', '/b', 't1', 't2', 't3', 't4'], undefined, texts), [
      't3',
      'message',
      '/a',
      't2',
      't1',
      't4',
      '/b',
    ]);
  });

  it('puts texts of one moment in the order of their names, the last of them first', () => {
    const texts = new Map([
      ['t1', text(1, '/a')],
      ['t2', text(1, '/a')],
    ]);
    for (const present of [
      ['/a', 't1', 't2'],
      ['/a', 't2', 't1'],
    ]) {
      assert.deepEqual(placeSections(present, undefined, texts), ['/a', 't2', 't1']);
    }
  });

  it('keeps the place of a text that stood behind one that is gone', () => {
    const texts = new Map([
      ['t1', text(1, '/a', false)],
      ['t2', text(2, 't1')],
    ]);
    assert.deepEqual(placeSections(['/a', '/b', 't2'], undefined, texts), ['/a', 't2', '/b']);
  });

  it('follows the order that somebody gave, and places what that leaves out', () => {
    const texts = new Map([
      ['t1', text(1, '/a')],
      ['t2', text(2, '/b')],
    ]);
    const order = ['/b', 'gone', 't1', '/b', '/a'];
    assert.deepEqual(placeSections(['/a', '/b', '/c', 't1', 't2'], order, texts), [
      '/b',
      't2',
      '/c',
      't1',
      '/a',
    ]);
  });

  it('gives everybody the same order of the same sections, in whichever they came, and each once', () => {
    const names = ['/a', '/b', 't0', 't1', 't2', 't3', 'nowhere'];
    const after = fc.constantFrom(undefined, null, ...names);
    fc.assert(
      fc.property(
        fc.tuple(after, after, after, after),
        fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3), fc.nat(3)),
        fc.option(fc.array(fc.constantFrom(...names)), { nil: undefined }),
        fc.shuffledSubarray(['t0', 't1', 't2', 't3'], { minLength: 4 }),
        (afters, times, order, shuffled) => {
          const texts = new Map(afters.map((each, index) => [`t${index}`, text(times[index] ?? 0, each)]));
          const one = placeSections(['/a', '/b', 't0', 't1', 't2', 't3'], order, texts);
          const [first, second, ...rest] = shuffled as [string, string, ...string[]];
          assert.deepEqual(placeSections([first, '/a', second, '/b', ...rest], order, texts), one);
          assert.deepEqual(one.toSorted(), ['/a', '/b', 't0', 't1', 't2', 't3']);
        },
      ),
    );
  });
});
