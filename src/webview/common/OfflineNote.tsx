import * as l10n from '@vscode/l10n';
import { readableTime } from './time.ts';

/** Says that nothing newer is to be had of what the page shows. */
export function OfflineNote({ asOf, language }: { asOf: string; language: string }) {
  return (
    <p class="stale" role="status">
      <i class="codicon codicon-warning" aria-hidden="true" />
      <span>{l10n.t('Offline. Last updated {0}.', readableTime(asOf, language))}</span>
    </p>
  );
}
