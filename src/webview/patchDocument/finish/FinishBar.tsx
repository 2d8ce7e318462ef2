import * as l10n from '@vscode/l10n';
import type { PatchView } from '../../../protocol/patchDocument.ts';
import { Button } from '../../common/controls.tsx';
import { Toolbar } from '../../common/Toolbar.tsx';
import { useReading, useReadingState } from '../reading/reading.ts';
import { revealSection } from '../reading/sectionPlaces.ts';
import { useHeightKept } from '../reading/useHeightKept.ts';
import { useChanges, useWriting } from '../writing/WritingContext.tsx';
import { ReviewButtons, saidOf } from './ReviewButtons.tsx';
import { inBackground } from '../../../util/inBackground.ts';

/**
 * Ends the document, and stays in reach while one reads: what is left to read, what to say of the patch, and the next one.
 *
 * @param isPart true where other patches follow in the same document.
 * @param isQuiet true for one that is not what the person is to do next: it has no button that stands out.
 */
export function FinishBar(props: { patch: PatchView; isPart?: boolean; isQuiet?: boolean }) {
  const { patch, isPart = false, isQuiet = false } = props;
  const { writing } = useWriting();
  useChanges(writing.onDidChange);
  const bar = useHeightKept<HTMLElement>('--finish-height');
  const { index = 0, count = 0 } = patch.position ?? {};
  const hasNext = index < count;
  const isOpen = !writing.readOnly;
  const leadsOn = hasNext && (!isOpen || saidOf(patch, writing) !== undefined);
  return (
    <footer class="finish-bar" role={isPart ? 'group' : 'contentinfo'} ref={bar}>
      <Toolbar label={l10n.t('Review')}>
        <LeftToRead patch={patch} />
        <span class="review-actions">
          {isOpen && <ReviewButtons patch={patch} hasNext={hasNext} isQuiet={isQuiet} />}
          {leadsOn && <NextPatch isQuiet={isQuiet} />}
        </span>
      </Toolbar>
    </footer>
  );
}

/** The number of unread sections; leads to the first of them. */
function LeftToRead({ patch }: { patch: PatchView }) {
  const read = useReadingState((state) => state.read);
  if (!patch.unread || patch.sections.length === 0) {
    return <span class="left-to-read" />;
  }
  const left = patch.sections.filter(({ code }) => !read.has(code));
  const [first] = left;
  if (!first) {
    return (
      <span class="left-to-read">
        <i class="codicon codicon-check" aria-hidden="true" />
        {l10n.t('All sections read')}
      </span>
    );
  }
  return (
    <span class="left-to-read">
      <Button
        class="link-button"
        title={l10n.t('Go to the first unread section')}
        onClick={() => revealSection(first.code)}
      >
        {left.length === 1 ? l10n.t('1 unread section') : l10n.t('{0} unread sections', left.length)}
      </Button>
    </span>
  );
}

function NextPatch({ isQuiet }: { isQuiet: boolean }) {
  const { host } = useReading();
  const readAhead = (): void => inBackground(host.request('readAhead', { direction: 'next' }));
  return (
    <Button
      class={isQuiet ? 'secondary' : 'primary'}
      onPointerEnter={readAhead}
      onFocus={readAhead}
      onClick={() => inBackground(host.request('openNeighbor', { direction: 'next' }))}
    >
      {l10n.t('Next Patch')}
    </Button>
  );
}
