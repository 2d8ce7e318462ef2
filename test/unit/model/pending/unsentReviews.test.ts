import assert from 'node:assert/strict';
import type { KnownChange } from '../../../../src/model/pending/pendingChange.ts';
import { unsentReviews } from '../../../../src/model/pending/unsentReviews.ts';

describe('reviews that the service does not have yet', () => {
  const change = (subject: object, content: object, more: object = {}): KnownChange =>
    ({ id: '1', title: '', state: 'queued', heldBy: 'here', subject, content, ...more }) as KnownChange;
  const signOff = (stackUuid: string, changeId: string, review: string, more?: object): KnownChange =>
    change({ kind: 'signOff', patch: { stackUuid, changeId } }, { review, seen: '' }, more);

  it('are those of the patches of one stack, and none that it has not taken', () => {
    const shown = [
      signOff('S1', 'I1', 'signedOff'),
      signOff('S1', 'I2', 'changesRequested', { state: 'sending' }),
      signOff('S1', 'I3', 'signedOff', { state: 'failed', failure: { kind: 'offline' } }),
      signOff('S2', 'I4', 'signedOff'),
      change({ kind: 'sectionOrder', patch: { stackUuid: 'S1', changeId: 'I5' } }, { order: [] }),
    ];
    assert.deepEqual(
      [...unsentReviews({ shown: () => shown }, 'S1')],
      [
        ['I1', 'signedOff'],
        ['I2', 'changesRequested'],
      ],
    );
  });
});
