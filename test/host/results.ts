/** The counts that a suite leaves in a file: what a window or an editor exits with is not proof enough. */
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

/** A test, or a hook that failed, and why it failed if it did. */
export interface TestResult {
  readonly title: string;
  readonly failure?: string;
}

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** A sentence for each test that failed, where the suite tells. */
  failures?: readonly string[];
  /** Each test that has ended, where the suite tells. */
  tests?: readonly TestResult[];
}

/** The file that the suite is to write its counts to: named from outside or in the folder of the run. Nothing lies there yet. */
export function resultsFile(directory: string): string {
  const file = process.env['PATCH_STACKS_TEST_RESULTS'] ?? path.join(directory, 'results.json');
  rmSync(file, { force: true });
  return file;
}

export function readCounts(file: string): Counts | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Counts;
  } catch {
    return undefined;
  }
}

/** The evidence against a suite that has ended, besides the failures it has reported itself. */
export function judge(file: string): string | undefined {
  const counts = readCounts(file);
  if (counts === undefined) {
    return 'The extension host ended before its suite did.';
  }
  return counts.passed + counts.failed === 0 ? 'No test ran.' : undefined;
}
