/** How often each test failed in several rounds of its file: one that fails now and then is found before it stops a run. */
import type { TestResult } from './host/results.ts';

/** One round of a file. */
export interface Round {
  readonly file: string;
  readonly tests: readonly TestResult[];
  /** What was wrong with the round as a whole, such as that it did not end. */
  readonly complaint?: string | undefined;
}

const asAWhole = 'the file as a whole';

/** The share of its rounds in which each test failed, and why, file by file: what failed most often comes first. */
export function failureRates(rounds: readonly Round[]): string[] {
  const files = Map.groupBy(rounds, ({ file }) => file);
  return [...files].flatMap(([file, ofFile]) => {
    const failures = Map.groupBy(
      ofFile.flatMap(({ tests, complaint }) => [
        ...tests,
        ...(complaint === undefined ? [] : [{ title: asAWhole, failure: complaint }]),
      ]),
      ({ title }) => title,
    );
    const rates = [...failures].map(([title, results]) => ({
      title,
      reasons: results.flatMap(({ failure }) => failure ?? []),
    }));
    const failed = rates.filter(({ reasons }) => reasons.length > 0);
    const steady = rates.length - failed.length;
    return [
      `${file}, ${ofFile.length} ${ofFile.length === 1 ? 'round' : 'rounds'}:`,
      ...failed
        .toSorted((a, b) => b.reasons.length - a.reasons.length)
        .flatMap(({ title, reasons }) => [
          rateLine(reasons.length, ofFile.length, title),
          ...[...Map.groupBy(reasons, (reason) => reason)].map(
            ([reason, all]) => `           ${all.length} × ${reason}`,
          ),
        ]),
      ...(steady === 0
        ? []
        : [rateLine(0, ofFile.length, steady === 1 ? '1 test' : `each of ${steady} tests`)]),
    ];
  });
}

function rateLine(failed: number, rounds: number, title: string): string {
  return `  ${Math.round((100 * failed) / rounds)
    .toString()
    .padStart(5)} %  ${title}`;
}
