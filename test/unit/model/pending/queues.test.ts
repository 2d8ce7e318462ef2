import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Model } from '../../../../src/model/model.ts';
import {
  kindOf,
  type ChangeContents,
  type ChangeSubjects,
  type KindName,
} from '../../../../src/model/pending/kinds/index.ts';
import { PendingChanges } from '../../../../src/model/pending/pendingChanges.ts';

const patchIn = (stackUuid: string) => ({
  projectId: '1',
  branchId: 'branch',
  stackUuid,
  changeId: 'change',
});

/** A change of every kind, begun in a version of a patch stack; undefined for what is no part of one. */
const changes: {
  [K in KindName]: ((stackUuid: string) => [ChangeSubjects[K], ChangeContents[K]]) | undefined;
} = {
  sectionText: (uuid) => [
    { kind: 'sectionText', patch: patchIn(uuid), code: 'a' },
    { base: '', text: 'mine' },
  ],
  sharedConflict: (uuid) => [
    { kind: 'sharedConflict', patch: patchIn(uuid), code: 'a' },
    { base: 'shown', text: 'mine', before: '', resolves: ['other'] },
  ],
  newSection: (uuid) => [
    { kind: 'newSection', patch: patchIn(uuid), key: 'new' },
    { text: 'new', after: null },
  ],
  sectionDeletion: (uuid) => [
    { kind: 'sectionDeletion', patch: patchIn(uuid), code: 'a' },
    { text: 'old', after: null },
  ],
  sectionOrder: (uuid) => [
    { kind: 'sectionOrder', patch: patchIn(uuid) },
    { base: ['a', 'b'], order: ['b', 'a'] },
  ],
  signOff: (uuid) => [
    { kind: 'signOff', patch: patchIn(uuid) },
    { review: 'signedOff', seen: 'as it was' },
  ],
  stack: (uuid) => [
    { kind: 'stack', projectId: '1', branchId: 'branch', stackUuid: uuid },
    { base: { title: '', description: '' }, fields: { title: 'mine' } },
  ],
  form: undefined,
};

describe('changes of one thing, begun in two versions of its patch stack', () => {
  let directory: string;
  let pendingChanges: PendingChanges;
  let underWay = 0;
  let most = 0;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-queues-'));
    underWay = 0;
    most = 0;
    const ask = async (): Promise<never> => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      throw new Error('nobody answers here');
    };
    pendingChanges = new PendingChanges({ ask, model: new Model(ask) });
    await pendingChanges.activate(path.join(directory, 'account', 'pending'));
  });

  afterEach(async () => {
    await pendingChanges.close();
    await rm(directory, { recursive: true, force: true });
  });

  for (const [kind, begin] of Object.entries(changes)) {
    if (!begin) {
      continue;
    }
    it(`are sent one after the other: ${kind}`, async () => {
      const ids = ['older', 'newer'].map((version) => {
        const [subject, content] = begin(version);
        pendingChanges.put(subject, content, 'A change');
        return pendingChanges.find(subject)!.id;
      });
      assert.equal(new Set(ids).size, 2);
      await Promise.all(ids.map((id) => pendingChanges.send(id)));
      assert.equal(most, 1);
    });
  }

  it('are sent one after the other, whatever of a patch they change', () => {
    const queues = Object.values(changes).flatMap((begin) => {
      const [subject] = begin?.('any version') ?? [];
      return subject && 'patch' in subject ? [kindOf(subject).queue(subject)] : [];
    });
    assert.ok(queues.length > 1);
    queues.forEach((queue) => assert.deepEqual(queue, queues[0]));
  });
});
