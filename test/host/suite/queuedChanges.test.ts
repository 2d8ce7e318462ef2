import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ApiClient } from '../../../src/api/client.ts';
import type { Patch } from '../../../src/api/types/patches.ts';
import type { AskService } from '../../../src/model/askService.ts';
import { fingerprintOf } from '../../../src/model/fingerprint.ts';
import { Model } from '../../../src/model/model.ts';
import type { SendOutcome } from '../../../src/model/pending/pendingChange.ts';
import { PendingChanges } from '../../../src/model/pending/pendingChanges.ts';
import type { Change, RecentChange, RecentChanges } from '../../../src/ui/recentChanges.ts';
import { QueuedChanges } from '../../../src/unsent/queuedChanges.ts';
import { silentLog } from '../../support/silentLog.ts';

const changeIds = ['I1', 'I2', 'I3'];
const patchOf = (changeId: string): Patch => ({ changeId, title: changeId, contributors: [], sections: [] });

describe('sign-offs that were said in one act', () => {
  let directory: string;
  let pendingChanges: PendingChanges;
  let queued: QueuedChanges;
  let offered: Change[];
  let sent: string[];

  const ask = ((operation: (client: ApiClient) => unknown) =>
    Promise.resolve(
      operation({
        news: { isOffered: false },
        patches: {
          get: async (_stack: string, changeId: string) => patchOf(changeId),
          update: async (_stack: string, changeId: string) => {
            sent.push(changeId);
            return patchOf(changeId);
          },
        },
      } as unknown as ApiClient),
    )) as AskService;

  beforeEach(async () => {
    [offered, sent] = [[], []];
    directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-queued-'));
    pendingChanges = new PendingChanges({ ask, model: new Model(ask) });
    await pendingChanges.activate(path.join(directory, 'pending'));
    queued = queueOf(pendingChanges);
  });

  const queueOf = (changes: PendingChanges): QueuedChanges =>
    new QueuedChanges({
      pendingChanges: changes,
      changes: {
        offerUndo: (change: Change, tellInPlace: (recent: RecentChange) => boolean) => {
          assert.equal(
            tellInPlace({ ...change, at: new Date(), undone: false, requireAccount: () => undefined }),
            false,
          );
          offered.push(change);
        },
      } as unknown as RecentChanges,
      tellInDocument: () => assert.fail('What was said of several is told in the document of one.'),
      tell: async () => undefined,
      log: silentLog,
      // Nobody waits that long: what is sent is sent by the test.
      delayMs: 60 * 60 * 1000,
    });

  afterEach(async () => {
    queued.dispose();
    await pendingChanges.close();
    await rm(directory, { recursive: true, force: true });
  });

  const sayAll = async (ids = changeIds): Promise<void> => {
    const batch = { id: ids.join(), size: ids.length };
    for (const changeId of ids) {
      const content = { review: 'signedOff', seen: fingerprintOf(patchOf(changeId)), batch } as const;
      const patch = { stackUuid: 's', changeId };
      await pendingChanges.queue({ kind: 'signOff', patch }, content, changeId);
    }
  };
  /** Closes the window, and opens another one. */
  const restart = async (): Promise<void> => {
    queued.dispose();
    await pendingChanges.close();
    pendingChanges = new PendingChanges({ ask, model: new Model(ask) });
    await pendingChanges.activate(path.join(directory, 'pending'));
    queued = queueOf(pendingChanges);
  };
  const isOver = (): (boolean | undefined)[] => offered.map(({ over }) => over?.aborted);
  const undoFirst = async (): Promise<void> => {
    const { undo } = offered[0] ?? {};
    assert.ok(undo);
    await undo();
  };
  const left = (): string[] =>
    pendingChanges
      .list()
      .map(({ title }) => title)
      .toSorted();
  const send = async (title: string): Promise<SendOutcome['kind'] | undefined> => {
    const pending = pendingChanges.list().find((one) => one.title === title);
    return pending && (await pendingChanges.send(pending.id)).kind;
  };

  it('are told of once, and taken back as one', async () => {
    await sayAll();
    assert.deepEqual(
      offered.map(({ what }) => what),
      ['Signing off in a few seconds. Patches: 3.'],
    );
    assert.deepEqual(left(), changeIds);
    await undoFirst();
    assert.deepEqual([left(), sent], [[], []]);
    assert.deepEqual(isOver(), [true]);
  });

  it('are taken back as far as they were not sent', async () => {
    await sayAll();
    await send('I1');
    assert.deepEqual(isOver(), [false]);
    await undoFirst();
    assert.deepEqual([left().filter((title) => title !== 'I1'), sent], [[], ['I1']]);
    assert.deepEqual(isOver(), [true]);
  });

  it('are not taken back when all were sent, which is said', async () => {
    await sayAll();
    for (const changeId of changeIds) {
      await send(changeId);
    }
    assert.deepEqual(isOver(), [true]);
    await assert.rejects(undoFirst(), /already been sent and can't be taken back/);
    assert.deepEqual(sent, changeIds);
  });

  it('are told of as many as are left when the window was closed in between', async () => {
    await sayAll();
    await send('I1');
    await restart();
    assert.deepEqual(
      offered.map(({ what }) => what),
      ['Signing off in a few seconds. Patches: 3.', 'Signing off in a few seconds. Patches: 2.'],
    );
    await offered[1]?.undo?.();
    assert.deepEqual([left(), sent], [[], ['I1']]);
  });

  it('of two acts are taken back apart', async () => {
    await sayAll(['I1', 'I2']);
    await sayAll(['I3', 'I4']);
    assert.equal(offered.length, 2);
    await undoFirst();
    assert.deepEqual(left(), ['I3', 'I4']);
    assert.deepEqual(isOver(), [true, false]);
  });
});
