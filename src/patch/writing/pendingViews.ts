/** The pending changes as the patch document shows them. */
import type { Patch } from '../../api/types/patches.ts';
import type { ChangeFailure } from '../../model/pending/failure.ts';
import { isOfKind, type PendingChange } from '../../model/pending/pendingChange.ts';
import type { PendingChanges } from '../../model/pending/pendingChanges.ts';
import type {
  ChangeElsewhere,
  PatchPending,
  PendingValue,
  PendingTextState,
  TextRefusal,
  TextTarget,
} from '../../protocol/patchWriting.ts';
import { describeChangeFailure, describeJournalProblem } from '../../ui/failures.ts';
import type { WholeText } from './typedTexts.ts';
import { conflictText, deletedText, undecidedText, unclearText } from './texts.ts';

/**
 * The changes of a patch that the service doesn't have yet.
 *
 * @param pendingChanges those of this window, and those that no window holds.
 * @param patch the patch as far as it is known; undefined while it isn't.
 * @param typed returns the text that the page has sent last: the page has that one.
 */
export function patchPending(
  pendingChanges: readonly PendingChange[],
  patch: Patch | undefined,
  textState: (pending: PendingChange) => PendingTextState,
  typed: (target: TextTarget) => WholeText | undefined,
): PatchPending {
  const view: PatchPending = { texts: [], deletions: [] };
  const codes = new Map(patch?.sections?.map(({ identifier, code }) => [identifier, code]));
  for (const pending of pendingChanges) {
    const text = textOf(pending);
    if (text) {
      const { target, base } = text;
      const told = typed(target);
      view.texts.push({
        target,
        ...textState(pending),
        ...(told?.text !== text.text && {
          content: { base, text: text.text, ...(told && { over: told.edition }) },
        }),
      });
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

/** The state of a text that the service doesn't have yet. */
export function textState(
  pending: PendingChange,
  pendingChanges: Pick<PendingChanges, 'problem' | 'besides'>,
): PendingTextState {
  const { state, failure, proposed } = pending;
  const { problem } = pendingChanges;
  return {
    sending: state === 'sending',
    ...(proposed && { proposed }),
    ...(pendingChanges.besides(pending) && { hasOther: true as const }),
    ...(failure && (state === 'failed' || state === 'conflict') && { refusal: refusal(failure) }),
    ...(problem && { notSavedLocally: describeJournalProblem(problem) }),
  };
}

/** The text that a change is of, with its beginning and its present state; undefined when the change is of none. */
function textOf(pending: PendingChange): { target: TextTarget; base: string; text: string } | undefined {
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

function viewOf<T>({ state, failure, proposed }: PendingChange, value: T): PendingValue<T> {
  if (state === 'conflict') {
    return { value, problem: undecidedText(), conflict: true };
  }
  return {
    value,
    ...(proposed && { proposed }),
    ...(failure && state !== 'sending' && { problem: describeChangeFailure(failure) }),
  };
}
