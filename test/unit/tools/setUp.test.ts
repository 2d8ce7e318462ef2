/** The setup around every run of mocha. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');

describe('a run of the tests', function () {
  this.timeout(60_000);
  let directory: string;
  before(() => (directory = mkdtempSync(path.join(tmpdir(), 'patch-stacks-run-'))));
  after(() => rmSync(directory, { recursive: true, force: true }));

  function runTest(lines: string): { status: number | null; output: string } {
    const file = path.join(directory, 'some.test.mjs');
    writeFileSync(file, lines);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['node_modules/mocha/bin/mocha.js', '--extension', 'mjs', file],
      {
        cwd: root,
        encoding: 'utf8',
        timeout: 50_000,
        env: { ...process.env, PATCH_STACKS_TEST_OVER_WITHIN: '500' },
      },
    );
    return { status, output: stdout + stderr };
  }

  it('ends and fails when something is left over, and says what', () => {
    const { status, output } = runTest(`
      import { createServer } from 'node:net';
      import { spawn } from 'node:child_process';
      it('passes', () => {
        createServer().listen(0, '127.0.0.1');
        spawn(process.execPath, ['-e', 'setTimeout(() => {}, 5_000)'], { stdio: 'ignore' });
      });`);
    assert.equal(status, 1, output);
    assert.match(output, /1 passing/);
    assert.match(output, /kept the process from ending/);
    assert.match(output, /Server: _connectionKey '4:127\.0\.0\.1:0'/);
    assert.match(output, /ChildProcess: spawnfile .*node.*, pid \d+/);
  });

  it('ends by itself when nothing is', () => {
    const { status, output } = runTest(`it('passes', () => {});`);
    assert.equal(status, 0, output);
    assert.doesNotMatch(output, /kept the process/);
  });
});
