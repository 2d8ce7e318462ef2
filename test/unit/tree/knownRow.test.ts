import assert from 'node:assert/strict';
import FakeTimers from '@sinonjs/fake-timers';
import { onceKnown } from '../../../src/tree/knownRow.ts';
import type { Node } from '../../../src/tree/nodes.ts';

const row = { kind: 'patch' } as Node;

describe('a row that VS Code may not know at the moment', () => {
  let clock: FakeTimers.Clock;

  beforeEach(() => {
    clock = FakeTimers.install();
  });
  afterEach(() => clock.uninstall());

  /** Looks until the end. @param isKnown tells whether VS Code knows the row by now. */
  async function find(isKnown: (looks: number, redraws: number) => boolean) {
    let looks = 0;
    let redraws = 0;
    const found = onceKnown(
      async () => {
        looks += 1;
        return isKnown(looks, redraws) ? row : undefined;
      },
      () => {
        redraws += 1;
      },
    );
    await clock.runAllAsync();
    return { found: await found, looks, redraws };
  }

  it('is found at once where it knows it', async () => {
    assert.deepEqual(await find(() => true), { found: row, looks: 1, redraws: 0 });
    assert.equal(clock.now, 0);
  });

  it('is found without further ado as soon as VS Code has drawn it again', async () => {
    assert.deepEqual(await find((looks) => looks === 4), { found: row, looks: 4, redraws: 0 });
  });

  it('is found where VS Code knows it only after it has asked for all rows again, which it does once', async () => {
    const { found, redraws } = await find((_looks, asked) => asked > 0);
    assert.deepEqual([found, redraws], [row, 1]);
  });

  it('is given up where it never does', async () => {
    const { found, redraws } = await find(() => false);
    assert.deepEqual([found, redraws], [undefined, 1]);
  });
});
