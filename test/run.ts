/**
 * npm test: every check of the project, one stage after the other, and a last line with the sum of all tests.
 *
 *   --only unit,host   runs only these stages
 *   --keep-going       goes on after a stage that failed
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startGroup, stopRequested } from '../tools/processes.ts';
import { Refusal, say } from '../tools/progress.ts';
import { root } from '../tools/provision.ts';
import { readCounts, type Counts } from './host/results.ts';

interface Stage {
  readonly name: string;
  /** The script of package.json that does the work. */
  readonly script: string;
  readonly extraArguments?: string;
  readonly hasTests: boolean;
}

const counting = '--reporter ./test/host/reporter.ts';
// A browser, an editor and an extension host share a machine that may have other work: a test in which one of them was
// too late is tried once more, and named at the end. By itself (npm run test:e2e) every test has one try.
const countingWithSecondTry = `${counting} --retries 1`;
const stages: readonly Stage[] = [
  { name: 'lint', script: 'lint', hasTests: false },
  { name: 'check', script: 'check', hasTests: false },
  { name: 'advisories', script: 'test:advisories', hasTests: false },
  { name: 'unit', script: 'test:unit', extraArguments: counting, hasTests: true },
  { name: 'contract', script: 'test:contract', extraArguments: counting, hasTests: true },
  { name: 'adversary', script: 'test:adversary', hasTests: true },
  { name: 'host', script: 'test:host', hasTests: true },
  { name: 'host-oldest', script: 'test:host', extraArguments: '--vscode 4.105.1', hasTests: true },
  { name: 'e2e', script: 'test:e2e', extraArguments: countingWithSecondTry, hasTests: true },
  { name: 'package', script: 'test:package', extraArguments: countingWithSecondTry, hasTests: true },
];

function chooseStages(only: string | undefined): readonly Stage[] {
  if (only === undefined) {
    return stages;
  }
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !stages.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    throw new Refusal(
      `There is no stage ${unknown.join(', ')}: the stages are ${stages.map((stage) => stage.name).join(', ')}.`,
    );
  }
  return stages.filter((stage) => names.includes(stage.name));
}

async function runStage(
  stage: Stage,
  command: string,
  directory: string,
  stop: Promise<void>,
): Promise<Counts> {
  const results = path.join(directory, `${stage.name}.json`);
  const group = startGroup(command, [], {
    cwd: root,
    shell: true,
    env: { ...process.env, PATCH_STACKS_TEST_RESULTS: results },
  });
  const code = await Promise.race([group.exited, stop.then(() => 'stopped' as const)]);
  if (code === 'stopped') {
    await group.stop();
    throw new Refusal('Stopped.');
  }
  const counts = readCounts(results) ?? { passed: 0, failed: 0, skipped: 0 };
  if (stage.hasTests && counts.passed + counts.failed === 0) {
    say(`The stage ${stage.name} ran no test.`);
    return { ...counts, failed: 1 };
  }
  if (code !== 0 && counts.failed === 0) {
    say(`The stage ${stage.name} ended with exit code ${code}.`);
    return { ...counts, failed: 1 };
  }
  return counts;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, 'keep-going': { type: 'boolean', default: false } },
  });
  const { scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const sum: Counts = { passed: 0, failed: 0, skipped: 0 };
  const secondTries: string[] = [];
  const stop = stopRequested();
  const directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-results-'));
  try {
    for (const stage of chooseStages(values.only)) {
      const started = Date.now();
      say(`\n=== ${stage.name}\n`);
      const command = [scripts[stage.script], stage.extraArguments].filter(Boolean).join(' ');
      const counts = await runStage(stage, command, directory, stop);
      sum.passed += counts.passed;
      sum.failed += counts.failed;
      sum.skipped += counts.skipped;
      secondTries.push(...(counts.secondTries ?? []));
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      say(`\n--- ${stage.name} ${counts.failed > 0 ? 'failed' : 'passed'} in ${seconds} s`);
      if (counts.failed > 0 && !values['keep-going']) {
        break;
      }
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : '';
  if (secondTries.length > 0) {
    say(`\nFailed at first, and tried once more:\n${secondTries.map((title) => `  ${title}`).join('\n')}`);
  }
  say(`\n${sum.passed} passed, ${sum.failed} failed${skipped}`);
  return sum.failed > 0 ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Refusal ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
