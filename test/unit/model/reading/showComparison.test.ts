import assert from 'node:assert/strict';
import { comparePatches } from '../../../../src/model/reading/comparePatches.ts';
import type { FileState } from '../../../../src/model/reading/fileChange.ts';
import type { PatchVersion } from '../../../../src/model/reading/patchVersion.ts';
import { showComparison } from '../../../../src/model/reading/showComparison.ts';
import type { ShownComparison } from '../../../../src/util/shownComparison.ts';
import { numberedLines } from '../../../support/author.ts';

const path = 'a.txt';
const state = (text: string): FileState => ({ mode: '100644', content: { kind: 'text', text } });

const unknown: FileState = { mode: '100644', content: { kind: 'missing' } };

/** A version that makes a file of a text, or one of which no more than the diff is known. */
function version(file?: { before?: string; after?: string; diff: string }): PatchVersion {
  const { before, after, diff } = file ?? {};
  const states = {
    before: before === undefined ? unknown : state(before),
    after: after === undefined ? unknown : state(after),
  };
  return {
    changeId: 'I1',
    title: '',
    message: '',
    sections: file ? [{ kind: 'diff', path }] : [],
    files: file ? [{ oldPath: path, path, ...states, diff }] : [],
  };
}

const show = (older: PatchVersion, newer: PatchVersion): ShownComparison =>
  showComparison(older, newer, comparePatches(older, newer));
const adding = (line: string, count: number): string =>
  `@@ -1,0 +1,${count} @@\n${numberedLines(`+${line}`, {}, count)}`;

describe('a comparison as it is shown', () => {
  it('has the diff of a file that is gone, unless that is too long for anybody', () => {
    const diff = adding('line', 3);
    assert.deepEqual(show(version({ diff }), version()).removed, [{ after: -1, kind: 'diff', path, diff }]);
    const long = version({ diff: adding('line', 60_000) });
    assert.deepEqual(show(long, version()).removed, [{ after: -1, kind: 'diff', path, diff: '' }]);
  });

  it('has both diffs where there are no contents, unless the older one is too long', () => {
    const olderDiff = (count: number): string | undefined => {
      const [section] = show(
        version({ diff: adding('line', count) }),
        version({ diff: adding('another', 3) }),
      ).sections;
      assert.equal(section?.both?.reason, 'fromDiffs');
      return section.both.olderDiff;
    };
    assert.equal(olderDiff(3), adding('line', 3));
    assert.equal(olderDiff(60_000), '');
  });

  it('says by the ids alone whether the lines or something else of a file is another', () => {
    const known = (id: string, mode: string): PatchVersion => {
      const before = { ...unknown, id: 'base' };
      const files = [
        { oldPath: path, path, before, after: { ...unknown, id, mode }, diff: adding('line', 1) },
      ];
      return { ...version({ diff: '' }), files };
    };
    const reason = (newer: PatchVersion): unknown =>
      show(known('mine', '100644'), newer).sections[0]?.both?.reason;
    assert.equal(reason(known('mine', '100755')), 'noLines');
    assert.equal(reason(known('other', '100644')), 'notAvailable');
  });

  it('says of a file whose diffs alone are known that they are alike, and of no other', () => {
    const [alike] = show(version({ diff: adding('line', 3) }), version({ diff: adding('line', 3) })).sections;
    assert.deepEqual(alike, { verdict: 'same', isMoved: false, older: 0, isFromDiffs: true });
    const known = { before: '', after: 'line\n', diff: adding('line', 1) };
    const [same] = show(version(known), version(known)).sections;
    assert.deepEqual(same, { verdict: 'same', isMoved: false, older: 0 });
  });

  it('tells line by line what differs, unless that is nearly everything of a long file', () => {
    const shown = (count: number): ShownComparison['sections'][number] | undefined =>
      show(
        version({ before: 'start\n', after: numberedLines('line', {}, count), diff: adding('line', count) }),
        version({ before: 'start\n', after: numberedLines('word', {}, count), diff: adding('word', count) }),
      ).sections[0];
    assert.match(shown(20)?.diff ?? '', /^-line 0$/m);
    const long = shown(3000);
    assert.deepEqual([long?.diff, long?.both?.reason], [undefined, 'untold']);
  });
});
