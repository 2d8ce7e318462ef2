import assert from 'node:assert/strict';
import { Clicks } from '../../../src/tree/clicks.ts';

describe('a click on a row', () => {
  let tab: string | undefined;
  let opened: (string | undefined)[];
  let found: PromiseWithResolvers<string | undefined>[];
  let clicks: Clicks<string>;

  beforeEach(() => {
    tab = 'read before';
    opened = [];
    found = [];
    clicks = new Clicks({
      find: () => {
        found.push(Promise.withResolvers());
        return found.at(-1)!.promise;
      },
      activeTab: () => tab,
      open: async (row) => {
        opened.push(row);
        tab = row ?? tab;
        return Promise.resolve();
      },
    });
  });

  it('opens the row once it is known', async () => {
    const click = clicks.click();
    assert.deepEqual(opened, []);
    found[0]!.resolve('row');
    await click;
    assert.deepEqual(opened, ['row']);
  });

  it('is on its way until that is open, or nothing is', async () => {
    assert.equal(clicks.isOpening, false);
    const [first, second] = [clicks.click(), clicks.click()];
    found[0]!.resolve('row');
    await first;
    assert.equal(clicks.isOpening, true);
    found[1]!.reject(new Error('gone'));
    await assert.rejects(second);
    assert.equal(clicks.isOpening, false);
  });

  it('opens nothing, and says nothing, where the person has gone to another tab meanwhile', async () => {
    for (const row of ['row', undefined]) {
      const click = clicks.click();
      tab = `gone on to ${row}`;
      found.at(-1)!.resolve(row);
      await click;
    }
    assert.deepEqual(opened, []);
  });

  it('opens nothing where they have gone back to what an earlier click has opened', async () => {
    const earlier = clicks.click();
    found[0]!.resolve('first');
    await earlier;
    tab = 'another one';
    const late = clicks.click();
    tab = 'first';
    found[1]!.resolve('second');
    await late;
    assert.deepEqual(opened, ['first']);
  });

  it('says that nobody knows the row where they wait for it', async () => {
    const click = clicks.click();
    found[0]!.resolve(undefined);
    await click;
    assert.deepEqual(opened, [undefined]);
  });

  it('counts twice where it is a double one, the second of which waits until the first has opened the row', async () => {
    const both = [clicks.click(), clicks.click()];
    found[0]!.resolve('row');
    await both[0];
    found[1]!.resolve('row');
    await both[1];
    assert.deepEqual(opened, ['row', 'row']);
  });
});
