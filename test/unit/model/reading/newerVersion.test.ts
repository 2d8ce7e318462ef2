import assert from 'node:assert/strict';
import type { Patch } from '../../../../src/api/types/patches.ts';
import type { PatchStack, PatchStackStatus } from '../../../../src/api/types/stacks.ts';
import { NewerVersion } from '../../../../src/model/reading/newerVersion.ts';
import type { StackChange } from '../../../../src/model/reading/stackChange.ts';
import type { PlacedVersion } from '../../../../src/model/reading/stackChanges.ts';
import { until } from '../../../support/until.ts';

function stack(uuid: string, status: PatchStackStatus, changeIds: readonly string[]): PatchStack {
  return { uuid, status, patches: changeIds.map((changeId) => ({ changeId }) as Patch) } as PatchStack;
}

/** A change of patches at these places: `since` is what became of one that both versions have. */
function change(
  older: number | undefined,
  newer: number | undefined,
  since: 'changed' | 'rebased' | 'unchanged' = 'unchanged',
): StackChange {
  return {
    ...(older !== undefined && { older }),
    ...(newer !== undefined && { newer }),
    ...(older !== undefined && newer !== undefined && { outcome: { since, isCertain: true } }),
    isMoved: false,
    splitInto: [],
    joinedFrom: [],
    movedFrom: [],
  };
}

describe('NewerVersion', () => {
  let versions: { read: PatchStack | undefined; newest: PatchStack } | undefined;
  let changes: StackChange[];
  let compared: { older: PlacedVersion[]; newer: PlacedVersion[] }[];
  let failure: Error | undefined;
  let found: number;
  let logged: string[];
  let newer: NewerVersion;

  beforeEach(() => {
    versions = undefined;
    changes = [];
    compared = [];
    failure = undefined;
    found = 0;
    logged = [];
    newer = new NewerVersion(
      {
        model: {
          newerVersion: () => versions,
          stacks: () => assert.fail('No list is asked for.'),
          patchUnopened: async ({ changeId }) => ({ changeId, sections: [], contributors: [] }),
          opinions: () => assert.fail('Nobody is asked what they think.'),
        },
        readings: async () => undefined,
        compareStacks: async (two) => {
          compared.push(two);
          if (failure) {
            throw failure;
          }
          return changes;
        },
        log: { debug: (text) => logged.push(text) },
      },
      () => (found += 1),
    );
  });

  afterEach(() => newer.dispose());

  const ref = { projectId: '1', branchId: 'topic', stackUuid: 'v1' };
  const ids = ['a', 'b', 'c'];
  const isKnown = (): Promise<void> => until(async () => found === 1);

  it('is none for the newest version', () => {
    assert.equal(newer.of(ref), undefined);
    assert.equal(newer.placeAfter(ref, 'a'), undefined);
    assert.equal(compared.length, 0);
  });

  it('is told at once, and what became of the patches as soon as that is known, which is found out once', async () => {
    versions = { read: stack('v1', 'inactive', ids), newest: stack('v2', 'active', ids) };
    changes = [change(0, 0, 'rebased'), change(1, 1, 'changed'), change(2, 2)];
    assert.deepEqual(newer.of(ref), { newest: versions.newest, changes: undefined, changed: [] });
    newer.of(ref);
    await isKnown();
    assert.deepEqual(newer.of(ref), { newest: versions.newest, changes, changed: ['b'] });
    assert.equal(compared.length, 1);
    assert.deepEqual(
      compared[0]?.older.map(({ changeId }) => changeId),
      ids,
    );
    versions = { ...versions, newest: stack('v3', 'active', ids) };
    assert.equal(newer.of(ref)?.changes, undefined, 'of another version nothing is known yet');
  });

  it('leads to the patch that is read where that has something new, else to the first that has', async () => {
    versions = { read: stack('v1', 'inactive', ids), newest: stack('v2', 'active', ['a', 'b', 'new', 'c']) };
    changes = [change(0, 0), change(1, 1, 'changed'), change(undefined, 2), change(2, 3, 'changed')];
    assert.deepEqual(newer.placeAfter(ref, 'a'), { stackUuid: 'v2', changeId: 'a', comparedWith: 'v1' });
    await isKnown();
    assert.deepEqual(newer.of(ref)?.changed, ['b', 'new', 'c']);
    assert.deepEqual(newer.placeAfter(ref, 'a'), { stackUuid: 'v2', changeId: 'b', comparedWith: 'v1' });
    assert.deepEqual(newer.placeAfter(ref, 'c'), { stackUuid: 'v2', changeId: 'c', comparedWith: 'v1' });
  });

  it('leads to a patch that was not there before, which is compared with nothing', async () => {
    versions = { read: stack('v1', 'inactive', ['a']), newest: stack('v2', 'active', ['new', 'a']) };
    changes = [change(undefined, 0), change(0, 1, 'rebased')];
    newer.of(ref);
    await isKnown();
    assert.deepEqual(newer.placeAfter(ref, 'a'), {
      stackUuid: 'v2',
      changeId: 'new',
      comparedWith: undefined,
    });
  });

  it('leads to the same patch where nothing changed, and to none where that is gone', async () => {
    versions = { read: stack('v1', 'inactive', ['a', 'b']), newest: stack('v2', 'active', ['b']) };
    changes = [change(0, undefined), change(1, 0, 'rebased')];
    newer.of(ref);
    await isKnown();
    assert.deepEqual(newer.of(ref)?.changed, []);
    assert.deepEqual(newer.placeAfter(ref, 'b'), { stackUuid: 'v2', changeId: 'b', comparedWith: 'v1' });
    assert.deepEqual(newer.placeAfter(ref, 'a'), {
      stackUuid: 'v2',
      changeId: undefined,
      comparedWith: undefined,
    });
  });

  it('is told and led to also where the version that is read is gone', () => {
    versions = { read: undefined, newest: stack('v7', 'active', ['a', 'b']) };
    assert.deepEqual(newer.of(ref, true), { newest: versions.newest, changes: undefined, changed: [] });
    assert.deepEqual(newer.placeAfter(ref, 'b', true), {
      stackUuid: 'v7',
      changeId: 'b',
      comparedWith: undefined,
    });
    assert.equal(compared.length, 0);
  });

  it('is not compared where there are too many patches, or where a list came without them', async () => {
    const many = Array.from({ length: 101 }, (_value, index) => `I${index}`);
    versions = { read: stack('v1', 'inactive', ids), newest: stack('v2', 'active', many) };
    newer.of(ref);
    const without: PatchStack = { ...stack('v3', 'active', ids) };
    delete without.patches;
    versions = { ...versions, newest: without };
    newer.of(ref);
    await new Promise((resolve) => setTimeout(resolve, 0));
    assert.equal(compared.length, 0);
    assert.deepEqual(newer.of(ref), { newest: without, changes: undefined, changed: [] });
  });

  it('is told also where it cannot be compared, and nothing more once the document is closed', async () => {
    versions = { read: stack('v1', 'inactive', ids), newest: stack('v2', 'active', ids) };
    failure = new Error('gone');
    newer.of(ref);
    await until(async () => logged.length === 1);
    assert.deepEqual(newer.of(ref), { newest: versions.newest, changes: undefined, changed: [] });
    failure = undefined;
    versions = { ...versions, newest: stack('v3', 'active', ids) };
    newer.of(ref);
    newer.dispose();
    await until(async () => compared.length + logged.length >= 3);
    assert.equal(found, 0);
  });
});
