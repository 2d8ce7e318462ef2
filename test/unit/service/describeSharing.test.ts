import assert from 'node:assert/strict';
import { describeSharing } from '../../../src/service/describeSharing.ts';

describe('what a terminal says of the sharing', () => {
  const shared = { state: 'shared', waiting: 0, problems: [] } as const;
  const withheld = [{ what: 'text', of: 'Greet people', why: 'tooLong' }] as const;

  it('is that all is shared where it is', () => {
    assert.deepEqual(describeSharing(shared), ['Shared everything.']);
    assert.deepEqual(describeSharing({ ...shared, strangers: ['e'] }), [
      'Shared everything.',
      "Another device shares in your name: e. Nothing of it is shown. If it's yours, start with --share-device e.",
    ]);
  });

  it('says whose shared changes are not all here yet', () => {
    const unfinished = [{ log: 'a/b', who: 'Ann' }, { log: 'c/d' }];
    assert.deepEqual(describeSharing({ ...shared, unfinished }), [
      'Shared everything.',
      'Still taking in what Ann shares: there is a lot of it.',
      'Still taking in what c/d shares: there is a lot of it.',
    ]);
  });

  it('names what stays on this computer, and does not say that all is shared', () => {
    assert.deepEqual(describeSharing({ ...shared, withheld }), [
      'Stays on this computer: a text of Greet people (too long to be shared)',
      'Shared everything else.',
    ]);
  });

  it('is from when on others take what is dated ahead, and not that all is shared', () => {
    const takenAt = Date.UTC(2026, 0, 2, 3, 4);
    const [line, ...more] = describeSharing({ ...shared, state: 'ahead', trouble: 'clockAhead', takenAt });
    assert.match(
      line ?? '',
      /^What you share is dated more than an hour ahead .* from 2026-01-02T03:04:00\.000Z on\./,
    );
    assert.deepEqual(more, []);
  });

  it('is how what the remote has lost is pushed again', () => {
    const reason = 'what was shared is no longer there';
    assert.deepEqual(describeSharing({ ...shared, state: 'refused', trouble: 'vanished', reason }), [
      "The remote doesn't have what is shared (0 changes to share): what was shared is no longer there. Start with --share-again to push it again.",
    ]);
  });

  it('is why the remote has not all of it', () => {
    const reason = 'No.';
    assert.deepEqual(
      [
        { ...shared, state: 'offline', waiting: 1, reason } as const,
        {
          ...shared,
          state: 'refused',
          waiting: 2,
          problems: [
            { log: '', reason: 'odd' },
            { log: 'a/b', reason: 'bad' },
            { log: 'c/d', reason: 'bad', who: 'Ann' },
          ],
        } as const,
      ].flatMap(describeSharing),
      [
        "Couldn't reach the remote (1 change to share): No.",
        "The remote doesn't take what is shared (2 changes to share)",
        'Left something out of the remote: odd',
        'Left something out of a/b: bad',
        'Left something out of c/d (Ann): bad',
      ],
    );
  });
});
