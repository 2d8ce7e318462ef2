import * as vscode from 'vscode';
import { asking } from '../ui/asking.ts';
import type { CommandName } from '../commandTable.ts';
import { runCommand } from '../ui/commands.ts';

/** The menu behind the status-bar item of someone who is signed in. */
export async function showAccountMenu(): Promise<void> {
  const entries: (vscode.QuickPickItem & { name: CommandName })[] = [
    { label: `$(account) ${vscode.l10n.t('Edit Profile')}`, name: 'editProfile' },
    { label: `$(key) ${vscode.l10n.t('Manage SSH Keys')}`, name: 'manageSshKeys' },
    { label: `$(arrow-swap) ${vscode.l10n.t('Switch Server')}`, name: 'switchServer' },
    { label: `$(sign-out) ${vscode.l10n.t('Sign Out')}`, name: 'signOut' },
    { label: `$(output) ${vscode.l10n.t('Show Log')}`, name: 'showLog' },
  ];
  const chosen = await asking(() =>
    vscode.window.showQuickPick(entries, { title: 'Patch Stacks', ignoreFocusOut: true }),
  );
  if (chosen) {
    await runCommand(chosen.name);
  }
}
