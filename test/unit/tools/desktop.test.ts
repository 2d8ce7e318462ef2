/** What npm run test:desktop has started and written is gone when it was stopped while its windows run. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { StartedProcess, stillRunning } from '../../e2e/startedProcess.ts';
import { until } from '../../support/until.ts';

(process.platform === 'win32' ? describe.skip : describe)('npm run test:desktop', function () {
  this.timeout(120_000);
  let folder: string;
  let temporary: string;
  let started: StartedProcess | undefined;
  let pids: number[] = [];
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-desktop-'));
    temporary = path.join(folder, 'tmp');
    mkdirSync(temporary);
  });
  afterEach(async () => {
    await started?.stop();
    stillRunning(pids).forEach((pid) => process.kill(pid, 'SIGKILL'));
    rmSync(folder, { recursive: true, force: true });
  });

  /** A program in the place of VS Code: with a process beside it, as that has, and files in its data folder. */
  function placeEditor(): string {
    const file = path.join(folder, 'code');
    writeFileSync(
      file,
      `#!${process.execPath}
      const { spawn } = require('node:child_process');
      const { mkdirSync } = require('node:fs');
      mkdirSync(process.argv.find((one) => one.startsWith('--user-data-dir=')).slice('--user-data-dir='.length));
      const helper = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      console.log('window', process.pid, helper.pid);
      setInterval(() => {}, 1000);`,
      { mode: 0o755 },
    );
    return file;
  }

  for (const [how, stop] of [
    ['Ctrl+C', (run: StartedProcess) => run.interrupt()],
    ['a signal to npm alone', (run: StartedProcess) => process.kill(run.descendants()[1] ?? 0, 'SIGTERM')],
  ] as const) {
    it(`leaves no process and no file when it is stopped by ${how}`, async () => {
      started = StartedProcess.npmRun('test:desktop', {
        DISPLAY: ':0',
        // npm's own cache lies there, too.
        NODE_DISABLE_COMPILE_CACHE: '1',
        PATCH_STACKS_BUILT: 'nothing needs to be',
        // A run of its own, not a part of this one.
        PATCH_STACKS_RUN_FOLDER: undefined,
        TMPDIR: temporary,
        VSCODE_EXECUTABLE: placeEditor(),
      });
      const [, window, helper] = await started.waitFor(/window (\d+) (\d+)/);
      pids = started.descendants();
      assert.ok(pids.includes(Number(window)) && pids.includes(Number(helper)));
      assert.notDeepEqual(readdirSync(temporary), []);
      stop(started);
      await started.ended;
      await until(async () => stillRunning(pids).length === 0);
      assert.deepEqual(readdirSync(temporary), []);
    });
  }
});
