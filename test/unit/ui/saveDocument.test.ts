import assert from 'node:assert/strict';
import FakeTimers from '@sinonjs/fake-timers';
import { onceSaved, savedSoon, saveDocument } from '../../../src/ui/saveDocument.ts';

/** Saves a document whose saves end as given. @returns whether it is saved, and how many were not asked for. */
async function save(...outcomes: boolean[]): Promise<[isSaved: boolean, left: number]> {
  const isSaved = await saveDocument({ save: async () => outcomes.shift() ?? false });
  return [isSaved, outcomes.length];
}

describe('a document that is saved', () => {
  it('is saved once', async () => {
    assert.deepEqual(await save(true, true), [true, 1]);
  });

  it('is saved also where VS Code was just saving the text before', async () => {
    assert.deepEqual(await save(false, true), [true, 0]);
  });

  it('is not where it cannot be, and then not tried for ever', async () => {
    assert.deepEqual(await save(false, false, true), [false, 1]);
  });
});

describe('a document that is waited for to be saved', () => {
  let clock: FakeTimers.Clock;
  beforeEach(() => (clock = FakeTimers.install()));
  afterEach(() => clock.uninstall());

  /** One of which VS Code says that it is unsaved until it was asked this often to save it. */
  const savedAfter = (saves: number) => {
    const document = {
      asked: 0,
      save: async (): Promise<boolean> => {
        document.asked += 1;
        return false;
      },
    };
    return { document, unsaved: () => (document.asked < saves ? document : undefined) };
  };

  async function soon(unsaved: Parameters<typeof savedSoon>[0]): Promise<boolean> {
    const saved = savedSoon(unsaved);
    await clock.runAllAsync();
    return saved;
  }

  it('is not saved again where it is saved', async () => {
    const { document, unsaved } = savedAfter(0);
    assert.equal(await soon(unsaved), true);
    assert.equal(document.asked, 0);
  });

  it('is saved as soon as VS Code says so, though it said of each save that it has failed', async () => {
    const { document, unsaved } = savedAfter(2);
    assert.equal(await soon(unsaved), true);
    assert.equal(document.asked, 2);
  });

  it('is given up where it never is', async () => {
    const { unsaved } = savedAfter(Infinity);
    assert.equal(await soon(unsaved), false);
  });
});

describe('tabs whose documents were saved', () => {
  let clock: FakeTimers.Clock;
  beforeEach(() => (clock = FakeTimers.install()));
  afterEach(() => clock.uninstall());

  /** Looks at a tab of which VS Code says so often that it is unsaved. @returns how often it was looked at, and what it said last. */
  async function look(unsaved: number): Promise<[looks: number, isDirty: boolean | undefined]> {
    let looks = 0;
    const tabs = onceSaved(() => [{ isDirty: ++looks <= unsaved }, { isDirty: false }]);
    await clock.runAllAsync();
    return [looks, (await tabs)[0]?.isDirty];
  }

  it('are there at once where VS Code knows it', async () => {
    assert.deepEqual(await look(0), [1, false]);
  });

  it('are waited for until VS Code knows it of each', async () => {
    assert.deepEqual(await look(3), [4, false]);
  });

  it('are waited for no longer than for three seconds', async () => {
    const [looks, isDirty] = await look(Infinity);
    assert.ok(looks > 4 && looks < 10);
    assert.equal(isDirty, true);
  });
});
