import assert from 'node:assert/strict';
import { install, type Clock } from '@sinonjs/fake-timers';
import { Refresher } from '../../../src/model/refresher.ts';

const minute = 60_000;

describe('Refresher', () => {
  let clock: Clock;
  let asked: number[];
  let fail: boolean;
  let refresher: Refresher;

  beforeEach(() => {
    clock = install({ now: 0 });
    asked = [];
    fail = false;
    refresher = new Refresher(async () => {
      asked.push(clock.now / minute);
      if (fail) {
        throw new Error('down');
      }
    });
  });

  afterEach(() => {
    refresher.dispose();
    clock.uninstall();
  });

  it('asks at the interval while someone looks, and not otherwise', async () => {
    refresher.configure(minute, true);
    await clock.tickAsync(2.5 * minute);
    assert.deepEqual(asked, [1, 2]);
    refresher.configure(minute, false);
    await clock.tickAsync(10 * minute);
    assert.deepEqual(asked, [1, 2]);
  });

  it('asks at once when someone comes back after longer than the interval', async () => {
    refresher.configure(minute, true);
    await clock.tickAsync(minute);
    refresher.configure(minute, false);
    await clock.tickAsync(9 * minute);
    refresher.configure(minute, true);
    await clock.tickAsync(0);
    assert.deepEqual(asked, [1, 10]);
    // Looking away and back does not ask more often.
    refresher.configure(minute, false);
    refresher.configure(minute, true);
    await clock.tickAsync(0.5 * minute);
    assert.deepEqual(asked, [1, 10]);
  });

  it('asks more and more seldom while it fails, and as before when it works again', async () => {
    fail = true;
    refresher.configure(minute, true);
    await clock.tickAsync(40 * minute);
    assert.deepEqual(asked, [1, 3, 7, 15, 30]);
    fail = false;
    await clock.tickAsync(6 * minute);
    assert.deepEqual(asked, [1, 3, 7, 15, 30, 45, 46]);
  });

  it('asks never when it is off', async () => {
    refresher.configure(0, true);
    await clock.tickAsync(60 * minute);
    assert.deepEqual(asked, []);
  });

  it('waits for the whole interval after someone asked by another way', async () => {
    refresher.configure(minute, true);
    await clock.tickAsync(0.9 * minute);
    refresher.restart();
    await clock.tickAsync(0.9 * minute);
    assert.deepEqual(asked, []);
    await clock.tickAsync(0.1 * minute);
    assert.deepEqual(asked.length, 1);
  });

  it('does not ask again before the last answer is there', async () => {
    const answers: (() => void)[] = [];
    const slow = new Refresher(() => new Promise<void>((resolve) => answers.push(resolve)));
    slow.configure(minute, true);
    await clock.tickAsync(minute);
    slow.configure(minute, true);
    await clock.tickAsync(10 * minute);
    assert.equal(answers.length, 1);
    answers[0]?.();
    await clock.tickAsync(0);
    assert.equal(answers.length, 2);
    slow.dispose();
  });
});
