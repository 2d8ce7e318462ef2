/**
 * Mocha's usual output with every failed first try in it, and the counts for who adds them up in the file that
 * PATCH_STACKS_TEST_RESULTS names.
 */
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import type { Counts } from './results.ts';

export default class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const secondTries: string[] = [];
    runner.on(Mocha.Runner.constants.EVENT_TEST_RETRY, (test: Mocha.Test, error: Error) => {
      secondTries.push(test.fullTitle());
      Mocha.reporters.Base.consoleLog(
        `--- tried once more: ${test.fullTitle()}\n${error.stack ?? error.message}`,
      );
    });
    const file = process.env['PATCH_STACKS_TEST_RESULTS'];
    if (file !== undefined) {
      runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
        const { passes, failures, pending } = this.stats;
        const counts: Counts = {
          passed: passes,
          failed: failures,
          skipped: pending,
          secondTries,
          failures: this.failures.map((test) => `${test.fullTitle()}: ${beginning(test.err?.message)}`),
        };
        writeFileSync(file, JSON.stringify(counts));
      });
    }
  }
}

/** Some messages go on with the whole of what was compared, as it came from strangers. */
function beginning(message = ''): string {
  return message.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').slice(0, 400);
}
