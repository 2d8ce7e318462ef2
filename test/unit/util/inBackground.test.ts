import assert from 'node:assert/strict';
import { SilenceError } from '../../../src/protocol/rpc.ts';
import { inBackground, noteBackgroundFailures } from '../../../src/util/inBackground.ts';

describe('what nobody waits for', () => {
  const noted: string[] = [];
  const { error: logError } = console;

  beforeEach(() => {
    noted.length = 0;
    noteBackgroundFailures((failure) => noted.push(failure));
  });

  after(() => noteBackgroundFailures((failure) => logError(failure)));

  it('says why it has failed, and from where', async () => {
    inBackground(Promise.reject(new Error('no answer')));
    await new Promise(setImmediate);
    assert.equal(noted.length, 1);
    assert.match(noted[0] ?? '', /no answer\n\s+at .*inBackground\.test/);
  });

  it('says whatever was thrown', async () => {
    inBackground({
      then: (_done, failed) => {
        failed?.('given up');
        return Promise.resolve() as never;
      },
    });
    assert.deepEqual(
      noted.map((line) => line.endsWith('given up')),
      [true],
    );
  });

  it('is silent when it succeeds, and when there is nothing to do', async () => {
    inBackground(Promise.resolve(1));
    inBackground(undefined);
    await new Promise(setImmediate);
    assert.deepEqual(noted, []);
  });

  it('is not noted when it fails in a way that is told anyway', async () => {
    inBackground(Promise.reject(new SilenceError('Nobody answers.')));
    await new Promise(setImmediate);
    assert.deepEqual(noted, []);
  });

  it('fails nobody, not even when the log fails', async () => {
    const unhandled: unknown[] = [];
    const onRejection = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', onRejection);
    try {
      noteBackgroundFailures(() => {
        throw new Error('the log is closed');
      });
      inBackground(Promise.reject(new Error('no answer')));
      await new Promise(setImmediate);
      await new Promise(setImmediate);
      assert.deepEqual(unhandled, []);
    } finally {
      process.off('unhandledRejection', onRejection);
    }
  });
});
