import * as vscode from 'vscode';
import { shortened } from '../util/budget.ts';
import { CancelledError } from './commands.ts';
import { BackError, type Place } from './form.ts';

/** A row of a list to choose from. One without a value only says something. */
export interface Choice<T> extends vscode.QuickPickItem {
  choice?: { value: T };
}

/** A question that is answered by choosing from a list. */
export interface ChoiceQuestion<T> {
  title: string;
  placeholder: string;
  /** Said in place of the placeholder when there is nothing to choose. */
  empty?: string;
  /** Where it stands in a form. */
  place?: Place;
  load: () => Promise<Choice<T>[]>;
  /** What stands in the box at first. */
  value?: string;
  /** The row for something that is typed rather than chosen; undefined for a text that is none. */
  typed?: (text: string) => Choice<T> | undefined;
  /** Whether a row is the one to begin at. */
  isActive?: (value: T) => boolean;
}

/** Characters of each text of a row. */
const longestText = 300;

/** A row that is no longer than a screen is wide, whatever strangers have called what it stands for. */
function onOneLine<T extends vscode.QuickPickItem>(item: T): T {
  const { label, description, detail } = item;
  return {
    ...item,
    label: shortened(label, longestText),
    ...(description !== undefined && { description: shortened(description, longestText) }),
    ...(detail !== undefined && { detail: shortened(detail, longestText) }),
  };
}

/**
 * Shows a list at once and fills it when its rows are there.
 *
 * @throws {CancelledError} when the person gives up; {BackError} when they go back; what loading throws.
 */
export async function choose<T>(question: ChoiceQuestion<T>): Promise<T> {
  const pick = vscode.window.createQuickPick<Choice<T>>();
  pick.title = question.title;
  pick.placeholder = question.placeholder;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.ignoreFocusOut = true;
  pick.busy = true;
  if (question.place) {
    pick.step = question.place.number;
    pick.totalSteps = question.place.of;
    pick.buttons = question.place.number > 1 ? [vscode.QuickInputButtons.Back] : [];
  }
  const chosen = Promise.withResolvers<T>();
  pick.onDidHide(() => {
    // While it loads, something else that is asked, such as to sign in again, may hide it.
    if (!pick.busy) {
      chosen.reject(new CancelledError());
    }
  });
  pick.onDidTriggerButton(() => chosen.reject(new BackError()));
  pick.onDidAccept(() => {
    const choice = pick.selectedItems[0]?.choice;
    if (choice) {
      chosen.resolve(choice.value);
    }
  });
  let rows: Choice<T>[] = [];
  const show = (): void => {
    const typed = question.typed?.(pick.value.trim());
    pick.items = typed ? [...rows, { ...onOneLine(typed), alwaysShow: true }] : rows;
  };
  if (question.typed) {
    pick.value = question.value ?? '';
    pick.onDidChangeValue(show);
  }
  pick.show();
  const load = async (): Promise<void> => {
    const items = (await question.load()).map(onOneLine);
    rows = items;
    show();
    const choices = items.filter(({ choice }) => choice);
    // Without an active row Enter would do nothing.
    const active = choices.find(({ choice }) => choice && question.isActive?.(choice.value)) ?? choices[0];
    if (pick.value === '') {
      pick.activeItems = active ? [active] : [];
    }
    if (items.length === 0) {
      pick.placeholder = question.empty ?? question.placeholder;
    }
    pick.busy = false;
    pick.show();
  };
  load().catch((error: unknown) => chosen.reject(error instanceof Error ? error : new Error(String(error))));
  try {
    return await chosen.promise;
  } finally {
    pick.dispose();
  }
}
