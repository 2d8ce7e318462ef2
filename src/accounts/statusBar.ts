import * as vscode from 'vscode';
import { commandId } from '../commandTable.ts';
import { escapeIcons } from '../ui/icons.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import type { Connection, ConnectionState } from '../session/connection.ts';
import { serverName } from '../session/serverName.ts';

/** The status-bar item: signed out, signing in, who is signed in, or offline. */
export function createStatusBar(connection: Connection): Disposable {
  const disposables = new DisposableStore();
  const item = disposables.add(
    vscode.window.createStatusBarItem('patchStacks.account', vscode.StatusBarAlignment.Left, 1),
  );
  item.name = 'Patch Stacks';
  const show = (state: ConnectionState): void => {
    const { text, tooltip, command } = describe(state);
    item.text = text;
    item.tooltip = tooltip;
    item.command = command;
    item.accessibilityInformation = { label: `Patch Stacks: ${tooltip}`, role: 'button' };
  };
  disposables.add(connection.onDidChangeState(show));
  show(connection.state);
  item.show();
  return disposables;
}

function describe(state: ConnectionState): { text: string; tooltip: string; command: string } {
  switch (state.kind) {
    case 'signedOut':
      return {
        text: `$(account) ${vscode.l10n.t('Patch Stacks: Sign In')}`,
        tooltip: vscode.l10n.t("You're not signed in"),
        command: commandId('signIn'),
      };
    case 'signingIn':
      return {
        text: `$(loading~spin) ${vscode.l10n.t('Signing in…')}`,
        tooltip: vscode.l10n.t('Waiting for you to confirm the sign-in'),
        command: commandId('showLog'),
      };
    case 'signedIn':
      return {
        text: `$(account) ${escapeIcons(state.session.login)}`,
        tooltip: vscode.l10n.t('Signed in to {0}', serverName(state.session.serverUrl)),
        command: commandId('showAccountMenu'),
      };
    case 'working':
      return {
        text: `$(sync~spin) ${escapeIcons(state.session.login)}`,
        tooltip: vscode.l10n.t('Waiting for {0}', serverName(state.session.serverUrl)),
        command: commandId('showAccountMenu'),
      };
    case 'expired':
      return {
        text: `$(warning) ${escapeIcons(state.session.login)}`,
        tooltip: vscode.l10n.t(
          'Session on {0} expired. Select to sign in again.',
          serverName(state.session.serverUrl),
        ),
        command: commandId('signIn'),
      };
    case 'offline':
      return {
        text: `$(debug-disconnect) ${escapeIcons(state.session.login)}`,
        tooltip: vscode.l10n.t('Offline since {0}', state.since.toLocaleTimeString(vscode.env.language)),
        command: commandId('refresh'),
      };
  }
}
