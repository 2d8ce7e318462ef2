import assert from 'node:assert/strict';
import { atOnce, inTurns, type Steps } from '../../../src/util/inTurns.ts';

describe('work in turns', () => {
  function* counting(steps: number, work: () => void = () => undefined): Steps<number> {
    for (let step = 0; step < steps; step++) {
      yield;
      work();
    }
    return steps;
  }

  it('comes to the same as at once', async () => {
    assert.deepEqual([atOnce(counting(7)), await inTurns(counting(7))], [7, 7]);
  });

  it('has others have their turn', async () => {
    let turns = 0;
    let turn = setImmediate(function again() {
      turns++;
      turn = setImmediate(again);
    });
    const busy = (): void => {
      const end = performance.now() + 1;
      while (performance.now() < end) {
        // It does nothing else.
      }
    };
    await inTurns(counting(200, busy));
    clearImmediate(turn);
    assert.ok(turns >= 5, String(turns));
  });

  it('fails as the work does', async () => {
    const failing = (): Steps<number> => counting(1, () => assert.fail('no'));
    assert.throws(() => atOnce(failing()), /no/);
    await assert.rejects(inTurns(failing()), /no/);
  });
});
