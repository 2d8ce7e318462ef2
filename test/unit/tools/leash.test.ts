/** What a test has started in a process group of its own ends with the test, also where that was killed. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { stillRunning } from '../../e2e/startedProcess.ts';
import { until } from '../../support/until.ts';

const leash = path.join(import.meta.dirname, '../../support/leash.ts');
const node = [process.execPath, '--disable-warning=ExperimentalWarning'];

/** A program that starts another one on a leash, hands on what that prints, and stays. */
const starter = (program: string): string => `
  const child = require('node:child_process').spawn(
    ${JSON.stringify(node[0])},
    ${JSON.stringify([...node.slice(1), leash, process.execPath, '-e', program])},
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true },
  );
  setInterval(() => undefined, 1000);
`;

(process.platform === 'win32' ? describe.skip : describe)('a leash', function () {
  this.timeout(60_000);

  for (const [name, program] of [
    ['a program', ''],
    [
      'a program that ignores signals',
      "for (const s of ['SIGTERM', 'SIGINT']) process.on(s, () => undefined);",
    ],
  ] as const) {
    it(`ends ${name} when the test was killed`, async () => {
      const test = spawn(process.execPath, [
        '-e',
        starter(`${program} console.log(process.pid, process.ppid); setInterval(() => undefined, 1000);`),
      ]);
      const [printed] = (await once(test.stdout, 'data')) as [Buffer];
      const pids = printed.toString().trim().split(' ').map(Number);
      assert.equal(stillRunning(pids).length, 2);
      test.kill('SIGKILL');
      await until(async () => stillRunning(pids).length === 0);
    });
  }

  it('ends as its command does, by a code or a signal', () => {
    const run = (program: string): (number | string | null)[] => {
      const { status, signal } = spawnSync(process.execPath, [
        ...node.slice(1),
        leash,
        process.execPath,
        '-e',
        program,
      ]);
      return [status, signal];
    };
    assert.deepEqual(run('process.exit(7)'), [7, null]);
    assert.deepEqual(run("process.kill(process.pid, 'SIGTERM')"), [null, 'SIGTERM']);
  });
});
