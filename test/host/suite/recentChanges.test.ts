import assert from 'node:assert/strict';
import { RecentChanges } from '../../../src/ui/recentChanges.ts';
import { silentLog } from '../../support/silentLog.ts';

describe('a recent change', () => {
  let account: string;
  let changes: RecentChanges;
  let undone: string[];

  beforeEach(() => {
    [account, undone] = ['ada', []];
    changes = new RecentChanges(silentLog, () => {
      const maker = account;
      return () => {
        if (account !== maker) {
          throw new Error('Another account is active now.');
        }
      };
    });
  });

  it('is undone once, by the account in which it was made, and in no other one', async () => {
    const change = changes.add({
      what: 'Added SSH key "Desk".',
      before: '',
      after: 'ssh-ed25519',
      undo: async () => void undone.push(account),
    });
    account = 'bob';
    await changes.undo(change);
    assert.deepEqual(undone, []);
    assert.equal(change.undone, false);
    account = 'ada';
    await changes.undo(change);
    await changes.undo(change);
    assert.deepEqual(undone, ['ada']);
    assert.equal(change.undone, true);
  });

  it('can be undone again where that has failed', async () => {
    let isAway = true;
    const change = changes.add({
      what: 'Closed patch stack "Greetings".',
      before: 'Active',
      after: 'Closed',
      undo: async () => {
        if (isAway) {
          throw new Error('Nobody answers.');
        }
        undone.push(account);
      },
    });
    await changes.undo(change);
    assert.equal(change.undone, false);
    isAway = false;
    await changes.undo(change);
    assert.deepEqual(undone, ['ada']);
  });
});
