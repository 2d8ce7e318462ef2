import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Patch } from '../../../../src/api/types/patches.ts';
import type { PatchStack } from '../../../../src/api/types/stacks.ts';
import type { PatchVersion } from '../../../../src/model/reading/patchVersion.ts';
import { Readings } from '../../../../src/model/reading/readings.ts';
import { Versions } from '../../../../src/model/reading/versions.ts';
import { gone, outOfReach } from '../../../support/unavailable.ts';

const name = { projectId: '1', branchId: 'topic' };
const patchOf = (version: string, text: string, more: Partial<Patch> = {}): Patch => ({
  changeId: 'I1',
  title: 'Title',
  version,
  contributors: [],
  sections: [{ sectionType: 'text', code: 'a', identifier: 'a', text }],
  ...more,
});
const ref = { ...name, stackUuid: 'three', changeId: 'I1' };

describe('the versions that a patch is compared with', () => {
  let folder: string;
  let readings: Readings;
  /** The service's versions of the stack. */
  let stacks: PatchStack[];
  let patches: Map<string, Patch>;
  let commits: Map<string, PatchVersion>;
  let isOnline: boolean;
  /** False while it tells of versions, and gives none. */
  let isPatchOnline: boolean;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'patch-stacks-versions-'));
    readings = new Readings({ folder, limit: () => 1_000_000, onFailure: assert.ifError });
    stacks = [];
    patches = new Map();
    commits = new Map();
    isOnline = true;
    isPatchOnline = true;
  });
  afterEach(async () => {
    readings.dispose();
    await rm(folder, { recursive: true });
  });

  const has = (uuid: string, patch: Patch): void => {
    patches.set(uuid, patch);
    const summary = { ...patch };
    delete summary.sections;
    const createdAt = `2026-01-0${patch.version ?? ''}T00:00:00Z`;
    stacks.push({ uuid, branchId: 'topic', createdAt, contributors: [], patches: [summary] });
  };
  const ask = async <T>(answer: T | undefined): Promise<T> => {
    if (!isOnline) {
      throw outOfReach;
    }
    if (answer === undefined) {
      throw gone;
    }
    return answer;
  };
  const versions = (): Versions =>
    new Versions({
      model: {
        located: (place) => place,
        stacks: () => ask({ value: stacks, asOf: new Date() }),
        patchUnopened: ({ stackUuid }) =>
          isPatchOnline ? ask(patches.get(stackUuid)) : Promise.reject(outOfReach),
      },
      readings,
      ofCommit: (sha) => Promise.resolve(commits.get(sha)),
    });
  const textsOf = (version: PatchVersion | undefined): string[] =>
    (version?.sections ?? []).flatMap((section) => (section.kind === 'text' ? section.text : []));
  const now = patchOf('3', 'now');
  const forgetVersions = async (): Promise<void> => {
    await rm(path.join(folder, 'versions'), { recursive: true });
  };

  it('are first what was kept, also while the service cannot be reached', async () => {
    await readings.note(name, patchOf('2', 'read'), ['a'], { seen: true });
    isOnline = false;
    const found = await versions().find(ref, now, { kind: 'lastRead' });
    assert.deepEqual([found?.from, found?.number, textsOf(found?.version)], ['kept', '2', ['read']]);
    assert.deepEqual(await versions().findKept(ref, now), found);
    assert.deepEqual(await versions().offers(ref, now), [
      { baseline: { kind: 'lastRead' }, number: '2', isThere: true },
    ]);
  });

  it('are what was read before, when some of this one was read already', async () => {
    await readings.note(name, patchOf('2', 'read'), ['a'], { seen: true });
    await readings.note(name, now, ['a'], { seen: true });
    const found = await versions().find(ref, now, { kind: 'lastRead' });
    assert.deepEqual(textsOf(found?.version), ['read']);
    assert.equal(await versions().find(ref, now, { kind: 'signedOff' }), undefined);
  });

  it('are what the service has, if that is still what was read', async () => {
    const read = patchOf('2', 'read');
    await readings.note(name, read, ['a'], { seen: true });
    await forgetVersions();
    has('three', now);
    has('one', patchOf('1', 'another'));
    has('two', patchOf('2', 'written anew since'));
    assert.equal(await versions().find(ref, now, { kind: 'lastRead' }), undefined);
    patches.set('two', read);
    const found = await versions().find(ref, now, { kind: 'lastRead' });
    assert.deepEqual([found?.from, textsOf(found?.version)], ['service', ['read']]);
    assert.equal(await versions().findKept(ref, now), undefined);
  });

  it('are what git has of a commit, with the texts that are there now', async () => {
    await readings.note(name, patchOf('2', 'read', { commitSha: 'c2' }), ['a'], { seen: true });
    await forgetVersions();
    has('two', patchOf('2', 'read', { commitSha: 'c2' }));
    patches.clear();
    const file = { oldPath: 'a.ts', path: 'a.ts' };
    commits.set('c2', { changeId: 'I1', title: 'As it was', message: 'm', sections: [], files: [file] });
    const since = { sectionType: 'diff' as const, code: 'b', identifier: 'b.ts', newPath: 'b.ts' };
    const more = { ...now, sections: [...now.sections!, since] };
    const found = await versions().find(ref, more, { kind: 'lastRead' });
    assert.equal(found?.from, 'git');
    assert.deepEqual(found.version, {
      changeId: 'I1',
      title: 'As it was',
      message: '',
      sections: [
        { kind: 'text', code: 'a', text: 'now' },
        { kind: 'diff', path: 'a.ts' },
      ],
      files: [file],
    });
  });

  it('are not what git has of one of several commits, of which nobody knows which was read', async () => {
    await readings.note(name, patchOf('2', 'read'), ['a'], { seen: true });
    await forgetVersions();
    for (const commitSha of ['c1', 'c2']) {
      has(commitSha, patchOf('2', 'written anew since', { commitSha }));
      commits.set(commitSha, { changeId: 'I1', title: '', message: '', sections: [], files: [] });
    }
    assert.equal(await versions().find(ref, now, { kind: 'lastRead' }), undefined);
    stacks.pop();
    assert.equal((await versions().find(ref, now, { kind: 'lastRead' }))?.from, 'git');
  });

  it('are said to be missing when nobody has them', async () => {
    await readings.note(name, patchOf('2', 'read'), ['a'], { seen: true });
    assert.equal((await readdir(path.join(folder, 'versions'))).length, 1);
    await forgetVersions();
    has('three', now);
    has('one', patchOf('1', 'one'));
    stacks.push({ uuid: 'other', branchId: 'topic', createdAt: '2026-01-02', contributors: [], patches: [] });
    stacks.push({ uuid: 'elsewhere', branchId: 'elsewhere', contributors: [] });
    assert.deepEqual(
      (await versions().offers(ref, now)).map(({ baseline, number, isThere }) => [baseline, number, isThere]),
      [
        [{ kind: 'lastRead' }, '2', false],
        [{ kind: 'version', stackUuid: 'other' }, undefined, false],
        [{ kind: 'version', stackUuid: 'one' }, '1', true],
      ],
    );
    const found = await versions().find(ref, now, { kind: 'version', stackUuid: 'one' });
    assert.deepEqual([found?.number, textsOf(found?.version)], ['1', ['one']]);
    assert.equal(await versions().find(ref, now, { kind: 'version', stackUuid: 'other' }), undefined);
  });

  it('are not said to be missing while the service, which may have them, does not answer', async () => {
    await readings.note(name, patchOf('2', 'read', { commitSha: 'c2' }), ['a'], { seen: true });
    await forgetVersions();
    has('two', patchOf('2', 'read', { commitSha: 'c2' }));
    const lastRead = { kind: 'lastRead' } as const;
    const isThere = async (): Promise<boolean | undefined> =>
      (await versions().offers(ref, now)).find(({ baseline }) => baseline.kind === 'lastRead')?.isThere;
    isOnline = false;
    assert.equal(await isThere(), true);
    await assert.rejects(versions().find(ref, now, lastRead), outOfReach);
    await assert.rejects(versions().find(ref, now, { kind: 'version', stackUuid: 'two' }), outOfReach);
    isOnline = true;
    isPatchOnline = false;
    assert.equal(await isThere(), true);
    await assert.rejects(versions().find(ref, now, lastRead), outOfReach);
    commits.set('c2', { changeId: 'I1', title: 'As it was', message: 'm', sections: [], files: [] });
    assert.equal((await versions().find(ref, now, lastRead))?.from, 'git');
    commits.clear();
    isPatchOnline = true;
    patches.clear();
    assert.equal(await isThere(), false);
    assert.equal(await versions().find(ref, now, lastRead), undefined);
  });

  it('tell which sections of an earlier one were read', async () => {
    const two: Patch = {
      ...patchOf('2', 'read'),
      sections: ['read', 'never seen'].map((text) => ({
        sectionType: 'text',
        code: text,
        identifier: text,
        text,
      })),
    };
    await readings.note(name, two, ['read'], { seen: true });
    await readings.note(name, now, ['a'], { seen: true });
    const found = await versions().find(ref, now, { kind: 'lastRead' });
    assert.ok(found);
    assert.deepEqual(await readings.sectionsRead(name, found.version), [true, false]);
  });
});
