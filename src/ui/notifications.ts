/** The one place from which messages reach the person. */
import * as vscode from 'vscode';
import { describeFailure } from './failures.ts';
import type { Log } from './log.ts';

/** Something the person can choose in a message. */
export interface MessageAction<T> {
  title: string;
  value: T;
}

/** Shows that an action failed, with *Retry* and *Show Log*, and resolves once the person has answered. */
export async function showFailure(
  doing: string,
  error: unknown,
  log: Log,
  retry?: () => Promise<void>,
): Promise<void> {
  const message = describeFailure(doing, error);
  log.error(message);
  const retryTitle = vscode.l10n.t('Retry');
  const logTitle = vscode.l10n.t('Show Log');
  const chosen = await vscode.window.showErrorMessage(message, ...(retry ? [retryTitle] : []), logTitle);
  if (chosen === retryTitle) {
    await retry?.();
  } else if (chosen === logTitle) {
    log.show();
  }
}

/** Tells the person something; resolves with the action they chose, if any. */
export async function showMessage<T>(
  text: string,
  options: {
    severity?: 'information' | 'warning';
    modal?: boolean;
    /** More text below the message; shown in modal messages only. */
    detail?: string;
    actions?: MessageAction<T>[];
  } = {},
): Promise<T | undefined> {
  const { severity = 'information', modal = false, detail, actions = [] } = options;
  const show =
    severity === 'warning' ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const chosen = await show(text, { modal, ...(detail !== undefined && { detail }) }, ...actions);
  return chosen?.value;
}
