/** What the patch document shows of drafts. */
import type { Patch } from '../../api/resources/patches.ts';
import type { Draft, DraftContents, DraftFailure } from '../../model/pending/pendingChange.ts';
import type { JournalProblem } from '../../model/pending/pendingChanges.ts';
import type {
  ChangeElsewhere,
  PatchDrafts,
  PendingChange,
  TextDraftView,
  TextRefusal,
} from '../../protocol/patchWriting.ts';
import { describeDraftFailure, describeJournalProblem } from '../../ui/failures.ts';
import { conflictText, deletedText, undecidedText, unclearText } from './texts.ts';

/**
 * What the service does not have yet of a patch.
 *
 * @param drafts those of this window, and those that nobody has.
 * @param patch as it is known; undefined while it is not.
 */
export function patchDrafts(
  drafts: readonly Draft[],
  patch: Patch | undefined,
  problem: JournalProblem | undefined,
): PatchDrafts {
  const view: PatchDrafts = { texts: [], deletions: [] };
  const codes = new Map(patch?.sections?.map(({ identifier, code }) => [identifier, code]));
  for (const draft of drafts) {
    const { subject } = draft;
    switch (subject.kind) {
      case 'sectionText':
      case 'newSection': {
        const text = textDraftView(draft, problem);
        if (text) {
          view.texts.push(text);
        }
        break;
      }
      case 'sectionDeletion':
        view.deletions.push(pending(draft, subject.code));
        break;
      case 'sectionOrder': {
        const { order } = draft.content as DraftContents['sectionOrder'];
        view.order = pending(
          draft,
          order.flatMap((identifier) => codes.get(identifier) ?? []),
        );
        break;
      }
      case 'signOff':
        view.signOff = pending(draft, (draft.content as DraftContents['signOff']).review);
        break;
      case 'stack':
      case 'form':
        break;
    }
  }
  return view;
}

/** A change that another window holds. */
export function changeElsewhere({ id, title, subject }: Draft): ChangeElsewhere {
  return { id, title, ...(subject.kind === 'sectionText' && { code: subject.code }) };
}

/** A text that the service does not have yet; undefined for any other draft. */
export function textDraftView(
  draft: Draft | undefined,
  problem: JournalProblem | undefined,
): TextDraftView | undefined {
  if (draft?.subject.kind !== 'sectionText' && draft?.subject.kind !== 'newSection') {
    return undefined;
  }
  const { subject, content, state, failure } = draft;
  const { text } = content as { text: string };
  return {
    ...(subject.kind === 'sectionText'
      ? { target: { code: subject.code }, base: (content as DraftContents['sectionText']).base }
      : {
          target: { key: subject.key, after: (content as DraftContents['newSection']).after },
          base: '',
        }),
    text,
    sending: state === 'sending',
    ...(failure && (state === 'unsent' || state === 'conflict') && { refusal: refusal(failure) }),
    ...(problem && { notKept: describeJournalProblem(problem) }),
  };
}

/** Why the service did not take a text. */
export function refusal(failure: DraftFailure): TextRefusal {
  switch (failure.kind) {
    case 'conflict':
      return failure.theirs === undefined
        ? { kind: 'unsent', text: describeDraftFailure(failure) }
        : {
            kind: 'conflict',
            text: failure.code === undefined ? conflictText(failure.newest) : unclearText(),
          };
    case 'deleted':
    case 'ambiguous':
      return { kind: 'deleted', text: deletedText(failure) };
    default:
      return { kind: 'unsent', text: describeDraftFailure(failure) };
  }
}

function pending<T>({ state, failure }: Draft, value: T): PendingChange<T> {
  if (state === 'conflict') {
    return { value, problem: undecidedText(), undecided: true };
  }
  return { value, ...(failure && state !== 'sending' && { problem: describeDraftFailure(failure) }) };
}
