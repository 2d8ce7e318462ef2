/**
 * Goes on as another device where the own log is not the one that the remote has: a backup was restored, or somebody has rewritten it. What the
 * remote has is taken in like anybody else's, and what only the log here has is said again. Nothing that somebody has saved is taken back: what
 * both had the last time stays noted, with the operations by their new names.
 */
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { forgetFold } from './admission.ts';
import type { HybridClock } from './clock.ts';
import type { Fold } from './fold.ts';
import type { SharedLogs } from './logs.ts';
import { decodeBatch, noChain, pathOf, type LoggedOperation, type Writer } from './operations.ts';
import { OwnLog } from './ownLog.ts';
import type { SharingStore } from './store.ts';

/** What is noted of a text that both sides had the last time. */
const withHeads = v.looseObject({ heads: v.array(v.string()) });

/** A device that there was not before. */
export function newDevice(): string {
  return randomBytes(8).toString('hex');
}

/** Forgets the own log, and all that was made of the logs, but not what both sides had the last time. */
export function leaveLog({ store, fold }: { store: SharingStore; fold: Fold }): void {
  store.transaction(() => {
    forgetFold({ store, fold });
    ['end', 'pushed', 'written', 'snapshot', 'device'].forEach((name) => store.forget(name));
    ['outbox', 'linked'].forEach((kind) => store.forgetAll(kind));
  });
}

/**
 * The operations of the own log that the remote's can't have any more, as it goes on otherwise: those of the log's own commits, and those that
 * are in none yet. Undefined where the remote's is as far as the own log, or behind.
 */
export async function operationsLeft(
  logs: SharedLogs,
  own: OwnLog,
  signal?: AbortSignal,
): Promise<LoggedOperation[] | undefined> {
  const { writer, outbox } = own;
  const fork = await logs.forkOf(writer, signal);
  if (!fork) {
    return undefined;
  }
  const left: LoggedOperation[] = [];
  let end = fork.end ?? noChain;
  for await (const commit of fork.commits) {
    const batch = 'bytes' in commit ? decodeBatch(commit.bytes, writer, end) : undefined;
    if (!batch || 'refusal' in batch) {
      throw new Error(`The log ${pathOf(writer)} isn't as it was written on this computer.`);
    }
    left.push(...batch.operations);
    ({ end } = batch);
  }
  return [...left, ...outbox.map(([, operation]) => operation).filter(({ seq }) => seq > end.seq)];
}

/** Begins the log of another device with operations of the one that is left. @returns That log. */
export function beginAnother(
  { store, fold, clock }: { store: SharingStore; fold: Fold; clock: HybridClock },
  { person }: Writer,
  operations: readonly LoggedOperation[],
): OwnLog {
  const writer = { person, device: newDevice() };
  return store.transaction(() => {
    leaveLog({ store, fold });
    store.write(writer.device, 'device');
    const own = new OwnLog(writer, store, fold, clock);
    const { emit } = own.begin();
    const names = new Map<string, string>();
    const renamed = (ids: readonly string[]): string[] => ids.map((id) => names.get(id) ?? id);
    for (const { id, content } of operations) {
      if (!content) {
        continue;
      }
      emit(content.type === 'text' ? { ...content, over: renamed(content.over) } : content, '', {
        shared: () => names.set(id, `${pathOf(writer)}/${own.end.seq}`),
        // It was written once, by the same rules.
        withheld: () => undefined,
      });
    }
    for (const key of store.keys('["shadow text",')) {
      const shadow = store.get(key);
      if (v.is(withHeads, shadow)) {
        store.set(key, { ...shadow, heads: renamed(shadow.heads) });
      }
    }
    return own;
  });
}

/**
 * Begins the log of another device where that of this one is gone: all that others have can be read again, and all that is only here is told
 * again. @returns That log.
 */
export function beginAnew(
  { store, fold, clock }: { store: SharingStore; fold: Fold; clock: HybridClock },
  { person }: Writer,
): OwnLog {
  const writer = { person, device: newDevice() };
  store.transaction(() => {
    leaveLog({ store, fold });
    store.keys('["shadow ').forEach((key) => store.delete(key));
    store.forget('shadow person');
    store.forgetAll('told ahead');
    store.write(writer.device, 'device');
  });
  return new OwnLog(writer, store, fold, clock);
}
