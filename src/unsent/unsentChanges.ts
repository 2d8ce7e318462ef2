import * as vscode from 'vscode';
import type { EditorFile } from '../commandTable.ts';
import type { CompareVersions } from '../git/versionComparison.ts';
import type { Model } from '../model/model.ts';
import type { ChangeFailure, ChangeFailureKind } from '../model/pending/failure.ts';
import type { ChangeSubjects } from '../model/pending/kinds/index.ts';
import { isLost, isOfKind, type KnownChange, type SendOutcome } from '../model/pending/pendingChange.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import type { Readings } from '../model/reading/readings.ts';
import type { Connection } from '../session/connection.ts';
import { CancelledError, runCommand } from '../ui/commands.ts';
import { describeChangeFailure } from '../ui/failures.ts';
import { unsentCount } from '../ui/labels.ts';
import type { Log } from '../ui/log.ts';
import { showMessage, type MessageAction } from '../ui/notifications.ts';
import type { TextFiles } from '../ui/textFiles.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { inBackground } from '../util/inBackground.ts';
import type { PatchRef } from '../util/patchRef.ts';
import { canBeSent, chooseAction, chooseChange, type Action } from './changeList.ts';
import type { ConflictFiles } from './conflictFiles.ts';
import { ConflictResolution } from './conflictResolution.ts';
import { describe } from './describe.ts';
import { tellJournalTrouble } from './journalTrouble.ts';
import { changesSince } from './changesSince.ts';

interface UnsentChangesContext {
  pendingChanges: PendingChanges;
  model: Model;
  conflicts: ConflictFiles;
  texts: TextFiles;
  connection: Connection;
  /** The active account's readings; undefined when nobody is signed in. */
  readings: () => Promise<Readings | undefined>;
  compareVersions: CompareVersions;
  log: Log;
}

/** The changes that are not on the service yet, and what can be done about them. */
export class UnsentChanges implements Disposable {
  readonly #context: UnsentChangesContext;
  readonly #pendingChanges: PendingChanges;
  readonly #disposables = new DisposableStore();
  readonly #resolution: ConflictResolution;

  constructor(context: UnsentChangesContext) {
    this.#context = context;
    this.#pendingChanges = context.pendingChanges;
    const { pendingChanges, conflicts, model, connection, log } = context;
    this.#resolution = this.#disposables.add(
      new ConflictResolution({
        pendingChanges,
        conflicts,
        model,
        log,
        send: (pending) => this.#send(pending),
      }),
    );
    this.#disposables.add(tellJournalTrouble(pendingChanges));
    this.#disposables.add(connection.onDidReconnect(() => inBackground(this.#offerToSendAgain())));
  }

  /** Lists what is not on the service yet; with the id of a pending change, what can be done about that one. */
  async show(id?: string): Promise<void> {
    const asked = this.#pendingChanges.get(id);
    if (asked) {
      await this.#act(asked, await chooseAction(asked));
      return;
    }
    for (;;) {
      const choice = await chooseChange(this.#pendingChanges);
      if (choice.kind === 'sendAll') {
        await this.sendAll();
        return;
      }
      if (choice.kind === 'history') {
        await runCommand('showRecentChanges');
        return;
      }
      const { pending } = choice;
      try {
        const action = choice.action ?? (await chooseAction(pending));
        await this.#act(pending, action);
        if (action !== 'discard' && action !== 'send') {
          return;
        }
      } catch (error) {
        // Back to the list.
        if (!(error instanceof CancelledError)) {
          throw error;
        }
      }
    }
  }

  /** Resolves the conflict of a file, or whose texts the active editor shows; where there is none, lists all changes. */
  async resolveIn(file?: EditorFile): Promise<void> {
    if (!(await this.#resolution.resolveIn(file))) {
      await this.show();
    }
  }

  /** Has the person decide between the versions of a section's text that were written at the same time. */
  async resolveShared(patch: PatchRef, code: string): Promise<void> {
    await this.#resolution.resolveShared(patch, code);
  }

  /** Does one thing with a pending change that is shown elsewhere too. */
  async actOn(id: string, action: 'compare' | 'resolve' | 'send' | 'takeOver'): Promise<void> {
    const pending = this.#pendingChanges.get(id);
    if (pending) {
      await this.#act(pending, action);
    }
  }

  /** Sends everything that failed or was left behind, one after the other. */
  async sendAll(): Promise<void> {
    const ready = this.#pendingChanges.list().filter(canBeSent);
    // Also those that nobody has tried to send, because the person gave up before.
    let unsent = ready.length;
    await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Sending changes'),
        cancellable: true,
      },
      async (progress, token) => {
        const controller = new AbortController();
        token.onCancellationRequested(() => controller.abort());
        for (const pending of ready) {
          if (controller.signal.aborted) {
            return;
          }
          progress.report({ message: pending.title, increment: 100 / ready.length });
          const outcome = await this.#pendingChanges.send(pending.id, controller.signal);
          unsent -= outcome.kind === 'sent' ? 1 : 0;
        }
      },
    );
    inBackground(
      showMessage<boolean>(
        unsent === 0
          ? vscode.l10n.t('All changes sent.')
          : vscode.l10n.t('Changes not sent: {0} of {1}', unsent, ready.length),
        unsent === 0
          ? {}
          : { severity: 'warning', actions: [{ title: vscode.l10n.t('Show Unsent Changes'), value: true }] },
      ).then((list) => (list === true ? runCommand('showUnsentChanges') : undefined)),
    );
  }

  /** Offers to send again what failed because the service could not be reached. */
  async #offerToSendAgain(): Promise<void> {
    const { length } = this.#pendingChanges
      .list()
      .filter((pending) => canBeSent(pending) && failedOnTheWay(pending));
    if (length === 0) {
      return;
    }
    const all = await showMessage<boolean>(vscode.l10n.t('Back online. {0}.', unsentCount(length)), {
      actions: [
        { title: vscode.l10n.t('Send All'), value: true },
        { title: vscode.l10n.t('Show Unsent Changes'), value: false },
      ],
    });
    if (all === true) {
      await this.sendAll();
    } else if (all === false) {
      await runCommand('showUnsentChanges');
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #act(pending: KnownChange, action: Action): Promise<void> {
    switch (action) {
      case 'open':
        return this.#openPlace(pending);
      case 'send':
        return this.#send(pending);
      case 'takeOver':
        return this.#takeOver(pending);
      case 'resolve':
        return this.#resolution.resolve(pending);
      case 'compare':
        return this.#compare(pending);
      case 'discard':
        await this.#pendingChanges.discard(pending.id);
        return;
    }
  }

  /** Takes a change over that another window has, once the person knows what that means. */
  async #takeOver(pending: KnownChange): Promise<void> {
    const { title, id } = pending;
    const agreed = await showMessage<boolean>(vscode.l10n.t('Take over "{0}" from another window?', title), {
      severity: 'warning',
      modal: true,
      detail: vscode.l10n.t(
        "The other window stops editing this change. Anything it hasn't saved locally yet, or that's typed there later, becomes a separate change, so nothing is lost.",
      ),
      actions: [{ title: vscode.l10n.t('Take Over'), value: true }],
    });
    if (agreed !== true) {
      return;
    }
    if (!(await this.#pendingChanges.takeOver(id))) {
      throw new Error(vscode.l10n.t('"{0}" was already sent or discarded.', title));
    }
    await this.#openPlace(pending);
  }

  async #openPlace({ subject }: KnownChange): Promise<void> {
    const { model, connection } = this.#context;
    await describe(subject).open(subject, model, connection.activeServer ?? '');
  }

  async #send(pending: KnownChange): Promise<void> {
    await this.tell(pending, await this.#pendingChanges.send(pending.id));
  }

  /** Tells the person what became of sending a pending change, and offers what can be done next. */
  async tell(pending: KnownChange, outcome: SendOutcome): Promise<void> {
    switch (outcome.kind) {
      case 'sent':
        if (outcome.merged !== undefined) {
          this.#tellMerged(pending, outcome.merged);
        }
        if (outcome.replacedUnread) {
          this.#tellReplaced(pending);
        }
        return;
      case 'conflict':
        return this.#resolution.resolve(pending);
      case 'failed': {
        const { failure } = outcome;
        if (isLost(pending, failure)) {
          return this.#resolution.resolve(pending);
        }
        if (isOfKind(pending, 'signOff') && lapses.has(failure.kind)) {
          return this.#tellLapsed(pending, failure);
        }
        const again: MessageAction<Action> = { title: vscode.l10n.t('Retry'), value: 'send' };
        const text = vscode.l10n.t(
          'Couldn\'t send "{0}": {1}',
          pending.title,
          describeChangeFailure(failure),
        );
        this.#context.log.error(text);
        const next = await showMessage<Action>(text, { severity: 'warning', actions: [again] });
        if (next) {
          await this.#act(pending, next);
        }
      }
    }
  }

  /** Of what is no longer what the person has read, they can say nothing: they are told, and led to what is there now. */
  async #tellLapsed(pending: KnownChange<ChangeSubjects['signOff']>, failure: ChangeFailure): Promise<void> {
    await this.#pendingChanges.takeBack(pending.id);
    const { newest } = failure;
    // The message stays: another account may be the active one by the time that it is answered.
    const serverUrl = this.#context.connection.activeServer ?? '';
    const isThere = failure.kind === 'outdated' || failure.kind === 'changedMeanwhile';
    const patch = { ...pending.subject.patch, ...(newest && { stackUuid: newest.uuid }) };
    const changes = isThere ? await changesSince(this.#context, patch, pending.content.seen) : undefined;
    const text = [lapseText(pending, failure), changes?.text].filter((part) => part !== undefined).join(' ');
    this.#context.log.error(text);
    const open = changes
      ? vscode.l10n.t('Show What Changed')
      : newest
        ? vscode.l10n.t('Open Newest Version')
        : vscode.l10n.t('Open Patch');
    const chosen = await showMessage<boolean>(text, {
      severity: 'warning',
      actions: isThere ? [{ title: open, value: true }] : [],
    });
    if (chosen === true) {
      await runCommand('openPatch', { serverUrl, ...patch, sectionCode: changes?.sectionCode });
    }
  }

  #tellMerged(pending: KnownChange, merged: string): void {
    const row = describe(pending.subject);
    const mine = row.merged?.(pending.content) ?? row.text(pending, this.#context.model);
    inBackground(
      showMessage<boolean>(
        vscode.l10n.t('"{0}" was saved and merged with changes from someone else.', pending.title),
        { actions: [{ title: vscode.l10n.t('Show'), value: true }] },
      ).then((show) =>
        show === true
          ? this.#context.texts.compare(mine, merged, vscode.l10n.t('{0} (Yours ↔ Merged)', pending.title))
          : undefined,
      ),
    );
  }

  #tellReplaced({ title }: KnownChange): void {
    const text = vscode.l10n.t(
      'Someone else saved "{0}" at the same moment, and your text replaced theirs. Ask them to add their changes again.',
      title,
    );
    this.#context.log.error(text);
    inBackground(showMessage(text, { severity: 'warning' }));
  }

  async #compare(pending: KnownChange): Promise<void> {
    const { model, texts } = this.#context;
    const row = describe(pending.subject);
    // A fresh reading also has the sections' names.
    const theirs = await row.onServer(pending, model);
    await texts.compare(
      theirs,
      row.text(pending, model),
      vscode.l10n.t('{0} (On the Server ↔ Yours)', pending.title),
    );
  }
}

function lapseText(
  { title, content }: KnownChange<ChangeSubjects['signOff']>,
  failure: ChangeFailure,
): string {
  const reason = describeChangeFailure(failure);
  const isSignedOff = content.review === 'signedOff';
  if (failure.kind === 'changedMeanwhile') {
    return isSignedOff
      ? vscode.l10n.t('You signed off on "{0}", but it had changed since you read it: {1}', title, reason)
      : vscode.l10n.t(
          'You requested changes to "{0}", but it had changed since you read it: {1}',
          title,
          reason,
        );
  }
  return isSignedOff
    ? vscode.l10n.t('Couldn\'t sign off on "{0}": {1}', title, reason)
    : vscode.l10n.t('Couldn\'t request changes to "{0}": {1}', title, reason);
}

/** Why nothing more can be said of a patch as it was read. */
const lapses = new Set<ChangeFailureKind>([
  'outdated',
  'changedMeanwhile',
  'notTaken',
  'patchGone',
  'notFound',
  'forbidden',
  'invalid',
  'conflict',
]);

const transient = new Set(['connection', 'timeout', 'server', 'rateLimited', 'interrupted', 'tls']);

/** True when the pending change itself was not at fault. */
function failedOnTheWay({ failure }: KnownChange): boolean {
  return failure !== undefined && transient.has(failure.kind);
}
