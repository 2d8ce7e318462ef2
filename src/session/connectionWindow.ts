import * as vscode from 'vscode';
import { readSetting, setContext } from '../contributions.ts';
import { CancelledError, runCommand } from '../ui/commands.ts';
import { RemediableError } from '../ui/failures.ts';
import type { ConnectionWindow } from './connection.ts';
import { serverName } from './serverName.ts';

/** See `ConnectionWindow`. */
export const connectionWindow: ConnectionWindow = {
  configuredServer: () => readSetting('serverUrl') || undefined,
  setContext,
  signedOut: (wanted, isThere) =>
    new RemediableError(
      wanted === undefined
        ? vscode.l10n.t("You're not signed in.")
        : vscode.l10n.t("You're not signed in to {0}.", serverName(wanted)),
      {
        title: vscode.l10n.t('Sign In'),
        apply: async () => {
          // It tells of its own failures.
          await runCommand('signIn', wanted);
          return isThere();
        },
      },
    ),
  otherAccount: ({ serverUrl, login }, isBack) =>
    new RemediableError(
      vscode.l10n.t(
        'You did it as {0} on {1}, and another account is active now.',
        login,
        serverName(serverUrl),
      ),
      {
        title: vscode.l10n.t('Switch Server'),
        apply: async () => {
          await runCommand('switchServer');
          return isBack();
        },
      },
    ),
  isGivenUp: (error) => error instanceof CancelledError,
  openClient: async (session, memory, log) => {
    const { openClient } = await import('./openClient.ts');
    return openClient(session, memory, log);
  },
};
