import * as vscode from 'vscode';
import type { ChangeFailure, ChangeFailureKind } from '../model/pending/failure.ts';
import { kindOf, type ChangeSubjects } from '../model/pending/kinds/index.ts';
import {
  conflictOf,
  isLost,
  isOfKind,
  type KnownChange,
  type SendOutcome,
} from '../model/pending/pendingChange.ts';
import type { LostChange } from '../model/pending/heldChanges.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import { openConflicts } from '../model/pending/mergeConflicts.ts';
import type { Model } from '../model/model.ts';
import type { Connection } from '../session/connection.ts';
import { attempt, CancelledError, runCommand } from '../ui/commands.ts';
import { describeChangeFailure, describeJournalProblem } from '../ui/failures.ts';
import { escapeIcons } from '../ui/icons.ts';
import { unsentCount } from '../ui/labels.ts';
import type { Log } from '../ui/log.ts';
import { showMessage, type MessageAction } from '../ui/notifications.ts';
import type { TextFiles } from '../ui/textFiles.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import type { ConflictFiles } from './conflictFiles.ts';
import type { Decision, Question } from './decisions.ts';
import { describe } from './describe.ts';
import { changeIcon, isUnsent, stateLabel } from './states.ts';

/** What the unsent changes need of the rest. */
export interface UnsentChangesContext {
  pendingChanges: PendingChanges;
  model: Model;
  conflicts: ConflictFiles;
  texts: TextFiles;
  connection: Connection;
  log: Log;
}

type Action = 'open' | 'send' | 'takeOver' | 'resolve' | 'compare' | 'discard';

type Choice =
  | { kind: 'sendAll' }
  | { kind: 'history' }
  | { kind: 'pending'; pending: KnownChange; action?: Action | undefined };

interface ChoiceItem extends vscode.QuickPickItem {
  choice?: Choice;
  actions?: Action[];
}

/** The changes that are not on the service yet, and what can be done about them. */
export class UnsentChanges implements Disposable {
  readonly #context: UnsentChangesContext;
  readonly #pendingChanges: PendingChanges;
  readonly #disposables = new DisposableStore();
  #toldProblem: string | undefined;
  #toldLeftovers = 0;

  constructor(context: UnsentChangesContext) {
    this.#context = context;
    this.#pendingChanges = context.pendingChanges;
    this.#disposables.add(context.conflicts.onDidLeave((id) => void this.#remind(id)));
    this.#disposables.add(context.connection.onDidReconnect(() => void this.#offerToSendAgain()));
    this.#disposables.add(this.#pendingChanges.onDidChange(() => this.#tellTrouble()));
    this.#disposables.add(this.#pendingChanges.onDidLose((lost) => tellLost(lost)));
    this.#tellTrouble();
  }

  /** Lists what is not on the service yet; with the id of a pending change, what can be done about that one. */
  async show(id?: string): Promise<void> {
    const asked = this.#pendingChanges.get(id);
    if (asked) {
      await this.#act(asked, await this.#chooseAction(asked));
      return;
    }
    for (;;) {
      const choice = await this.#choose();
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
        const action = choice.action ?? (await this.#chooseAction(pending));
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
    const failed: KnownChange[] = [];
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
          if (outcome.kind !== 'sent') {
            failed.push(pending);
          }
        }
      },
    );
    const { length } = failed;
    void showMessage<boolean>(
      length === 0
        ? vscode.l10n.t('All changes sent.')
        : vscode.l10n.t("Changes that couldn't be sent: {0} of {1}", length, ready.length),
      length === 0
        ? {}
        : { severity: 'warning', actions: [{ title: vscode.l10n.t('Show Unsent Changes'), value: true }] },
    ).then((list) => (list === true ? runCommand('showUnsentChanges') : undefined));
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

  async #choose(): Promise<Choice> {
    const pick = vscode.window.createQuickPick<ChoiceItem>();
    pick.title = vscode.l10n.t('Unsent Changes');
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.ignoreFocusOut = true;
    const fill = (): void => {
      const pendingChanges = this.#pendingChanges.list();
      pick.items = [...pendingChanges.map(changeItem), ...footer(pendingChanges.filter(canBeSent).length)];
      pick.placeholder =
        pendingChanges.length === 0
          ? vscode.l10n.t('No unsent changes.')
          : vscode.l10n.t('Select a change to open, send, compare, or discard');
    };
    fill();
    const subscription = this.#pendingChanges.onDidChange(fill);
    const chosen = Promise.withResolvers<Choice>();
    pick.onDidHide(() => chosen.reject(new CancelledError()));
    pick.onDidAccept(() => {
      const choice = pick.selectedItems[0]?.choice;
      if (choice) {
        chosen.resolve(choice);
      }
    });
    pick.onDidTriggerItemButton(({ item: { choice, actions }, button }) => {
      const action = actions?.find((candidate) => actionButton(candidate).tooltip === button.tooltip);
      if (choice?.kind === 'pending' && action) {
        chosen.resolve({ ...choice, action });
      }
    });
    pick.show();
    try {
      return await chosen.promise;
    } finally {
      subscription.dispose();
      pick.dispose();
    }
  }

  /** Shows what can be done with a pending change. For the keyboard: the same is behind the buttons of the list. */
  async #chooseAction(pending: KnownChange): Promise<Action> {
    const items = actionsOf(pending).map((action) => ({
      label: `$(${actionIcons[action]}) ${actionTitle(action)}`,
      action,
    }));
    const chosen = await vscode.window.showQuickPick(items, {
      title: pending.title,
      placeHolder: stateLabel(pending),
      ignoreFocusOut: true,
    });
    if (!chosen) {
      throw new CancelledError();
    }
    return chosen.action;
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
        return this.#resolve(pending);
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
        return;
      case 'conflict':
        return this.#resolve(pending);
      case 'failed': {
        const { failure } = outcome;
        if (isLost(pending, failure)) {
          return this.#resolve(pending);
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
    const text =
      pending.content.review === 'signedOff'
        ? vscode.l10n.t('Couldn\'t sign off on "{0}": {1}', pending.title, describeChangeFailure(failure))
        : vscode.l10n.t(
            'Couldn\'t request changes to "{0}": {1}',
            pending.title,
            describeChangeFailure(failure),
          );
    this.#context.log.error(text);
    const { newest } = failure;
    const isThere = failure.kind === 'outdated';
    const open = newest ? vscode.l10n.t('Open Newest Version') : vscode.l10n.t('Open Patch');
    const chosen = await showMessage<boolean>(text, {
      severity: 'warning',
      actions: isThere ? [{ title: open, value: true }] : [],
    });
    if (chosen === true) {
      const serverUrl = this.#context.connection.activeServer ?? '';
      await runCommand('openPatch', {
        serverUrl,
        ...pending.subject.patch,
        ...(newest && { stackUuid: newest.uuid }),
      });
    }
  }

  #tellMerged(pending: KnownChange, merged: string): void {
    const row = describe(pending.subject);
    const mine = row.joined?.(pending.content) ?? row.text(pending, this.#context.model);
    void showMessage<boolean>(
      vscode.l10n.t('"{0}" was saved and merged with changes from someone else.', pending.title),
      { actions: [{ title: vscode.l10n.t('Show'), value: true }] },
    ).then((show) =>
      show === true
        ? this.#context.texts.compare(mine, merged, vscode.l10n.t('{0} (Yours ↔ Merged)', pending.title))
        : undefined,
    );
  }

  /** Resolves the conflict whose texts the active editor shows; where it shows none, lists all changes. */
  async resolveActive(): Promise<void> {
    const id = this.#context.conflicts.active;
    const pending = this.#pendingChanges.get(id);
    if (!pending || !conflictOf(pending)) {
      return this.show();
    }
    return describe(pending.subject).question?.(pending)
      ? this.#resolve(pending)
      : this.#complete(pending.id);
  }

  /** Has the person decide between their change and somebody else's, beside the texts. Nothing is sent until then. */
  async #resolve({ id }: KnownChange): Promise<void> {
    const pending = this.#pendingChanges.get(id);
    if (!pending || !conflictOf(pending)) {
      return;
    }
    const { conflicts, log } = this.#context;
    const question = describe(pending.subject).question?.(pending);
    if (!question) {
      return conflicts.openMergeEditor(pending);
    }
    await conflicts.openDiffEditor(pending, question.left, question.right, question.title);
    // The message stays as long as the person looks at the texts.
    void attempt(vscode.l10n.t('resolve the conflict in "{0}"', pending.title), log, () =>
      this.#ask(pending, question),
    );
  }

  async #ask(pending: KnownChange, question: Question): Promise<void> {
    const { text, actions } = question;
    const decision = await showMessage(text, { severity: 'warning', actions });
    if (decision === 'showBase') {
      const title = vscode.l10n.t('{0} (Before ↔ On the Server)', pending.title);
      await this.#context.conflicts.openDiffEditor(pending, 'base', 'theirs', title);
      return this.#ask(pending, question);
    }
    if (decision) {
      await this.#carryOut(pending.id, decision);
    }
  }

  async #carryOut(id: string, decision: Exclude<Decision, 'showBase'>): Promise<void> {
    const pending = this.#pendingChanges.get(id);
    const conflict = pending && conflictOf(pending);
    if (!conflict) {
      throw new Error(vscode.l10n.t('This conflict is already resolved.'));
    }
    switch (decision) {
      case 'theirs':
        await this.#pendingChanges.discard(id);
        break;
      case 'mine':
        if (isLost(pending, pending.failure)) {
          this.#pendingChanges.makeNew(id);
        } else {
          this.#pendingChanges.resolve(id, conflict.theirs, conflict.mine);
        }
        break;
      case 'same':
      case 'another':
        this.#pendingChanges.decideNewSection(id, decision === 'same');
        break;
    }
    await this.#context.conflicts.close(id);
    if (decision !== 'theirs') {
      await this.#send(pending);
    }
  }

  /** Ends a conflict with what the person has written in the merge editor, and sends that. */
  async #complete(id: string): Promise<void> {
    const { conflicts } = this.#context;
    const pending = this.#pendingChanges.get(id);
    const conflict = pending && conflictOf(pending);
    if (!conflict || !(await conflicts.save(id))) {
      return;
    }
    const text = conflicts.result(pending);
    const open = openConflicts(conflict, text ?? conflict.base);
    if (text === undefined || open > 0) {
      await this.#refuse(pending, openConflictsLeft(pending.title, open));
      return;
    }
    const isTitle = conflict.field === 'title';
    if (isTitle && text.trim().includes('\n')) {
      await this.#refuse(pending, vscode.l10n.t("Titles can't contain line breaks."));
      return;
    }
    this.#pendingChanges.resolve(id, conflict.theirs, isTitle ? text.trim() : text);
    await conflicts.close(id);
    await this.#send(pending);
  }

  /** Says why a conflict is not resolved, and goes to its texts. */
  async #refuse(pending: KnownChange, text: string): Promise<void> {
    void showMessage(text, { severity: 'warning' });
    if (this.#context.conflicts.active !== pending.id) {
      await this.#context.conflicts.openMergeEditor(pending);
    }
  }

  /** The merge editor can be saved and closed, which sends nothing: says what does. */
  async #remind(id: string): Promise<void> {
    const pending = this.#pendingChanges.get(id);
    const conflict = pending && conflictOf(pending);
    if (!conflict || pending.heldBy !== 'here' || pending.resolution === undefined) {
      return;
    }
    const open = openConflicts(conflict, pending.resolution);
    const actions = [
      { title: vscode.l10n.t('Send'), value: 'complete' as const },
      { title: vscode.l10n.t('Open Merge Editor'), value: 'open' as const },
    ];
    const next = await showMessage(
      open > 0
        ? openConflictsLeft(pending.title, open)
        : vscode.l10n.t('Conflict in "{0}" resolved. Send your changes?', pending.title),
      { severity: 'warning', actions: open > 0 ? actions.slice(1) : actions },
    );
    if (next) {
      await attempt(vscode.l10n.t('resolve the conflict in "{0}"', pending.title), this.#context.log, () =>
        next === 'complete' ? this.#complete(id) : this.#resolve(pending),
      );
    }
  }

  async #compare(pending: KnownChange): Promise<void> {
    const { model, texts } = this.#context;
    const row = describe(pending.subject);
    // What is read anew says what sections are called.
    const theirs = await row.onServer(pending, model);
    await texts.compare(
      theirs,
      row.text(pending, model),
      vscode.l10n.t('{0} (On the Server ↔ Yours)', pending.title),
    );
  }

  #tellTrouble(): void {
    const { problem, leftovers } = this.#pendingChanges;
    if (problem && problem.kind !== this.#toldProblem) {
      void showMessage(describeJournalProblem(problem), { severity: 'warning' });
    }
    this.#toldProblem = problem?.kind;
    const count = leftovers.setAside.length + leftovers.newer.length;
    if (count > this.#toldLeftovers) {
      void this.#tellLeftovers();
    }
    this.#toldLeftovers = count;
  }

  async #tellLeftovers(): Promise<void> {
    const { setAside, newer } = this.#pendingChanges.leftovers;
    if (newer.length > 0) {
      void showMessage(
        vscode.l10n.t(
          'Some unsent changes were saved by a newer version of Patch Stacks. Update the extension to see them.',
        ),
        { severity: 'warning' },
      );
    }
    const [first] = setAside;
    if (first !== undefined) {
      const show = await showMessage<boolean>(
        vscode.l10n.t(
          "Couldn't read one of your unsent changes. It was moved to {0}. Your other changes aren't affected.",
          first,
        ),
        { severity: 'warning', actions: [{ title: vscode.l10n.t('Open File'), value: true }] },
      );
      if (show === true) {
        await vscode.window.showTextDocument(vscode.Uri.file(first));
      }
    }
  }
}

function openConflictsLeft(title: string, count: number): string {
  return count === 1
    ? vscode.l10n.t(
        '1 conflict in "{0}" is still open. Accept either side or both, or write your own text there.',
        title,
      )
    : vscode.l10n.t(
        '{1} conflicts in "{0}" are still open. Accept either side or both, or write your own text there.',
        title,
        count,
      );
}

/** Says that another window has a change now. */
function tellLost({ pending: { title }, wentOn }: LostChange): void {
  const text = wentOn
    ? vscode.l10n.t(
        'Another window took over "{0}". What you\'ve typed here since then is a separate change.',
        title,
      )
    : vscode.l10n.t('Another window took over "{0}".', title);
  void showMessage(text, { severity: 'warning' });
}

const actionIcons: Record<Action, string> = {
  open: 'go-to-file',
  send: 'cloud-upload',
  takeOver: 'arrow-swap',
  resolve: 'git-merge',
  compare: 'diff',
  discard: 'discard',
};

function actionTitle(action: Action): string {
  switch (action) {
    case 'open':
      return vscode.l10n.t('Open');
    case 'send':
      return vscode.l10n.t('Send');
    case 'resolve':
      return vscode.l10n.t('Resolve Conflict');
    case 'takeOver':
      return vscode.l10n.t('Take Over');
    case 'compare':
      return vscode.l10n.t('Compare with Server');
    case 'discard':
      return vscode.l10n.t('Discard');
  }
}

function actionButton(action: Action): vscode.QuickInputButton & { tooltip: string } {
  return { iconPath: new vscode.ThemeIcon(actionIcons[action]), tooltip: actionTitle(action) };
}

function actionsOf(pending: KnownChange): Action[] {
  const { subject, heldBy } = pending;
  if (heldBy === 'elsewhere') {
    return ['open', 'takeOver', 'compare'];
  }
  if (!kindOf(subject).send) {
    return ['open', 'compare', 'discard'];
  }
  return ['open', conflictOf(pending) ? 'resolve' : 'send', 'compare', 'discard'];
}

/** The rows below the pending changes. */
function footer(sendable: number): ChoiceItem[] {
  const sendAll: ChoiceItem = {
    label: `$(cloud-upload) ${vscode.l10n.t('Send All')}`,
    choice: { kind: 'sendAll' },
  };
  return [
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    ...(sendable > 1 ? [sendAll] : []),
    { label: `$(history) ${vscode.l10n.t('Recent Changes')}`, choice: { kind: 'history' } },
  ];
}

function changeItem(pending: KnownChange): ChoiceItem {
  const actions = actionsOf(pending);
  return {
    label: `$(${changeIcon(pending)}) ${escapeIcons(pending.title)}`,
    description: describe(pending.subject).label(),
    detail: escapeIcons(stateLabel(pending)),
    buttons: actions.map(actionButton),
    choice: { kind: 'pending', pending },
    actions,
  };
}

function canBeSent(pending: KnownChange): boolean {
  return (
    isUnsent(pending) &&
    pending.state === 'failed' &&
    kindOf(pending.subject).send !== undefined &&
    pending.heldBy !== 'elsewhere' &&
    !isLost(pending, pending.failure)
  );
}

/** Why nothing more can be said of a patch as it was read. */
const lapses = new Set<ChangeFailureKind>([
  'outdated',
  'patchGone',
  'notFound',
  'forbidden',
  'invalid',
  'conflict',
]);

const transient = new Set(['connection', 'timeout', 'server', 'rateLimited', 'interrupted', 'tls']);

/** Whether nothing was wrong with the pending change itself. */
function failedOnTheWay({ failure }: KnownChange): boolean {
  return failure !== undefined && transient.has(failure.kind);
}
