import * as l10n from '@vscode/l10n';

/** Whether what is typed while nobody answers is kept where it outlives the page. */
export interface Silence {
  isKept: boolean;
}

/** Says that nobody confirms what is typed, and where it is meanwhile. Whoever shows it has it announced. */
export function SilenceNote({ isKept }: Silence) {
  return (
    <div class="silence-note">
      <i class="codicon codicon-warning" aria-hidden="true" />
      <span>
        {isKept
          ? l10n.t(
              'The extension host of VS Code does not answer. What you type is kept here until it does. If it has stopped, open this page again: it begins with your text.',
            )
          : l10n.t(
              'The extension host of VS Code does not answer, and what you type could not be kept. Copy it before you close this page.',
            )}
      </span>
    </div>
  );
}

/** Said when what was kept while nobody answered is back. */
export function handedOverText(): string {
  return l10n.t('What you typed before the extension host stopped is back. It is not saved yet.');
}

/** Said when it is not, for there is another change of the same. */
export function waitingText(): string {
  return l10n.t(
    'What you typed before the extension host stopped comes back here once this other change is saved or discarded.',
  );
}
