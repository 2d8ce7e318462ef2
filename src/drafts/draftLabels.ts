/** Drafts in words. */
import * as vscode from 'vscode';
import type { DraftSubject, KnownDraft } from '../model/drafts/draft.ts';
import { describeDraftFailure } from '../ui/failures.ts';
import { readableAge } from '../util/age.ts';

/** What is changed. */
export function changeLabel({ kind }: DraftSubject): string {
  switch (kind) {
    case 'sectionText':
      return vscode.l10n.t('Text');
    case 'newSection':
      return vscode.l10n.t('New section');
    case 'sectionDeletion':
      return vscode.l10n.t('Deletion');
    case 'sectionOrder':
      return vscode.l10n.t('Order of the sections');
    case 'signOff':
      return vscode.l10n.t('Sign-off');
    case 'stack':
      return vscode.l10n.t('Title and description');
    case 'form':
      return vscode.l10n.t('Form');
  }
}

/** The icon of a draft in its state. */
export function draftIcon({ subject, state }: KnownDraft): string {
  if (state === 'conflict') {
    return 'git-merge';
  }
  if (state === 'unsent') {
    return 'warning';
  }
  if (state === 'sending') {
    return 'sync';
  }
  return subject.kind === 'sectionDeletion' ? 'trash' : 'edit';
}

/** Since when, by whom, and why it is not on the service. */
export function stateLabel(draft: KnownDraft): string {
  return [
    vscode.l10n.t('begun {0}', readableAge(new Date(draft.startedAt), vscode.env.language)),
    draft.heldBy === 'elsewhere' ? vscode.l10n.t('in another window') : undefined,
    reason(draft),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

function reason({ state, failure }: KnownDraft): string | undefined {
  switch (state) {
    case 'typing':
      return vscode.l10n.t('not saved yet');
    case 'sending':
      return vscode.l10n.t('being sent');
    case 'conflict':
      return vscode.l10n.t('Somebody else changed the same. Decide which text it shall be.');
    case 'unsent':
      return failure && describeDraftFailure(failure);
  }
}

/** Whether a draft waits for the person to do something about it, here and not in a window that is open. */
export function isUnsent({ state, heldBy }: KnownDraft): boolean {
  return state === 'unsent' || state === 'conflict' || (state === 'typing' && heldBy === 'nobody');
}
