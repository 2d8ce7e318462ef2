import type { Deeds } from '../ui/deeds.ts';
import * as vscode from 'vscode';
import type { Model } from '../model/model.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import { inverseOf, type Change as Inverse } from '../model/pending/kinds/index.ts';
import type { StackVersion } from '../model/newestVersion.ts';
import type { Change, RecentChange, RecentChanges } from '../ui/recentChanges.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { describeChangeFailure, versionName } from '../ui/failures.ts';
import { describe, describeSent } from './describe.ts';
import type { PatchRef } from '../util/patchRef.ts';

/**
 * Keeps what the service has taken among the recent changes, and tells of what might be regretted, with *Undo*. Undoing is
 * a change like any other: it is kept on disk until the service has taken it, and meets others' changes as well.
 *
 * @param tellInDocument tells of a change in the document of its patch, and says whether that is in view.
 */
export function followSentChanges(
  pendingChanges: PendingChanges,
  model: Model,
  changes: RecentChanges,
  deeds: Deeds,
  tellInDocument: (patch: PatchRef, change: RecentChange) => boolean,
): Disposable {
  const disposables = new DisposableStore();
  disposables.add(
    pendingChanges.onDidDiscard(({ pending, bringBack, undoOffered }) => {
      const what = vscode.l10n.t('Discarded your change to "{0}".', pending.title);
      const change = {
        what,
        before: describe(pending.subject).text(pending, model),
        after: '',
        undo: bringBack,
      };
      if (undoOffered) {
        changes.add(change);
      } else {
        changes.tell(change);
      }
    }),
  );
  /** The pending changes that take back others. */
  const undoing = new Set<string>();
  const onSend = pendingChanges.onDidSend((sent) => {
    deeds.note(sent.change.kind);
    const { moved } = sent;
    const isUndo = undoing.has(sent.id);
    const { what, before, after, isTold } = describeSent(sent, isUndo);
    const inverse = isUndo ? undefined : inverseOf(sent.change);
    const change: Change = {
      what: moved ? `${what} ${whereText(moved.newest)}` : what,
      before,
      after,
      ...(inverse && { undo: () => sendInverse(pendingChanges, inverse, sent.title, undoing) }),
    };
    if (moved?.begunIn) {
      // The document in which it was made does not show it.
      const { begunIn } = moved;
      changes.tell(change, (recent) => tellInDocument(begunIn, recent));
    } else if (isTold || moved) {
      const patch = 'patch' in sent.change ? sent.change.patch : undefined;
      changes.tell(change, (recent) => patch !== undefined && tellInDocument(patch, recent));
    } else {
      changes.add(change);
    }
  });
  disposables.add(onSend);
  return disposables;
}

/** Said after a change that was begun in an older version of its patch stack. */
function whereText(newest: StackVersion): string {
  return vscode.l10n.t(
    'You were in an older version of the patch stack, so the change went to the newest one, {0}.',
    versionName(newest),
  );
}

async function sendInverse(
  pendingChanges: PendingChanges,
  { subject, content }: Inverse,
  title: string,
  undoing: Set<string>,
): Promise<void> {
  if (pendingChanges.find(subject)) {
    throw new Error(
      vscode.l10n.t('You\'ve changed "{0}" again since then. Send or discard that change first.', title),
    );
  }
  pendingChanges.put(subject, content, title);
  const { id } = pendingChanges.find(subject) ?? {};
  if (id === undefined) {
    return;
  }
  undoing.add(id);
  const outcome = await pendingChanges.send(id).finally(() => undoing.delete(id));
  if (outcome.kind === 'conflict') {
    throw new Error(
      vscode.l10n.t(
        'Someone else has changed "{0}" since then. Resolve the conflict in your unsent changes.',
        title,
      ),
    );
  }
  if (outcome.kind === 'failed') {
    throw new Error(describeChangeFailure(outcome.failure), { cause: outcome.error });
  }
}
