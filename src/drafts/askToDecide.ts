import * as vscode from 'vscode';
import type { KnownDraft, TextConflict } from '../model/drafts/draft.ts';
import { showMessage, type MessageAction } from '../ui/notifications.ts';

/** What a person has decided about a conflict. */
export type Decision =
  /** The change is not wanted any more. */
  | { kind: 'discard' }
  /** The text that it shall be. */
  | { kind: 'text'; text: string }
  /** Whether a section is the one that was to be added. */
  | { kind: 'section'; isTheSame: boolean }
  /** The texts are to be joined in an editor. */
  | { kind: 'merge' };

/** Has the person decide between their change and somebody else's; undefined when they put that off. */
export async function askToDecide(
  { subject, title }: KnownDraft,
  { base, theirs, mine, field }: TextConflict,
): Promise<Decision | undefined> {
  const both = [vscode.l10n.t('Yours: {0}', mine), vscode.l10n.t('On the service: {0}', theirs)].join('\n\n');
  if (subject.kind === 'sectionDeletion') {
    return ask(
      vscode.l10n.t('Somebody else has changed “{0}” since. Delete it all the same?', title),
      theirs,
      [
        { title: vscode.l10n.t('Delete'), value: { kind: 'text', text: mine } },
        { title: vscode.l10n.t('Keep'), value: { kind: 'discard' } },
      ],
    );
  }
  if (subject.kind === 'newSection') {
    return ask(
      vscode.l10n.t(
        'Nobody knows whether “{0}” has arrived, and a section was added since. Is that the same one?',
        title,
      ),
      both,
      [
        { title: vscode.l10n.t('It Is the Same'), value: { kind: 'section', isTheSame: true } },
        { title: vscode.l10n.t('Add Yours Too'), value: { kind: 'section', isTheSame: false } },
      ],
    );
  }
  if (field === 'title') {
    return ask(
      vscode.l10n.t('Somebody else has changed the title “{0}” too. Which shall it be?', base),
      both,
      [
        { title: vscode.l10n.t('Use Yours'), value: { kind: 'text', text: mine } },
        { title: vscode.l10n.t('Keep the Service’s'), value: { kind: 'text', text: theirs } },
      ],
    );
  }
  return { kind: 'merge' };
}

function ask(
  question: string,
  detail: string,
  actions: MessageAction<Decision>[],
): Promise<Decision | undefined> {
  return showMessage(question, { severity: 'warning', modal: true, detail, actions });
}
