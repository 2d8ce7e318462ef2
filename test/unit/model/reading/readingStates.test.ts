import assert from 'node:assert/strict';
import { unread, type Mark } from '../../../../src/model/reading/carryMarks.ts';
import { contentOf as printOfContent, hunksOf, wordingOf } from '../../../../src/model/reading/hunks.ts';
import type { PatchVersion } from '../../../../src/model/reading/patchVersion.ts';
import type { PatchRecord } from '../../../../src/model/reading/readingRecords.ts';
import { readingStates, type CurrentPatch } from '../../../../src/model/reading/readingStates.ts';
import { isLeftToRead } from '../../../../src/model/reading/readSoFar.ts';
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
    readingStates({ patches: record ? [record] : [], elsewhere: [] }, [now])[0]?.state;
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
    const [reading] = readingStates({ patches: [recordOf(patch, (index) => index === 0)], elsewhere: [] }, [
      same,
    ]);
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
    );
    assert.deepEqual(
      readings.map(({ sections }) => sections.map(({ isRead }) => isRead)),
      [[true], [true]],
    );
  });

  it('is told of the next version: what the author changed, and what only moved', () => {
    assert.equal(state(recordOf(patch), current(patch)), 'rebased');
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
      ).map((reading) => reading.state);
    assert.deepEqual(states(patch, other), ['rebased', 'rebased']);
    const moved = { ...other, sections: [...other.sections, ...patch.sections.slice(1)] };
    assert.deepEqual(states(less, moved), ['changed', 'changed']);
    assert.deepEqual(states({ ...patch, sections: [...patch.sections, ...other.sections] }), ['changed']);
  });

  it('is unread of a copy of what was read and is still where it was', () => {
    const copy = { ...patch, changeId: 'I2' };
    const states = readingStates({ patches: [recordOf(patch)], elsewhere: [] }, [
      current(patch, { fingerprint: 'older' }),
      current(copy),
    ]);
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
      const records = shownStack(stack).map(({ version }) => recordOf(version));
      const now = shownStack(newer).map(({ version }) => version);
      const known = new Set(stack.hunks.map(({ id }) => id));
      readingStates(
        { patches: records, elsewhere: [] },
        now.map((version) => current(version)),
      ).forEach(({ state: told }, index) => {
        const changeId = now[index]?.changeId ?? '';
        const isNew = newer.hunks.some((hunk) => hunk.patch === changeId && !known.has(hunk.id));
        if (isNew) {
          assert.ok(isLeftToRead(told), `${seed}: ${changeId} is ${told}`);
        } else if (contentOf(stack, changeId) === contentOf(newer, changeId)) {
          counts[told] = (counts[told] ?? 0) + 1;
        }
      });
    }
    const { rebased = 0, ...others } = counts;
    const all = Object.values(others).reduce((sum, each) => sum + each, rebased);
    assert.ok(rebased >= 0.95 * all && all > 500, JSON.stringify(counts));
  });
});

/** All there is of a patch in the model. */
function contentOf(stack: ModelStack, changeId: string): string {
  const hunks = stack.hunks
    .flatMap((hunk) => (hunk.patch === changeId ? hunk.id : []))
    .toSorted((a, b) => a - b);
  return JSON.stringify([stack.titles.get(changeId), stack.texts.get(changeId), hunks]);
}
