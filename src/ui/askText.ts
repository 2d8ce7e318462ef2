import * as vscode from 'vscode';
import { asking, putAwayLater } from './asking.ts';
import { CancelledError, isCancellation } from './commands.ts';
import { describeReason } from './failures.ts';
import { BackError, showPlace, type Place } from './form.ts';
import { inBackground } from '../util/inBackground.ts';

/** A remark on a text while it is typed. */
export interface TextRemark {
  text: string;
  /** An error is not accepted, a warning is. */
  severity: 'error' | 'warning';
  /** Takes away what was typed: it should not even be on the screen. */
  clear?: boolean;
}

/** A question that is answered with one line of text. */
export interface TextQuestion<T> {
  title: string;
  prompt: string;
  placeholder?: string;
  value?: string;
  /** Why it was not taken when it was asked before; said until something else is typed. */
  refusal?: string | undefined;
  place?: Place;
  /** Told what is typed, so that it can be offered again when the person comes back to this step. */
  onType?: (text: string) => void;
  password?: boolean;
  /** Called with what is typed; not before something is. A plain text is an error. */
  check: (text: string) => string | TextRemark | undefined;
  /** Called with a text without an error. What it throws is told in the same place, and the text stays. */
  accept: (text: string) => Promise<{ value: T } | { problem: string }>;
}

/**
 * Asks for one line of text. Whatever is wrong with it, also what only the service knows, is said where it was typed, and
 * nothing typed is lost.
 *
 * @throws {CancelledError} when the person gives up; {BackError} when they go back to the step before.
 */
export function askText<T>(question: TextQuestion<T>): Promise<T> {
  const box = createBox(question);
  return asking(() => answerTo(box, question));
}

function answerTo<T>(box: vscode.InputBox, question: TextQuestion<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const end = (settle: () => void): void => {
      settle();
      putAwayLater(box);
    };
    const accept = async (): Promise<void> => {
      if (box.busy || !say(box, question.check(box.value))) {
        return;
      }
      box.busy = true;
      box.enabled = false;
      try {
        const outcome = await question.accept(box.value);
        if ('value' in outcome) {
          end(() => resolve(outcome.value));
          return;
        }
        say(box, outcome.problem);
      } catch (error) {
        if (isCancellation(error)) {
          end(() => reject(error instanceof Error ? error : new CancelledError()));
          return;
        }
        say(box, describeReason(error));
      }
      box.busy = false;
      box.enabled = true;
      // Something else that was asked meanwhile, such as to sign in again, may have hidden it.
      box.show();
    };
    box.onDidTriggerButton((button) => {
      if (button === vscode.QuickInputButtons.Back && !box.busy) {
        end(() => reject(new BackError()));
      }
    });
    box.onDidChangeValue((value) => {
      question.onType?.(value);
      // An empty text is not wrong before someone wants to go on with it; and what was taken away must stay explained.
      if (value !== '') {
        say(box, question.check(value));
      }
    });
    box.onDidAccept(() => inBackground(accept()));
    box.onDidHide(() => {
      if (!box.busy) {
        end(() => reject(new CancelledError()));
      }
    });
    box.show();
  });
}

function createBox(question: TextQuestion<unknown>): vscode.InputBox {
  const box = vscode.window.createInputBox();
  box.title = question.title;
  box.prompt = question.prompt;
  box.placeholder = question.placeholder;
  box.value = question.value ?? '';
  box.password = question.password ?? false;
  box.ignoreFocusOut = true;
  if (question.place) {
    showPlace(box, question.place);
  }
  if (question.refusal !== undefined) {
    say(box, { text: `${question.prompt} · ${question.refusal}`, severity: 'warning' });
  }
  return box;
}

/** @returns whether the text may be accepted. */
function say(box: vscode.InputBox, remark: string | TextRemark | undefined): boolean {
  if (remark === undefined) {
    box.validationMessage = undefined;
    return true;
  }
  const {
    text,
    severity,
    clear = false,
  }: TextRemark = typeof remark === 'string' ? { text: remark, severity: 'error' } : remark;
  if (clear) {
    box.value = '';
  }
  box.validationMessage = {
    message: text,
    severity:
      severity === 'error'
        ? vscode.InputBoxValidationSeverity.Error
        : vscode.InputBoxValidationSeverity.Warning,
  };
  return severity !== 'error';
}
