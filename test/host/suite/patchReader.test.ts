import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Patch } from '../../../src/api/types/patches.ts';
import type { CompareVersions } from '../../../src/git/versionComparison.ts';
import type { Known } from '../../../src/model/cached.ts';
import { Readings } from '../../../src/model/reading/readings.ts';
import { PatchReader, type PatchReaderContext } from '../../../src/patch/patchReader.ts';
import type { PatchState } from '../../../src/patch/pageState.ts';
import { before, compareTexts, now, stack } from './readText.ts';

const ref = { ...stack, serverUrl: 'https://service.test/api', stackUuid: 's', changeId: 'I1' };

describe('the view of a patch', () => {
  let storage: string;
  let readings: Readings;
  let account: string;
  let activeServer: string | undefined;
  /** Holds up each comparison until it is called. */
  let goOn: (() => void)[];
  let comparisons: number;
  let reader: PatchReader;

  beforeEach(async () => {
    storage = await mkdtemp(path.join(tmpdir(), 'patch-stacks-reader-'));
    readings = new Readings({
      folder: storage,
      limit: () => 1_000_000,
      onFailure: (error) => assert.fail(String(error)),
    });
    await readings.note(stack, before, ['a'], { seen: true });
    account = 'ada';
    activeServer = ref.serverUrl;
    goOn = [];
    comparisons = 0;
    reader = new PatchReader(context(), {
      ref: () => ref,
      isUnopened: () => false,
      isPart: true,
      pending: () => ({ texts: [], deletions: [] }),
      lastChange: () => undefined,
      unseen: () => undefined,
      unsentReviews: () => new Map(),
      unsent: () => [],
      account: () => account,
      noteTitle: () => undefined,
      show: () => undefined,
    });
  });
  afterEach(async () => {
    reader.dispose();
    await rm(storage, { recursive: true, force: true });
  });

  const context = (): PatchReaderContext => {
    const known: Known<Patch> = { value: now, asOf: new Date() };
    const compareVersions: CompareVersions = async (versions, ...more) => {
      comparisons += 1;
      await new Promise<void>((go) => goOn.push(go));
      return compareTexts(versions, ...more);
    };
    return {
      connection: {
        get activeServer() {
          return activeServer;
        },
        requireServer: () => undefined,
      },
      model: {
        me: { id: 'ada', login: 'ada' },
        located: (of: unknown) => of,
        patch: async () => known,
        knownPatch: () => known,
        stackOfPatch: async () => undefined,
        opinions: () => ({ viewed: [], signedOff: [], changesRequested: [], mine: undefined }),
      },
      readings: async () => readings,
      compareVersions,
      contentSources: { whyMissing: async () => 'notOpen' },
      log: { warn: (text: string) => assert.fail(text), debug: () => undefined },
    } as unknown as PatchReaderContext;
  };
  /** Lets comparisons go on until something is there. */
  const compared = async <T>(wanted: Promise<T>): Promise<T> => {
    const release = setInterval(() => goOn.splice(0).forEach((go) => go()), 1);
    try {
      return await wanted;
    } finally {
      clearInterval(release);
    }
  };
  /** Begins to look at the patch, and waits until the comparison is held up. */
  const beginToLook = async (): Promise<{ state: Promise<PatchState> }> => {
    const state = reader.load(false);
    while (goOn.length === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { state };
  };

  it('is as the person has chosen, although one that began before ends after it', async () => {
    assert.ok((await compared(reader.load(false))).view.comparison);
    reader.compareAgain();
    const { state } = await beginToLook();
    assert.equal(await reader.compareWith(undefined), true);
    await compared(state);
    const { view } = await compared(reader.load(false));
    assert.deepEqual([view.comparison, view.changedSince], [undefined, { kind: 'lastRead', number: '1' }]);
  });

  it('is of all contents that there are, although one that began before ends after they came', async () => {
    const { state } = await beginToLook();
    reader.compareAgain();
    const { view } = await compared(state);
    assert.equal(comparisons, 2);
    assert.equal((await compared(reader.load(false))).view.comparison, view.comparison);
    assert.equal(comparisons, 2);
  });

  it('has what was seen meanwhile as read', async () => {
    const { state } = await beginToLook();
    await readings.note(stack, now, ['a'], { seen: true });
    reader.noteSeen(['a']);
    assert.deepEqual((await compared(state)).view.unread, []);
  });

  it('stays readable for who has signed out, also where it was to be made again by then', async () => {
    await compared(reader.load(false));
    activeServer = undefined;
    for (const makeAnew of [() => undefined, () => reader.forgetMarks(), () => reader.compareAgain()]) {
      makeAnew();
      assert.equal((await reader.look())?.view.signedOutOf, 'service.test');
    }
    // The next one to sign in sees how things are by then.
    activeServer = ref.serverUrl;
    assert.equal((await compared(reader.load(false))).view.signedOutOf, undefined);
    assert.equal(comparisons, 2);
  });

  it('of one account is not what the next one sees', async () => {
    const { state } = await beginToLook();
    account = 'emmy';
    readings = new Readings({
      folder: path.join(storage, 'emmy'),
      limit: () => 1_000_000,
      onFailure: (error) => assert.fail(String(error)),
    });
    await compared(state);
    const { view } = await compared(reader.load(false));
    assert.deepEqual([view.account, view.comparison, view.unread], ['emmy', undefined, ['a']]);
  });
});
