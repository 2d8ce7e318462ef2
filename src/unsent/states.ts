/** Words for the states of pending changes. */
import * as vscode from 'vscode';
import type { KnownChange } from '../model/pending/pendingChange.ts';
import { describeChangeFailure } from '../ui/failures.ts';
import { readableAge } from '../util/age.ts';
import { describe } from './describe.ts';

/** The icon of a pending change in its state. */
export function changeIcon({ subject, state }: KnownChange): string {
  switch (state) {
    case 'conflict':
      return 'git-merge';
    case 'failed':
      return 'warning';
    case 'sending':
      return 'sync';
    case 'queued':
      return 'watch';
    case 'editing':
      return describe(subject).icon;
  }
}

/** Since when, by whom, and why it is not on the service. */
export function stateLabel(pending: KnownChange): string {
  return [
    vscode.l10n.t('started {0}', readableAge(new Date(pending.startedAt), vscode.env.language)),
    pending.heldBy === 'elsewhere' ? vscode.l10n.t('in another window') : undefined,
    reason(pending),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

function reason({ state, failure, proposed }: KnownChange): string | undefined {
  switch (state) {
    case 'editing':
      return proposed ? vscode.l10n.t('proposed by an agent') : vscode.l10n.t('editing');
    case 'sending':
      return vscode.l10n.t('sending');
    case 'queued':
      return vscode.l10n.t('sent in a few seconds');
    case 'conflict':
      return failure?.isShared
        ? vscode.l10n.t('Changed by two people at the same time.')
        : vscode.l10n.t('Someone else changed this too. Choose which version to keep.');
    case 'failed':
      return failure && describeChangeFailure(failure);
  }
}

/**
 * True while the service doesn't have a pending change, whichever window has it; a change that this window is sending at the moment
 * is told elsewhere.
 */
export function isPending({ state, heldBy }: KnownChange): boolean {
  return state !== 'sending' || heldBy !== 'here';
}

/** True when a pending change waits for the person to do something about it, here and not in a window that is open. */
export function isUnsent({ state, heldBy, proposed }: KnownChange): boolean {
  return (
    state === 'failed' ||
    state === 'conflict' ||
    (state === 'editing' && (heldBy === 'nobody' || proposed === true))
  );
}
