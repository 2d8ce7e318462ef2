import * as vscode from 'vscode';
import { commandId } from '../contributions.ts';
import type { Drafts, JournalProblem } from '../model/drafts/drafts.ts';
import { unsentCount } from '../ui/labels.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { isUnsent } from './draftLabels.ts';

/** The status-bar item that counts the unsent changes, and warns when what is typed cannot be kept. */
export function createDraftStatusBar(drafts: Drafts): Disposable {
  const disposables = new DisposableStore();
  const item = disposables.add(
    vscode.window.createStatusBarItem('patchStacks.drafts', vscode.StatusBarAlignment.Left, 0),
  );
  item.name = vscode.l10n.t('Patch Stacks: Unsent Changes');
  item.command = commandId('showDrafts');
  const show = (): void => {
    const count = drafts.list().filter(isUnsent).length;
    const { problem } = drafts;
    if (count === 0 && !problem) {
      item.hide();
      return;
    }
    item.text = `$(${problem ? 'warning' : 'cloud-upload'}) ${problem ? vscode.l10n.t('not kept on disk') : String(count)}`;
    const tooltip = problem ? describeProblem(problem) : unsentCount(count);
    item.tooltip = tooltip;
    item.backgroundColor = problem && new vscode.ThemeColor('statusBarItem.warningBackground');
    item.accessibilityInformation = { label: `Patch Stacks: ${tooltip}`, role: 'button' };
    item.show();
  };
  disposables.add(drafts.onDidChange(show));
  show();
  return disposables;
}

/** Why what is typed is not on disk, and what to do next. */
export function describeProblem({ kind, code }: JournalProblem): string {
  switch (kind) {
    case 'diskFull':
      return vscode.l10n.t(
        'The disk is full. What you type is kept in this window only: free some space, or send your changes.',
      );
    case 'readOnly':
      return vscode.l10n.t(
        'The folder for unsent changes cannot be written to. What you type is kept in this window only: send your changes.',
      );
    case 'full':
      return vscode.l10n.t(
        'There are too many unsent changes. What you type is kept in this window only: send or discard some.',
      );
    case 'unknown':
      return vscode.l10n.t(
        'What you type cannot be kept on disk ({0}), only in this window: send your changes.',
        code ?? '?',
      );
  }
}
