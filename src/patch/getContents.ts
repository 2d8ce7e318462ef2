import * as vscode from 'vscode';
import type { ContentSources } from '../git/contentSources.ts';
import type { VersionPair } from '../model/reading/outcome.ts';
import { attempt, CancelledError } from '../ui/commands.ts';
import type { Log } from '../ui/log.ts';
import { showMessage } from '../ui/notifications.ts';

/**
 * Gets the contents of files that a comparison lacks: has the person trust the folder, or git fetch them, while it says so. Never
 * fails: what went wrong is told.
 *
 * @param compared gives the versions that are compared.
 */
export async function getContents(
  { contentSources, log }: { contentSources: Pick<ContentSources, 'whyMissing' | 'fetch'>; log: Log },
  compared: () => Promise<VersionPair | undefined>,
): Promise<void> {
  if ((await contentSources.whyMissing()) === 'untrusted') {
    await vscode.commands.executeCommand('workbench.trust.manage');
    return;
  }
  await attempt(vscode.l10n.t('fetch the contents of files'), log, async () => {
    const pair = await compared();
    if (!pair) {
      // Nobody looks at a comparison any more.
      return;
    }
    const title = vscode.l10n.t('Fetching the contents of files…');
    const { found, isAsked } = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      async (_progress, token) => {
        const ended = new AbortController();
        const onCancel = token.onCancellationRequested(() => ended.abort());
        try {
          return await contentSources.fetch(pair, ended.signal);
        } catch (error) {
          throw ended.signal.aborted ? new CancelledError() : error;
        } finally {
          onCancel.dispose();
        }
      },
    );
    if (found === 0) {
      await showMessage(
        isAsked
          ? vscode.l10n.t("The remotes of this repository don't have these contents.")
          : vscode.l10n.t(
              'No remote was asked: the open repositories have none, or lack nothing that it could give.',
            ),
      );
    }
  });
}
