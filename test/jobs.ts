/** Jobs that share the processors of this machine: in order, so many at a time, patient ones beside them, none before what it needs. */

export interface Job {
  readonly name: string;
  /** The job that has to be done, and well, before this one begins. */
  readonly needs?: string | undefined;
  /** No job of a later round begins once one of an earlier round has failed. */
  readonly round: number;
  /** About how long it takes; where nobody knows, it may be long. */
  readonly seconds?: number | undefined;
  /** True when it runs beside the others, with what they leave of the processors. */
  readonly isPatient?: boolean | undefined;
}

/** Does all jobs; which one is to begin next is for `choose` to say. */
export async function doJobs<J extends Job>(
  jobs: readonly J[],
  atOnce: number,
  { run, goesOn = false }: { run: (job: J) => Promise<boolean>; goesOn?: boolean },
): Promise<void> {
  const waiting = [...inOrder(jobs)];
  const running = new Set<Promise<void>>();
  let free = atOnce;
  const begun = new Set<J>();
  const failed = new Set<J>();
  const firstFailed = (): number => Math.min(Infinity, ...[...failed].map(({ round }) => round));
  const done = new Set<string>();
  const start = (job: J): void => {
    const places = job.isPatient === true ? 0 : 1;
    free -= places;
    begun.add(job);
    const ended = run(job).then((isWell) => {
      free += places;
      running.delete(ended);
      if (isWell) {
        done.add(job.name);
      } else {
        failed.add(job);
      }
    });
    running.add(ended);
  };
  const isReady = ({ needs }: J): boolean =>
    needs === undefined || done.has(needs) || !jobs.some(({ name }) => name === needs);
  for (;;) {
    for (;;) {
      const next = waiting.findIndex(
        (job) =>
          (free > 0 || job.isPatient === true) && isReady(job) && (goesOn || job.round <= firstFailed()),
      );
      if (next === -1) {
        break;
      }
      const [job] = waiting.splice(next, 1);
      if (job !== undefined) {
        start(job);
      }
    }
    if (running.size === 0) {
      return;
    }
    await Promise.race(running);
  }
}

/** Rounds one after the other, what is needed first, and the longest before the others: none is then left alone at the end. */
export function inOrder<J extends Job>(jobs: readonly J[]): J[] {
  const isNeeded = ({ name }: J): number => Number(jobs.some(({ needs }) => needs === name));
  return jobs.toSorted(
    (a, b) =>
      a.round - b.round || isNeeded(b) - isNeeded(a) || compare(b.seconds ?? Infinity, a.seconds ?? Infinity),
  );
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** The seconds of each job, the longest first, as lines of equal columns. */
export function timeTable(
  rows: readonly { readonly name: string; readonly seconds: number; readonly tests: number }[],
): string[] {
  return rows
    .toSorted((a, b) => b.seconds - a.seconds)
    .map(({ name, seconds, tests }) =>
      `${seconds.toFixed(1).padStart(8)} s ${(tests === 0 ? '' : String(tests)).padStart(6)}  ${name}`.trimEnd(),
    );
}

/** The end of a run: what is counted stands alone on the last line, whoever looks for it. */
export function closingLines(
  { passed, failed, skipped }: { readonly passed: number; readonly failed: number; readonly skipped: number },
  seconds: number,
): string[] {
  const whole = Math.round(seconds);
  const time = `In ${Math.floor(whole / 60)} min ${whole % 60} s`;
  return [`${time}${skipped > 0 ? `, with ${skipped} skipped` : ''}:`, `${passed} passed, ${failed} failed`];
}
