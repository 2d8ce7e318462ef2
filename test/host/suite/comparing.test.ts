import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Model } from '../../../src/model/model.ts';
import { Readings } from '../../../src/model/reading/readings.ts';
import { Comparing, type ComparingContext } from '../../../src/patch/comparing.ts';
import { AccountFolders } from '../../../src/session/accountFolders.ts';
import { before, compareTexts, now, stack } from './readText.ts';

const ref = { projectId: '1', branchId: 'topic', stackUuid: 's', changeId: 'I1' };

describe('what a patch is compared with', () => {
  let storage: string;
  let folders: AccountFolders;
  const [ada, emmy] = ['ada', 'emmy'].map((userId) => ({ serverUrl: 'https://example.org', userId }));
  const readingsOf = (account = ada!): Readings =>
    new Readings({
      folder: folders.folder(account),
      limit: () => 1_000_000,
      onFailure: (error) => assert.fail(String(error)),
    });

  beforeEach(async () => {
    storage = await mkdtemp(path.join(tmpdir(), 'patch-stacks-comparing-'));
    folders = new AccountFolders(storage);
    await readingsOf().note(stack, before, ['a'], { seen: true });
  });
  afterEach(() => rm(storage, { recursive: true, force: true }));

  const context = (readings: () => Readings): ComparingContext => {
    const model: Pick<Model, 'located'> = { located: (of) => of };
    return {
      model: model as Model,
      readings: async () => readings(),
      compareVersions: compareTexts,
      contentSources: { whyMissing: async () => 'notOpen' },
      log: { warn: (text: string) => assert.fail(text) } as never,
    };
  };
  const changed = { state: 'changed' as const, sections: [] };

  it('is what they have read themselves, and never what another account has', async () => {
    let readings = readingsOf();
    const comparing = new Comparing(context(() => readings));
    assert.equal((await comparing.view(ref, now, changed)).comparison?.with.number, '1');
    readings = readingsOf(emmy);
    assert.deepEqual(await comparing.view(ref, now, changed), {});
    readings = readingsOf();
    assert.equal((await comparing.view(ref, now, changed)).comparison?.with.number, '1');
  });

  it('is nothing any more when the data of the account was deleted', async () => {
    await folders.delete(ada!);
    assert.deepEqual(await new Comparing(context(readingsOf)).view(ref, now, changed), {});
    assert.equal((await readingsOf().states(stack, [before]))[0]?.state, 'unread');
  });
});
