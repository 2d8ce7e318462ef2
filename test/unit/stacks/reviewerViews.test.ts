import assert from 'node:assert/strict';
import { reviewerViews } from '../../../src/stacks/reviewerViews.ts';

describe('people who have said something of a patch', () => {
  it('are named by what is known of them, without what nobody could see', () => {
    const users = [
      { id: '1', login: 'ada', name: 'Ada\u202eLöwe', email: 'ada@example.com' },
      { id: '2', login: 'grace', email: 'grace@example.com' },
      { id: '3', email: 'bob@example.com' },
      { id: '4' },
      {},
    ];
    const views = reviewerViews(users, { id: '2', login: 'grace' });
    assert.deepEqual(
      views.map(({ name }) => name),
      ['Ada Löwe', 'grace', 'bob@example.com', '4', '?'],
    );
    assert.deepEqual(
      views.map(({ isSelf }) => isSelf),
      [false, true, false, false, false],
    );
  });

  it('have the signature of what they said, where the service tells it', () => {
    assert.deepEqual(reviewerViews([{ login: 'ada', signature: 'verified' }, { login: 'bob' }], undefined), [
      { name: 'ada', isSelf: false, signature: 'verified' },
      { name: 'bob', isSelf: false },
    ]);
  });
});
