import * as vscode from 'vscode';
import { commandId } from '../commandTable.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import { describeJournalProblem } from '../ui/failures.ts';
import { unsentCount } from '../ui/labels.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { isPending } from './states.ts';

/** The status-bar item that counts the unsent changes, and warns when what is typed cannot be kept. */
export function createUnsentStatusBar(pendingChanges: PendingChanges): Disposable {
  const disposables = new DisposableStore();
  const item = disposables.add(
    vscode.window.createStatusBarItem('patchStacks.unsentChanges', vscode.StatusBarAlignment.Left, 0),
  );
  item.name = vscode.l10n.t('Patch Stacks: Unsent Changes');
  item.command = commandId('showUnsentChanges');
  const show = (): void => {
    const count = pendingChanges.list().filter(isPending).length;
    const { problem } = pendingChanges;
    if (count === 0 && !problem) {
      item.hide();
      return;
    }
    item.text = `$(${problem ? 'warning' : 'cloud-upload'}) ${problem ? vscode.l10n.t('not saved locally') : String(count)}`;
    const tooltip = problem ? describeJournalProblem(problem) : unsentCount(count);
    item.tooltip = tooltip;
    item.backgroundColor = problem && new vscode.ThemeColor('statusBarItem.warningBackground');
    item.accessibilityInformation = { label: `Patch Stacks: ${tooltip}`, role: 'button' };
    item.show();
  };
  disposables.add(pendingChanges.onDidChange(show));
  show();
  return disposables;
}
