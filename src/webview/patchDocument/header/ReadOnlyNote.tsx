import * as l10n from '@vscode/l10n';
import type { ReadOnlyReason } from '../../../protocol/patchDocument.ts';
import { untilAnswered } from '../../common/host.ts';
import { useReading } from '../reading.ts';

/** Says why nothing of the patch can be changed, and leads to where it can be. */
export function ReadOnlyNote({ reason }: { reason: ReadOnlyReason }) {
  const { host } = useReading();
  const closed = reason === 'closed';
  return (
    <div class="writing-note" role="status">
      <i class="codicon codicon-lock" aria-hidden="true" />
      <span>
        {closed
          ? l10n.t('This patch stack is closed: its patches can be read, but not changed.')
          : l10n.t('This is an earlier version of the patch stack: it can be read, but not changed.')}
      </span>
      <button
        type="button"
        class="link-button"
        onClick={() => void host.request('leaveReadOnly', null, { timeout: untilAnswered })}
      >
        {closed ? l10n.t('Reopen Patch Stack') : l10n.t('Open the Newest Version')}
      </button>
    </div>
  );
}
