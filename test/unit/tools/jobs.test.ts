/** The order in which the checks of a test run begin, and what a failed one keeps from beginning. */
import assert from 'node:assert/strict';
import { closingLines, doJobs, inOrder, timeTable, type Job } from '../../jobs.ts';

const job = (name: string, seconds?: number, more: Partial<Job> = {}): Job => ({
  name,
  seconds,
  round: 1,
  ...more,
});

/** Runs jobs, each of which takes the turns of the event loop that it has seconds; says what was begun, and how many ran at once. */
async function run(
  jobs: readonly Job[],
  { atOnce = 2, failing = [] as string[], goesOn = false } = {},
): Promise<{ begun: string[]; most: number }> {
  const begun: string[] = [];
  let running = 0;
  let most = 0;
  await doJobs(jobs, atOnce, {
    goesOn,
    run: async ({ name, seconds = 1 }) => {
      begun.push(name);
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn < seconds; turn++) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      running -= 1;
      return !failing.includes(name);
    },
  });
  return { begun, most };
}

describe('jobs', () => {
  it('begin round by round, what is needed first and then the longest, unknown ones before known ones', () => {
    const jobs = [
      job('window, short', 5, { round: 2, needs: 'build' }),
      job('window, new', undefined, { round: 2, needs: 'build' }),
      job('window, long', 50, { round: 2, needs: 'build' }),
      job('unit', 40),
      job('build', 1),
    ];
    assert.deepEqual(
      inOrder(jobs).map(({ name }) => name),
      ['build', 'unit', 'window, new', 'window, long', 'window, short'],
    );
  });

  it('run so many at a time, and all of them', async () => {
    const jobs = Array.from({ length: 9 }, (_value, index) => job(String(index), index));
    for (const atOnce of [1, 2, 4]) {
      const { begun, most } = await run(jobs, { atOnce });
      assert.equal(most, atOnce);
      assert.equal(begun.length, 9);
    }
  });

  it('that are patient run beside the others, and take the place of none', async () => {
    const patient = { isPatient: true };
    const jobs = [job('lint', 30, patient), job('unit', 5), job('contract', 4), job('check', 3, patient)];
    const { begun, most } = await run(jobs, { atOnce: 1 });
    assert.deepEqual(begun, ['lint', 'unit', 'check', 'contract']);
    assert.equal(most, 3);
  });

  it('wait for the one that they need, and do not begin when that failed', async () => {
    const jobs = [job('build', 20), job('unit', 5), job('window', 9, { needs: 'build' })];
    assert.deepEqual((await run(jobs)).begun, ['build', 'unit', 'window']);
    assert.deepEqual((await run(jobs, { failing: ['build'], goesOn: true })).begun, ['build', 'unit']);
  });

  it('of a later round do not begin when one has failed, while its own round goes on, unless all are to go on', async () => {
    const jobs = [job('lint', 3), job('unit', 2), job('contract', 1), job('window', 9, { round: 2 })];
    assert.deepEqual((await run(jobs, { failing: ['lint'] })).begun, ['lint', 'unit', 'contract']);
    assert.equal((await run(jobs, { failing: ['lint'], goesOn: true })).begun.length, 4);
  });

  it('end with a line that has what was counted, and nothing else', () => {
    assert.deepEqual(closingLines({ passed: 120, failed: 0, skipped: 0 }, 119.7), [
      'In 2 min 0 s:',
      '120 passed, 0 failed',
    ]);
    assert.deepEqual(closingLines({ passed: 1, failed: 2, skipped: 3 }, 59), [
      'In 0 min 59 s, with 3 skipped:',
      '1 passed, 2 failed',
    ]);
  });

  it('are listed by the time that they took', () => {
    const lines = timeTable([
      { name: 'lint', seconds: 9.04, tests: 0 },
      { name: 'e2e/writing', seconds: 120, tests: 33 },
    ]);
    assert.deepEqual(lines, ['   120.0 s     33  e2e/writing', '     9.0 s         lint']);
  });
});
