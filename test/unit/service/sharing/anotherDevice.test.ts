import assert from 'node:assert/strict';
import { beginAnew, beginAnother, operationsLeft } from '../../../../src/service/sharing/anotherDevice.ts';
import { HybridClock } from '../../../../src/service/sharing/clock.ts';
import { Fold } from '../../../../src/service/sharing/fold.ts';
import type { SharedLogs } from '../../../../src/service/sharing/logs.ts';
import {
  encodeBatch,
  pathOf,
  personOf,
  type LoggedOperation,
  type Operation,
} from '../../../../src/service/sharing/operations.ts';
import { OwnLog } from '../../../../src/service/sharing/ownLog.ts';
import { SharingStore } from '../../../../src/service/sharing/store.ts';
import { Database } from '../../../../src/service/storage/database.ts';

const writer = { person: personOf('ada@example.com'), device: 'a'.repeat(16) };
const id = (seq: number): string => `${pathOf(writer)}/${seq}`;
const shadow = JSON.stringify(['shadow text', 'feature', 'I1', 's']);

describe('a device that goes on as another', () => {
  let store: SharingStore;
  let sides: { store: SharingStore; fold: Fold; clock: HybridClock };
  let own: OwnLog;

  const text = (words: string, over: string[] = []): Operation => ({
    type: 'text',
    branch: 'feature',
    change: 'I1',
    commit: 'c'.repeat(40),
    section: 's',
    text: words,
    over,
  });

  /** The operations of a log, and of its outbox, in their order. */
  const operations = (log: OwnLog): LoggedOperation[] => log.outbox.map(([, operation]) => operation);
  const wordsOf = (some: readonly LoggedOperation[]): unknown[] =>
    some.map(({ content }) => content?.type === 'text' && [content.text, content.over]);

  /** Logs at which the remote's goes on otherwise behind the first operation; those of the own one are in two commits, up to one of them. */
  const forkedUpTo = (last: number): SharedLogs => {
    const forkOf = async () => ({
      end: { seq: 1, clock: operations(own)[0]!.clock },
      commits: (async function* () {
        const left = operations(own).filter(({ seq }) => seq > 1 && seq <= last);
        for (const one of left) {
          yield { sha: '', bytes: Buffer.from(encodeBatch(writer, [one])) };
        }
      })(),
    });
    return { forkOf } as unknown as SharedLogs;
  };

  beforeEach(() => {
    store = new SharingStore(new Database(':memory:'), 'test');
    sides = { store, fold: new Fold(store), clock: new HybridClock(() => 1_800_000_000_000) };
    own = new OwnLog(writer, store, sides.fold, sides.clock);
    const { emit } = own.begin();
    const outcome = { shared: () => undefined, withheld: () => assert.fail('withheld') };
    emit(text('one'), '', outcome);
    emit(text('two', [id(1)]), '', outcome);
    emit(text('three', [id(2)]), '', outcome);
    emit(text('four', [id(3)]), '', outcome);
    store.set(shadow, { digest: 'x', heads: [id(4), 'x/y/1'] });
  });

  for (const last of [1, 2, 3, 4]) {
    it(`says again all that the remote lacks, of which ${last - 1} were in the log and the others waited`, async () => {
      const left = await operationsLeft(forkedUpTo(last), own);
      assert.ok(left);
      assert.deepEqual(
        left.map(({ seq }) => seq),
        [2, 3, 4],
      );
      const another = beginAnother(sides, writer, left);
      const device = pathOf(another.writer);
      assert.notEqual(device, pathOf(writer));
      assert.deepEqual(wordsOf(operations(another)), [
        ['two', [id(1)]],
        ['three', [`${device}/1`]],
        ['four', [`${device}/2`]],
      ]);
      assert.equal(another.end.seq, 3);
      assert.deepEqual(store.get(shadow), { digest: 'x', heads: [`${device}/3`, 'x/y/1'] });
      assert.equal(store.read('device'), another.writer.device);
    });
  }

  it('says nothing again where its log is gone, and knows nothing of what it said', () => {
    const another = beginAnew(sides, writer);
    assert.deepEqual([operations(another), another.end.seq, store.get(shadow)], [[], 0, undefined]);
    assert.equal(store.read('device'), another.writer.device);
  });
});
