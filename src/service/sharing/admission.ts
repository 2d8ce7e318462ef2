/**
 * Takes in what other devices have written, each log from its beginning on, and in it nothing that breaks a rule, nor anything after
 * that. What is refused depends on the log alone, so that everybody refuses the same; only what is dated ahead waits for its time.
 */
import type { HybridClock } from './clock.ts';
import type { Fold, SharedPatch } from './fold.ts';
import type { SharedLogs } from './logs.ts';
import { decodeBatch, noChain, writerOf, type ChainEnd, type Writer } from './operations.ts';
import type { SharingStore } from './store.ts';

/** Milliseconds that a clock may be ahead of this computer's. */
const mostAheadMs = 60 * 60 * 1000;

/** Something in a log that was not taken, in words. */
export interface LogProblem {
  /** `PERSON/DEVICE`. */
  log: string;
  reason: string;
}

/** The part of a log that was taken in. */
interface LogState extends ChainEnd {
  /** The last commit that was. */
  tip?: string;
  /** The end that the log had when something in it was refused. */
  refused?: { tip: string; reason: string };
}

interface Admitted {
  problems: LogProblem[];
  /** The patches about which something is new. */
  patches: SharedPatch[];
  /** The number of operations that were new. */
  count: number;
}

const reasons = {
  malformed: "it isn't written as the format says",
  forged: "it's in somebody else's name",
  newer: 'a newer version of Patch Stacks wrote it',
  gap: 'an operation is missing or stands there twice',
  clock: 'its clock goes back',
};

/** Takes in what is new in the logs that were fetched. @param own The log that is written here. */
export async function admit(
  {
    logs,
    store,
    fold,
    clock,
    now,
  }: { logs: SharedLogs; store: SharingStore; fold: Fold; clock: HybridClock; now: () => number },
  own: Writer,
  signal?: AbortSignal,
): Promise<Admitted> {
  const { tips, strange } = await logs.seenTips(signal);
  const result: Admitted = { problems: [], patches: [], count: 0 };
  if (strange > 0) {
    result.problems.push({ log: '', reason: `some refs aren't logs (${strange})` });
  }
  for (const [log, tip] of tips) {
    const writer = writerOf(log);
    const state = store.read('log', log) as LogState | undefined;
    if (!writer || tip === state?.tip || (writer.person === own.person && writer.device === own.device)) {
      continue;
    }
    const reason =
      state?.refused?.tip === tip ? state.refused.reason : await admitLog(writer, log, tip, state);
    if (reason !== undefined) {
      result.problems.push({ log, reason });
    }
  }
  return result;

  async function admitLog(
    writer: Writer,
    log: string,
    tip: string,
    before: LogState | undefined,
  ): Promise<string | undefined> {
    let state: LogState = { ...noChain, ...before };
    const refuse = (reason: string): string => {
      store.write({ ...state, refused: { tip, reason } }, 'log', log);
      return reason;
    };
    const read = await logs.read(tip, state.tip, signal);
    if ('rewritten' in read) {
      return refuse('it was rewritten: what it said before still counts');
    }
    for await (const commit of read.commits) {
      if ('unreadable' in commit) {
        return refuse(`commit ${commit.sha} can't be read: ${commit.unreadable}`);
      }
      const batch = decodeBatch(commit.bytes, writer, state);
      if ('refusal' in batch) {
        return refuse(`commit ${commit.sha} is refused: ${reasons[batch.refusal]} (${batch.detail})`);
      }
      if (batch.end.clock[0] > now() + mostAheadMs) {
        return `commit ${commit.sha} waits: its clock is far ahead`;
      }
      store.transaction(() => {
        for (const operation of batch.operations) {
          const patch = fold.add(operation);
          clock.see(operation.clock);
          if (patch) {
            result.patches.push({ branch: patch.branch, change: patch.change });
          }
        }
        state = { ...batch.end, tip: commit.sha };
        store.write(state, 'log', log);
        store.write(clock.last, 'clock');
      });
      result.count += batch.operations.length;
    }
    return undefined;
  }
}
