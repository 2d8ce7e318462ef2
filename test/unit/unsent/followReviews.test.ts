import assert from 'node:assert/strict';
import type { Patch } from '../../../src/api/types/patches.ts';
import type { PendingChanges, SentChange } from '../../../src/model/pending/pendingChanges.ts';
import { followReviews } from '../../../src/unsent/followReviews.ts';
import { Emitter } from '../../../src/util/event.ts';
import { until } from '../../support/until.ts';

const ref = { stackUuid: 's', changeId: 'I1' };
const patch: Patch = { changeId: 'I1', title: 'Title', contributors: [], sections: [] };
const signOff: SentChange['change'] = { kind: 'signOff', patch: ref, review: 'signedOff', of: patch };

describe('what the person has signed off', () => {
  const sent = new Emitter<SentChange>();
  let noted: unknown[][];
  let warnings: string[];
  beforeEach(() => {
    noted = [];
    warnings = [];
  });

  const follow = (
    readings: () => Promise<{ noteReview: (...args: unknown[]) => Promise<void> } | undefined>,
  ) =>
    followReviews(
      { onDidSend: sent.event } as Pick<PendingChanges, 'onDidSend'> as PendingChanges,
      { located: (of) => ({ ...of, projectId: '1', branchId: 'topic' }) },
      readings,
      { warn: (message: string) => void warnings.push(message) } as never,
    );

  it('is kept, and nothing else that was sent', async () => {
    const following = follow(async () => ({ noteReview: async (...args) => void noted.push(args) }));
    sent.fire({
      id: '',
      title: '',
      change: { kind: 'sectionText', patch: ref, code: 'a', before: '', after: 'a' },
    });
    sent.fire({ id: '', title: '', change: signOff });
    await until(async () => noted.length > 0);
    assert.deepEqual(noted, [[{ projectId: '1', branchId: 'topic' }, patch, 'signedOff']]);
    following.dispose();
    sent.fire({ id: '', title: '', change: signOff });
    await Promise.resolve();
    assert.equal(noted.length, 1);
    assert.deepEqual(warnings, []);
  });

  it('is not kept where nobody is signed in any more, without a word', async () => {
    let isAsked = false;
    const following = follow(async () => {
      isAsked = true;
      return undefined;
    });
    sent.fire({ id: '', title: '', change: signOff });
    await until(async () => isAsked);
    await new Promise(setImmediate);
    assert.deepEqual(warnings, []);
    following.dispose();
  });

  it('is told in the log where it can not be kept', async () => {
    const following = follow(async () => ({
      noteReview: async () => {
        throw new Error('no space left');
      },
    }));
    sent.fire({ id: '', title: '', change: signOff });
    await until(async () => warnings.length > 0);
    assert.deepEqual(warnings, ['What was signed off could not be noted: Error: no space left']);
    following.dispose();
  });
});
