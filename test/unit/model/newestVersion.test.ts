import assert from 'node:assert/strict';
import type { ApiClient } from '../../../src/api/client.ts';
import type { PatchStack, PatchStackStatus } from '../../../src/api/types/stacks.ts';
import { Model } from '../../../src/model/model.ts';
import { newestIn } from '../../../src/model/newestVersion.ts';

const version = (uuid: string, status: PatchStackStatus, branchId = 'topic'): PatchStack => ({
  uuid,
  status,
  branchId,
  contributors: [],
});
const stacks = [
  version('first', 'inactive'),
  version('other', 'active', 'other'),
  version('second', 'active'),
];

describe('the newest version of a stack', () => {
  it('is the active one of its branch, and none where there is none', () => {
    assert.equal(newestIn(stacks, 'topic')?.uuid, 'second');
    assert.equal(newestIn(stacks, 'nothing'), undefined);
    assert.equal(newestIn([version('closed', 'closed')], 'topic'), undefined);
    assert.equal(newestIn([{ uuid: 'free', status: 'active', contributors: [] }], undefined), undefined);
  });

  it('is told of an older one, of one that is gone only where it is said to be, and never of itself', async () => {
    const client = { news: { isOffered: false }, stacks: { list: async () => ({ items: stacks }) } };
    const model = new Model(async (operation) => operation(client as unknown as ApiClient));
    await model.stacks('project', 'all');
    const of = (stackUuid: string, isGone = false): [string | undefined, string | undefined] => {
      const found = model.newerVersion({ projectId: 'project', branchId: 'topic', stackUuid }, isGone);
      return [found?.read?.uuid, found?.newest.uuid];
    };
    assert.deepEqual(of('first'), ['first', 'second']);
    assert.deepEqual(of('second'), [undefined, undefined]);
    assert.deepEqual(of('zeroth'), [undefined, undefined]);
    assert.deepEqual(of('zeroth', true), [undefined, 'second']);
    assert.deepEqual(of('second', true), [undefined, undefined]);
    model.dispose();
  });
});
