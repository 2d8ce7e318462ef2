import * as vscode from 'vscode';

/** Said of a text that somebody else has changed too. */
export function conflictText(): string {
  return vscode.l10n.t(
    'Somebody else has changed the same words. Decide which to keep: nothing is sent until then.',
  );
}

/** Said of a new section that may be on the service already. */
export function unclearText(): string {
  return vscode.l10n.t(
    'A section was added since that may be this one. Decide whether it is: nothing is sent until then.',
  );
}

/** Said of a text whose section is gone. */
export function deletedText(): string {
  return vscode.l10n.t('Somebody else has deleted this section meanwhile. Your text is kept.');
}
