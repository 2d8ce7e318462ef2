import * as vscode from 'vscode';
import { isApiError } from '../api/errors.ts';
import type { ChangeFailure, ChangeFailureKind } from '../model/pending/pendingChange.ts';
import type { JournalProblem } from '../model/pending/pendingChanges.ts';
import type { StackVersion } from '../model/newestVersion.ts';

/** What the person can press to mend what has failed. */
export interface Remedy {
  /** The title of the button. */
  title: string;
  /** Resolves with whether what had failed is worth another try. */
  apply: () => Promise<boolean>;
}

/** A failure that one press mends: wherever it is told, the button stands beside it. */
export class MendableError extends Error {
  override name = 'MendableError';
  readonly remedy: Remedy;

  constructor(message: string, remedy: Remedy) {
    super(message);
    this.remedy = remedy;
  }
}

/** What mends a failure, if one press does. */
export function remedyOf(error: unknown): Remedy | undefined {
  return error instanceof MendableError ? error.remedy : undefined;
}

/**
 * One sentence for the person: what was being done, what went wrong, what to do next.
 *
 * @param doing what was being done, as the start of a sentence: *Loading the projects*.
 */
export function describeFailure(doing: string, error: unknown): string {
  return vscode.l10n.t('{0} failed: {1}', doing, describeReason(error));
}

/** What went wrong and what to do next, without what was being done. */
export function describeReason(error: unknown): string {
  if (isApiError(error)) {
    return withServiceMessage(describeKind(error.kind), error.serviceMessage);
  }
  return error instanceof Error ? error.message : String(error);
}

/** Why a pending change was not taken, and what to do next. */
export function describeChangeFailure({ kind, serviceMessage, newest, patchVersion }: ChangeFailure): string {
  if (kind === 'outdated' && !newest && patchVersion !== undefined) {
    return vscode.l10n.t(
      'The patch has changed since you read it; it is version {0} now. Nothing was sent: read it again first.',
      patchVersion,
    );
  }
  return withServiceMessage((newest && describeOutdated(kind, newest)) ?? describeKind(kind), serviceMessage);
}

/** What a version of a patch stack is called, within a sentence. */
export function versionName({ version, uuid }: StackVersion): string {
  return vscode.l10n.t('version {0}', version ?? uuid);
}

/** Why a change that was begun in an older version of its patch stack doesn't go into the newest one. */
function describeOutdated(kind: ChangeFailureKind, newest: StackVersion): string | undefined {
  const version = versionName(newest);
  switch (kind) {
    case 'patchGone':
      return vscode.l10n.t(
        'The newest version of the patch stack, {0}, no longer has this patch. Your change is saved locally: copy what you need of it, or discard it.',
        version,
      );
    case 'deleted':
      return vscode.l10n.t(
        'The newest version of the patch stack, {0}, no longer has this section. Your text is saved locally: add it again, or discard it.',
        version,
      );
    case 'sectionGone':
      return vscode.l10n.t(
        'The newest version of the patch stack, {0}, no longer has the sections that you moved. Move them there, or discard the change.',
        version,
      );
    case 'outdated':
      return vscode.l10n.t(
        'There is a newer version of the patch stack by now: {0}. Nothing was sent: read that one first.',
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
  return said ? vscode.l10n.t('{0} The service says: {1}', reason, said) : reason;
}

/** Why what is typed is not on disk, and what to do next. */
export function describeJournalProblem({ kind, code }: JournalProblem): string {
  switch (kind) {
    case 'diskFull':
      return vscode.l10n.t(
        'The disk is full. What you type is kept in this window only: free some space, or send your changes.',
      );
    case 'readOnly':
      return vscode.l10n.t(
        'The folder for unsent changes cannot be written to. What you type is kept in this window only: send your changes.',
      );
    case 'full':
      return vscode.l10n.t(
        'There are too many unsent changes. What you type is kept in this window only: send or discard some.',
      );
    case 'unknown':
      return vscode.l10n.t(
        'What you type cannot be kept on disk ({0}), only in this window: send your changes.',
        code ?? '?',
      );
  }
}

/** Why something could not be written to this computer's disk: a few words. */
export function describeStorageFailure(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return vscode.l10n.t('the disk is full');
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return vscode.l10n.t('the folder can’t be written to');
    default:
      return code ?? (error instanceof Error ? error.message : String(error));
  }
}

/** Why an address that is not encrypted is refused. */
export function insecureAddress(): string {
  return vscode.l10n.t(
    'The address is not encrypted, so others could read the access token. Use one that starts with https://.',
  );
}

function describeKind(kind: ChangeFailureKind): string {
  switch (kind) {
    case 'unauthorized':
      return vscode.l10n.t('The access token is no longer good. Sign in again.');
    case 'forbidden':
      return vscode.l10n.t('You are not allowed to do this.');
    case 'notFound':
      return vscode.l10n.t('It no longer exists on the service. Refresh to see what does.');
    case 'conflict':
      return vscode.l10n.t('It does not go with what the service has now. Refresh and try again.');
    case 'invalid':
      return vscode.l10n.t('The service did not accept it. Change it and try again.');
    case 'rateLimited':
      return vscode.l10n.t('The service is asked too often. Wait a moment and try again.');
    case 'server':
      return vscode.l10n.t('The service has a fault of its own. Try again later.');
    case 'connection':
      return vscode.l10n.t('The service cannot be reached. Check the network and the server address.');
    case 'tls':
      return vscode.l10n.t(
        'The certificate of the service cannot be trusted. Check the certificate settings.',
      );
    case 'timeout':
      return vscode.l10n.t('The service did not answer in time. Try again.');
    case 'aborted':
      return vscode.l10n.t('It was cancelled.');
    case 'unreadable':
      return vscode.l10n.t('The answer cannot be read. Check that the server address is right.');
    case 'tooLarge':
      return vscode.l10n.t('The answer is too large to be read.');
    case 'redirect':
      return vscode.l10n.t('The service points to another address. Check that the server address is right.');
    case 'insecure':
      return insecureAddress();
    case 'deleted':
      return vscode.l10n.t('Somebody has deleted it on the service. Add it again, or discard the change.');
    case 'interrupted':
      return vscode.l10n.t('The window ended while it was sent. Send it again: it is not written twice.');
    case 'closed':
      return vscode.l10n.t('The window was closed before it was sent. Send it, or discard it.');
    case 'outdated':
      return vscode.l10n.t('The patch has changed since you read it. Nothing was sent: read it again first.');
    case 'elsewhere':
      return vscode.l10n.t('It’s open in another window. Send it there, or take it over.');
    case 'form':
      return vscode.l10n.t('It stands in a form. Open the form and finish it there.');
    case 'patchGone':
    case 'sectionGone':
    case 'ambiguous':
      return vscode.l10n.t('There is a newer version of the patch stack, into which this does not fit.');
    case 'unknown':
      return vscode.l10n.t('Something unexpected happened. Try again, and look into the log.');
  }
}
