/** Words for sharing the reviews of a project through a remote of its repository. */
import * as vscode from 'vscode';
import type { SharingTrouble, Withheld } from '../protocol/localService.ts';
import { readableAge } from '../util/age.ts';

/** The state of the sharing of a project that the local service has. */
export interface ProjectSharing {
  /** The name of the remote; undefined while nothing is shared. */
  remote: string | undefined;
  /** The number of changes here that the remote doesn't have. */
  waiting: number;
  trouble?: SharingTrouble | undefined;
  /** When others take what is dated ahead of their clocks. */
  takenAt?: Date | undefined;
  /** What the person said and that can't be shared as it is. */
  withheld?: readonly Withheld[] | undefined;
  /** Those who share something that was left out because it can't be trusted or read; undefined for one whose name nobody knows. */
  leftOut?: readonly (string | undefined)[] | undefined;
  /** Those whose shared changes are so many that they aren't all here yet. */
  unfinished?: readonly (string | undefined)[] | undefined;
  /** When all was shared for the last time. */
  sharedAt?: Date | undefined;
}

/** Words for the sharing, beside the name of a project; empty while it is off. */
export function sharingText(sharing: ProjectSharing): string {
  const { remote, waiting, trouble, withheld = [], unfinished = [], sharedAt } = sharing;
  if (remote === undefined) {
    return '';
  }
  if (trouble === 'clockAhead') {
    return troubleWord(trouble);
  }
  if (trouble !== undefined) {
    const what = waiting === 0 ? vscode.l10n.t('not shared') : waitingText(waiting);
    // The reason comes first: the end of a row is cut off.
    return vscode.l10n.t('{0}: {1}', troubleWord(trouble), what);
  }
  if (withheld.length > 0) {
    return withheld.length === 1
      ? vscode.l10n.t("1 change can't be shared")
      : vscode.l10n.t("{0} changes can't be shared", withheld.length);
  }
  if (unfinished.length > 0) {
    return vscode.l10n.t('taking in changes…');
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
    case 'vanished':
      return vscode.l10n.t('gone from the remote');
    case 'clockAhead':
      return vscode.l10n.t('clock ahead: not taken by others yet');
  }
}

/** A date and a time, as the person writes them. */
export function dateAndTime(date: Date): string {
  return date.toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Says what the person said and that can't be shared as it is. */
export function withheldText({ what, of, why }: Withheld): string {
  return vscode.l10n.t('Stays on this computer: {0} ({1})', withheldName(what, of), withheldReason(why));
}

/** Says whose shared changes were left out, at least some of them. */
export function leftOutSentence(leftOut: readonly (string | undefined)[]): string {
  const list = listOfNames(leftOut);
  return list === undefined
    ? vscode.l10n.t("Some shared changes were ignored because they can't be trusted or read. See the log.")
    : vscode.l10n.t(
        "Some changes shared by {0} were ignored because they can't be trusted or read. See the log.",
        list,
      );
}

/** Says whose shared changes aren't all here yet, at least some of them. */
export function unfinishedSentence(unfinished: readonly (string | undefined)[]): string {
  const list = listOfNames(unfinished);
  return list === undefined
    ? vscode.l10n.t('Still taking in what others shared: there is a lot of it.')
    : vscode.l10n.t('Still taking in what {0} shared: there is a lot of it.', list);
}

/** Those names that are known, each once and the first of them alone; undefined where none is. */
function listOfNames(all: readonly (string | undefined)[]): string | undefined {
  // VS Code would make a link of [words](address) in a message.
  const known = all.flatMap((name) => (name === undefined ? [] : [name.replaceAll(/[[\]]/g, '')]));
  const names = [...new Set(known)];
  const shown = names.slice(0, mostNames);
  return names.length === 0
    ? undefined
    : new Intl.ListFormat(vscode.env.language).format(names.length > mostNames ? [...shown, '…'] : shown);
}

/** Names that a sentence has. */
const mostNames = 3;

function withheldName(what: Withheld['what'], of: string): string {
  switch (what) {
    case 'profile':
      return vscode.l10n.t('your name "{0}"', of);
    case 'key':
      return vscode.l10n.t('the SSH key "{0}"', of);
    case 'changes':
      return vscode.l10n.t('the changes of "{0}"', of);
    case 'title':
      return vscode.l10n.t('the title of "{0}"', of);
    case 'description':
      return vscode.l10n.t('the description of "{0}"', of);
    case 'status':
      return vscode.l10n.t('the status of "{0}"', of);
    case 'text':
      return vscode.l10n.t('a text of "{0}"', of);
    case 'order':
      return vscode.l10n.t('the order of "{0}"', of);
    case 'review':
      return vscode.l10n.t('your review of "{0}"', of);
  }
}

function withheldReason(why: Withheld['why']): string {
  switch (why) {
    case 'tooLong':
      return vscode.l10n.t('too long to be shared');
    case 'characters':
      return vscode.l10n.t("it has control characters, which can't be shared");
    case 'unreadable':
      return vscode.l10n.t("others couldn't read it");
  }
}

/** Says in two sentences what keeps the changes from being shared, and that nothing is lost. */
export function troubleSentence(remote: string, trouble: SharingTrouble, takenAt = new Date()): string {
  if (trouble === 'clockAhead') {
    return vscode.l10n.t(
      "What you share is dated more than an hour ahead of others' clocks: they take it from {0} on, by their time. Check the date and time of this computer.",
      dateAndTime(takenAt),
    );
  }
  const kept = vscode.l10n.t('Nothing is lost: your changes stay on this computer until they can be shared.');
  return `${reasonSentence(remote, trouble)} ${kept}`;
}

function reasonSentence(remote: string, trouble: Exclude<SharingTrouble, 'clockAhead'>): string {
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
    case 'vanished':
      return vscode.l10n.t(
        'What you and others shared is no longer in "{0}": someone deleted it, or the host was replaced. You can push again what this computer has of it.',
        remote,
      );
    case 'refused':
      return vscode.l10n.t('Couldn\'t share your reviews: "{0}" refused them.', remote);
  }
}
