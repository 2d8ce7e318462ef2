/** Pending changes in words. */
import * as vscode from 'vscode';
import type { ChangeContents, ChangeSubject } from '../model/pending/kinds/index.ts';
import type { PendingChange, KnownChange } from '../model/pending/pendingChange.ts';
import { describeChangeFailure } from '../ui/failures.ts';
import { readableAge } from '../util/age.ts';
import type { Review } from '../util/review.ts';

/** What is changed. */
export function changeLabel({ kind }: ChangeSubject): string {
  switch (kind) {
    case 'sectionText':
      return vscode.l10n.t('Text');
    case 'newSection':
      return vscode.l10n.t('New section');
    case 'sectionDeletion':
      return vscode.l10n.t('Deletion');
    case 'sectionOrder':
      return vscode.l10n.t('Section order');
    case 'signOff':
      return vscode.l10n.t('Review');
    case 'stack':
      return vscode.l10n.t('Title and description');
    case 'form':
      return vscode.l10n.t('Form');
  }
}

/** What a pending change would put on the service, as text. */
export function contentText({ subject, content }: Pick<PendingChange, 'subject' | 'content'>): string {
  switch (subject.kind) {
    case 'sectionText':
    case 'newSection':
      return (content as ChangeContents['sectionText' | 'newSection']).text;
    case 'sectionDeletion':
      return '';
    case 'sectionOrder':
      return (content as ChangeContents['sectionOrder']).order.join('\n');
    case 'signOff':
      return reviewLabel((content as ChangeContents['signOff']).review);
    case 'stack':
    case 'form':
      return fieldLines((content as ChangeContents['stack' | 'form']).fields);
  }
}

/** The fields of a form or a stack, a line for each. */
export function fieldLines(fields: object): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

/** What somebody says of a patch. */
export function reviewLabel(review: Review | undefined): string {
  switch (review) {
    case 'signedOff':
      return vscode.l10n.t('signed off');
    case 'changesRequested':
      return vscode.l10n.t('changes requested');
    case undefined:
      return vscode.l10n.t('not reviewed');
  }
}

/** The icon of a pending change in its state. */
export function changeIcon({ subject, state }: KnownChange): string {
  if (state === 'conflict') {
    return 'git-merge';
  }
  if (state === 'failed') {
    return 'warning';
  }
  if (state === 'sending') {
    return 'sync';
  }
  if (state === 'queued') {
    return 'watch';
  }
  return subject.kind === 'sectionDeletion' ? 'trash' : 'edit';
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

function reason({ state, failure }: KnownChange): string | undefined {
  switch (state) {
    case 'editing':
      return vscode.l10n.t('editing');
    case 'sending':
      return vscode.l10n.t('sending');
    case 'queued':
      return vscode.l10n.t('sent in a few seconds');
    case 'conflict':
      return vscode.l10n.t('Someone else changed this too. Choose which version to keep.');
    case 'failed':
      return failure && describeChangeFailure(failure);
  }
}

/**
 * Whether the service does not have a pending change, whichever window has it; what this one is sending at the moment is told
 * elsewhere.
 */
export function isPending({ state, heldBy }: KnownChange): boolean {
  return state !== 'sending' || heldBy !== 'here';
}

/** Whether a pending change waits for the person to do something about it, here and not in a window that is open. */
export function isUnsent({ state, heldBy }: KnownChange): boolean {
  return state === 'failed' || state === 'conflict' || (state === 'editing' && heldBy === 'nobody');
}
