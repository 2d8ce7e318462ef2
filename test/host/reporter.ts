/** Mocha's usual output, and the counts for who adds them up in the file that PATCH_STACKS_TEST_RESULTS names. */
import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import Mocha from 'mocha';
import type { Counts, TestResult } from './results.ts';

export default class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const file = process.env['PATCH_STACKS_TEST_RESULTS'];
    if (file !== undefined) {
      const tests: TestResult[] = [];
      runner.on(Mocha.Runner.constants.EVENT_TEST_PASS, (test) => {
        tests.push({ title: test.fullTitle() });
      });
      runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, (test: Mocha.Test, error?: Error) => {
        tests.push({ title: test.fullTitle(), failure: beginning(error?.message) });
      });
      runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
        const { passes, failures, pending } = this.stats;
        const counts: Counts = {
          passed: passes,
          failed: failures,
          skipped: pending,
          failures: tests.flatMap(({ title, failure }) =>
            failure === undefined ? [] : `${title}: ${failure}`,
          ),
          tests,
        };
        writeFileSync(file, JSON.stringify(counts));
      });
    }
  }
}

// Mocha 11 asks for a reporter as a CommonJS module.
export { CountingReporter as 'module.exports' };

/** Some messages go on with the whole of what was compared, as it came from strangers. */
function beginning(message = ''): string {
  return stripVTControlCharacters(message)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .slice(0, 400);
}
