import * as vscode from 'vscode';
import { CancelledError } from '../ui/commands.ts';
import { escapeIcons } from '../ui/icons.ts';
import type { RecentChange, RecentChanges } from '../ui/recentChanges.ts';
import type { TextFiles } from '../ui/textFiles.ts';
import { readableAge } from '../util/age.ts';

/** Lists what this window has changed, to look at before and after, or to undo it. */
export async function showRecentChanges(changes: RecentChanges, texts: TextFiles): Promise<void> {
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { change: RecentChange }>();
  const undo = { iconPath: new vscode.ThemeIcon('discard'), tooltip: vscode.l10n.t('Undo') };
  pick.title = vscode.l10n.t('Recent Changes');
  // A document that had the focus takes it back after the palette has gone, which would close the list again.
  pick.ignoreFocusOut = true;
  pick.placeholder =
    changes.list.length === 0
      ? vscode.l10n.t("You haven't made any changes in this window yet.")
      : vscode.l10n.t('Select a change to see what was there before');
  pick.items = changes.list.map((change) => ({
    label: `$(${change.undone ? 'discard' : 'history'}) ${escapeIcons(change.what)}`,
    description: [
      readableAge(change.at, vscode.env.language),
      change.undone ? vscode.l10n.t('undone') : undefined,
    ]
      .filter((part) => part !== undefined)
      .join(' · '),
    buttons: change.undo && !change.undone ? [undo] : [],
    change,
  }));
  const chosen = Promise.withResolvers<{ change: RecentChange; action: 'look' | 'undo' }>();
  pick.onDidHide(() => chosen.reject(new CancelledError()));
  pick.onDidAccept(() => {
    const change = pick.selectedItems[0]?.change;
    if (change) {
      chosen.resolve({ change, action: 'look' });
    }
  });
  pick.onDidTriggerItemButton(({ item }) => chosen.resolve({ change: item.change, action: 'undo' }));
  pick.show();
  let choice;
  try {
    choice = await chosen.promise;
  } finally {
    pick.dispose();
  }
  const { change, action } = choice;
  if (action === 'undo') {
    await changes.undo(change);
  } else {
    await look(change, changes, texts);
  }
}

/** For the keyboard: what can be done with a change. */
async function look(change: RecentChange, changes: RecentChanges, texts: TextFiles): Promise<void> {
  const compare = { label: `$(diff) ${vscode.l10n.t('Show Before and After')}` };
  const undo = { label: `$(discard) ${vscode.l10n.t('Undo')}` };
  const items = change.undo && !change.undone ? [compare, undo] : [compare];
  const chosen = await vscode.window.showQuickPick(items, { title: change.what, ignoreFocusOut: true });
  if (chosen === undo) {
    await changes.undo(change);
  } else if (chosen === compare) {
    await texts.compare(change.before, change.after, vscode.l10n.t('{0} (Before ↔ After)', change.what));
  }
}
