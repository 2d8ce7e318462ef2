/** What the benchmarks print for a program. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';

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
    const { rows, node } = JSON.parse(stdout) as { rows: unknown[]; node: string };
    assert.deepEqual(rows, []);
    assert.equal(node, process.version);
    assert.match(stderr, /^Measuring activation …\n {2}done in .* s\nMeasuring client …\n/);
    assert.match(stderr, /\nAll of it took .* s\.\n/);
    assert.match(stderr, /There is no group and no metric like/);
    assert.equal(status, 1);
  });
});
