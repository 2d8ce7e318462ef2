import * as l10n from '@vscode/l10n';
import { untilAnswered } from '../../common/host.ts';
import { useReading } from '../reading/reading.ts';
import { inBackground } from '../../../util/inBackground.ts';

/** Says that the window is not signed in to the server of the patch, and leads there. */
export function SignedOutNote({ server }: { server: string }) {
  const { host } = useReading();
  return (
    <div class="writing-note" role="status">
      <i class="codicon codicon-account" aria-hidden="true" />
      <span>
        {l10n.t("You're not signed in to {0}. You can read this patch, but not change it.", server)}{' '}
        <button
          type="button"
          class="link-button"
          onClick={() => inBackground(host.request('signIn', null, { timeoutMs: untilAnswered }))}
        >
          {l10n.t('Sign In')}
        </button>
      </span>
    </div>
  );
}
