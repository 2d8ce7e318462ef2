/** Where progress is told. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const moduleUrl = pathToFileURL(path.resolve(import.meta.dirname, '../../../tools/progress.ts')).href;

function run(lines: string): { stdout: string; stderr: string } {
  const program = `import { say, sayOnStderr, step } from '${moduleUrl}';
    ${lines}
    say('Measuring');
    await step('Building', async () => {});
    process.stdout.write('{}');`;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program];
  return spawnSync(process.execPath, args, { encoding: 'utf8' });
}

describe('progress', function () {
  this.timeout(60_000);

  it('is told on stdout', () => {
    const { stdout, stderr } = run('');
    assert.match(stdout, /^Measuring\nBuilding …\n {2}done in .* s\n\{\}$/);
    assert.equal(stderr, '');
  });

  it('leaves stdout to the result where a program reads that', () => {
    const { stdout, stderr } = run('sayOnStderr();');
    assert.equal(stdout, '{}');
    assert.match(stderr, /^Measuring\nBuilding …\n {2}done in .* s\n$/);
  });
});
