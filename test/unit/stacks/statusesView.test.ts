import assert from 'node:assert/strict';
import { statusesView } from '../../../src/stacks/statusesView.ts';

describe('the table of patch statuses', () => {
  const ada = { id: '1', login: 'ada', name: 'Ada' };
  const grace = { id: '2', login: 'grace' };
  const nobody = { viewed: [], signedOff: [], rejected: [] };

  it('has a row for each patch, and marks what the reader did, whoever else stands in a list of theirs', () => {
    const view = statusesView(
      {
        uuid: 'u',
        title: 'Greetings',
        version: '3',
        contributors: [],
        patches: [
          {
            changeId: 'c1',
            title: 'One',
            contributors: [],
            review: { ...nobody, viewed: [ada] },
            reviewAll: { viewed: [grace, ada], signedOff: [grace], rejected: [] },
          },
          { changeId: 'c2', contributors: [], review: { ...nobody, rejected: [ada], signedOff: [grace] } },
        ],
      },
      'greet',
      { id: '1', login: 'ada' },
    );
    assert.deepEqual([view.title, view.branch, view.version], ['Greetings', 'greet', '3']);
    const self = { name: 'Ada', isSelf: true };
    const other = { name: 'grace', isSelf: false };
    assert.deepEqual(view.patches, [
      { changeId: 'c1', title: 'One', openedBy: [other, self], signedOff: [other], rejected: [] },
      { changeId: 'c2', title: 'c2', openedBy: [], signedOff: [other], rejected: [self] },
    ]);
  });

  it('is empty for a stack without patches', () => {
    assert.deepEqual(statusesView({ uuid: 'u', contributors: [] }, 'greet', undefined), {
      title: 'greet',
      branch: 'greet',
      patches: [],
    });
  });
});
