import * as vscode from 'vscode';
import { runCommand } from '../contributions.ts';
import { MendableError } from './failures.ts';

/**
 * Says that nobody is signed in, or not to the server that something is on, with the button that leads there.
 *
 * @param activeServer the server that the window is signed in to, at any time.
 * @param wanted the server to be signed in to; any when left out.
 */
export function signedOut(activeServer: () => string | undefined, wanted?: string): MendableError {
  return new MendableError(
    wanted === undefined
      ? vscode.l10n.t("You're not signed in.")
      : vscode.l10n.t("You're not signed in to {0}.", new URL(wanted).host),
    {
      title: vscode.l10n.t('Sign In'),
      apply: async () => {
        // It tells of its own failures.
        await runCommand('signIn', wanted);
        const active = activeServer();
        return wanted === undefined ? active !== undefined : active === wanted;
      },
    },
  );
}

/**
 * Refuses what would reach another server, or nobody: the window is not signed in to the one that something is on.
 *
 * @throws {MendableError} with what leads there.
 */
export function refuseElsewhere(activeServer: () => string | undefined, wanted: string): void {
  if (activeServer() !== wanted) {
    throw signedOut(activeServer, wanted);
  }
}
