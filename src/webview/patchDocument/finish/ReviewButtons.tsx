import * as l10n from '@vscode/l10n';
import type { PatchView } from '../../../protocol/patchDocument.ts';
import { inBackground } from '../../../util/inBackground.ts';
import type { Review } from '../../../util/review.ts';
import { Button } from '../../common/controls.tsx';
import { useReading } from '../reading/reading.ts';
import { useChanges, useWriting } from '../writing/WritingContext.tsx';
import type { Writing } from '../writing/writing.ts';

/** The person's review of the patch, which shows at once, before it is sent. */
export function saidOf(patch: PatchView, writing: Writing): Review | undefined {
  const pending = writing.signOff;
  return pending?.problem === undefined ? (pending?.value ?? patch.ownReview) : patch.ownReview;
}

/**
 * Requests changes, or signs the patch off and reads on in the next one. What the person has said stays pressed: nothing takes it
 * back but the other one.
 */
export function ReviewButtons(props: { patch: PatchView; hasNext: boolean; isQuiet: boolean }) {
  const { patch, hasNext, isQuiet } = props;
  const { writing } = useWriting();
  useChanges(writing.onDidChange);
  const said = saidOf(patch, writing);
  const { host } = useReading();
  const readAhead = (): void => inBackground(host.request('readAhead', { direction: 'next' }));
  const button = (review: Review, icon: string, text: string, saidText: string, title: string) => (
    <Button
      class={`review-button ${said === undefined && review === 'signedOff' && !isQuiet ? 'primary' : 'secondary'}`}
      aria-pressed={said === review}
      disabled={said === review}
      title={said === review ? title : undefined}
      {...(hasNext && review === 'signedOff' && { onPointerEnter: readAhead, onFocus: readAhead })}
      onClick={() => writing.review(review, patch.fingerprint, hasNext && review === 'signedOff')}
    >
      <i class={`codicon codicon-${icon}`} aria-hidden="true" />
      {said === review ? saidText : text}
    </Button>
  );
  return (
    <>
      {button(
        'changesRequested',
        'request-changes',
        l10n.t('Request Changes'),
        l10n.t('Changes Requested'),
        l10n.t("You requested changes to this patch. If you've changed your mind, sign off on it."),
      )}
      {button(
        'signedOff',
        'pass',
        hasNext ? l10n.t('Sign Off and Next') : l10n.t('Sign Off'),
        l10n.t('Signed Off'),
        l10n.t("You signed off on this patch. If you've changed your mind, request changes."),
      )}
    </>
  );
}
