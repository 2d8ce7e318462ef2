import assert from 'node:assert/strict';
import * as vscode from 'vscode';
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
    assert.deepEqual(await sources.fetch([empty, empty]), { found: 0, isAsked: false });
    assert.deepEqual([told, await sources.stamp()], [0, before]);
  });

  it('get what two versions need, of those that are compared, while that can be given up', async () => {
    const pair = [{ title: 'older' }, { title: 'newer' }] as unknown as VersionPair;
    const fetched: unknown[] = [];
    const source = {
      whyMissing: async () => 'notFetched' as const,
      fetch: async (of: VersionPair, signal?: AbortSignal) => {
        fetched.push(of, signal instanceof AbortSignal);
        return { found: 1, isAsked: true };
      },
    };
    await getContents({ contentSources: source, log: silentLog }, async () => pair);
    assert.deepEqual(fetched, [pair, true]);
    // Nobody compares any more: nothing is asked for.
    await getContents({ contentSources: source, log: silentLog }, async () => undefined);
    assert.deepEqual(fetched, [pair, true]);
  });

  it('are said not to be at the remotes where these were asked, and not otherwise', async () => {
    const { window } = vscode;
    const { showInformationMessage } = window;
    const said: string[] = [];
    Object.assign(window, { showInformationMessage: async (text: string) => void said.push(text) });
    try {
      const pair = [{ title: 'older' }, { title: 'newer' }] as unknown as VersionPair;
      for (const fetched of [
        { found: 0, isAsked: true },
        { found: 0, isAsked: false },
        { found: 1, isAsked: true },
      ]) {
        const source = { whyMissing: async () => 'notFetched' as const, fetch: async () => fetched };
        await getContents({ contentSources: source, log: silentLog }, async () => pair);
      }
    } finally {
      Object.assign(window, { showInformationMessage });
    }
    assert.deepEqual(said, [
      "The remotes of this repository don't have these contents.",
      'No remote was asked: the open repositories have none, or lack nothing that it could give.',
    ]);
  });
});
