/** What the benchmarks print for a program. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { orUnmeasured } from '../../bench/measure.ts';
import { addHistory } from '../../bench/historyCorpus.ts';
import { GitRepository } from '../../support/gitRepository.ts';

const root = path.resolve(import.meta.dirname, '../../..');

describe('the benchmarks', function () {
  this.timeout(60_000);

  it('print JSON on stdout and nothing else, and say on stderr what they are at', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        'test/bench/run.ts',
        ...['--json', '--only', 'no metric is called so'],
      ],
      { cwd: root, encoding: 'utf8' },
    );
    const { rows, node, unmeasured } = JSON.parse(stdout) as {
      rows: unknown[];
      node: string;
      unmeasured: unknown[];
    };
    assert.deepEqual([rows, unmeasured], [[], []]);
    assert.equal(node, process.version);
    assert.match(stderr, /^Measuring activation …\n {2}done in .* s\nMeasuring client …\n/);
    assert.match(stderr, /\nAll of it took .* s\.\n/);
    assert.match(stderr, /There is no group and no metric like/);
    assert.equal(status, 1);
  });

  it('say which row could not be measured and why, and go on', async () => {
    const row = { metric: 'imported', reason: 'There is no git.' };
    assert.deepEqual(await orUnmeasured(row.metric, () => Promise.reject(new Error(row.reason))), [row]);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'test/bench/run.ts', '--json', '--only', 'tiny commits'],
      { cwd: root, encoding: 'utf8', env: { ...process.env, PATH: '' } },
    );
    const { unmeasured } = JSON.parse(stdout) as { unmeasured: { metric: string; reason: string }[] };
    assert.deepEqual(
      unmeasured.map(({ metric }) => metric),
      ['100', '1,000'].map((many) => `local service: ${many} tiny commits, imported`),
    );
    assert.match(stderr, /\nNot measured: local service: 100 tiny commits, imported: .*git/);
    assert.match(stderr, /\nMeasuring patchDocument …/);
    assert.equal(status, 1);
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
