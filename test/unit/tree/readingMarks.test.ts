import assert from 'node:assert/strict';
import { install, type Clock } from '@sinonjs/fake-timers';
import type { Patch } from '../../../src/api/types/patches.ts';
import type { PatchStack } from '../../../src/api/types/stacks.ts';
import type { PatchReading } from '../../../src/model/reading/readingStates.ts';
import type { ReadingState, ReadSoFar } from '../../../src/model/reading/readSoFar.ts';
import { ReadingMarks } from '../../../src/tree/readingMarks.ts';
import { until } from '../../support/until.ts';

const patch = (changeId: string): Patch => ({ changeId, contributors: [] });
const stack: PatchStack = { uuid: 's', branchId: 'topic', status: 'active', contributors: [] };

describe('how far rows were read', () => {
  let asked: string[];
  let states: Record<string, ReadingState>;
  let moved: ReadSoFar['moved'];
  let begun: boolean;
  let broken: string[];
  let marks: ReadingMarks;

  beforeEach(() => {
    asked = [];
    states = {};
    moved = undefined;
    begun = true;
    broken = [];
    marks = new ReadingMarks({
      model: () =>
        Promise.resolve({
          patchUnopened: ({ changeId }) => {
            asked.push(changeId);
            return broken.includes(changeId)
              ? Promise.reject(new Error('gone'))
              : Promise.resolve(patch(changeId));
          },
        }),
      readings: () =>
        Promise.resolve({
          isBegun: () => Promise.resolve(begun),
          states: (_stack, patches) =>
            Promise.resolve(
              patches.map(({ changeId }): PatchReading => ({
                state: states[changeId] ?? 'unread',
                sections: [],
                ...(moved && { moved }),
              })),
            ),
        }),
    });
  });
  afterEach(() => marks.dispose());

  const told = (): Promise<string> =>
    new Promise((resolve) => {
      const subscription = marks.onDidChange((uuid) => {
        subscription.dispose();
        resolve(uuid);
      });
    });
  const stateOf = (changeId: string): ReadingState | undefined =>
    marks.stateOf({ stackUuid: 's', changeId })?.state;

  it('are told with where something was moved, also where that alone is another', async () => {
    states = { I1: 'changed' };
    const hunk = (line: number) => ({ from: { path: 'a', line: 1 }, to: { path: 'a', line } });
    for (const found of [undefined, [hunk(2)], [hunk(3)]]) {
      moved = found;
      const isTold = told();
      marks.show('1', stack, [patch('I1')]);
      assert.equal(await isTold, 's');
      assert.deepEqual(marks.stateOf({ stackUuid: 's', changeId: 'I1' }), {
        state: 'changed',
        ...(found && { moved: found }),
      });
    }
  });

  it('are told once they are known, of the patches and of their stack', async () => {
    states = { I1: 'read', I2: 'changed' };
    assert.equal(stateOf('I1'), undefined);
    marks.show('1', stack, [patch('I1'), patch('I2'), patch('I3')]);
    assert.equal(await told(), 's');
    assert.deepEqual(['I1', 'I2', 'I3'].map(stateOf), ['read', 'changed', 'unread']);
    assert.deepEqual(marks.summaryOf('s'), {
      unread: 1,
      partlyRead: 0,
      changed: 1,
      alike: 0,
      unknown: 0,
      rebased: 0,
      new: 0,
      unchanged: 0,
      read: 1,
    });
  });

  it('are unread without a question where nothing of the stack was read', async () => {
    begun = false;
    marks.show('1', stack, [patch('I1')]);
    await told();
    assert.equal(stateOf('I1'), 'unread');
    assert.deepEqual(asked, []);
  });

  it('are reckoned again when something was read, once for several changes', async () => {
    marks.show('1', stack, [patch('I1')]);
    await told();
    states = { I1: 'read' };
    marks.noteRead({ projectId: '1', branchId: 'other' });
    marks.noteRead({ projectId: '1', branchId: 'topic' });
    marks.noteRead({ projectId: '1', branchId: 'topic' });
    await told();
    assert.equal(stateOf('I1'), 'read');
    assert.deepEqual(asked, ['I1', 'I1']);
  });

  it('are not known of a patch that cannot be loaded', async () => {
    broken = ['I1'];
    marks.show('1', stack, [patch('I1'), patch('I2')]);
    await told();
    assert.deepEqual(['I1', 'I2'].map(stateOf), [undefined, 'unread']);
  });

  it('are not those of the account before, when they come after another one shows the same stack', async () => {
    const answers: ((states: PatchReading[]) => void)[] = [];
    using one = new MarksOfTwo(answers);
    one.marks.show('1', stack, [patch('I1')]);
    await until(async () => answers.length === 1);
    one.marks.forget();
    one.marks.show('1', stack, [patch('I1')]);
    answers[0]!([{ state: 'read', sections: [] }]);
    await until(async () => answers.length === 2);
    assert.equal(one.marks.stateOf({ stackUuid: 's', changeId: 'I1' }), undefined);
    answers[1]!([{ state: 'unread', sections: [] }]);
    await until(async () => one.marks.stateOf({ stackUuid: 's', changeId: 'I1' })?.state === 'unread');
  });

  it('are nothing of an old version, nor of another account', async () => {
    // It would be told of first.
    marks.show('1', { ...stack, uuid: 'old', status: 'inactive' }, [patch('I1')]);
    marks.show('1', stack, [patch('I1')]);
    assert.equal(await told(), 's');
    assert.equal(marks.summaryOf('old'), undefined);
    marks.forget();
    assert.equal(marks.summaryOf('s'), undefined);
  });

  describe('while time is at a standstill', () => {
    let clock: Clock;
    let stateNow: PatchReading;
    let account: string | undefined;
    let reckoned: string[];
    let fired: string[];
    let marked: ReadingMarks;
    beforeEach(() => {
      clock = install({ toFake: ['setTimeout', 'clearTimeout'] });
      stateNow = { state: 'unread', sections: [] };
      account = 'ada';
      reckoned = [];
      fired = [];
      marked = new ReadingMarks({
        model: () => Promise.resolve({ patchUnopened: ({ changeId }) => Promise.resolve(patch(changeId)) }),
        readings: () => {
          reckoned.push(account ?? 'nobody');
          return Promise.resolve(
            account === undefined
              ? undefined
              : {
                  isBegun: () => Promise.resolve(true),
                  states: (_stack, patches) => Promise.resolve(patches.map(() => stateNow)),
                },
          );
        },
      });
      marked.onDidChange((uuid) => fired.push(uuid));
    });
    afterEach(() => {
      marked.dispose();
      clock.uninstall();
    });
    /** Lets the time come in which they are reckoned, and all that follows. */
    const pass = async (): Promise<void> => {
      await clock.tickAsync(1_000);
      await new Promise(setImmediate);
    };

    it('are told of only when they are others, also of what a patch was split from', async () => {
      marked.show('1', stack, [patch('I1')]);
      await pass();
      assert.deepEqual(fired, ['s']);
      marked.show('1', stack, [patch('I1')]);
      await pass();
      assert.deepEqual([reckoned.length, fired.length], [2, 1], 'nothing has changed');
      stateNow = { state: 'new', sections: [], splitFrom: 'Both' };
      marked.noteRead({ projectId: '1', branchId: 'topic' });
      await pass();
      assert.equal(fired.length, 2);
      assert.deepEqual(marked.stateOf({ stackUuid: 's', changeId: 'I1' }), {
        state: 'new',
        splitFrom: 'Both',
      });
      stateNow = { state: 'new', sections: [] };
      marked.noteRead({ projectId: '1', branchId: 'topic' });
      await pass();
      assert.equal(fired.length, 3);
      assert.deepEqual(marked.stateOf({ stackUuid: 's', changeId: 'I1' }), { state: 'new' });
      marked.show('1', stack, [patch('I1'), patch('I2')]);
      await pass();
      assert.equal(fired.length, 4, 'there is one more');
    });

    it('are not reckoned of a stack of another project, of one without patches, nor after they are forgotten', async () => {
      marked.show('1', stack, []);
      await pass();
      assert.deepEqual(reckoned, []);
      marked.show('1', stack, [patch('I1')]);
      await pass();
      marked.noteRead({ projectId: '2', branchId: 'topic' });
      marked.noteRead({ projectId: '1', branchId: 'other' });
      await pass();
      assert.equal(reckoned.length, 1);
      marked.noteRead({ projectId: '1', branchId: 'topic' });
      marked.forget();
      await pass();
      assert.equal(reckoned.length, 1);
      marked.show('1', stack, [patch('I1')]);
      await pass();
      assert.equal(reckoned.length, 2, 'those that are shown afterwards are');
      marked.show('1', stack, [patch('I1')]);
      marked.dispose();
      await pass();
      assert.equal(reckoned.length, 2);
    });

    it('are not known where nobody is signed in', async () => {
      account = undefined;
      marked.show('1', stack, [patch('I1')]);
      await pass();
      assert.deepEqual([reckoned, fired], [['nobody'], []]);
      assert.equal(marked.summaryOf('s'), undefined);
    });
  });
});

/** The rows of a window in which one account follows another, whose answers come when they are let through. */
class MarksOfTwo implements Disposable {
  readonly marks: ReadingMarks;

  constructor(answers: ((states: PatchReading[]) => void)[]) {
    this.marks = new ReadingMarks({
      model: () => Promise.resolve({ patchUnopened: ({ changeId }) => Promise.resolve(patch(changeId)) }),
      readings: () =>
        Promise.resolve({
          isBegun: () => Promise.resolve(true),
          states: () => new Promise<PatchReading[]>((resolve) => answers.push(resolve)),
        }),
    });
  }

  [Symbol.dispose](): void {
    this.marks.dispose();
  }
}
