import { checkResults } from '../../bench/groups/prose.ts';

describe('the benchmark of prose', () => {
  it('finds in its patches what it knows to be there', () => {
    // It throws otherwise: then nothing would be measured any more.
    checkResults();
  });
});
