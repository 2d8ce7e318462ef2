import assert from 'node:assert/strict';
import type { Patch } from '../../../src/api/types/patches.ts';
import type { Mark } from '../../../src/model/reading/carryMarks.ts';
import { readingHandlers, type ReadingContext } from '../../../src/patch/readingHandlers.ts';

describe('what a page says was read', () => {
  it('is noted in the order in which it was said, however long each takes', async () => {
    const marks: Partial<Mark>[] = [];
    const patch: Patch = { changeId: 'I1', contributors: [], sections: [] };
    let readFirst: (patch: Patch) => void = () => assert.fail('nobody asks for it');
    const reads = [new Promise<Patch>((resolve) => (readFirst = resolve)), Promise.resolve(patch)];
    const context = {
      model: {
        patchUnopened: async () => reads.shift(),
        stackOfPatch: async () => undefined,
        located: (ref: unknown) => ref,
      },
      readings: async () => ({
        note: async (_stack: unknown, _patch: unknown, _codes: unknown, mark: Partial<Mark>) =>
          void marks.push(mark),
      }),
    } as unknown as ReadingContext;
    const ref = {
      serverUrl: 'https://service.test/api',
      projectId: '1',
      branchId: 'topic',
      stackUuid: 'stack',
      changeId: 'I1',
    };
    const { setRead } = readingHandlers(context, () => ref);
    const { signal } = new AbortController();
    const ticked = setRead({ code: 'a', isRead: true }, signal);
    const unticked = setRead({ code: 'a', isRead: false }, signal);
    await new Promise((resolve) => setImmediate(resolve));
    readFirst(patch);
    await Promise.all([ticked, unticked]);
    assert.deepEqual(marks, [{ viewed: true }, { seen: false, viewed: false }]);
  });
});
