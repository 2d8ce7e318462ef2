import type { Deeds } from '../ui/deeds.ts';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { ChangeContent, ChangeSubject } from '../model/pending/kinds/index.ts';
import type { PendingChanges, SentChange } from '../model/pending/pendingChanges.ts';
import type { WrittenChange } from '../model/pending/kinds/index.ts';
import type { PatchAddress } from '../model/patchAddress.ts';
import type { StackVersion } from '../model/newestVersion.ts';
import type { Change, RecentChange, RecentChanges } from '../ui/recentChanges.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { describeChangeFailure, versionName } from '../ui/failures.ts';
import { contentText, reviewLabel } from './describe.ts';

/**
 * Keeps what the service has taken among the recent changes, and tells of what might be regretted, with *Undo*. Undoing is
 * a change like any other: it is kept on disk until the service has taken it, and meets others' changes as well.
 *
 * @param tellInDocument tells of a change in the document of its patch, and says whether that is in view.
 */
export function followSentChanges(
  pendingChanges: PendingChanges,
  changes: RecentChanges,
  deeds: Deeds,
  tellInDocument: (patch: PatchAddress, change: RecentChange) => boolean,
): Disposable {
  const disposables = new DisposableStore();
  disposables.add(
    pendingChanges.onDidDiscard(({ pending, bringBack, undoOffered }) => {
      const what = vscode.l10n.t('Discarded your change to "{0}".', pending.title);
      const change = { what, before: contentText(pending), after: '', undo: bringBack };
      if (undoOffered) {
        changes.add(change);
      } else {
        changes.tell(change);
      }
    }),
  );
  const onSend = pendingChanges.onDidSend((sent) => {
    deeds.note(sent.change.kind);
    const { moved } = sent;
    const described = describe(sent, (subject, content) =>
      sendOpposite(pendingChanges, subject, content, sent.title),
    );
    const change = moved ? { ...described, what: `${described.what} ${whereText(moved.newest)}` } : described;
    if (moved?.begunIn) {
      // The document in which it was made does not show it.
      const { begunIn } = moved;
      changes.tell(change, (recent) => tellInDocument(begunIn, recent));
    } else if (isRegrettable(sent.change)) {
      const { patch } = sent.change;
      changes.tell(change, (recent) => tellInDocument(patch, recent));
    } else if (moved) {
      changes.tell(change);
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

type RegrettableChange = Extract<WrittenChange, { kind: 'sectionDeletion' | 'sectionOrder' | 'signOff' }>;

function isRegrettable(change: WrittenChange): change is RegrettableChange {
  const { kind } = change;
  return kind === 'sectionDeletion' || kind === 'sectionOrder' || kind === 'signOff';
}

async function sendOpposite(
  pendingChanges: PendingChanges,
  subject: ChangeSubject,
  content: ChangeContent,
  title: string,
): Promise<void> {
  if (pendingChanges.find(subject)) {
    throw new Error(
      vscode.l10n.t('You\'ve changed "{0}" again since then. Send or discard that change first.', title),
    );
  }
  pendingChanges.put(subject, content, title);
  const pending = pendingChanges.find(subject);
  const outcome = pending && (await pendingChanges.send(pending.id));
  if (outcome?.kind === 'conflict') {
    throw new Error(
      vscode.l10n.t(
        'Someone else has changed "{0}" since then. Resolve the conflict in your unsent changes.',
        title,
      ),
    );
  }
  if (outcome?.kind === 'failed') {
    throw new Error(describeChangeFailure(outcome.failure), { cause: outcome.error });
  }
}

type Send = (subject: ChangeSubject, content: ChangeContent) => Promise<void>;

function describe({ title, change }: SentChange, send: Send): Change {
  switch (change.kind) {
    case 'sectionText': {
      const { patch, code, before, after } = change;
      return {
        what: vscode.l10n.t('Changed the text of "{0}".', title),
        before,
        after,
        undo: () => send({ kind: 'sectionText', patch, code }, { base: after, text: before }),
      };
    }
    case 'newSection': {
      const { patch, code, text, follows } = change;
      return {
        what: vscode.l10n.t('Added section "{0}".', title),
        before: '',
        after: text,
        undo: () => send({ kind: 'sectionDeletion', patch, code }, { text, after: follows }),
      };
    }
    case 'sectionDeletion': {
      const { patch, text, follows } = change;
      return {
        what: vscode.l10n.t('Deleted section "{0}".', title),
        before: text,
        after: '',
        undo: () => send({ kind: 'newSection', patch, key: randomUUID() }, { text, after: follows }),
      };
    }
    case 'sectionOrder': {
      const { patch, before, after } = change;
      return {
        what: vscode.l10n.t('Reordered the sections of "{0}".', title),
        before: before.join('\n'),
        after: after.join('\n'),
        undo: () => send({ kind: 'sectionOrder', patch }, { base: after, order: before }),
      };
    }
    case 'signOff': {
      const { review } = change;
      // Nothing takes it back: *Undo* was there before it was sent.
      return {
        what:
          review === 'signedOff'
            ? vscode.l10n.t('Signed off on "{0}".', title)
            : vscode.l10n.t('Requested changes to "{0}".', title),
        before: '',
        after: reviewLabel(review),
      };
    }
    case 'stack': {
      const { stack, before, after } = change;
      return {
        what: vscode.l10n.t('Changed the title or description of "{0}".', title),
        before: `${before.title}\n\n${before.description}`,
        after: `${after.title}\n\n${after.description}`,
        undo: () => send(stack, { base: after, fields: before }),
      };
    }
  }
}
