import * as l10n from '@vscode/l10n';
import type { NotUpdated } from '../../protocol/panel.ts';
import { readableTime } from './time.ts';

/** Says that nothing newer is to be had of what the page shows, and why. */
export function NotUpdatedNote({ of: { asOf, why }, language }: { of: NotUpdated; language: string }) {
  const time = readableTime(asOf, language);
  return (
    <p class="stale" role="status">
      <i class="codicon codicon-warning" aria-hidden="true" />
      <span>
        {why === 'offline'
          ? l10n.t('Offline. Last updated {0}.', time)
          : why === 'gone'
            ? l10n.t('The server no longer has this version. Last updated {0}.', time)
            : l10n.t("Couldn't refresh. Last updated {0}.", time)}
      </span>
    </p>
  );
}
