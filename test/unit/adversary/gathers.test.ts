/** Telling what gathers from what comes and goes. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { gathers, leastLooks, Trial } from '../../adversary/attack.ts';

describe('what is held over time', () => {
  it('does not gather where it comes and goes, or came late and stays', () => {
    for (const amounts of [
      [548, 556, 548, 556, 548],
      [548, 556, 549, 552, 548, 555],
      [548, 548, 556, 556, 556],
      [548, 548, 548, 548, 556],
      [556, 548, 548, 548, 548],
      [7, 7, 7, 7, 7],
    ]) {
      assert.equal(gathers(amounts), false, amounts.join(', '));
    }
  });

  it('gathers where nearly each look shows more, however little', () => {
    for (const amounts of [
      [548, 549, 550, 551, 552],
      [548, 550, 549, 553, 556, 558],
      [0, 100, 200, 300, 400],
    ]) {
      assert.equal(gathers(amounts), true, amounts.join(', '));
    }
  });

  it('gathers by one a look in any noise that is smaller than that, and never where it is less each time', () => {
    const noise = fc.array(fc.double({ min: -0.2, max: 0.2, noNaN: true }), {
      minLength: leastLooks,
      maxLength: 12,
    });
    fc.assert(
      fc.property(noise, (all) => {
        assert.equal(gathers(all.map((one, index) => 500 + index + one)), true);
        assert.equal(gathers(all.map((one, index) => 500 - index + one)), false);
        assert.equal(gathers(all.map((one) => 500 + one)), false);
      }),
    );
  });

  it('counts a heap as flat that breathes, and not one that grows a megabyte each time', async () => {
    const trial = new Trial();
    await trial.isFlat([20, 20.1, 20.2, 20.1, 20.3].map((megabytes) => ({ 'heap in MB': megabytes })));
    assert.deepEqual(trial.failures, []);
    await trial.isFlat([20, 21, 22, 23, 24].map((megabytes) => ({ 'heap in MB': megabytes })));
    assert.deepEqual(trial.failures, ['heap in MB: 20.0, 21.0, 22.0, 23.0, 24.0']);
  });

  it('is not told from too few looks, nor from one without the amount', async () => {
    assert.throws(() => gathers([1, 2, 3, 4]), /too few/);
    const trial = new Trial();
    await trial.isFlat([{ timers: 1 }, {}, { timers: 1 }, { timers: 1 }, { timers: 1 }]);
    assert.equal(trial.failures.length, 1);
  });
});
