/**
 * Makes the repository of the logs anew where it is damaged: all of it that matters is at the remote, but for what was written here and isn't
 * pushed yet, which the database keeps until it is.
 */
import { ServiceError } from '../errors.ts';
import { logStateSchema } from './admission.ts';
import { DamagedLogsError, type SharedLogs } from './logs.ts';
import { noChain } from './operations.ts';
import type { OwnLog } from './ownLog.ts';
import type { SharingStore } from './store.ts';

/** True where something has failed because the repository of the logs is damaged, or gone. */
export async function isDamage(error: unknown, logs: SharedLogs, signal?: AbortSignal): Promise<boolean> {
  signal?.throwIfAborted();
  const isOfGit = error instanceof ServiceError && ['git_failed', 'no_repository'].includes(error.code);
  return error instanceof DamagedLogsError || (isOfGit && !(await logs.isSound(signal)));
}

/**
 * Takes up, in a repository that was made anew and has all that the remote has, where the one before it was.
 *
 * @returns False where operations of the own log are nowhere any more: neither there, nor at the remote, nor in the database.
 */
export async function takeUp(
  logs: SharedLogs,
  store: SharingStore,
  own: OwnLog,
  signal?: AbortSignal,
): Promise<boolean> {
  const last = await logs.restoreOwn(own.writer, signal);
  const [next] = own.outbox.map(([, { seq }]) => seq);
  const states = [
    [['own log'], store.readAs(logStateSchema, 'own log')] as const,
    ...store.listAs(logStateSchema, 'log').map(([log, state]) => [['log', log], state] as const),
  ].flatMap(([name, state]) =>
    state?.tip === undefined ? [] : [{ name, tip: state.tip, begun: state.begun }],
  );
  let index = 0;
  for await (const object of logs.objects(
    states.map(({ tip }) => tip),
    signal,
  )) {
    const state = states[index++];
    if (state && !('bytes' in object)) {
      // It is read from its beginning: what the fold has of it changes nothing.
      const begun = state.begun && { ...state.begun, isChecked: true as const };
      store.write({ ...noChain, ...(begun && { begun }) }, ...state.name);
    }
  }
  store.forget('written');
  return last + 1 >= (next ?? own.end.seq + 1);
}
