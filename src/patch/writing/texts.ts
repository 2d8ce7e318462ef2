import * as vscode from 'vscode';
import type { ChangeFailure } from '../../model/pending/failure.ts';
import type { StackVersion } from '../../model/newestVersion.ts';
import { describeChangeFailure, versionName } from '../../ui/failures.ts';

/**
 * Said of a text that somebody else has changed too.
 *
 * @param newest the version that has other words, when the text was begun in an older one.
 */
export function conflictText(newest?: StackVersion): string {
  if (newest) {
    return vscode.l10n.t(
      'The newest version of the patch stack, {0}, has different text here. Resolve the conflict to send your change.',
      versionName(newest),
    );
  }
  return vscode.l10n.t('Someone else changed the same text. Resolve the conflict to save your changes.');
}

/** Said of a new section that may be on the service already. */
export function unclearText(): string {
  return vscode.l10n.t('A section added since then may be this one. Confirm to send your change.');
}

/** Said of a change that is not of a text, and does not go with what somebody else has done. */
export function undecidedText(): string {
  return vscode.l10n.t('someone else changed this too. Resolve the conflict to send your change.');
}

/** Said of a text whose section is gone. */
export function deletedText(failure: ChangeFailure): string {
  return failure.newest
    ? describeChangeFailure(failure)
    : vscode.l10n.t('Someone else deleted this section. Your text is saved locally.');
}
