import assert from 'node:assert/strict';
import { unread, type Mark } from '../../../../src/model/reading/carryMarks.ts';
import { contentOf, hunksOf, wordingOf } from '../../../../src/model/reading/hunks.ts';
import type { PatchVersion } from '../../../../src/model/reading/patchVersion.ts';
import type { PatchRecord, StackRecord } from '../../../../src/model/reading/readingRecords.ts';
import { readingStates } from '../../../../src/model/reading/readingStates.ts';
import { summaryOf, type ReadSoFar } from '../../../../src/model/reading/readSoFar.ts';
import { splitSources } from '../../../../src/model/reading/splitSources.ts';
import { shownStack, StackMaker, type ModelStack } from '../../../support/modelStack.ts';
import { Random } from '../../../support/random.ts';

const seen: Mark = { seen: true, viewed: false };

const patch = (changeId: string, ...lines: string[]): PatchVersion => ({
  changeId,
  title: `Title of ${changeId}`,
  message: '',
  sections: [
    { kind: 'text', code: changeId, text: `Text of ${changeId}` },
    ...lines.map((path) => ({ kind: 'diff' as const, path })),
  ],
  files: lines.map((path) => ({
    oldPath: path,
    path,
    before: undefined,
    after: undefined,
    diff: `@@ -1,1 +1,2 @@\n context of ${path}\n+added to ${path}\n`,
  })),
});

function record(version: PatchVersion, mark = seen): PatchRecord {
  return {
    changeId: version.changeId,
    fingerprint: version.changeId,
    wording: wordingOf(version),
    content: contentOf(version),
    hunks: hunksOf(version).map((print) => ({ print, mark })),
    isPending: false,
    readAt: 0,
  };
}

const all = (...versions: PatchVersion[]): StackRecord => ({
  patches: versions.map((one) => record(one)),
  elsewhere: [],
});
const states = (known: StackRecord, ...current: PatchVersion[]): ReadSoFar[] =>
  readingStates(
    known,
    current.map((version) => ({ version, fingerprint: 'newer' })),
    [],
  ).map(({ state, splitFrom }) => ({ state, ...(splitFrom !== undefined && { splitFrom }) }));

describe('a patch that came of a split', () => {
  const before = patch('I1', 'a', 'b', 'c');
  const [rest, part] = [patch('I1', 'a', 'b'), patch('I2', 'c')];

  it('is new, and names the patch that it came from', () => {
    const told = states(all(before), rest, part);
    assert.deepEqual(told[1], { state: 'new', splitFrom: 'Title of I1' });
    assert.equal(summaryOf(told).splitFrom, 'Title of I1');
    assert.deepEqual(summaryOf([...told, ...told]).splitFrom, undefined);
  });

  it('is that until somebody reads it, also when they have read the rest of the other one again', () => {
    const known: StackRecord = {
      patches: [record(rest)],
      elsewhere: hunksOf(patch('I1', 'c')).map((print) => ({ print, mark: seen })),
    };
    assert.equal(states(known, rest, part)[1]?.state, 'new');
    assert.equal(states(all(rest, part), rest, part)[1]?.state, 'unchanged');
  });

  it('is the smaller part where the change id of what was read is gone', () => {
    const [most, least] = [patch('I3', 'a', 'b'), patch('I4', 'c')];
    assert.deepEqual(states(all(before), most, least), [
      { state: 'partlyRead' },
      { state: 'new', splitFrom: 'Title of I3' },
    ]);
    // Wherever it stands; of those that are as large it is the later one.
    assert.deepEqual(states(all(before), least, most), [
      { state: 'new', splitFrom: 'Title of I3' },
      { state: 'partlyRead' },
    ]);
    const halves = [patch('I3', 'a'), patch('I4', 'b')] as const;
    assert.deepEqual(
      states(all(patch('I1', 'a', 'b')), ...halves).map(({ splitFrom }) => splitFrom),
      [undefined, 'Title of I3'],
    );
  });

  it('is none that was not read, that says the same elsewhere, or that is mostly something else', () => {
    const nothing: StackRecord = { patches: [record(before, unread)], elsewhere: [] };
    assert.equal(states(nothing, rest, part)[1]?.state, 'unread');
    assert.equal(splitSources(all(before), [before, part]).size, 0);
    assert.equal(splitSources(all(before), [rest, patch('I2', 'c', 'd', 'e')]).size, 0);
    assert.equal(splitSources(all(before), [patch('I3', 'a', 'b', 'c')]).size, 0);
  });

  it('is told of stacks that were made up and rewritten, and no other patch is', () => {
    let found = 0;
    for (let seed = 0; seed < 300; seed += 1) {
      const maker = new StackMaker(new Random(seed));
      const stack = maker.stack();
      const newer = maker.rewritten(stack, ['split', 'rebase', 'reorder', 'reword', 'rename']);
      const known = all(...shownStack(stack).map(({ version }) => version));
      const now = shownStack(newer).map(({ version }) => version);
      const told = splitSources(known, now);
      for (const version of now) {
        const from = sourceOf(stack, newer, version.changeId);
        const title = told.get(version);
        const heirs = newer.patches.filter((each) => each === from || sourceOf(stack, newer, each) === from);
        const titles = heirs.map((each) => newer.titles.get(each));
        assert.ok(
          title === undefined || titles.includes(title),
          `${seed}: ${version.changeId} is from ${title}`,
        );
        found += title === undefined ? 0 : 1;
        const isTelling = hunksOf(version).every((print) => print.path === '' || print.isTelling);
        const isThere = from !== undefined && newer.patches.includes(from);
        assert.ok(
          title !== undefined || !isThere || !isTelling,
          `${seed}: ${version.changeId} is from ${from}`,
        );
      }
    }
    assert.ok(found > 50, `${found}`);
  });
});

/** The patch that all hunks of a new one were in before. */
function sourceOf(older: ModelStack, newer: ModelStack, changeId: string): string | undefined {
  const was = new Map(older.hunks.map(({ id, patch: of }) => [id, of]));
  const own = newer.hunks.filter((hunk) => hunk.patch === changeId);
  return older.patches.includes(changeId) ? undefined : was.get(own[0]?.id ?? -1);
}
