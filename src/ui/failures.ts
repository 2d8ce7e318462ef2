import * as vscode from 'vscode';
import { isApiError, type ApiError } from '../api/errors.ts';

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
    const said = error.serviceMessage;
    const reason = describeApiError(error);
    return said ? vscode.l10n.t('{0} The service says: {1}', reason, said) : reason;
  }
  return error instanceof Error ? error.message : String(error);
}

/** Why an address that is not encrypted is refused. */
export function insecureAddress(): string {
  return vscode.l10n.t(
    'The address is not encrypted, so others could read the access token. Use one that starts with https://.',
  );
}

function describeApiError(error: ApiError): string {
  switch (error.kind) {
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
  }
}
