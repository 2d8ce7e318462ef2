import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Patch } from '../../../../src/api/types/patches.ts';
import type { PatchStack } from '../../../../src/api/types/stacks.ts';
import { opinionsOf } from '../../../../src/model/review.ts';
import type { PatchVersion } from '../../../../src/model/reading/patchVersion.ts';
import { Readings } from '../../../../src/model/reading/readings.ts';
import {
  loadVersions,
  signedIn,
  stackVersions,
  type StackVersionSources,
} from '../../../../src/model/reading/stackVersions.ts';
import { gone, outOfReach } from '../../../support/unavailable.ts';

const name = { projectId: '1', branchId: 'topic' };
const ref = { ...name, stackUuid: 'v3' };
const me = { id: '1', login: 'ada' };

/** A patch in a version of its own; what it says is that number. */
const patch = (changeId: string, version: number, more: Partial<Patch> = {}): Patch => ({
  changeId,
  title: changeId,
  version: String(version),
  commitSha: `${changeId}-${version}`,
  contributors: [],
  sections: [{ sectionType: 'text', code: 'a', identifier: 'a', text: `${changeId} ${version}` }],
  ...more,
});

describe('the versions of a stack that are compared', () => {
  let folder: string;
  let readings: Readings;
  let stacks: PatchStack[];
  let asked: string[];
  let failing: Map<string, Error>;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'patch-stacks-stack-versions-'));
    readings = new Readings({ folder, limit: () => 1_000_000, onFailure: assert.ifError });
    stacks = [];
    asked = [];
    failing = new Map();
  });

  afterEach(async () => {
    readings.dispose();
    await rm(folder, { recursive: true });
  });

  const has = (version: number, ...patches: Patch[]): PatchStack => {
    const stack = {
      uuid: `v${version}`,
      branchId: 'topic',
      version: String(version),
      contributors: [],
      patches,
    };
    stacks.unshift(stack);
    return stack;
  };
  const sources = (): StackVersionSources => ({
    model: {
      stacks: async () => ({ value: stacks, asOf: new Date() }),
      patchUnopened: async ({ stackUuid, changeId }) => {
        asked.push(`${stackUuid} ${changeId}`);
        const failure = failing.get(`${stackUuid} ${changeId}`);
        if (failure) {
          throw failure;
        }
        const stack = stacks.find(({ uuid }) => uuid === stackUuid);
        return stack?.patches?.find((one) => one.changeId === changeId) ?? assert.fail();
      },
      opinions: (one) => opinionsOf(one, me),
    },
    readings,
  });
  const read = (one: Patch): Promise<void> => readings.note(name, one, ['a'], { seen: true });
  const offers = async (stack: PatchStack) => {
    const found = await stackVersions(sources(), { ...ref, stackUuid: stack.uuid }, stack);
    return found && [found.all.map(({ uuid }) => uuid), found.lastRead?.uuid, found.older.uuid];
  };
  const textsOf = (versions: readonly PatchVersion[]): string[] =>
    versions.flatMap(({ sections }) =>
      sections.flatMap((section) => (section.kind === 'text' ? section.text : [])),
    );

  it('are none before there is another one, nor those of other branches', async () => {
    const first = has(1, patch('I1', 1));
    stacks.push({ ...first, uuid: 'other', branchId: 'elsewhere', version: '0' });
    stacks.push({ uuid: 'untold', branchId: 'topic', version: '0', contributors: [] });
    assert.equal(await offers(first), undefined);
    assert.deepEqual(asked, []);
  });

  it('are all, the oldest first, and begin with the one before where nothing was read', async () => {
    const versions = [has(1, patch('I1', 1)), has(2, patch('I1', 2)), has(10, patch('I1', 3))] as const;
    assert.deepEqual(await offers(versions[2]), [['v1', 'v2', 'v10'], undefined, 'v2']);
    assert.deepEqual(await offers(versions[1]), [['v1', 'v2', 'v10'], undefined, 'v1']);
    assert.equal(await offers(versions[0]), undefined);
    assert.deepEqual(asked, []);
  });

  it('begin with the one that was read last', async () => {
    has(1, patch('I1', 1), patch('I2', 1));
    has(2, patch('I1', 1), patch('I2', 2));
    const newest = has(3, patch('I1', 1), patch('I2', 3));
    await read(patch('I1', 1));
    assert.deepEqual((await offers(newest))?.slice(1), ['v1', 'v1']);
    await read(patch('I2', 2));
    assert.deepEqual((await offers(newest))?.slice(1), ['v2', 'v2']);
    // What was read last is what is there: it is told what happened since the one that was read before.
    await read(patch('I2', 3));
    assert.deepEqual((await offers(newest))?.slice(1), ['v2', 'v2']);
  });

  it('begin with the one before where only what is there was read', async () => {
    has(1, patch('I1', 1), patch('I2', 1));
    has(2, patch('I1', 1), patch('I2', 2));
    const newest = has(3, patch('I1', 1), patch('I2', 3));
    await read(patch('I1', 1));
    await read(patch('I2', 3));
    assert.deepEqual((await offers(newest))?.slice(1), [undefined, 'v2']);
  });

  it('are what was read, from this computer, and for the rest what the service has', async () => {
    const first = has(1, patch('I1', 1), patch('I2', 1), patch('I3', 1));
    const second = has(2, patch('I1', 2), patch('I2', 2), patch('I3', 1));
    const newest = has(3, patch('I1', 3), patch('I2', 2));
    await read(patch('I1', 1));
    await read(patch('I2', 2));
    const load = (older: PatchStack, isAsRead: boolean) => {
      asked = [];
      return loadVersions(sources(), ref, { older, newer: newest, isAsRead }, new AbortController().signal);
    };
    const asRead = await load(second, true);
    assert.deepEqual(textsOf(asRead.older), ['I1 1', 'I2 2', 'I3 1']);
    assert.deepEqual(textsOf(asRead.newer), ['I1 3', 'I2 2']);
    assert.deepEqual(asked, ['v3 I1', 'v3 I2', 'v2 I2', 'v2 I3']);
    assert.deepEqual(textsOf((await load(first, false)).older), ['I1 1', 'I2 1', 'I3 1']);
    assert.deepEqual(asked, ['v3 I1', 'v3 I2', 'v1 I1', 'v1 I2', 'v1 I3']);
    assert.deepEqual(textsOf((await load(second, false)).older), ['I1 2', 'I2 2', 'I3 1']);
    assert.deepEqual(asked, ['v3 I1', 'v3 I2', 'v2 I1', 'v2 I2', 'v2 I3']);
  });

  it('are what the service has, whatever was read of it, and what was read where it has nothing', async () => {
    const first = has(1, patch('I1', 1), patch('I2', 1));
    const newest = has(2, patch('I1', 2), patch('I2', 2));
    const written = (changeId: string): Patch => ({
      ...patch(changeId, 1),
      sections: [{ sectionType: 'text', code: 'a', identifier: 'a', text: 'as it was read' }],
    });
    await read(written('I1'));
    await read({ ...written('I2'), commitSha: 'before the rebase' });
    const { signal } = new AbortController();
    const load = async (): Promise<string[]> =>
      textsOf(
        (await loadVersions(sources(), ref, { older: first, newer: newest, isAsRead: false }, signal)).older,
      );
    assert.deepEqual(await load(), ['I1 1', 'I2 1']);
    failing.set('v1 I1', gone).set('v1 I2', gone);
    assert.deepEqual((await load())[0], 'as it was read');
    assert.ok(!(await load()).slice(1).includes('as it was read'));
  });

  it('say what is not to be had, and fail where the service does not answer, or nobody wants them', async () => {
    const first = has(1, patch('I1', 1), patch('I2', 1));
    const newest = has(2, patch('I1', 2));
    const ended = new AbortController();
    const load = () =>
      loadVersions(sources(), ref, { older: first, newer: newest, isAsRead: false }, ended.signal);
    failing.set('v1 I2', gone);
    assert.deepEqual(
      (await load()).older.map(({ title, isMissing }) => [title, isMissing]),
      [
        ['I1', undefined],
        ['I2', true],
      ],
    );
    failing.set('v1 I2', outOfReach);
    await assert.rejects(load());
    asked = [];
    ended.abort(new Error('nobody wants it'));
    await assert.rejects(load(), /nobody wants it/);
    assert.deepEqual(asked, []);
  });

  it('are those that were signed off, unless changes were requested since', async () => {
    const said = (what: 'signedOff' | 'rejected'): Partial<Patch> => ({
      reviewAll: { viewed: [], signedOff: [], rejected: [], [what]: [me] },
    });
    const all = [
      has(1, patch('I1', 1, said('signedOff')), patch('I2', 1, said('signedOff')), patch('I3', 1)),
      has(2, patch('I1', 2), patch('I2', 2, said('rejected')), patch('I3', 1)),
    ];
    await readings.noteReview(name, patch('I3', 1), 'signedOff');
    const records = new Map((await readings.lastRead(name)).map((record) => [record.changeId, record]));
    const signed = ['I1', 'I2', 'I3', 'I4'].map(
      (changeId) => signedIn(sources(), all, changeId, records.get(changeId))?.uuid,
    );
    assert.deepEqual(signed, ['v1', undefined, 'v2', undefined]);
  });
});
