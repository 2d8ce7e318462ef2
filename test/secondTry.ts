/**
 * The second try of what was tested in a window. A window shares its machine with everything else, so a file of such tests that
 * failed runs once more, alone, and that outcome counts. A run in which many failed has a mistake: then nothing runs again.
 */

/** The most files of one run that have a second try. */
export const mostSecondTries = 3;

/** How a job went, as far as a second try is about it. */
export interface Tried {
  readonly failed: number;
  /** A sentence for each test that failed. */
  readonly failures?: readonly string[];
  /** The files of pictures that were taken when a test failed. */
  readonly pictures?: readonly string[];
}

/** The jobs to run once more: all that failed, or none where one of them has one try only, or they are too many. */
export function chooseSecondTries<J extends { readonly hasSecondTry: boolean }>(
  failed: readonly J[],
): readonly J[] {
  return failed.length <= mostSecondTries && failed.every(({ hasSecondTry }) => hasSecondTry) ? failed : [];
}

/**
 * Runs what failed once more, one after the other, and puts the second outcome in the place of the first.
 *
 * @returns the first outcome of each job that passed now, by its name.
 */
export async function tryAgain<
  O extends Tried,
  J extends { readonly name: string; readonly hasSecondTry: boolean },
>(jobs: readonly J[], outcomes: Map<string, O>, run: (job: J) => Promise<O>): Promise<Map<string, O>> {
  const passed = new Map<string, O>();
  const failed = jobs.flatMap((job) => {
    const first = outcomes.get(job.name);
    return first !== undefined && first.failed > 0 ? { job, first, hasSecondTry: job.hasSecondTry } : [];
  });
  for (const { job, first } of chooseSecondTries(failed)) {
    const second = await run(job);
    outcomes.set(job.name, second);
    if (second.failed === 0) {
      passed.set(job.name, first);
    }
  }
  return passed;
}

/** The lines of a closing table that name what passed at the second try only, with why it failed first. */
export function secondTryLines(passed: ReadonlyMap<string, Tried>): string[] {
  const lines = [...passed].flatMap(([name, { failures = [], pictures = [] }]) => [
    `  ${name}`,
    ...failures.map((failure) => `    ${failure}`),
    ...pictures.map((picture) => `    a picture: ${picture}`),
  ]);
  return lines.length === 0 ? [] : ['Passed at the second try:', ...lines];
}

/** The pictures that a job's output names: tests keep one of the window that they failed in. */
export function picturesIn(output: string): string[] {
  return [...output.matchAll(/^--- a picture: (.+)$/gm)].map(([, file = '']) => file.trim());
}
