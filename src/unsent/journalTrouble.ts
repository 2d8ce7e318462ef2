import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { LostChange } from '../model/pending/heldChanges.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import { describeJournalProblem } from '../ui/failures.ts';
import { showMessage } from '../ui/notifications.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { inBackground } from '../util/inBackground.ts';

/** Tells the person what keeps their changes from being on disk, or takes them out of this window. */
export function tellJournalTrouble(pendingChanges: PendingChanges): Disposable {
  let toldProblem: string | undefined;
  let toldUnread = false;
  let toldLeftovers = 0;
  const tell = (): void => {
    const { problem, unreadFolder, leftovers } = pendingChanges;
    if (problem && problem.kind !== toldProblem) {
      inBackground(showMessage(describeJournalProblem(problem), { severity: 'warning' }));
    }
    toldProblem = problem?.kind;
    if (unreadFolder && !toldUnread) {
      inBackground(
        showMessage(
          vscode.l10n.t(
            "Couldn't read {0} ({1}), so unsent changes of other windows can't be shown. Nothing was deleted.",
            unreadFolder.path,
            unreadFolder.code ?? '?',
          ),
          { severity: 'warning' },
        ),
      );
    }
    toldUnread = unreadFolder !== undefined;
    const count = leftovers.setAside.length + leftovers.unreadable.length + leftovers.newer.length;
    if (count > toldLeftovers) {
      inBackground(tellLeftovers(pendingChanges));
    }
    toldLeftovers = count;
  };
  const disposables = new DisposableStore();
  disposables.add(pendingChanges.onDidChange(tell));
  disposables.add(pendingChanges.onDidLose(tellLost));
  tell();
  return disposables;
}

async function tellLeftovers({ leftovers: { setAside, unreadable, newer } }: PendingChanges): Promise<void> {
  if (newer.length > 0) {
    inBackground(
      showMessage(
        vscode.l10n.t(
          'Some unsent changes were saved by a newer version of Patch Stacks. Update the extension to see them.',
        ),
        { severity: 'warning' },
      ),
    );
  }
  const [inPlace] = unreadable;
  if (inPlace !== undefined) {
    inBackground(
      showMessage(
        vscode.l10n.t(
          "Couldn't read one of your unsent changes, in {0}. Your other changes aren't affected.",
          inPlace,
        ),
        { severity: 'warning' },
      ),
    );
  }
  const [first] = setAside;
  if (first !== undefined) {
    const isFile = (await stat(first).catch(() => undefined))?.isFile() === true;
    const show = await showMessage<boolean>(
      vscode.l10n.t(
        "Couldn't read one of your unsent changes. It was moved to {0}. Your other changes aren't affected.",
        first,
      ),
      {
        severity: 'warning',
        ...(isFile && { actions: [{ title: vscode.l10n.t('Open File'), value: true }] }),
      },
    );
    if (show === true) {
      await vscode.window.showTextDocument(vscode.Uri.file(first));
    }
  }
}

/** Says that another window has a change now. */
function tellLost({ pending: { title }, wentOn }: LostChange): void {
  const text = wentOn
    ? vscode.l10n.t(
        'Another window took over "{0}". What you\'ve typed here since then is a separate change.',
        title,
      )
    : vscode.l10n.t('Another window took over "{0}".', title);
  inBackground(showMessage(text, { severity: 'warning' }));
}
