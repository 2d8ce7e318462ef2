import * as vscode from 'vscode';
import { kindOf } from '../model/pending/kinds/index.ts';
import { conflictOf, isLost, type KnownChange } from '../model/pending/pendingChange.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import { choose, type Choice, type ChoiceButton } from '../ui/choose.ts';
import { escapeIcons } from '../ui/icons.ts';
import { describe } from './describe.ts';
import { changeIcon, isUnsent, stateLabel } from './states.ts';

export type Action = 'open' | 'send' | 'takeOver' | 'resolve' | 'compare' | 'discard';

type ListChoice =
  { kind: 'sendAll' } | { kind: 'history' } | { kind: 'pending'; pending: KnownChange; action?: Action };

/**
 * Lists all pending changes, as they are while the list is open.
 *
 * @throws {CancelledError} when the person puts it away.
 */
export function chooseChange(pendingChanges: PendingChanges): Promise<ListChoice> {
  return choose<ListChoice>({
    title: vscode.l10n.t('Unsent Changes'),
    placeholder: () =>
      pendingChanges.list().length === 0
        ? vscode.l10n.t('No unsent changes.')
        : vscode.l10n.t('Select a change to open, send, compare, or discard'),
    onDidChange: pendingChanges.onDidChange,
    load: async () => {
      const all = pendingChanges.list();
      return [...all.map(changeItem), ...footer(all.filter(canBeSent).length)];
    },
  });
}

/**
 * Shows what can be done with a pending change.
 *
 * @throws {CancelledError} when the person puts that away.
 */
export function chooseAction(pending: KnownChange): Promise<Action> {
  return choose<Action>({
    title: pending.title,
    placeholder: stateLabel(pending),
    load: async () =>
      actionsOf(pending).map((action) => ({
        label: `$(${actionIcons[action]}) ${actionTitle(action)}`,
        choice: { value: action },
      })),
  });
}

/** True when a pending change failed and can simply be sent again. */
export function canBeSent(pending: KnownChange): boolean {
  return (
    isUnsent(pending) &&
    pending.state === 'failed' &&
    kindOf(pending.subject).send !== undefined &&
    pending.heldBy !== 'elsewhere' &&
    !isLost(pending, pending.failure)
  );
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

function actionButton(pending: KnownChange, action: Action): ChoiceButton<ListChoice> {
  return {
    iconPath: new vscode.ThemeIcon(actionIcons[action]),
    tooltip: actionTitle(action),
    value: { kind: 'pending', pending, action },
  };
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
function footer(sendable: number): Choice<ListChoice>[] {
  const sendAll: Choice<ListChoice> = {
    label: `$(cloud-upload) ${vscode.l10n.t('Send All')}`,
    choice: { value: { kind: 'sendAll' } },
  };
  return [
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    ...(sendable > 1 ? [sendAll] : []),
    {
      label: `$(history) ${vscode.l10n.t('Recent Changes')}`,
      choice: { value: { kind: 'history' } },
    },
  ];
}

function changeItem(pending: KnownChange): Choice<ListChoice> {
  return {
    label: `$(${changeIcon(pending)}) ${escapeIcons(pending.title)}`,
    description: describe(pending.subject).label(),
    detail: escapeIcons(stateLabel(pending)),
    buttons: actionsOf(pending).map((action) => actionButton(pending, action)),
    choice: { value: { kind: 'pending', pending } },
  };
}
