import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Patch } from '../../../../src/api/types/patches.ts';
import type { PatchStack } from '../../../../src/api/types/stacks.ts';
import { opinionsOf } from '../../../../src/model/review.ts';
import { Readings } from '../../../../src/model/reading/readings.ts';
import { SignedVersions } from '../../../../src/model/reading/signedVersions.ts';
import type { Review } from '../../../../src/util/review.ts';
import { gone, outOfReach } from '../../../support/unavailable.ts';

const name = { projectId: '1', branchId: 'topic' };
const me = { id: '7', login: 'grace' };

/** A version of a patch, of which the person has said something, or nothing. */
const patchOf = (version: string, text: string, mine?: Review, changeId = 'I1'): Patch => ({
  changeId,
  title: 'Title',
  version,
  contributors: [],
  sections: [{ sectionType: 'text', code: 'a', identifier: 'a', text }],
  reviewAll: {
    viewed: [],
    signedOff: mine === 'signedOff' ? [me] : [],
    rejected: mine === 'changesRequested' ? [me] : [],
  },
});

describe('what was signed off last', () => {
  let folder: string;
  let readings: Readings;
  let stacks: PatchStack[];
  let patches: Map<string, Patch>;
  let isOnline: boolean;
  /** False while it tells of versions, and gives none. */
  let isPatchOnline: boolean;
  let asked: string[];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'patch-stacks-signed-'));
    readings = new Readings({ folder, limit: () => 1_000_000, onFailure: assert.ifError });
    stacks = [];
    patches = new Map();
    isOnline = true;
    isPatchOnline = true;
    asked = [];
  });
  afterEach(async () => {
    readings.dispose();
    await rm(folder, { recursive: true });
  });

  const has = (patch: Patch): void => {
    const { version: uuid = '' } = patch;
    patches.set(`${uuid} ${patch.changeId}`, patch);
    const summary = { ...patch };
    delete summary.sections;
    const known = stacks.find((stack) => stack.uuid === uuid);
    if (known) {
      known.patches = [...(known.patches ?? []), summary];
    } else {
      const createdAt = `2026-01-0${uuid}T00:00:00Z`;
      stacks.push({ uuid, branchId: 'topic', createdAt, contributors: [], patches: [summary] });
    }
  };
  const ask = async <T>(answer: T | undefined): Promise<T> => {
    if (!isOnline) {
      throw outOfReach;
    }
    if (answer === undefined) {
      throw gone;
    }
    return answer;
  };
  /** The version that was signed off last of each patch, with its text; null where that is not to be had. */
  const signed = async (current: Patch[], only?: string[]): Promise<unknown[]> => {
    const versions = new SignedVersions({
      model: {
        // What an earlier window knew is no answer: nothing was there yet.
        stacks: (_projectId, _wanted, freshness) =>
          ask({ value: freshness === 'atOnce' ? [] : stacks, asOf: new Date() }),
        patchUnopened: ({ stackUuid, changeId }) => {
          asked.push(stackUuid);
          return isPatchOnline ? ask(patches.get(`${stackUuid} ${changeId}`)) : Promise.reject(outOfReach);
        },
        opinions: (patch) => opinionsOf(patch, me),
      },
      readings,
    });
    const found = await versions.of({ ...name, stackUuid: '9' }, current, only);
    return found.map(({ changeId, number, version }) => {
      const [section] = version?.sections ?? [];
      return [changeId, number, section?.kind === 'text' ? section.text : null];
    });
  };
  const now = patchOf('9', 'now');

  it('is what was signed off here, also while the service cannot be reached, however its text was changed since', async () => {
    await readings.noteReview(name, patchOf('1', 'as signed'), 'signedOff');
    isOnline = false;
    assert.deepEqual(await signed([now]), [['I1', '1', 'as signed']]);
    isOnline = true;
    has(patchOf('1', 'written anew', 'signedOff'));
    assert.deepEqual([await signed([now]), asked], [[['I1', '1', 'as signed']], []]);
  });

  it('is lost where it is not kept, and not what the service has by now', async () => {
    await readings.noteReview(name, patchOf('1', 'as signed'), 'signedOff');
    await rm(path.join(folder, 'versions'), { recursive: true });
    has(patchOf('1', 'written anew', 'signedOff'));
    assert.deepEqual(await signed([now]), [['I1', '1', null]]);
    patches.set('1 I1', patchOf('1', 'as signed', 'signedOff'));
    assert.deepEqual(await signed([now]), [['I1', '1', 'as signed']]);
  });

  it('is not lost while the service, which may have it, does not answer', async () => {
    await readings.noteReview(name, patchOf('1', 'as signed'), 'signedOff');
    await rm(path.join(folder, 'versions'), { recursive: true });
    has(patchOf('1', 'as signed', 'signedOff'));
    isOnline = false;
    await assert.rejects(signed([now]), outOfReach);
    isOnline = true;
    isPatchOnline = false;
    await assert.rejects(signed([now]), outOfReach);
    isPatchOnline = true;
    patches.clear();
    assert.deepEqual(await signed([now]), [['I1', '1', null]]);
  });

  it('is what the service tells of, where the person signed off elsewhere, and is known from then on', async () => {
    has(patchOf('1', 'first', 'signedOff'));
    has(patchOf('2', 'second', 'signedOff'));
    has(patchOf('3', 'third'));
    assert.deepEqual([await signed([now]), asked], [[['I1', '2', 'second']], ['2']]);
    isOnline = false;
    assert.deepEqual([await signed([now]), asked], [[['I1', '2', 'second']], ['2']]);
  });

  it('is the later one of both', async () => {
    has(patchOf('1', 'first', 'signedOff'));
    has(patchOf('2', 'second', 'signedOff'));
    await readings.noteReview(name, patchOf('1', 'first'), 'signedOff');
    assert.deepEqual(await signed([now]), [['I1', '2', 'second']]);
    await readings.noteReview(name, patchOf('9', 'not yet written anew'), 'signedOff');
    assert.deepEqual(await signed([now]), [['I1', '9', 'not yet written anew']]);
  });

  it('is nothing once changes were requested, here or elsewhere', async () => {
    has(patchOf('1', 'first', 'signedOff'));
    has(patchOf('2', 'second', 'changesRequested'));
    assert.deepEqual(await signed([now]), []);
    stacks = stacks.slice(0, 1);
    assert.deepEqual(await signed([patchOf('9', 'now', 'changesRequested')]), []);
    await readings.noteReview(name, patchOf('3', 'third'), 'signedOff');
    stacks = [];
    await readings.noteReview(name, patchOf('3', 'third'), 'changesRequested');
    assert.deepEqual(await signed([now]), []);
  });

  it('is told of each patch of the stack, and of those that are no longer in it, or of one alone', async () => {
    has(patchOf('1', 'one', 'signedOff'));
    has(patchOf('1', 'two', 'signedOff', 'I2'));
    has(patchOf('1', 'three', undefined, 'I3'));
    await readings.noteReview(name, patchOf('1', 'four', undefined, 'I4'), 'signedOff');
    assert.deepEqual((await signed([now])).toSorted(), [
      ['I1', '1', 'one'],
      ['I2', '1', 'two'],
      ['I4', '1', 'four'],
    ]);
    assert.deepEqual(await signed([now], ['I2']), [['I2', '1', 'two']]);
  });

  it('leaves what was read as it was', async () => {
    await readings.note(name, patchOf('1', 'read'), ['a'], { seen: true });
    const states = async (patch: Patch): Promise<unknown> => (await readings.states(name, [patch]))[0]?.state;
    await readings.noteReview(name, patchOf('2', 'not read'), 'signedOff');
    assert.deepEqual(
      [await states(patchOf('1', 'read')), await states(patchOf('2', 'not read'))],
      ['read', 'changed'],
    );
    await readings.noteReview(name, patchOf('2', 'never seen', undefined, 'I2'), 'signedOff');
    assert.equal(await states(patchOf('2', 'never seen', undefined, 'I2')), 'unread');
  });
});
