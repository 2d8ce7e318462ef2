import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ApiClient } from '../../../src/api/client.ts';
import type { AskService } from '../../../src/model/askService.ts';
import { Model } from '../../../src/model/model.ts';
import { PendingChanges } from '../../../src/model/pending/pendingChanges.ts';
import { PastReleases } from '../../../src/releases/pastReleases.ts';
import { ReleasePanel } from '../../../src/releases/releasePanel.ts';
import type { Connection } from '../../../src/session/connection.ts';
import { PagePanel } from '../../../src/ui/pagePanel.ts';
import { RecentChanges } from '../../../src/ui/recentChanges.ts';
import { MemoryMemento } from '../../support/memento.ts';
import { silentLog } from '../../support/silentLog.ts';
import { TestedForm } from './testedForm.ts';

const creation = { version: '1.2.0', sha: 'a'.repeat(40), channel: 'nightly' } as const;

/** A memory of VS Code that takes nothing, as on a full disk. */
class FullMemento extends MemoryMemento {
  override update(): Promise<void> {
    return Promise.reject(new Error('The disk is full.'));
  }
}

describe('the form for a release', () => {
  const { extensionUri } = vscode.extensions.getExtension('patch-stacks.patch-stacks')!;
  let directory: string;
  let pendingChanges: PendingChanges;
  let create: () => Promise<unknown>;
  let changes: RecentChanges;
  let warned: string[];

  const ask = ((operation: (client: ApiClient) => unknown) =>
    Promise.resolve(
      operation({ releases: { create: () => create() } } as unknown as ApiClient),
    )) as AskService;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-release-'));
    pendingChanges = new PendingChanges({ ask, model: new Model(ask) });
    await pendingChanges.activate(path.join(directory, 'pending'));
    changes = new RecentChanges(silentLog, () => () => undefined);
    warned = [];
  });

  afterEach(async () => {
    await pendingChanges.close();
    await rm(directory, { recursive: true, force: true });
  });

  async function sendWith(memory: vscode.Memento): Promise<unknown> {
    const page = new TestedForm();
    const account = new vscode.EventEmitter<undefined>();
    const panel = new ReleasePanel({
      extensionUri,
      connection: {
        use: ask,
        requireServer: () => 'https://one.test/api',
        onDidChangeAccount: account.event,
      } as unknown as Connection,
      past: new PastReleases(memory),
      pendingChanges,
      changes,
      colors: () => assert.fail('nothing is colored'),
      log: { ...silentLog, warn: (message) => void warned.push(message) },
    });
    try {
      panel.panel.restore(new PagePanel(page as unknown as vscode.WebviewPanel));
      return await page.ask('create', creation);
    } finally {
      panel.dispose();
    }
  }

  it('says that it was created where the service says so, also where it can be listed nowhere', async () => {
    create = async () => ({ ...creation, builds: [] });
    assert.deepEqual(await sendWith(new FullMemento()), { kind: 'created', past: [] });
    assert.equal(changes.list[0]?.what, 'Created release 1.2.0.');
    assert.match(warned.join(), /The disk is full/);
  });

  it('lists what was created, and nothing that the service has refused', async () => {
    const memory = new MemoryMemento();
    create = () => Promise.reject(new Error('No.'));
    assert.partialDeepStrictEqual(await sendWith(memory), { kind: 'refused' });
    assert.deepEqual(new PastReleases(memory).list(), []);
    assert.deepEqual(changes.list, []);
    create = async () => ({ ...creation, builds: [] });
    assert.partialDeepStrictEqual(await sendWith(memory), { kind: 'created' });
    assert.deepEqual(
      new PastReleases(memory).list().map(({ release }) => release.version),
      ['1.2.0'],
    );
  });
});
