/** What several rounds of the same tests say of each of them. */
import assert from 'node:assert/strict';
import { failureRates, type Round } from '../../steady.ts';

const round = (file: string, results: Record<string, string | undefined>, complaint?: string): Round => ({
  file,
  tests: Object.entries(results).map(([title, failure]) =>
    failure === undefined ? { title } : { title, failure },
  ),
  complaint,
});

describe('rounds of the same tests', () => {
  it('say of each test in how many of its file it failed, the worst first, and why', () => {
    const lines = failureRates([
      round('e2e/a', { opens: undefined, reads: '1 !== 2', writes: 'Timeout' }),
      round('e2e/b', { opens: undefined }),
      round('e2e/a', { opens: undefined, reads: undefined, writes: 'Timeout' }),
      round('e2e/a', { opens: undefined, reads: undefined, writes: 'no row' }),
      // Its hook failed: no other test ran.
      round('e2e/a', { '"before all" hook': 'no window' }),
    ]);
    assert.deepEqual(lines, [
      'e2e/a, 4 rounds:',
      '     75 %  writes',
      '           2 × Timeout',
      '           1 × no row',
      '     25 %  reads',
      '           1 × 1 !== 2',
      '     25 %  "before all" hook',
      '           1 × no window',
      '      0 %  1 test',
      'e2e/b, 1 round:',
      '      0 %  1 test',
    ]);
  });

  it('count what no test of theirs can say: that they did not end, or had no test', () => {
    const lines = failureRates([
      round('e2e/a', { opens: undefined, reads: undefined }),
      round('e2e/a', {}, 'did not end'),
    ]);
    assert.deepEqual(lines, [
      'e2e/a, 2 rounds:',
      '     50 %  the file as a whole',
      '           1 × did not end',
      '      0 %  each of 2 tests',
    ]);
    assert.deepEqual(failureRates([]), []);
  });
});
