import * as l10n from '@vscode/l10n';
import type { PatchView } from '../../../protocol/patchDocument.ts';
import type { Review } from '../../../util/review.ts';
import { useChanges, useWriting } from '../editor/WritingContext.tsx';

/**
 * Signs the patch off, or requests changes. It shows at once, before it is sent. What the person has said stays pressed:
 * nothing takes it back but the other one.
 */
export function ReviewButtons({ patch }: { patch: PatchView }) {
  const { writing } = useWriting();
  useChanges(writing.onDidChange);
  const pending = writing.signOff;
  const said = pending?.problem === undefined ? (pending?.value ?? patch.ownReview) : patch.ownReview;
  const button = (review: Review, icon: string, text: string, saidText: string, title: string) => (
    <button
      type="button"
      class={`review-button ${said === undefined && review === 'signedOff' ? 'primary' : 'secondary'}`}
      aria-pressed={said === review}
      aria-disabled={said === review}
      title={said === review ? title : undefined}
      onClick={() => {
        if (said !== review) {
          writing.review(review, patch.fingerprint);
        }
      }}
    >
      <i class={`codicon codicon-${icon}`} aria-hidden="true" />
      {said === review ? saidText : text}
    </button>
  );
  return (
    <>
      {button(
        'signedOff',
        'pass',
        l10n.t('Sign Off'),
        l10n.t('Signed Off'),
        l10n.t("You signed off on this patch. If you've changed your mind, request changes."),
      )}
      {button(
        'changesRequested',
        'request-changes',
        l10n.t('Request Changes'),
        l10n.t('Changes Requested'),
        l10n.t("You requested changes to this patch. If you've changed your mind, sign off on it."),
      )}
    </>
  );
}
