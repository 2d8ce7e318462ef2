/** What a person can decide about a change that does not go with somebody else's, and beside which texts. */
import * as vscode from 'vscode';
import type { ChangeFailure } from '../model/pending/failure.ts';
import { isLost, type KnownChange } from '../model/pending/pendingChange.ts';
import { versionName } from '../ui/failures.ts';
import type { MessageAction } from '../ui/notifications.ts';

/** The texts of a conflict; `result` is the one that the person writes. */
export type Side = 'base' | 'theirs' | 'mine' | 'result';

/** What a person has decided. */
export type Decision =
  /** The change is to be made all the same. */
  | 'mine'
  /** The change is not wanted any more. */
  | 'theirs'
  /** Whether a section is the one that was to be added. */
  | 'same'
  | 'another'
  /** Nothing yet: they want to see what it was at first. */
  | 'showBase';

/** A question about two texts in the diff editor. */
export interface Question {
  text: string;
  actions: MessageAction<Decision>[];
  /** The texts beside each other, and the title of the diff editor. */
  left: Side;
  right: Side;
  title: string;
}

/** What to ask about a conflict; undefined where it is about words, which are joined in the merge editor. */
export function questionAbout({ subject, title, failure }: KnownChange): Question | undefined {
  switch (subject.kind) {
    case 'sectionText':
      return failure && isLost({ subject }, failure)
        ? {
            text: lostSectionText(title, failure),
            actions: [
              { title: vscode.l10n.t('Add as New Section'), value: 'mine' },
              { title: vscode.l10n.t('Discard'), value: 'theirs' },
            ],
            left: 'base',
            right: 'mine',
            title: vscode.l10n.t('{0} (Before Deletion ↔ Yours)', title),
          }
        : undefined;
    case 'newSection':
      return {
        text: vscode.l10n.t('"{0}" may already have been added. Is this new section the same one?', title),
        actions: [
          { title: vscode.l10n.t("It's the Same"), value: 'same' },
          { title: vscode.l10n.t('Add Mine Too'), value: 'another' },
        ],
        left: 'theirs',
        right: 'mine',
        title: vscode.l10n.t('{0} (On the Server ↔ Yours)', title),
      };
    case 'sectionDeletion':
      return {
        text: vscode.l10n.t('Someone else changed "{0}" after you deleted it. Delete it anyway?', title),
        actions: [
          { title: vscode.l10n.t('Delete'), value: 'mine' },
          { title: vscode.l10n.t('Keep'), value: 'theirs' },
        ],
        left: 'base',
        right: 'theirs',
        title: vscode.l10n.t('{0} (As You Deleted It ↔ On the Server)', title),
      };
    case 'sectionOrder':
      return {
        text: vscode.l10n.t(
          'Someone else reordered the same sections of "{0}". Which order do you want to keep?',
          title,
        ),
        actions: [
          { title: vscode.l10n.t('Keep Mine'), value: 'mine' },
          { title: vscode.l10n.t('Keep Theirs'), value: 'theirs' },
          { title: vscode.l10n.t('Show Previous Order'), value: 'showBase' },
        ],
        left: 'theirs',
        right: 'mine',
        title: vscode.l10n.t('{0} (On the Server ↔ Yours)', title),
      };
    case 'signOff':
    case 'stack':
    case 'form':
      return undefined;
  }
}

function lostSectionText(title: string, { kind, newest }: ChangeFailure): string {
  if (!newest) {
    return vscode.l10n.t(
      'Someone else deleted "{0}", which you changed. Add your text as a new section?',
      title,
    );
  }
  return kind === 'ambiguous'
    ? vscode.l10n.t(
        'The newest version of the patch stack, {0}, has several sections that could be "{1}", which you changed. Add your text as a new section?',
        versionName(newest),
        title,
      )
    : vscode.l10n.t(
        'The newest version of the patch stack, {0}, no longer has "{1}", which you changed. Add your text as a new section?',
        versionName(newest),
        title,
      );
}
