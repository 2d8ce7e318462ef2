import * as l10n from '@vscode/l10n';
import type { SettledStatus } from '../../../protocol/patchDocument.ts';
import { untilAnswered } from '../../common/host.ts';
import { useReading } from '../reading/reading.ts';
import { inBackground } from '../../../util/inBackground.ts';

/** Says that the patch stack is not the one to work on, and leads to the one that is. */
export function StackStatusNote({ status }: { status: SettledStatus }) {
  const { host } = useReading();
  const closed = status === 'closed';
  return (
    <div class="writing-note" role="status">
      <i class={`codicon codicon-${closed ? 'lock' : 'history'}`} aria-hidden="true" />
      <span>
        {closed
          ? l10n.t('This patch stack is closed and read-only.')
          : l10n.t('This patch stack is inactive. There may be a newer version.')}{' '}
        <button
          type="button"
          class="link-button"
          onClick={() => inBackground(host.request('goToActive', null, { timeoutMs: untilAnswered }))}
        >
          {closed ? l10n.t('Reopen Patch Stack') : l10n.t('Open Newest Version')}
        </button>
      </span>
    </div>
  );
}
