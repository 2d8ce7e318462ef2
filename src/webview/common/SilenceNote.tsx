import * as l10n from '@vscode/l10n';
import type { Silence } from './outbox.ts';

/** Says that no one confirms what is typed, and where it is meanwhile. Whoever shows it has it announced. */
export function SilenceNote({ outlivesPage }: Silence) {
  return (
    <div class="silence-note">
      <i class="codicon codicon-warning" aria-hidden="true" />
      <span>
        {outlivesPage
          ? l10n.t(
              "VS Code's extension host isn't responding. What you type is kept on this page until it does. If it has stopped, open this page again, and your text will be restored.",
            )
          : l10n.t(
              "VS Code's extension host isn't responding, and what you type couldn't be saved. Copy it before you close this page.",
            )}
      </span>
    </div>
  );
}

/** Said when what was kept while no one answered is back. */
export function restoredText(): string {
  return l10n.t("What you typed before the extension host stopped was restored. It isn't saved yet.");
}

/** Said when it is kept beside another change of the same, which it doesn't fit. */
export function keptText(): string {
  return l10n.t('Another text that you typed here before the extension host stopped is in Unsent Changes.');
}
