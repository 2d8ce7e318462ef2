import * as vscode from 'vscode';
import { shortened } from '../util/budget.ts';
import { asking, putAwayLater } from './asking.ts';
import { CancelledError } from './commands.ts';

/** A row of a list of which several are chosen. One without a value can't be: its description says why. */
export interface SeveralRow<T> extends vscode.QuickPickItem {
  choice?: { value: T };
}

/** Characters of each text of a row. */
const longestText = 300;

/** A question that is answered by choosing several rows of a list. */
interface SeveralQuestion<T> {
  title: string;
  placeholder: string;
  /** Said in place of the placeholder when nothing can be chosen. */
  empty: string;
  load: () => Promise<SeveralRow<T>[]>;
}

/**
 * Shows a list in which everything that can be chosen is chosen at first.
 *
 * @throws {CancelledError} when the person gives up, or chooses nothing; what loading throws.
 */
export function chooseSeveral<T>(question: SeveralQuestion<T>): Promise<T[]> {
  return asking((isLast) => chooseSeveralFrom(question, isLast));
}

async function chooseSeveralFrom<T>(question: SeveralQuestion<T>, isLast: () => boolean): Promise<T[]> {
  const pick = vscode.window.createQuickPick<SeveralRow<T>>();
  const chosen = Promise.withResolvers<T[]>();
  pick.title = question.title;
  pick.placeholder = question.placeholder;
  pick.canSelectMany = true;
  pick.matchOnDetail = true;
  pick.ignoreFocusOut = true;
  pick.busy = true;
  pick.onDidHide(() => {
    // While it loads, something else that is asked, such as to sign in again, may hide it.
    if (!pick.busy || isLast()) {
      chosen.reject(new CancelledError());
    }
  });
  pick.onDidChangeSelection((rows) => {
    const allowed = rows.filter(({ choice }) => choice);
    // VS Code has no rows in such a list that can't be ticked.
    if (allowed.length < rows.length) {
      pick.selectedItems = allowed;
    }
  });
  pick.onDidAccept(() => {
    if (!pick.busy) {
      chosen.resolve(pick.selectedItems.flatMap(({ choice }) => (choice ? [choice.value] : [])));
    }
  });
  pick.show();
  try {
    // Nothing is chosen before the rows are there, but the person may give up.
    const rows = await Promise.race([question.load(), chosen.promise.then(() => [])]);
    pick.items = rows.map((row) => ({
      ...row,
      label: shortened(row.label, longestText),
      ...(row.detail !== undefined && { detail: shortened(row.detail, longestText) }),
    }));
    pick.selectedItems = pick.items.filter(({ choice }) => choice);
    if (pick.selectedItems.length === 0) {
      pick.placeholder = question.empty;
    }
    pick.busy = false;
    // Something else that was asked meanwhile may have hidden it.
    pick.show();
    const values = await chosen.promise;
    if (values.length === 0) {
      throw new CancelledError();
    }
    return values;
  } finally {
    chosen.promise.catch(() => undefined);
    putAwayLater(pick);
  }
}
