import type {
  DraftContent,
  DraftFailureKind,
  DraftSubject,
  SendOutcome,
} from '../../model/pending/pendingChange.ts';
import type { Drafts } from '../../model/pending/pendingChanges.ts';
import { describeDraftFailure } from '../../ui/failures.ts';

/** The service has understood the change and does not want it: sending it again would end in the same way. */
const refusals = new Set<DraftFailureKind>(['forbidden', 'notFound', 'conflict', 'invalid', 'deleted']);

/** Has a person look at a draft beside what is on the service. */
export interface Decisions {
  compare(draftId: string): Promise<void>;
  /** Opens the texts of a conflict, and has the person decide. */
  decide(draftId: string): Promise<void>;
  /** Sends a draft, and tells what became of it. */
  send(draftId: string): Promise<void>;
  /** Takes a draft over that another window holds, once the person agrees. */
  takeOver(draftId: string): Promise<void>;
}

/**
 * Sends a change that shows at once. When the service refuses it, it is taken back; when the service was not reached, it
 * stays as unsent; when somebody else has changed the same, the person is asked.
 *
 * @throws why it was not taken.
 */
export async function sendChange<S extends DraftSubject>(
  drafts: Drafts,
  decisions: Decisions,
  subject: S,
  content: DraftContent<S>,
  title: string,
): Promise<SendOutcome> {
  drafts.put(subject, content, title);
  const draft = drafts.find(subject);
  return draft ? sendDraft(drafts, decisions, draft.id) : { kind: 'sent' };
}

/** Does the same with a draft that is there already. */
export async function sendDraft(drafts: Drafts, decisions: Decisions, id: string): Promise<SendOutcome> {
  const outcome = await drafts.send(id);
  if (outcome.kind === 'conflict') {
    await decisions.decide(id);
  }
  if (outcome.kind === 'unsent') {
    if (refusals.has(outcome.failure.kind)) {
      await drafts.takeBack(id);
    }
    const { error, failure } = outcome;
    throw error instanceof Error ? error : new Error(describeDraftFailure(failure), { cause: error });
  }
  return outcome;
}
