import * as vscode from 'vscode';
import { isApiError } from '../api/errors.ts';
import type { ChangeFailure, ChangeFailureKind } from '../model/pending/failure.ts';
import type { JournalProblem } from '../model/pending/heldChanges.ts';
import type { StackVersion } from '../model/newestVersion.ts';
import { systemCode } from '../util/systemCode.ts';
import { messageOf } from '../util/messageOf.ts';

/** A button that puts right what has failed. */
interface Remedy {
  /** The title of the button. */
  title: string;
  /** Resolves with whether what had failed is worth another try. */
  apply: () => Promise<boolean>;
}

/** A failure that one press puts right: wherever it is told, the button stands beside it. */
export class RemediableError extends Error {
  override name = 'RemediableError';
  readonly remedy: Remedy;

  constructor(message: string, remedy: Remedy) {
    super(message);
    this.remedy = remedy;
  }
}

/** The button that puts a failure right, if one press does. */
export function remedyOf(error: unknown): Remedy | undefined {
  return error instanceof RemediableError ? error.remedy : undefined;
}

/**
 * One sentence for the person: what was being done, what went wrong, what to do next.
 *
 * @param doing what was being done, as it follows *Couldn't*: *load the projects*.
 */
export function describeFailure(doing: string, error: unknown): string {
  return vscode.l10n.t("Couldn't {0}: {1}", doing, describeReason(error));
}

/** Says what went wrong and what to do next, without what was being done. */
export function describeReason(error: unknown): string {
  if (isApiError(error)) {
    return withServiceMessage(describeKind(error.kind), error.serviceMessage);
  }
  return messageOf(error);
}

/** Why a pending change was not taken, and what to do next. */
export function describeChangeFailure({ kind, serviceMessage, newest, patchVersion }: ChangeFailure): string {
  if (kind === 'outdated' && !newest && patchVersion !== undefined) {
    return vscode.l10n.t(
      'The patch has changed since you read it and is now version {0}. Nothing was sent. Read it again first.',
      patchVersion,
    );
  }
  return withServiceMessage((newest && describeOutdated(kind, newest)) ?? describeKind(kind), serviceMessage);
}

/** The name of a version of a patch stack, within a sentence. */
export function versionName({ version, uuid }: StackVersion): string {
  return vscode.l10n.t('version {0}', version ?? uuid);
}

/** Why a change that was begun in an older version of its patch stack doesn't go into the newest one. */
function describeOutdated(kind: ChangeFailureKind, newest: StackVersion): string | undefined {
  const version = versionName(newest);
  switch (kind) {
    case 'patchGone':
      return vscode.l10n.t(
        'The newest version of the patch stack, {0}, no longer has this patch. Your change is saved locally: copy what you need from it, or discard it.',
        version,
      );
    case 'deleted':
      return vscode.l10n.t(
        'The newest version of the patch stack, {0}, no longer has this section. Your text is saved locally: add it again, or discard it.',
        version,
      );
    case 'sectionGone':
      return vscode.l10n.t(
        'The newest version of the patch stack, {0}, no longer has the sections you moved. Move sections there, or discard the change.',
        version,
      );
    case 'outdated':
      return vscode.l10n.t(
        'The patch stack has a newer version: {0}. Nothing was sent. Read the newer version first.',
        version,
      );
    case 'ambiguous':
      return vscode.l10n.t(
        'The newest version of the patch stack, {0}, has several sections that could be this one. Make your change there, or add your text as a new section.',
        version,
      );
    default:
      return undefined;
  }
}

/** Why what is asked for once more was not taken before, for the first question that has room to say it. */
export function refusalOf(pending: { failure?: ChangeFailure | undefined } | undefined): string | undefined {
  return pending?.failure && describeChangeFailure(pending.failure);
}

function withServiceMessage(reason: string, said: string | undefined): string {
  return said ? vscode.l10n.t('{0} Server message: {1}', reason, said) : reason;
}

/** Why what is typed is not on disk, and what to do next. */
export function describeJournalProblem({ kind, code }: JournalProblem): string {
  switch (kind) {
    case 'diskFull':
      return vscode.l10n.t(
        'The disk is full, so unsent changes last only while this window is open. Free up space or send your changes.',
      );
    case 'readOnly':
      return vscode.l10n.t(
        "Couldn't write to the folder for unsent changes, so they last only while this window is open. Send your changes.",
      );
    case 'full':
      return vscode.l10n.t(
        'Too many unsent changes. New ones last only while this window is open. Send or discard some.',
      );
    case 'unknown':
      return vscode.l10n.t(
        "Couldn't save your unsent changes locally ({0}). Send them before you close this window.",
        code ?? '?',
      );
  }
}

/** Why something could not be written to this computer's disk: a few words. */
export function describeStorageFailure(error: unknown): string {
  const code = systemCode(error);
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return vscode.l10n.t('the disk is full');
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return vscode.l10n.t("the folder can't be written to");
    default:
      return code ?? messageOf(error);
  }
}

/** Why an address that is not encrypted is refused. */
export function insecureAddress(): string {
  return vscode.l10n.t(
    "This address isn't secure. Use an address that starts with https:// to protect your access token.",
  );
}

function describeKind(kind: ChangeFailureKind): string {
  switch (kind) {
    case 'unauthorized':
      return vscode.l10n.t('Your access token has expired or was revoked. Sign in again.');
    case 'forbidden':
      return vscode.l10n.t("You don't have permission to do this.");
    case 'notFound':
      return vscode.l10n.t('This item no longer exists. Refresh to see the latest.');
    case 'conflict':
      return vscode.l10n.t('This conflicts with the current version on the server. Refresh and try again.');
    case 'invalid':
      return vscode.l10n.t('The server rejected this value. Correct it and try again.');
    case 'rateLimited':
      return vscode.l10n.t('Too many requests. Wait a moment and try again.');
    case 'server':
      return vscode.l10n.t('The server encountered an error. Try again later.');
    case 'connection':
      return vscode.l10n.t(
        "The server can't be reached. Check your network connection and the server address.",
      );
    case 'tls':
      return vscode.l10n.t("The server's certificate isn't trusted. Check your certificate settings.");
    case 'timeout':
      return vscode.l10n.t('The request timed out. Try again.');
    case 'aborted':
      return vscode.l10n.t('Canceled.');
    case 'unreadable':
      return vscode.l10n.t('The server returned an invalid response. Check the server address.');
    case 'tooLarge':
      return vscode.l10n.t("The server's response is too large.");
    case 'redirect':
      return vscode.l10n.t('The server redirected to a different address. Check the server address.');
    case 'insecure':
      return insecureAddress();
    case 'deleted':
      return vscode.l10n.t('This was deleted on the server. Add it again or discard your change.');
    case 'interrupted':
      return vscode.l10n.t(
        "The window closed while this was being sent. Send it again; it won't be duplicated.",
      );
    case 'closed':
      return vscode.l10n.t('The window closed before this was sent. Send or discard it.');
    case 'outdated':
      return vscode.l10n.t('The patch has changed since you read it. Nothing was sent. Read it again first.');
    case 'changedMeanwhile':
      return vscode.l10n.t('The patch changed on the server at the same moment. Read it again.');
    case 'notTaken':
      return vscode.l10n.t("The server accepted this but didn't record it. Try again.");
    case 'elsewhere':
      return vscode.l10n.t('This change is open in another window. Send it from there, or take it over.');
    case 'form':
      return vscode.l10n.t('This change is part of a form. Open the form to finish it.');
    case 'patchGone':
    case 'sectionGone':
    case 'ambiguous':
      return vscode.l10n.t("The patch stack has a newer version that this change doesn't apply to.");
    case 'unknown':
      return vscode.l10n.t('Something went wrong. Try again or check the log.');
  }
}
