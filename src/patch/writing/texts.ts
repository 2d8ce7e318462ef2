import * as vscode from 'vscode';
import type { ChangeFailure } from '../../model/pending/pendingChange.ts';
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
      'The newest version of the patch stack, {0}, has other words here. Decide which to keep: nothing is sent until then.',
      versionName(newest),
    );
  }
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
export function undecidedText(): string {
  return vscode.l10n.t(
    'somebody else has changed the same. Decide which it shall be: nothing is sent until then.',
  );
}

/** Said of a text whose section is gone. */
export function deletedText(failure: ChangeFailure): string {
  return failure.newest
    ? describeChangeFailure(failure)
    : vscode.l10n.t('Somebody else has deleted this section meanwhile. Your text is kept.');
}
