import assert from 'node:assert/strict';
import type { Patch } from '../../../src/api/types/patches.ts';
import type { Mark } from '../../../src/model/reading/carryMarks.ts';
import { fingerprintOf } from '../../../src/model/fingerprint.ts';
import { readingHandlers, type ReadingContext } from '../../../src/patch/readingHandlers.ts';

const ref = {
  serverUrl: 'https://service.test/api',
  projectId: '1',
  branchId: 'topic',
  stackUuid: 'stack',
  changeId: 'I1',
};
const patch: Patch = { changeId: 'I1', contributors: [], sections: [] };

describe('what a page says was read', () => {
  it('is noted in the order in which it was said, however long each takes', async () => {
    const marks: Partial<Mark>[] = [];
    let readFirst: (patch: Patch) => void = () => assert.fail('nobody asks for it');
    const reads = [new Promise<Patch>((resolve) => (readFirst = resolve)), Promise.resolve(patch)];
    const context = {
      model: {
        patchUnopened: async () => reads.shift(),
        knownContent: () => patch,
        stackOfPatch: async () => undefined,
        located: (ref: unknown) => ref,
      },
      readings: async () => ({
        noteShown: async (_stack: unknown, _shown: unknown, _codes: unknown, mark: Partial<Mark>) =>
          marks.push(mark) > 0,
      }),
    } as unknown as ReadingContext;
    const { setRead } = readingHandlers(context, () => ref);
    const { signal } = new AbortController();
    const ticked = setRead({ code: 'a', isRead: true }, signal);
    const unticked = setRead({ code: 'a', isRead: false }, signal);
    await new Promise((resolve) => setImmediate(resolve));
    readFirst(patch);
    await Promise.all([ticked, unticked]);
    assert.deepEqual(marks, [{ viewed: true }, { seen: false, viewed: false }]);
  });

  it('is not noted of a patch that is another one by the time of its turn: the page says it again of that', async () => {
    let known = patch;
    const answers: boolean[] = [];
    const context = {
      model: {
        knownPatch: () => ({ value: known }),
        stackOfPatch: async () => void (known = { ...patch, title: 'Written meanwhile' }),
        located: (of: unknown) => of,
      },
      readings: async () => ({
        noteShown: async (_stack: unknown, shown: () => Patch | undefined) => shown() !== undefined,
        noteWhole: async (_stack: unknown, shown: () => Patch | undefined) => shown() !== undefined,
      }),
    } as unknown as ReadingContext;
    const { noteSeen } = readingHandlers(context, () => ref);
    const { signal } = new AbortController();
    for (const codes of [['a'], []]) {
      known = patch;
      answers.push(await noteSeen({ fingerprint: fingerprintOf(patch), codes }, signal));
      // Of what is there now it is.
      answers.push(await noteSeen({ fingerprint: fingerprintOf(known), codes }, signal));
    }
    assert.deepEqual(answers, [false, true, false, true]);
  });
});
