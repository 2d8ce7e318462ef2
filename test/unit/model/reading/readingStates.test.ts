import assert from 'node:assert/strict';
import fc from 'fast-check';
import { unread, type Mark } from '../../../../src/model/reading/carryMarks.ts';
import { contentOf as printOfContent, hunksOf, wordingOf } from '../../../../src/model/reading/hunks.ts';
import type { FileState } from '../../../../src/model/reading/fileChange.ts';
import { compareFiles } from '../../../../src/model/reading/compareFiles.ts';
import { comparePatches } from '../../../../src/model/reading/comparePatches.ts';
import { withRead } from '../../../../src/model/reading/noteRead.ts';
import { basesRenames } from '../../../../src/model/reading/pairFiles.ts';
import type { PatchVersion } from '../../../../src/model/reading/patchVersion.ts';
import type { PatchRecord } from '../../../../src/model/reading/readingRecords.ts';
import { readingStates } from '../../../../src/model/reading/readingStates.ts';
import { isLeftToRead } from '../../../../src/model/reading/readSoFar.ts';
import { type CurrentPatch, lastReadOf } from '../../../../src/model/reading/lastRead.ts';
import { outcomeOf, type SinceRead } from '../../../../src/model/reading/outcome.ts';
import { shownStack, StackMaker, type ModelStack } from '../../../support/modelStack.ts';
import { Random } from '../../../support/random.ts';

const seen: Mark = { seen: true, viewed: false };

function recordOf(version: PatchVersion, isRead: (index: number) => boolean = () => true): PatchRecord {
  return {
    changeId: version.changeId,
    fingerprint: 'older',
    wording: wordingOf(version),
    content: 'older',
    hunks: hunksOf(version).map((print, index) => ({ print, mark: isRead(index) ? seen : unread })),
    isPending: false,
    readAt: 0,
  };
}
const current = (version: PatchVersion, more: Partial<CurrentPatch> = {}): CurrentPatch => ({
  version,
  fingerprint: 'newer',
  ...more,
});

describe('how far a stack was read', () => {
  const patch: PatchVersion = {
    changeId: 'I1',
    title: 'Title',
    message: '',
    files: [],
    sections: ['Why this is done', 'How it is done'].map((text) => ({ kind: 'text', code: text, text })),
  };
  const state = (record: PatchRecord | undefined, now: CurrentPatch): string | undefined =>
    readingStates(
      { patches: record ? [record] : [], elsewhere: [] },
      [now],
      [record && lastReadOf(record, now) && outcomeOf(comparePatches(patch, now.version)).since],
    )[0]?.state;
  const less = { ...patch, sections: patch.sections.slice(0, 1) };
  const more: PatchVersion = {
    ...patch,
    sections: [...patch.sections, { kind: 'text', code: 'new', text: 'New' }],
  };

  it('is told of the version that was read', () => {
    const same = current(patch, { fingerprint: 'older' });
    assert.equal(state(undefined, same), 'unread');
    assert.equal(
      state(
        recordOf(patch, () => false),
        same,
      ),
      'unread',
    );
    assert.equal(
      state(
        recordOf(patch, (index) => index === 0),
        same,
      ),
      'partlyRead',
    );
    assert.equal(state(recordOf(patch), same), 'read');
    const [reading] = readingStates(
      { patches: [recordOf(patch, (index) => index === 0)], elsewhere: [] },
      [same],
      [],
    );
    assert.deepEqual(
      reading?.sections.map(({ hunks }) => hunks?.map(({ mark }) => mark)),
      [[seen], [unread]],
    );
  });

  it('is not told less of by what an unchanged patch has that looks alike', () => {
    const adding = (changeId: string): PatchVersion => {
      const state = { mode: '100644', content: { kind: 'missing' as const } };
      const diff =
        '--- a/a\n+++ b/a\n@@ -5,2 +5,3 @@\n in front of it\n+the line that is added\n and behind it\n';
      const files = [{ oldPath: 'a', path: 'a', before: state, after: state, diff }];
      return { changeId, title: changeId, message: '', sections: [{ kind: 'diff', path: 'a' }], files };
    };
    const readings = readingStates(
      { patches: [recordOf(adding('stays')), recordOf(adding('goes'))], elsewhere: [] },
      [current(adding('stays'), { fingerprint: 'older' }), current(adding('comes'))],
      [],
    );
    assert.deepEqual(
      readings.map(({ sections }) => sections.map(({ isRead }) => isRead)),
      [[true], [true]],
    );
  });

  it('is told of the next version: what the author changed, and what only moved', () => {
    assert.equal(state(recordOf(patch), current(patch)), 'unchanged');
    assert.equal(state({ ...recordOf(patch), content: printOfContent(patch) }, current(patch)), 'unchanged');
    assert.equal(state(recordOf(patch), current(more)), 'changed');
    assert.equal(state(recordOf(patch), current(less)), 'changed');
    assert.equal(
      state(recordOf(patch), current({ ...patch, sections: patch.sections.toReversed() })),
      'changed',
    );
    const retitled = current({ ...patch, title: 'Another' });
    assert.equal(state(recordOf(patch), retitled), 'changed');
    assert.equal(state({ ...recordOf(patch), content: printOfContent(patch) }, retitled), 'changed');
    assert.equal(
      state(
        recordOf(patch, (index) => index === 0),
        current(more),
      ),
      'partlyRead',
    );
  });

  it('has the number of sections that were read only where some were', () => {
    const part = (isRead: (index: number) => boolean): unknown =>
      readingStates(
        { patches: [recordOf(patch, isRead)], elsewhere: [] },
        [current(patch, { fingerprint: 'older' })],
        [undefined],
      )[0]?.part;
    assert.deepEqual(
      part((index) => index === 0),
      { read: 1, of: 2 },
    );
    assert.equal(
      part(() => false),
      undefined,
    );
    assert.equal(
      part(() => true),
      undefined,
    );
  });

  it('is what the comparison says of it, whatever its hunks look like', () => {
    const told = (
      since: SinceRead | undefined,
      isRead: (index: number) => boolean = () => true,
      now = current(patch),
    ): string | undefined =>
      readingStates({ patches: [recordOf(patch, isRead)], elsewhere: [] }, [now], [since])[0]?.state;
    for (const since of ['unchanged', 'rebased', 'alike', 'unknown', 'changed'] as const) {
      assert.equal(told(since), since);
      assert.equal(
        told(since, () => true, current(more)),
        since,
      );
      // What was begun to be read is no more than that.
      assert.equal(
        told(since, (index) => index === 0),
        'partlyRead',
      );
    }
    assert.equal(
      told(undefined, () => false),
      'unread',
    );
    assert.equal(
      told('changed', () => true, current(patch, { fingerprint: 'older' })),
      'read',
    );
  });

  it('is that of the version that was read only where the contents are known to be the same', () => {
    const withIds = (before?: string, after?: string): PatchVersion => {
      const state = (id?: string): FileState => ({ mode: '100644', id, content: { kind: 'missing' } });
      const diff = '--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n one\n+two\n';
      return {
        ...patch,
        sections: [{ kind: 'diff', path: 'a' }],
        files: [{ oldPath: 'a', path: 'a', before: state(before), after: state(after), diff }],
      };
    };
    const told = (was: PatchVersion, now: PatchVersion): string | undefined =>
      readingStates(
        { patches: [{ ...recordOf(was), content: printOfContent(was) }], elsewhere: [] },
        [current(now)],
        ['changed'],
      )[0]?.state;
    assert.equal(told(withIds('1', '2'), withIds('1', '2')), 'unchanged');
    assert.equal(told(withIds('1', '2'), withIds('1', '3')), 'changed');
    assert.equal(told(withIds('1', '2'), withIds('4', '2')), 'changed');
    assert.equal(told(withIds('1'), withIds('1')), 'changed', 'nobody knows what is there then');
    assert.equal(told(withIds(), withIds()), 'changed');
  });

  it('does not change by being looked at', () => {
    for (const since of ['unchanged', 'rebased', 'alike', 'changed'] as const) {
      const record = { patches: [recordOf(patch, (index) => index === 0)], elsewhere: [] };
      const now = current(more);
      const [before] = readingStates(record, [now], [since]);
      const looked = withRead(record, {
        patch: now,
        since,
        sections: new Set(),
        mark: { seen: true },
        at: 1,
      });
      const [after] = readingStates(looked, [now], [since]);
      assert.equal(after?.state, before?.state, since);
    }
  });

  it('leaves marks in their places where only the base has changed, though their hunks look alike', () => {
    const twins = (line: number): PatchVersion => ({
      ...patch,
      sections: [{ kind: 'diff', path: 'a' }],
      files: [
        {
          oldPath: 'a',
          path: 'a',
          diff: [line, line + 9].map((at) => `@@ -${at},2 +${at},3 @@\n {\n+twin;\n }\n`).join(''),
        },
      ],
    });
    const record = { patches: [recordOf(twins(1), (index) => index === 1)], elsewhere: [] };
    const marks = (since: SinceRead): boolean[] | undefined =>
      readingStates(record, [current(twins(5))], [since])[0]?.sections[0]?.hunks?.map(
        ({ mark }) => mark.seen,
      );
    assert.deepEqual(marks('rebased'), [false, true]);
    // Who knows which of them is which.
    assert.deepEqual(marks('alike'), [false, false]);
  });

  it('is told of patches between which something moved: both are others than those that were read', () => {
    const other: PatchVersion = {
      ...patch,
      changeId: 'I2',
      sections: [{ kind: 'text', code: 'other', text: 'Another patch' }],
    };
    const states = (...now: PatchVersion[]): string[] =>
      readingStates(
        { patches: [recordOf(patch), recordOf(other)], elsewhere: [] },
        now.map((version) => current(version)),
        now.map(
          (version) => outcomeOf(comparePatches(version.changeId === 'I1' ? patch : other, version)).since,
        ),
      ).map((reading) => reading.state);
    assert.deepEqual(states(patch, other), ['unchanged', 'unchanged']);
    const moved = { ...other, sections: [...other.sections, ...patch.sections.slice(1)] };
    assert.deepEqual(states(less, moved), ['changed', 'changed']);
    assert.deepEqual(states({ ...patch, sections: [...patch.sections, ...other.sections] }), ['changed']);
  });

  it('is unread of a copy of what was read and is still where it was', () => {
    const copy = { ...patch, changeId: 'I2' };
    const states = readingStates(
      { patches: [recordOf(patch)], elsewhere: [] },
      [current(patch, { fingerprint: 'older' }), current(copy)],
      [],
    );
    assert.deepEqual(
      states.map((reading) => reading.state),
      ['read', 'unread'],
    );
  });

  it('is empty of a patch in which there is nothing to read', () => {
    const empty = { ...patch, sections: [] };
    assert.equal(state(undefined, current(empty)), 'unread');
    assert.equal(state(recordOf(empty), current(empty, { fingerprint: 'older' })), 'read');
  });

  it('is never told as read of a patch in which anything was changed or is new', () => {
    const counts: Record<string, number> = {};
    for (let seed = 0; seed < 300; seed += 1) {
      const maker = new StackMaker(new Random(seed));
      const stack = maker.stack();
      const newer = maker.rewritten(stack);
      const older = shownStack(stack, true).map(({ version }) => version);
      const records = older.map((version) => recordOf(version));
      const now = shownStack(newer, true).map(({ version }) => version);
      const known = new Set(stack.hunks.map(({ id }) => id));
      const compared = now.map((version) => {
        const was = older.find(({ changeId }) => changeId === version.changeId);
        const renames = was && basesRenames(was.files, version.files);
        return was && comparePatches(was, version, compareFiles(was.files, version.files, renames));
      });
      readingStates(
        { patches: records, elsewhere: [] },
        now.map((version) => current(version)),
        compared.map((comparison) => comparison && outcomeOf(comparison).since),
      ).forEach(({ state: told }, index) => {
        const changeId = now[index]?.changeId ?? '';
        const isNew = newer.hunks.some((hunk) => hunk.patch === changeId && !known.has(hunk.id));
        if (isNew) {
          assert.ok(isLeftToRead(told), `${seed}: ${changeId} is ${told}`);
        } else if (contentOf(stack, changeId) === contentOf(newer, changeId)) {
          // Where the base changed the lines right beside, whoever rebased it has decided what it is now; and a file that it has moved
          // has its section elsewhere.
          const { files = [], sections = [] } = compared[index] ?? {};
          const isOther =
            files.some(({ verdict }) => verdict === 'conflict') || sections.some(({ isMoved }) => isMoved);
          const what = isOther ? `other, ${told}` : told;
          counts[what] = (counts[what] ?? 0) + 1;
        }
      });
    }
    const { rebased = 0, unchanged = 0, changed = 0, ...others } = counts;
    // Among equal lines, our own merge may put a change elsewhere than the model does: there git is asked.
    assert.ok(rebased > 200 && unchanged > 200 && changed < 4, JSON.stringify(counts));
    assert.deepEqual(Object.keys(others), ['other, changed'], JSON.stringify(counts));
  });

  it('marks no hunk as read that nobody has read, also among equal ones of which some were', () => {
    /** A patch with a hunk at each of these places, of which nothing tells one from another. */
    const twinsAt = (places: readonly number[]): PatchVersion => ({
      ...patch,
      sections: [{ kind: 'diff', path: 'a' }],
      files: [
        {
          oldPath: 'a',
          path: 'a',
          diff: places
            .map((place) => `@@ -${place * 9 + 1},2 +${place * 9 + 1},3 @@\n begin\n+twin;\n end\n`)
            .join(''),
        },
      ],
    });
    const subset = fc.subarray([0, 1, 2, 3, 4, 5], { minLength: 1 });
    fc.assert(
      fc.property(subset, subset, subset, fc.boolean(), (before, ticked, after, isKnown) => {
        const isSame = JSON.stringify(before) === JSON.stringify(after);
        const wasRead = (place: number | undefined): boolean => place !== undefined && ticked.includes(place);
        const since = !isSame ? 'changed' : isKnown ? 'rebased' : 'alike';
        const record = recordOf(twinsAt(before), (index) => wasRead(before[index]));
        const [reading] = readingStates(
          { patches: [record], elsewhere: [] },
          [current(twinsAt(after))],
          [since],
        );
        const marks = reading?.sections[0]?.hunks?.map(({ mark }) => mark.seen);
        const isAllRead = before.every(wasRead) && after.length <= before.length;
        // Only where nothing has changed is it known which of them is which.
        const right = after.map((place) => (since === 'rebased' ? wasRead(place) : isAllRead));
        assert.deepEqual(marks, right);
      }),
      {
        examples: [
          [[0, 1], [0], [2, 3], true],
          [[0, 1], [0, 1], [2, 3, 4], true],
          [[0, 1], [1], [0, 1], true],
          [[0, 1], [1], [0, 1], false],
        ],
      },
    );
  });
});

/** All there is of a patch in the model. */
function contentOf(stack: ModelStack, changeId: string): string {
  const hunks = stack.hunks
    .flatMap((hunk) => (hunk.patch === changeId ? hunk.id : []))
    .toSorted((a, b) => a - b);
  return JSON.stringify([stack.titles.get(changeId), stack.texts.get(changeId), hunks]);
}
