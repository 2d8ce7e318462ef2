import assert from 'node:assert/strict';
import type { ApiClient } from '../../../src/api/client.ts';
import type { Patch } from '../../../src/api/types/patches.ts';
import type { PatchStack } from '../../../src/api/types/stacks.ts';
import { Model } from '../../../src/model/model.ts';

const patch = (changeId: string, title: string): Patch => ({ changeId, title, contributors: [] });

describe('Model, asked what it knows of a patch', () => {
  const listed: PatchStack = { uuid: 'a', contributors: [], patches: [patch('I1', 'Listed')] };
  const bare: PatchStack = { uuid: 'b', branchId: 'branch', contributors: [] };
  let model: Model;
  let asked: string[];

  beforeEach(() => {
    asked = [];
    const client = {
      news: { isOffered: false },
      stacks: {
        list: async () => ({ items: [listed, bare] }),
        latestForBranch: async () => ({ ...bare, patches: [patch('I1', 'Read for the stack')] }),
      },
      patches: {
        get: async (_uuid: string, _changeId: string, { ahead = false } = {}) => {
          asked.push(ahead ? 'ahead' : 'to read');
          return { ...patch('I1', 'Read by itself'), sections: [] };
        },
      },
    };
    model = new Model(async (operation) => operation(client as unknown as ApiClient));
  });

  const titleOf = (stackUuid: string, changeId = 'I1'): string | undefined =>
    model.patchSummary({ stackUuid, changeId })?.title;

  it('says nothing before anything was read', () => {
    assert.equal(titleOf('a'), undefined);
  });

  it('says what the list of stacks has brought, of that stack and that patch only', async () => {
    await model.stacks('1', 'active');
    assert.deepEqual([titleOf('a'), titleOf('a', 'I2'), titleOf('b')], ['Listed', undefined, undefined]);
  });

  it('says what was read for the stack', async () => {
    await model.patchesOfStack('1', bare);
    assert.deepEqual([titleOf('b'), titleOf('a')], ['Read for the stack', undefined]);
  });

  it('says what the patch itself has, before all', async () => {
    await model.stacks('1', 'active');
    await model.patch({ stackUuid: 'a', changeId: 'I1' });
    assert.equal(titleOf('a'), 'Read by itself');
  });

  it('asks for what nobody has opened so that it does not count as read, once', async () => {
    const ref = { stackUuid: 'a', changeId: 'I1' };
    await model.patchUnopened(ref);
    await model.patchUnopened(ref);
    assert.deepEqual([asked, model.knownPatch(ref)], [['ahead'], undefined]);
    assert.equal(model.knownContent(ref)?.title, 'Read by itself');
    await model.patch(ref);
    await model.patchUnopened(ref);
    assert.deepEqual(asked, ['ahead', 'to read']);
    model.refresh();
    await model.patchUnopened(ref);
    assert.deepEqual(asked, ['ahead', 'to read', 'to read']);
  });
});
