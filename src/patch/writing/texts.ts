import * as vscode from 'vscode';
import type { DraftSubject } from '../../model/drafts/draft.ts';

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

/** Said of a change that is not of a text, and does not go with what somebody else has done. */
export function undecidedText({ kind }: DraftSubject): string {
  return kind === 'signOff'
    ? vscode.l10n.t(
        'the patch has a new version. Decide whether to sign that off: nothing is sent until then.',
      )
    : vscode.l10n.t(
        'somebody else has changed the same. Decide which it shall be: nothing is sent until then.',
      );
}

/** Said of a text whose section is gone. */
export function deletedText(): string {
  return vscode.l10n.t('Somebody else has deleted this section meanwhile. Your text is kept.');
}
