/** Compares versions in a thread of its own; see `compareInBackground`. */
import { parentPort, workerData } from 'node:worker_threads';
import { readingStates } from '../model/reading/readingStates.ts';
import { type Outcome, outcomeOf } from '../model/reading/outcome.ts';
import { changesWithContents } from './changesWithContents.ts';
import { compareAllContents, comparePatch } from './comparePatch.ts';
import { compareCommits } from './compareCommits.ts';
import { decideWithContents } from './decideWithContents.ts';
import type { ComparisonAnswer, ComparisonJob } from './compareInBackground.ts';
import { repositoryAt } from './repository.ts';

async function answer(job: ComparisonJob): Promise<ComparisonAnswer> {
  switch (job.kind) {
    case 'commits':
      return {
        kind: 'commits',
        commits: await compareCommits(repositoryAt(job.git, job.root), job.pairs, job.scratch),
      };
    case 'patch': {
      const repositories = job.roots.map((root) => repositoryAt(job.git, root));
      return { kind: 'patch', shown: await comparePatch(repositories, job.versions, job.scratch) };
    }
    case 'signOffs': {
      const repositories = job.roots.map((root) => repositoryAt(job.git, root));
      return { kind: 'signOffs', decisions: await decideWithContents(repositories, job, job.scratch) };
    }
    case 'stacks': {
      const repositories = job.roots.map((root) => repositoryAt(job.git, root));
      return { kind: 'stacks', changes: await changesWithContents(repositories, job, job.scratch) };
    }
    case 'verdicts': {
      const repositories = job.roots.map((root) => repositoryAt(job.git, root));
      const outcomes: Outcome[] = [];
      for await (const { comparison } of compareAllContents(repositories, job.pairs, job.scratch)) {
        outcomes.push(outcomeOf(comparison));
      }
      return { kind: 'verdicts', outcomes };
    }
    case 'readings':
      return { kind: 'readings', readings: readingStates(job.record, job.current, job.since) };
  }
}

answer(workerData as ComparisonJob).then(
  (found) => parentPort?.postMessage(found),
  (error: unknown) => {
    // Fails the thread, and so whoever waits for it.
    throw error;
  },
);
