import assert from 'node:assert/strict';
import {
  boundedEntries,
  boundedProjects,
  sizeOfPatch,
  sizeOfStacks,
} from '../../../src/model/keptContent.ts';

const known = (size: number, time: number) => ({ value: 'x'.repeat(size), asOf: new Date(time) });
const keys = (entries: [string, unknown][]): string[] => entries.map(([key]) => key);

describe('what is kept for the next window', () => {
  it('is the newest, and nothing that is too large by itself', () => {
    const kept = boundedEntries(
      [
        ['old', known(10, 1)],
        ['huge', known(600_000, 4)],
        ['new', known(10, 3)],
        ['unknown', undefined],
        ['middle', known(10, 2)],
      ],
      (text) => text.length,
    );
    assert.deepEqual(keys(kept), ['new', 'middle', 'old']);
    assert.equal(kept[0]?.[1].asOf, 3);
  });

  it('is bounded in number and in sum', () => {
    const many = Array.from({ length: 1000 }, (_value, index): [string, ReturnType<typeof known>] => [
      String(index),
      known(1, index),
    ]);
    assert.equal(boundedEntries(many, () => 1).length, 200);
    assert.equal(boundedEntries(many, () => 400_000).length, 5);
  });

  it('says that there are more projects than it has', () => {
    const items = Array.from({ length: 501 }, (_value, index) => ({ repositoryId: String(index) }));
    const kept = boundedProjects({ items, hasMore: false });
    assert.deepEqual([kept.items.length, kept.hasMore], [500, true]);
    assert.equal(boundedProjects({ items: items.slice(1), hasMore: false }).hasMore, false);
  });

  it('estimates sizes by what is large', () => {
    const diff = { sectionType: 'diff' as const, code: 'a', identifier: 'a', diffPatch: 'x'.repeat(10_000) };
    const patch = { changeId: 'I1', contributors: [], sections: [diff] };
    assert.ok(sizeOfPatch(patch) > 10_000);
    assert.ok(sizeOfPatch({ changeId: 'I1', contributors: [] }) < 2000);
    assert.ok(sizeOfStacks([{ uuid: 'u', contributors: [], patches: [patch, patch] }]) > 20_000);
  });
});
