import assert from 'node:assert/strict';
import type { Patch } from '../../../src/api/types/patches.ts';
import type { PatchStack } from '../../../src/api/types/stacks.ts';
import { opinionsOf } from '../../../src/model/review.ts';
import type { StackVersionSources } from '../../../src/model/reading/stackVersions.ts';
import { stackChanges } from '../../../src/model/reading/stackChanges.ts';
import { changesView, versionsView } from '../../../src/stacks/stackChangesView.ts';

const me = { id: '1', login: 'ada' };
const { signal } = new AbortController();

const patch = (changeId: string, more: Partial<Patch> = {}): Patch => ({
  changeId,
  title: `Title of ${changeId}`,
  version: '1',
  contributors: [],
  sections: [{ sectionType: 'text', code: 'a', identifier: 'a', text: `Words of ${changeId}` }],
  ...more,
});
const stackOf = (version: number, patches: Patch[]): PatchStack => ({
  uuid: `v${version}`,
  branchId: 'topic',
  version: String(version),
  contributors: [],
  patches,
});

describe('the changes between versions on the page of a stack', () => {
  let stacks: PatchStack[];
  let asked: number;

  beforeEach(() => {
    stacks = [];
    asked = 0;
  });

  const ref = { serverUrl: 'https://example.org', projectId: '1', branchId: 'topic', stackUuid: 'v2' };
  const sources = (): StackVersionSources => ({
    model: {
      stacks: async () => ({ value: stacks, asOf: new Date() }),
      patchUnopened: async ({ stackUuid, changeId }) => {
        asked += 1;
        const { patches = [] } = stacks.find(({ uuid }) => uuid === stackUuid) ?? assert.fail();
        return patches.find((one) => one.changeId === changeId) ?? assert.fail();
      },
      opinions: (one) => opinionsOf(one, me),
    },
    readings: undefined,
  });
  const compareStacks: Parameters<typeof changesView>[0]['compareStacks'] = ({ older, newer }) =>
    stackChanges(older, newer, async (pairs) => pairs.map(() => ({ since: 'unchanged', isCertain: true })));
  const many = (from: number, to: number): Patch[] =>
    Array.from({ length: to - from }, (_, index) => patch(`I${from + index}`));

  it('are none without another version, and are compared at once where there are few patches', async () => {
    const [first, second] = [stackOf(1, many(0, 3)), stackOf(2, many(0, 3))];
    stacks = [first];
    assert.equal(await versionsView(sources(), ref, first, first.patches ?? []), undefined);
    stacks = [second, first];
    const view = await versionsView(sources(), ref, second, second.patches ?? []);
    assert.deepEqual(view, {
      all: [
        { id: 'v1', label: 'Version 1' },
        { id: 'v2', label: 'Version 2' },
      ],
      older: 'v1',
      newer: 'v2',
      stamp: view?.stamp,
    });
    assert.equal(asked, 0);
  });

  it('are counted by the lists alone where there are many patches', async () => {
    const second = stackOf(2, [patch('I999'), ...many(3, 500)]);
    stacks = [second, stackOf(1, many(0, 500))];
    const view = await versionsView(sources(), ref, second, second.patches ?? []);
    assert.equal(view?.summary, 'Since version 1: 3 dropped, 1 new, 497 not compared');
    assert.equal(asked, 0);
  });

  it('are compared again when somebody signs off, and not when nothing is another', async () => {
    const stampOf = async (...patches: Patch[]): Promise<string | undefined> => {
      stacks = [stackOf(1, [patch('I1')])];
      return (await versionsView(sources(), ref, stackOf(2, patches), patches))?.stamp;
    };
    const before = await stampOf(patch('I1'));
    assert.equal(await stampOf(patch('I1')), before);
    const signed = patch('I1', { reviewAll: { viewed: [], signedOff: [me], rejected: [] } });
    assert.notEqual(await stampOf(signed), before);
  });

  it('say all of each patch: where it was and is, what was signed off, and the texts of what was dropped', async () => {
    const signed = { reviewAll: { viewed: [], signedOff: [me], rejected: [] } };
    const [first, second] = [
      stackOf(1, [patch('I1', signed), patch('I2', signed), patch('I3')]),
      stackOf(2, [patch('I3'), patch('I1', signed)]),
    ];
    stacks = [second, first];
    const wanted = { older: 'v1', newer: 'v2' };
    const view = await changesView({ ...sources(), compareStacks }, ref, second, wanted, signal);
    assert.equal(view.summary, 'Since version 1: 1 dropped, 1 reordered, 2 unchanged');
    assert.deepEqual(
      [view.older, view.newer].map(({ label }) => label),
      ['Version 1', 'Version 2'],
    );
    const common = { texts: [] };
    assert.deepEqual(view.rows, [
      {
        ...common,
        changeId: 'I3',
        stackUuid: 'v2',
        older: 3,
        newer: 1,
        title: 'Title of I3',
        text: 'unchanged',
        isQuiet: true,
      },
      {
        ...common,
        changeId: 'I1',
        stackUuid: 'v2',
        older: 1,
        newer: 2,
        title: 'Title of I1',
        // Of two that changed places, either has moved.
        text: 'unchanged, reordered (from 1 to 2)',
        isQuiet: false,
        signedOff: 'you signed off on version 2',
      },
      {
        changeId: 'I2',
        stackUuid: 'v1',
        older: 2,
        title: 'Title of I2',
        text: 'dropped',
        isQuiet: false,
        signedOff: 'you signed off on version 1, which no longer counts',
        texts: ['Words of I2'],
      },
    ]);
  });

  it('name both versions where the newer one is not the one that is shown', async () => {
    stacks = [1, 2, 3].map((version) => stackOf(version, [patch('I1')]));
    const [, , third] = stacks;
    assert.ok(third);
    const view = await changesView(
      { ...sources(), compareStacks },
      { ...ref, stackUuid: 'v3' },
      third,
      { older: 'v1', newer: 'v2' },
      signal,
    );
    assert.equal(view.summary, 'From version 1 to version 2: 1 unchanged');
  });

  it('fail for a version that is not there', async () => {
    const second = stackOf(2, [patch('I1')]);
    stacks = [second, stackOf(1, [patch('I1')])];
    for (const wanted of [
      { older: 'other', newer: 'v2' },
      { older: 'v1', newer: 'other' },
      { older: 'lastRead', newer: 'v2' },
    ]) {
      await assert.rejects(
        changesView({ ...sources(), compareStacks }, ref, second, wanted, signal),
        /no longer available/,
      );
    }
  });
});
