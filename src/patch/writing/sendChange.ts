import type { ChangeFailureKind } from '../../model/pending/failure.ts';
import type { ChangeContent, ChangeSubject } from '../../model/pending/kinds/index.ts';
import type { SendOutcome } from '../../model/pending/pendingChange.ts';
import type { PendingChanges } from '../../model/pending/pendingChanges.ts';
import { describeChangeFailure } from '../../ui/failures.ts';
import type { PatchRef } from '../../util/patchRef.ts';

/** The service has understood the change and does not want it: sending it again would end in the same way. */
const refusals = new Set<ChangeFailureKind>(['forbidden', 'notFound', 'conflict', 'invalid', 'deleted']);

/** Has a person look at a pending change beside what is on the service. */
export interface PendingActions {
  compare(pendingId: string): Promise<void>;
  /** Opens the texts of a conflict, and has the person decide. */
  resolve(pendingId: string): Promise<void>;
  /** Has the person decide between the versions of a section's text that were written at the same time. */
  resolveShared(patch: PatchRef, code: string): Promise<void>;
  /** Sends a pending change, and tells what became of it. */
  send(pendingId: string): Promise<void>;
  /** Takes a pending change over that another window holds, once the person agrees. */
  takeOver(pendingId: string): Promise<void>;
}

/**
 * Sends a change that shows at once. When the service refuses it, it is taken back; when the service was not reached, it
 * stays as unsent; when somebody else has changed the same, the person is asked.
 *
 * @throws why it was not taken.
 */
export async function sendChange<S extends ChangeSubject>(
  pendingChanges: PendingChanges,
  actions: PendingActions,
  subject: S,
  content: ChangeContent<S>,
  title: string,
): Promise<SendOutcome> {
  pendingChanges.put(subject, content, title);
  const pending = pendingChanges.find(subject);
  return pending ? sendPending(pendingChanges, actions, pending.id) : { kind: 'sent' };
}

/** Does the same with a pending change that is there already. */
export async function sendPending(
  pendingChanges: PendingChanges,
  actions: PendingActions,
  id: string,
): Promise<SendOutcome> {
  const outcome = await pendingChanges.send(id);
  if (outcome.kind === 'conflict') {
    await actions.resolve(id);
  }
  if (outcome.kind === 'failed') {
    if (refusals.has(outcome.failure.kind)) {
      await pendingChanges.takeBack(id);
    }
    const { error, failure } = outcome;
    throw error instanceof Error ? error : new Error(describeChangeFailure(failure), { cause: error });
  }
  return outcome;
}
