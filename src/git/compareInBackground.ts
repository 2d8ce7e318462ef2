/**
 * Compares versions without holding up the extension host: a large file or a long text can take seconds, for as long as which no
 * other extension would do anything.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ComparedFile } from '../model/reading/compareFiles.ts';
import type { PatchVersion } from '../model/reading/patchVersion.ts';
import type { StackRecord } from '../model/reading/readingRecords.ts';
import type { PatchReading } from '../model/reading/readingStates.ts';
import type { CurrentPatch } from '../model/reading/lastRead.ts';
import type { Outcome, SinceRead, VersionPair } from '../model/reading/outcome.ts';
import type { StackChange } from '../model/reading/stackChange.ts';
import type { ShownComparison } from '../util/shownComparison.ts';
import type { StackVersions } from './changesWithContents.ts';
import type { CommitPair } from './compareCommits.ts';
import type { SignOffOutcome, SignOffQuestion } from './decideWithContents.ts';

/** The task of a comparison thread. */
export type ComparisonJob =
  /**
   * `git` is where git is, `root` the folder of the repository, `scratch` one of the extension's own that is there: it gets what is
   * in the files, of which nothing stays unless the window is killed.
   */
  | { kind: 'commits'; git: string; root: string; pairs: readonly CommitPair[]; scratch: string }
  /** `roots` are the folders of the open repositories, of which there may be none. */
  | {
      kind: 'patch';
      git: string;
      roots: readonly string[];
      versions: readonly [older: PatchVersion, newer: PatchVersion];
      scratch: string;
    }
  | ({ kind: 'signOffs'; git: string; roots: readonly string[]; scratch: string } & SignOffQuestion)
  | ({ kind: 'stacks'; git: string; roots: readonly string[]; scratch: string } & StackVersions)
  | {
      kind: 'verdicts';
      git: string;
      roots: readonly string[];
      pairs: readonly VersionPair[];
      scratch: string;
    }
  | {
      kind: 'readings';
      record: StackRecord;
      current: readonly CurrentPatch[];
      since: readonly (SinceRead | undefined)[];
    };

/**
 * The thread's answer: the files of each pair of commits, a patch as it is to be shown, the patches that may be signed off, the
 * patches of a stack with what became of them, what became of patches, or the progress of reading them.
 */
export type ComparisonAnswer =
  | { kind: 'commits'; commits: ComparedFile[][] }
  | { kind: 'patch'; shown: ShownComparison }
  | { kind: 'signOffs'; decisions: SignOffOutcome[] }
  | { kind: 'stacks'; changes: StackChange[] }
  | { kind: 'verdicts'; outcomes: Outcome[] }
  | { kind: 'readings'; readings: PatchReading[] };

/**
 * Compares in a thread of its own, which ends with it.
 *
 * @param worker the file with the code of `comparisonWorker.ts`.
 * @throws what comparing throws; the signal's reason.
 */
export async function compareInBackground<K extends ComparisonJob['kind']>(
  worker: string,
  job: Extract<ComparisonJob, { kind: K }>,
  signal?: AbortSignal,
): Promise<Extract<ComparisonAnswer, { kind: K }>> {
  signal?.throwIfAborted();
  if (!('scratch' in job)) {
    return compareInThread(worker, job, signal);
  }
  // A thread that is ended has no time to clean up behind it.
  const scratch = await mkdtemp(path.join(job.scratch, 'compare-'));
  try {
    return await compareInThread(worker, { ...job, scratch }, signal);
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function compareInThread<A extends ComparisonAnswer>(
  worker: string,
  job: ComparisonJob,
  signal: AbortSignal | undefined,
): Promise<A> {
  signal?.throwIfAborted();
  const thread = new Worker(worker, { workerData: job });
  const ended = new AbortController();
  try {
    // A thread that ends without an answer, as when it runs out of memory, must not be waited for.
    const exit = once(thread, 'exit', { signal: ended.signal }).then(([code]): never => {
      throw new Error(`The comparison ended without an answer (${String(code)}).`);
    });
    const given = once(thread, 'message', signal && { signal }) as Promise<[A]>;
    const [answer] = await Promise.race([given, exit]);
    return answer;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    ended.abort();
    await thread.terminate();
  }
}
