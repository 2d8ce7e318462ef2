import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Patch, PatchSection } from '../../../../src/api/types/patches.ts';
import { prepareHunks } from '../../../../src/model/reading/hunks.ts';
import { versionOf } from '../../../../src/model/reading/patchVersion.ts';
import { Readings } from '../../../../src/model/reading/readings.ts';
import { stackNameOf } from '../../../../src/model/reading/stackName.ts';

const stack = { projectId: '1', branchId: 'topic' };
const text = (code: string, content: string): PatchSection => ({
  sectionType: 'text',
  code,
  identifier: code,
  text: content,
});
const diff = (code: string, diffPatch: string): PatchSection => ({
  sectionType: 'diff',
  code,
  identifier: 'a.ts',
  newPath: 'a.ts',
  diffPatch,
});
const patch = (sections: PatchSection[], more: Partial<Patch> = {}): Patch => ({
  changeId: 'constructor',
  title: 'Title',
  version: '1',
  contributors: [],
  sections,
  ...more,
});

const words = (from: number): string =>
  Array.from({ length: 300 }, (_, index) => Math.sin(from + index).toString(36)).join(' ');

describe('what an account has read', () => {
  let folder: string;
  let failures: unknown[];
  beforeEach(async () => {
    failures = [];
    folder = await mkdtemp(path.join(tmpdir(), 'patch-stacks-readings-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const readings = (limit = 1_000_000): Readings =>
    new Readings({ folder, limit: () => limit, onFailure: (error) => failures.push(error), now: () => 1 });
  const viewed = async (of: Patch): Promise<string[]> => {
    const [reading] = await readings().states(stack, [of]);
    return (of.sections ?? []).flatMap(({ code }, index) => (reading?.sections[index]?.isTicked ? code : []));
  };

  it('is there again in the next window, for each patch apart', async () => {
    const one = patch([text('a', 'one'), text('b', 'two')]);
    await readings().note(stack, one, ['a'], { viewed: true });
    await readings().note(stack, patch([text('b', 'two')], { changeId: 'other' }), ['b'], { viewed: true });
    assert.deepEqual(await viewed(one), ['a']);
    assert.deepEqual(failures, []);
  });

  it('goes when a section changes, and when a mark is taken away', async () => {
    await readings().note(stack, patch([text('a', 'one')]), ['a'], { viewed: true });
    assert.deepEqual(await viewed(patch([text('a', 'another')])), []);
    await readings().note(stack, patch([text('a', 'one')]), ['a'], { viewed: false });
    assert.deepEqual(await viewed(patch([text('a', 'one')])), []);
  });

  it('stays when the next version has the same, even further down in its file', async () => {
    const first = patch([diff('a', 'index 1..2\n@@ -1,2 +1,2 @@ f\n const same = 1;\n-a\n+b\n')]);
    const second = (line: string): Patch =>
      patch([diff('b', `index 3..4\n@@ -9,2 +9,2 @@ f\n const same = 1;\n-a\n${line}\n`)], { version: '2' });
    await readings().note(stack, first, ['a'], { viewed: true });
    assert.deepEqual(await viewed(second('+b')), ['b']);
    assert.deepEqual(await viewed(second('+c')), []);
  });

  it('is known of what says nothing that can be read line by line', async () => {
    const strange = patch([diff('a', ''), { sectionType: 'unknown', code: 'b', identifier: 'b' }]);
    assert.equal((await readings().states(stack, [strange]))[0]?.state, 'unread');
    await readings().note(stack, strange, ['a', 'b'], { viewed: true });
    assert.deepEqual(await viewed(strange), ['a', 'b']);
  });

  it('is told of in the window, once for what is new', async () => {
    const one = readings();
    const told: unknown[] = [];
    one.onDidChange((name) => told.push(name));
    await one.note(stack, patch([text('a', 'one')]), ['a'], { seen: true });
    assert.deepEqual(told, [stack]);
    await one.note(stack, patch([text('a', 'one')]), ['a'], { seen: true });
    assert.deepEqual(told, [stack]);
    assert.equal(await one.isBegun(stack), true);
    assert.equal(await one.isBegun({ projectId: '1', branchId: 'other' }), false);
  });

  for (const [what, now, isKept] of [
    ['something new', patch([text('a', words(2))], { version: '2' }), true],
    ['nothing new', patch([text('a', words(1))], { version: '2' }), false],
  ] as const) {
    it(`${isKept ? 'keeps' : 'may give up'} the version that was read, of which there is ${what}`, async () => {
      await readings(4_000).note(stack, patch([text('a', words(1))]), ['a'], { seen: true });
      const states = await readings(4_000).states(stack, [now]);
      assert.deepEqual(
        states.map(({ state }) => state),
        [isKept ? 'changed' : 'unchanged'],
      );
      const [kept = ''] = await readdir(path.join(folder, 'versions'));
      for (const other of [3, 4, 5, 6, 7]) {
        const more = patch([text('a', words(1000 * other))], { changeId: `I${other}` });
        await readings(4_000).note(stack, more, ['a'], { seen: true });
      }
      const names = await readdir(path.join(folder, 'versions'));
      assert.equal(names.includes(kept), isKept);
      assert.ok(names.length < 6, names.join());
    });
  }

  it('is all of a patch when what became of it as a whole was seen, unless there is something else to read', async () => {
    const before = patch([text('a', 'one'), text('b', 'two')]);
    const less = patch([text('a', 'one')], { version: '2' });
    const more = patch([text('a', 'one'), text('c', 'three')], { version: '2' });
    const state = async (of: Patch): Promise<string | undefined> =>
      (await readings().states(stack, [of]))[0]?.state;
    await readings().noteWhole(stack, () => before);
    assert.equal(await readings().isBegun(stack), false);
    await readings().note(stack, before, ['a', 'b'], { seen: true });
    const one = readings();
    let changes = 0;
    one.onDidChange(() => (changes += 1));
    await one.noteWhole(stack, () => more);
    assert.equal(changes, 0, 'something was noted');
    assert.equal(await state(more), 'changed');
    assert.equal(await state(less), 'changed');
    await readings().noteWhole(stack, () => less);
    assert.equal(await state(less), 'read');
    assert.equal((await readings().earlierVersions(stack, less)).lastRead?.number, '1');
  });

  it('is all of what was split from a patch, once somebody has seen that it was', async () => {
    const hunk = (name: string): PatchSection => ({
      sectionType: 'diff',
      code: name,
      identifier: name,
      newPath: name,
      diffPatch: `@@ -1,2 +1,3 @@\n in front of ${name}\n+added to ${name}\n behind ${name}\n`,
    });
    const whole = patch([hunk('a.ts'), hunk('b.ts')]);
    const [rest, part] = [patch([hunk('a.ts')]), patch([hunk('b.ts')], { changeId: 'part' })];
    const state = async (): Promise<string | undefined> =>
      (await readings().states(stack, [rest, part]))[1]?.state;
    await readings().note(stack, whole, ['a.ts', 'b.ts'], { seen: true });
    assert.equal(await state(), 'new');
    await readings().noteWhole(stack, () => part, [rest]);
    assert.equal(await state(), 'read');
  });

  it('has no version that was signed off before while that is the one that is there', async () => {
    const [first, second] = [patch([text('a', 'one')]), patch([text('a', 'two')], { version: '2' })];
    await readings().noteReview(stack, first, 'signedOff');
    assert.equal((await readings().earlierVersions(stack, first)).signedOff, undefined);
    assert.equal((await readings().earlierVersions(stack, second)).signedOff?.number, '1');
  });

  it('is all of it still when its reader has written something in it, unless it was another version that they had read', async () => {
    const [was, written] = ['two', 'mine'].map((words) => patch([text('a', 'one'), text('b', words)]));
    const state = async (): Promise<string | undefined> =>
      (await readings().states(stack, [written!]))[0]?.state;
    await readings().note(stack, patch([text('a', 'one'), text('b', 'before')]), ['a', 'b'], { seen: true });
    await readings().noteWritten(stack, was!, written!, ['b']);
    assert.equal(await state(), 'changed');
    await readings().note(stack, was!, ['a', 'b'], { seen: true });
    await readings().noteWritten(stack, was!, written!, ['b']);
    assert.equal(await state(), 'read');
  });

  it('is all of it when its reader writes in it before it is noted that they had read it', async () => {
    const [was, written] = ['two', 'mine'].map((words) => patch([text('a', 'one'), text('b', words)]));
    const one = readings();
    const noted = [
      one.note(stack, was!, ['a', 'b'], { seen: true }),
      one.noteWritten(stack, was!, written!, ['b']),
    ];
    assert.equal((await one.states(stack, [written!]))[0]?.state, 'read');
    await Promise.all(noted);
    assert.deepEqual(await one.earlierVersions(stack, written!), {});
  });

  it('has nothing of a version that is not shown any more by the time that it is noted', async () => {
    const [was, written] = ['two', 'mine'].map((words) => patch([text('a', 'one'), text('b', words)]));
    const one = readings();
    let shown = was;
    const seen = (): Promise<boolean> => one.noteShown(stack, () => shown, ['a', 'b'], { seen: true });
    assert.equal(await seen(), true);
    const noted = one.noteWritten(stack, was!, written!, ['b']);
    const late = seen();
    shown = undefined;
    assert.deepEqual([await late, await one.noteWhole(stack, () => shown)], [false, false]);
    await noted;
    assert.equal((await one.states(stack, [written!]))[0]?.state, 'read');
  });

  it('goes on as it was when its reader writes in a patch that they have begun to read, at once', async () => {
    const [was, written] = ['two', 'mine'].map((words) => patch([text('a', 'one'), text('b', words)]));
    const one = readings();
    const look = async (of: Patch): Promise<unknown> => {
      const [reading] = await one.states(stack, [of]);
      return [reading?.state, ...(reading?.sections ?? []).map(({ isRead }) => isRead)];
    };
    await one.note(stack, was!, ['b'], { seen: true });
    assert.deepEqual(await look(was!), ['partlyRead', false, true]);
    const noted = one.noteWritten(stack, was!, written!, ['b']);
    assert.deepEqual(await look(written!), ['partlyRead', false, true]);
    await noted;
    assert.deepEqual(await one.earlierVersions(stack, written!), {});
    // The changes of others are told, once all of it was read.
    await one.note(stack, written!, ['a'], { seen: true });
    assert.deepEqual(await look(patch([text('a', 'one'), text('b', 'theirs')], { version: '2' })), [
      'changed',
      true,
      false,
    ]);
  });

  it('is nothing where the record is damaged, and failures to write are told once', async () => {
    await writeFile(path.join(folder, 'read'), 'no folder');
    const one = readings();
    await one.note(stack, patch([text('a', 'one')]), ['a'], { viewed: true });
    await one.note(stack, patch([text('a', 'one')]), ['a'], { viewed: true });
    assert.equal(failures.length, 1);
    assert.deepEqual(await viewed(patch([text('a', 'one')])), []);
  });

  it('is nothing of anything before something was read', async () => {
    const patches = [patch([]), patch([text('a', ''), diff('b', '')]), patch([diff('b', '--- a\n+++ b\n')])];
    const untouched = await readings().states(stack, patches);
    await readings().note(stack, patch([text('c', 'else')], { changeId: 'other' }), ['c'], { seen: true });
    const reckoned = await readings().states(stack, patches);
    const told = reckoned.map(({ state, sections }) => ({
      state,
      sections: sections.map(({ isRead, isTicked }) => ({ isRead, isTicked })),
    }));
    assert.deepEqual(untouched, told);
    assert.deepEqual(
      told.map(({ state }) => state),
      ['unread', 'unread', 'unread'],
    );
  });

  it('leaves what is too large to be reckoned at once to others', async () => {
    const large = patch([text('a', 'word '.repeat(300_000))]);
    let asked = 0;
    const one = new Readings({
      folder,
      limit: () => 0,
      onFailure: (error) => failures.push(error),
      reckonLarge: (_record, current) => {
        asked += current.length;
        return Promise.resolve([{ state: 'rebased', sections: [] }]);
      },
    });
    assert.equal((await one.states(stack, [large]))[0]?.state, 'unread');
    assert.equal(asked, 0, 'where nothing was read, there is nothing to reckon');
    await one.note(stack, patch([text('b', 'another')], { changeId: 'other' }), ['b'], { seen: true });
    assert.equal((await one.states(stack, [patch([text('a', 'short')])]))[0]?.state, 'unread');
    assert.equal(asked, 0);
    assert.equal((await one.states(stack, [large]))[0]?.state, 'rebased');
    assert.equal(asked, 1);
    const many = Array.from({ length: 6_000 }, (_, index) => text(`${index}`, `Text ${index}`));
    assert.equal((await one.states(stack, [patch(many)]))[0]?.state, 'rebased');
    assert.equal(asked, 2);
    // Turn by turn, as long as each of them is short.
    const sections = Array.from({ length: 10 }, (_, index) =>
      text(`${index}`, `word ${index} `.repeat(50_000)),
    );
    assert.equal((await one.states(stack, [patch(sections)]))[0]?.state, 'unread');
    assert.equal(asked, 2);
  });

  it('is reckoned in turns of the event loop, so that the editor can answer in between', async () => {
    const words = (index: number): string => `word ${index} `.repeat(50_000);
    const large = patch(Array.from({ length: 10 }, (_, index) => text(`${index}`, words(index))));
    let turns = 0;
    let next = setImmediate(function count() {
      turns += 1;
      next = setImmediate(count);
    });
    await prepareHunks(versionOf(large));
    clearImmediate(next);
    assert.ok(turns >= 5, `${turns}`);
  });

  it('is of a stack by its branch, and of one that is known by itself alone by that', () => {
    assert.deepEqual(stackNameOf({ projectId: '1', branchId: 'topic', stackUuid: 's' }), stack);
    assert.deepEqual(stackNameOf({ stackUuid: 's' }), { projectId: '', branchId: 's' });
  });
});
