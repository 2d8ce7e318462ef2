/** What the patch document shows of pending changes. */
import type { Patch } from '../../api/types/patches.ts';
import type { ChangeFailure } from '../../model/pending/failure.ts';
import { isOfKind, type PendingChange } from '../../model/pending/pendingChange.ts';
import type { JournalProblem } from '../../model/pending/heldChanges.ts';
import type {
  ChangeElsewhere,
  PatchPending,
  PendingValue,
  PendingText,
  TextRefusal,
} from '../../protocol/patchWriting.ts';
import { describeChangeFailure, describeJournalProblem } from '../../ui/failures.ts';
import { conflictText, deletedText, undecidedText, unclearText } from './texts.ts';

/**
 * What the service does not have yet of a patch.
 *
 * @param pendingChanges those of this window, and those that nobody has.
 * @param patch as it is known; undefined while it is not.
 */
export function patchPending(
  pendingChanges: readonly PendingChange[],
  patch: Patch | undefined,
  problem: JournalProblem | undefined,
): PatchPending {
  const view: PatchPending = { texts: [], deletions: [] };
  const codes = new Map(patch?.sections?.map(({ identifier, code }) => [identifier, code]));
  for (const pending of pendingChanges) {
    const text = pendingText(pending, problem);
    if (text) {
      view.texts.push(text);
    } else if (isOfKind(pending, 'sectionDeletion')) {
      view.deletions.push(viewOf(pending, pending.subject.code));
    } else if (isOfKind(pending, 'sectionOrder')) {
      const order = pending.content.order.flatMap((identifier) => codes.get(identifier) ?? []);
      view.order = viewOf(pending, order);
    } else if (isOfKind(pending, 'signOff')) {
      view.signOff = viewOf(pending, pending.content.review);
    }
  }
  return view;
}

/** A change that another window holds. */
export function changeElsewhere({ id, title, subject }: PendingChange): ChangeElsewhere {
  return { id, title, ...(subject.kind === 'sectionText' && { code: subject.code }) };
}

/** A text that the service does not have yet; undefined for any other pending change. */
export function pendingText(
  pending: PendingChange | undefined,
  problem: JournalProblem | undefined,
): PendingText | undefined {
  const place = pending && placeOf(pending);
  if (!place) {
    return undefined;
  }
  const { state, failure } = pending;
  return {
    ...place,
    sending: state === 'sending',
    ...(failure && (state === 'failed' || state === 'conflict') && { refusal: refusal(failure) }),
    ...(problem && { notKept: describeJournalProblem(problem) }),
  };
}

/** Which text a change is of, where it began and what it is now; undefined when it is of none. */
function placeOf(pending: PendingChange): Pick<PendingText, 'target' | 'base' | 'text'> | undefined {
  if (isOfKind(pending, 'sectionText')) {
    return { target: { code: pending.subject.code }, ...pending.content };
  }
  if (isOfKind(pending, 'newSection')) {
    const { subject, content } = pending;
    return { target: { key: subject.key, after: content.after }, base: '', text: content.text };
  }
  return undefined;
}

/** Why the service did not take a text. */
export function refusal(failure: ChangeFailure): TextRefusal {
  switch (failure.kind) {
    case 'conflict':
      return failure.theirs === undefined
        ? { kind: 'unsent', text: describeChangeFailure(failure) }
        : {
            kind: 'conflict',
            text: failure.code === undefined ? conflictText(failure.newest) : unclearText(),
          };
    case 'deleted':
    case 'ambiguous':
      return { kind: 'deleted', text: deletedText(failure) };
    default:
      return { kind: 'unsent', text: describeChangeFailure(failure) };
  }
}

function viewOf<T>({ state, failure }: PendingChange, value: T): PendingValue<T> {
  if (state === 'conflict') {
    return { value, problem: undecidedText(), undecided: true };
  }
  return { value, ...(failure && state !== 'sending' && { problem: describeChangeFailure(failure) }) };
}
