/** The table of what became of a stack's patches, held against `git range-diff`; for real repositories, see `npm run test:range-diff`. */
import assert from 'node:assert/strict';
import type { StackChange } from '../../../src/model/reading/stackChange.ts';
import { holdAgainstRangeDiff, readRangeDiff, untold } from '../../oracle/rangeDiff.ts';
import { itInFull } from '../../support/full.ts';
import { GitRepository } from '../../support/gitRepository.ts';
import { Random } from '../../support/random.ts';

/** A history of commits that change some lines of a few files. */
function inventHistory(commits: number): GitRepository {
  const repository = GitRepository.create();
  const random = new Random(7);
  const files = new Map(
    ['one.txt', 'two.txt', 'folder/three.txt'].map((name) => [
      name,
      Array.from({ length: 60 }, (_, line) => `${name} ${line} ${random.below(1e6)}\n`),
    ]),
  );
  for (let commit = 0; commit < commits; commit += 1) {
    for (const [name, lines] of files) {
      if (commit === 0 || random.oneIn(2)) {
        const added = Array.from({ length: 1 + random.below(4) }, () => `written ${random.below(1e6)}\n`);
        lines.splice(random.below(lines.length), random.below(3), ...added);
        repository.write(name, lines.join(''));
      }
    }
    repository.commit(`Commit ${commit}\n\nBecause of ${random.below(1e6)}.\n`);
  }
  return repository;
}

describe('the table of changes, held against git range-diff', function () {
  this.timeout(240_000);

  const hold = async (stacks: number): Promise<void> => {
    const repository = inventHistory(30);
    try {
      const { missing, ...counts } = await holdAgainstRangeDiff(repository.directory, { stacks, seed: 1 });
      assert.deepEqual(missing, []);
      assert.equal(counts.stacks, stacks);
      for (const kind of ['pairs', 'gone', 'added', 'reorders', 'dropped'] as const) {
        assert.ok(counts[kind] > 0, `${kind}: ${JSON.stringify(counts)}`);
      }
    } finally {
      repository.remove();
    }
  };

  it('tells all that range-diff tells of rewritten stacks', () => hold(10));

  itInFull('tells all of it of many', () => hold(100));

  it('is found lacking when it leaves something out', () => {
    const lines = readRangeDiff(
      [
        '1:  1111111 = 2:  2222222 One',
        '2:  1111111 ! 1:  2222222 Two: ! 3: and more',
        '3:  1111111 < -:  ------- Three',
        '-:  ------- > 3:  2222222 Four',
        '    @@ Metadata',
      ].join('\n'),
    );
    assert.deepEqual(lines, [
      { older: 0, newer: 1, isSame: true },
      { older: 1, newer: 0, isSame: false },
      { older: 2, isSame: false },
      { newer: 2, isSame: false },
    ]);
    const change = (more: Partial<StackChange>): StackChange => ({
      isMoved: false,
      splitInto: [],
      joinedFrom: [],
      movedFrom: [],
      ...more,
    });
    const unchanged = { since: 'unchanged' as const, isCertain: true };
    const changed = { since: 'changed' as const, isCertain: true };
    const all = [
      change({ older: 1, newer: 0, outcome: changed, isMoved: true }),
      change({ older: 0, newer: 1, outcome: unchanged }),
      change({ older: 2 }),
      change({ newer: 2 }),
    ];
    assert.deepEqual(untold(lines, all), []);
    const [moved, same, gone, added] = all;
    assert.ok(moved && same && gone && added);
    assert.equal(untold(lines, [moved, same, added]).length, 1);
    assert.equal(untold(lines, [moved, same, gone]).length, 1);
    assert.equal(untold(lines, [{ ...moved, isMoved: false }, same, gone, added]).length, 1);
    assert.equal(untold(lines, [{ ...moved, outcome: unchanged }, same, gone, added]).length, 1);
    const apart = [change({ older: 0 }), change({ newer: 1 })];
    assert.equal(untold(lines, [moved, ...apart, gone, added]).length, 1);
    const paired = change({ older: 2, newer: 2, outcome: unchanged });
    assert.equal(untold(lines, [moved, same, paired]).length, 2);
  });
});
