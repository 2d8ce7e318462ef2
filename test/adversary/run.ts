/**
 * npm run test:adversary: attacks the project as someone who means harm would, and prints what was tried and what came
 * through. Every test run does a short form of it.
 *
 *   --full        everything, with time for each; needs some minutes
 *   --only NAME   only the attacks whose names contain NAME
 *   --repo PATH   a repository whose commits are moved and edited in the place of made-up ones; there may be several
 */
import { readdir } from 'node:fs/promises';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { takeErrors } from '../support/ownErrors.ts';
import { asOneRun } from '../support/runFolder.ts';
import type { Attack, Result } from './attack.ts';

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    repo: { type: 'string', multiple: true, default: [] },
  },
});

/** Attacks, and prints what came through. @returns The exit code. */
async function main(): Promise<number> {
  const results: Result[] = [];
  const unhandled: unknown[] = [];
  process.on('unhandledRejection', (reason) => unhandled.push(reason));
  for (const file of (await readdir(import.meta.dirname)).toSorted()) {
    if (!file.endsWith('.ts') || file === 'run.ts' || file === 'attack.ts') {
      continue;
    }
    const { attacks } = (await import(`./${file}`)) as { attacks: readonly Attack[] };
    for (const { name, onlyInFull = false, run } of attacks) {
      if (!name.includes(values.only) || (onlyInFull && !values.full)) {
        continue;
      }
      const started = performance.now();
      const { tried, failures, longest } = await run(values.full, values.repo);
      const unseen = [...unhandled.splice(0).map(String), ...takeErrors().map(({ text }) => text)].map(
        (reason) => `nobody handles this: ${reason}`,
      );
      const result = {
        attack: name,
        tried,
        failures: [...failures, ...unseen],
        ...(longest !== undefined && { longest }),
      };
      results.push(result);
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${name}: ${result.tried} tried, ${result.failures.length} failed, ${seconds} s`);
      for (const failure of result.failures) {
        console.log(`  ${failure}`);
      }
    }
  }
  console.table(
    results.map(({ attack, tried: all, failures, longest }) => ({
      attack,
      tried: all,
      held: Math.max(0, all - failures.length),
      'longest time': longest === undefined ? '' : `${longest.toFixed(0)} ms`,
    })),
  );
  const tried = results.reduce((sum, result) => sum + result.tried, 0);
  const failed = results.reduce((sum, result) => sum + result.failures.length, 0);
  console.log(`\n${results.length} attacks: ${tried} tried, ${failed} failed.`);
  // Each attack counts as one test when `npm test` adds up.
  const counts = {
    passed: results.filter(({ failures }) => failures.length === 0).length,
    failed: results.filter(({ failures }) => failures.length > 0).length,
    skipped: 0,
  };
  const file = process.env['PATCH_STACKS_TEST_RESULTS'];
  if (file !== undefined) {
    writeFileSync(file, JSON.stringify(counts));
  }
  return failed === 0 && results.length > 0 ? 0 : 1;
}

await asOneRun(main);
// An attack may have left something that would go on.
process.exit();
