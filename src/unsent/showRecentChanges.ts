import * as vscode from 'vscode';
import { asking } from '../ui/asking.ts';
import { choose } from '../ui/choose.ts';
import { escapeIcons } from '../ui/icons.ts';
import type { RecentChange, RecentChanges } from '../ui/recentChanges.ts';
import type { TextFiles } from '../ui/textFiles.ts';
import { readableAge } from '../util/age.ts';

/** Lists what this window has changed, to look at before and after, or to undo it. */
export async function showRecentChanges(changes: RecentChanges, texts: TextFiles): Promise<void> {
  const undo = { iconPath: new vscode.ThemeIcon('discard'), tooltip: vscode.l10n.t('Undo') };
  const { change, action } = await choose<{ change: RecentChange; action: 'look' | 'undo' }>({
    title: vscode.l10n.t('Recent Changes'),
    placeholder: vscode.l10n.t('Select a change to see what was there before'),
    empty: vscode.l10n.t("You haven't made any changes in this window yet."),
    load: async () =>
      changes.list.map((change) => ({
        label: `$(${change.undone ? 'discard' : 'history'}) ${escapeIcons(change.what)}`,
        description: [
          readableAge(change.at, vscode.env.language),
          change.undone ? vscode.l10n.t('undone') : undefined,
        ]
          .filter((part) => part !== undefined)
          .join(' · '),
        buttons: change.undo && !change.undone ? [{ ...undo, value: { change, action: 'undo' } }] : [],
        choice: { value: { change, action: 'look' } },
      })),
  });
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
  const chosen = await asking(() =>
    vscode.window.showQuickPick(items, { title: change.what, ignoreFocusOut: true }),
  );
  if (chosen === undo) {
    await changes.undo(change);
  } else if (chosen === compare) {
    await texts.compare(change.before, change.after, vscode.l10n.t('{0} (Before ↔ After)', change.what));
  }
}
