/** What the benchmarks print for a program. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describeMachine } from '../../bench/machine.ts';
import { orUnmeasured } from '../../bench/measure.ts';
import { addHistory } from '../../bench/historyCorpus.ts';
import { itInFull } from '../../support/full.ts';
import { GitRepository } from '../../support/gitRepository.ts';

const root = path.resolve(import.meta.dirname, '../../..');

const run = (only: string, env: NodeJS.ProcessEnv = {}) =>
  spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'test/bench/run.ts', '--json', '--only', only],
    { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } },
  );

describe('the benchmarks', function () {
  this.timeout(60_000);

  it('print JSON on stdout and nothing else, say which row could not be measured and why, and go on', async () => {
    const row = { metric: 'imported', reason: 'There is no git.' };
    assert.deepEqual(await orUnmeasured(row.metric, () => Promise.reject(new Error(row.reason))), [row]);
    const { status, stdout, stderr } = run('localService', { PATH: '' });
    const { rows, node, unmeasured, yardstick } = JSON.parse(stdout) as {
      rows: unknown[];
      node: string;
      unmeasured: { metric: string; reason: string }[];
      yardstick: number[];
    };
    assert.deepEqual([rows, node], [[], process.version]);
    assert.ok(yardstick.length > 5 && yardstick.every((took) => took > 0));
    const [first, ...others] = unmeasured.flatMap(({ metric }) => metric.split(', local service: '));
    assert.equal(first, 'local service: 100 tiny commits, imported');
    assert.ok(others.includes('a stack of 5,000, asked for'), others.join('; '));
    assert.match(stderr, /^Measuring localService …\n {2}done in .* s\nAll of it took .* s\.\n/);
    assert.match(stderr, /\nNot measured: local service: 100 tiny commits, imported: .*git/);
    assert.equal(status, 1);
  });

  // The one before has the same output: this one starts each group, to find that it has no such metric.
  itInFull('say that there is no such metric, after all groups', async () => {
    const { status, stdout, stderr } = run('no metric is called so');
    const { rows, unmeasured } = JSON.parse(stdout) as { rows: unknown[]; unmeasured: unknown[] };
    assert.deepEqual([rows, unmeasured], [[], []]);
    assert.match(stderr, /^Measuring activation …\n {2}done in .* s\nMeasuring client …\n/);
    assert.match(stderr, /There is no group and no metric like/);
    assert.equal(status, 1);
  });

  it('say what the machine could do meanwhile, and what that means for the figures', () => {
    const slower = /This machine is slower/;
    const unsteady = /It is not steady/;
    const usual = describeMachine([120, 39, 41, 40, 40]);
    assert.match(usual, /took 40 ms here \(half of its runs 40 to 41\), and usually takes 40 ms\./);
    assert.doesNotMatch(usual, slower);
    assert.doesNotMatch(usual, unsteady);
    const slow = describeMachine([61, 59, 61, 60, 60]);
    assert.match(slow, slower);
    assert.doesNotMatch(slow, unsteady);
    const restless = describeMachine([60, 30, 50, 30, 40]);
    assert.match(restless, unsteady);
    assert.doesNotMatch(restless, slower);
  });

  it('import the same history each time: a change of it makes figures that are not to be compared', () => {
    const repository = GitRepository.withMain();
    try {
      assert.equal(addHistory(repository, 30), '3d541e278c46f1c65ff444a1c083be670cf28b26');
    } finally {
      repository.remove();
    }
  });
});
