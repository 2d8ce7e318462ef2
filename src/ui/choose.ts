import * as vscode from 'vscode';
import { asking, putAwayLater } from './asking.ts';
import { shortened } from '../util/budget.ts';
import type { Event } from '../util/event.ts';
import { inBackground } from '../util/inBackground.ts';
import { CancelledError } from './commands.ts';
import { BackError, showPlace, type Place } from './form.ts';
import { showMessage } from './notifications.ts';

/** A button that chooses something of its own. */
export interface ChoiceButton<T> extends vscode.QuickInputButton {
  value: T;
}

/** A row of a list to choose from. One without a value only says something. */
export interface Choice<T> extends vscode.QuickPickItem {
  choice?: { value: T };
  buttons?: readonly ChoiceButton<T>[];
  /** Why it can't be chosen. */
  refusal?: string;
}

/** A text of a list, or what gives it anew with the rows. */
type Said = string | (() => string);

/** A question that is answered by choosing from a list. */
interface ChoiceQuestion<T> {
  title: Said;
  placeholder: Said;
  /** Said in place of the placeholder until the rows are there. */
  loading?: string;
  /** Said in place of the placeholder when there is nothing to choose. */
  empty?: string;
  place?: Place;
  load: () => Promise<Choice<T>[]>;
  /** Fires when there are other rows to load. */
  onDidChange?: Event<unknown>;
  /** Buttons of the list as a whole. */
  buttons?: readonly ChoiceButton<T>[];
  /** The text in the box at first. */
  value?: string;
  /** The row for something that is typed rather than chosen; undefined for a text that is none. */
  typed?: (text: string) => Choice<T> | undefined;
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
 * Shows a list at once and fills it when its rows are there. The same as behind the buttons of a row must be there for the
 * keyboard: behind what Enter chooses.
 *
 * @throws {CancelledError} when the person gives up; {BackError} when they go back; what loading throws.
 */
export function choose<T>(question: ChoiceQuestion<T>): Promise<T> {
  return asking((isLast) => chooseFrom(question, isLast));
}

async function chooseFrom<T>(question: ChoiceQuestion<T>, isLast: () => boolean): Promise<T> {
  const pick = createPick(question);
  const chosen = Promise.withResolvers<T>();
  pick.onDidHide(() => {
    // While it loads, something else that is asked, such as to sign in again, may hide it.
    if (!pick.busy || isLast()) {
      chosen.reject(new CancelledError());
    }
  });
  const press = (buttons: readonly ChoiceButton<T>[] | undefined, pressed: vscode.QuickInputButton): void => {
    const button = buttons?.find((candidate) => candidate === pressed);
    if (button) {
      chosen.resolve(button.value);
    }
  };
  pick.onDidTriggerButton((button) => {
    if (button === vscode.QuickInputButtons.Back) {
      chosen.reject(new BackError());
    } else {
      press(question.buttons, button);
    }
  });
  pick.onDidTriggerItemButton(({ item, button }) => press(item.buttons, button));
  pick.onDidAccept(() => {
    const [item] = pick.selectedItems;
    if (item?.refusal !== undefined) {
      inBackground(showMessage(item.refusal, { severity: 'warning' }));
    } else if (item?.choice) {
      chosen.resolve(item.choice.value);
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
    rows = (await question.load()).map(onOneLine);
    show();
    pick.title = text(question.title);
    pick.placeholder = (rows.length === 0 ? question.empty : undefined) ?? text(question.placeholder);
  };
  const begin = async (): Promise<void> => {
    await load();
    const choices = rows.filter(({ choice }) => choice);
    // Without an active row Enter would do nothing.
    const active = choices.find(({ choice }) => choice && question.isActive?.(choice.value)) ?? choices[0];
    if (pick.value === '') {
      pick.activeItems = active ? [active] : [];
    }
    if (question.buttons) {
      pick.buttons = question.buttons;
    }
    pick.busy = false;
    pick.show();
  };
  const fail = (error: unknown): void =>
    chosen.reject(error instanceof Error ? error : new Error(String(error)));
  begin().catch(fail);
  const subscription = question.onDidChange?.(() => inBackground(load().catch(fail)));
  try {
    return await chosen.promise;
  } finally {
    subscription?.dispose();
    putAwayLater(pick);
  }
}

function createPick<T>(question: ChoiceQuestion<T>): vscode.QuickPick<Choice<T>> {
  const pick = vscode.window.createQuickPick<Choice<T>>();
  pick.title = text(question.title);
  pick.placeholder = question.loading ?? text(question.placeholder);
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  // A document that had the focus takes it back after the palette has gone, which would close the list again.
  pick.ignoreFocusOut = true;
  pick.busy = true;
  if (question.place) {
    showPlace(pick, question.place);
  }
  return pick;
}

function text(said: Said): string {
  return typeof said === 'string' ? said : said();
}
