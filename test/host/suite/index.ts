/** Runs inside an extension host: every suite that was built beside this file. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import CountingReporter from '../reporter.ts';

export async function run(): Promise<void> {
  const color = process.env['FORCE_COLOR'] === '1';
  // Between VS Code's own messages the runner knows the suite's by this mark.
  const mark = process.env['PATCH_STACKS_TEST_MARK'];
  if (mark !== undefined) {
    Mocha.reporters.Base.consoleLog = (...args: unknown[]) => console.log(mark + format(...args));
  }
  const mocha = new Mocha({ ui: 'bdd', color, timeout: 20_000, reporter: CountingReporter });
  const wanted = process.env['PATCH_STACKS_TEST_GREP'];
  if (wanted !== undefined) {
    mocha.grep(wanted);
  }
  for (const name of readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).sort()) {
    if (name.endsWith('.test.cjs')) {
      mocha.addFile(path.join(__dirname, name));
    }
  }
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) {
    throw new Error(`${failures} failed`);
  }
}
