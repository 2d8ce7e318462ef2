import assert from 'node:assert/strict';
import { ContentSources } from '../../../src/git/contentSources.ts';
import type { WorkspaceRepositories } from '../../../src/git/workspaceRepositories.ts';
import type { VersionPair } from '../../../src/model/reading/outcome.ts';
import { getContents } from '../../../src/patch/getContents.ts';
import { Emitter } from '../../../src/util/event.ts';
import { silentLog } from '../../support/silentLog.ts';

describe('the repositories as sources of contents', () => {
  let changed: Emitter<undefined>;
  let roots: string[];
  let branch: string;
  let sources: ContentSources;
  let told: number;

  beforeEach(() => {
    changed = new Emitter<undefined>();
    roots = [];
    branch = 'main';
    told = 0;
    sources = new ContentSources({
      onDidChange: changed.event,
      start: async () => undefined,
      get list() {
        return roots.map((root) => ({ root, remotes: [], branch }));
      },
    } as unknown as WorkspaceRepositories);
    sources.onDidChange(() => (told += 1));
  });
  afterEach(() => {
    sources.dispose();
    changed.dispose();
  });

  it('may have more when others are open, once somebody has looked into them', async () => {
    roots = ['/before'];
    changed.fire(undefined);
    assert.equal(told, 0, 'nobody has missed anything yet');
    await sources.where();
    roots = ['/before', '/opened'];
    changed.fire(undefined);
    assert.equal(told, 1);
    branch = 'other';
    changed.fire(undefined);
    assert.equal(told, 1, 'another branch has no other contents');
    roots = ['/opened'];
    changed.fire(undefined);
    assert.equal(told, 2);
  });

  it('are those of the window, which lack what is missing, and have no more where nothing was fetched', async () => {
    const before = await sources.stamp();
    assert.match(before, /greetings/);
    assert.equal(await sources.whyMissing(), 'notFetched');
    const empty = { changeId: 'I1', title: '', message: '', sections: [], files: [] };
    assert.equal(await sources.fetch([empty, empty]), false);
    assert.deepEqual([told, await sources.stamp()], [0, before]);
  });

  it('get what two versions need, of those that are compared, while that can be given up', async () => {
    const pair = [{ title: 'older' }, { title: 'newer' }] as unknown as VersionPair;
    const fetched: unknown[] = [];
    const source = {
      whyMissing: async () => 'notFetched' as const,
      fetch: async (of: VersionPair, signal?: AbortSignal) => {
        fetched.push(of, signal instanceof AbortSignal);
        return true;
      },
    };
    await getContents({ contentSources: source, log: silentLog }, async () => pair);
    assert.deepEqual(fetched, [pair, true]);
  });
});
