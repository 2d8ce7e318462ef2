/** The one place from which messages reach the person. */
import * as vscode from 'vscode';
import { describeFailure, remedyOf } from './failures.ts';
import { shortened } from '../util/budget.ts';
import type { Log } from './log.ts';

/** Characters of a message, and of what stands below a modal one: names in it come from strangers. */
const longestMessage = 1_000;
const longestDetail = 4_000;

/** Something the person can choose in a message. */
export interface MessageAction<T> {
  title: string;
  value: T;
}

/**
 * Shows that an action failed, with what fixes it, or with *Retry* and *Show Log*. Resolves once the person has answered, and
 * what they chose is done.
 */
export async function showFailure(
  doing: string,
  error: unknown,
  log: Log,
  retry?: () => Promise<void>,
): Promise<void> {
  const message = shortened(describeFailure(doing, error), longestMessage);
  log.error(message);
  const remedy = remedyOf(error);
  if (remedy) {
    if (
      (await vscode.window.showErrorMessage(message, remedy.title)) !== undefined &&
      (await remedy.apply())
    ) {
      await retry?.();
    }
    return;
  }
  const retryTitle = vscode.l10n.t('Retry');
  const logTitle = vscode.l10n.t('Show Log');
  const chosen = await vscode.window.showErrorMessage(message, ...(retry ? [retryTitle] : []), logTitle);
  if (chosen === retryTitle) {
    await retry?.();
  } else if (chosen === logTitle) {
    await log.show();
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
  const chosen = await show(
    shortened(text, longestMessage),
    { modal, ...(detail !== undefined && { detail: shortened(detail, longestDetail) }) },
    ...actions,
  );
  return chosen?.value;
}
