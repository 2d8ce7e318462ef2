/** Words for sharing the reviews of a project through a remote of its repository. */
import * as vscode from 'vscode';
import type { SharingTrouble } from '../protocol/localService.ts';
import { readableAge } from '../util/age.ts';

/** The state of the sharing of a project that the local service has. */
export interface ProjectSharing {
  /** The name of the remote; undefined while nothing is shared. */
  remote: string | undefined;
  /** The number of changes here that the remote doesn't have. */
  waiting: number;
  trouble?: SharingTrouble | undefined;
  /** When all was shared for the last time. */
  sharedAt?: Date | undefined;
}

/** Words for the sharing, beside the name of a project; empty while it is off. */
export function sharingText({ remote, waiting, trouble, sharedAt }: ProjectSharing): string {
  if (remote === undefined) {
    return '';
  }
  if (trouble !== undefined) {
    const what = waiting === 0 ? vscode.l10n.t('not shared') : waitingText(waiting);
    // The reason comes first: the end of a row is cut off.
    return vscode.l10n.t('{0}: {1}', troubleWord(trouble), what);
  }
  return sharedAt
    ? vscode.l10n.t('shared {0}', readableAge(sharedAt, vscode.env.language))
    : vscode.l10n.t('sharing…');
}

function waitingText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 change to share') : vscode.l10n.t('{0} changes to share', count);
}

function troubleWord(trouble: SharingTrouble): string {
  switch (trouble) {
    case 'offline':
      return vscode.l10n.t('offline');
    case 'noRight':
      return vscode.l10n.t('no access');
    case 'hook':
      return vscode.l10n.t('refused by a hook');
    case 'noSuchRefs':
      return vscode.l10n.t('refused by the host');
    case 'refused':
      return vscode.l10n.t('refused');
  }
}

/** Says in two sentences what keeps the changes from being shared, and that nothing is lost. */
export function troubleSentence(remote: string, trouble: SharingTrouble): string {
  const kept = vscode.l10n.t('Nothing is lost: your changes stay on this computer until they can be shared.');
  return `${reasonSentence(remote, trouble)} ${kept}`;
}

function reasonSentence(remote: string, trouble: SharingTrouble): string {
  switch (trouble) {
    case 'offline':
      return vscode.l10n.t('Couldn\'t share your reviews: "{0}" can\'t be reached.', remote);
    case 'noRight':
      return vscode.l10n.t(
        "Couldn't share your reviews: Git isn't signed in to \"{0}\", or you don't have permission to push there.",
        remote,
      );
    case 'hook':
      return vscode.l10n.t('Couldn\'t share your reviews: a hook of "{0}" refused them.', remote);
    case 'noSuchRefs':
      return vscode.l10n.t(
        'Couldn\'t share your reviews: the host of "{0}" doesn\'t take refs other than branches and tags.',
        remote,
      );
    case 'refused':
      return vscode.l10n.t('Couldn\'t share your reviews: "{0}" refused them.', remote);
  }
}
