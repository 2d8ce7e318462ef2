import * as vscode from 'vscode';
import { CancelledError, isCancellation } from './commands.ts';
import { describeReason } from './failures.ts';
import { BackError, type Place } from './form.ts';

/** What there is to say to a text while it is typed. */
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
  /** Where it stands in a form. */
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
  const box = vscode.window.createInputBox();
  box.title = question.title;
  box.prompt = question.prompt;
  box.placeholder = question.placeholder;
  box.value = question.value ?? '';
  box.password = question.password ?? false;
  box.ignoreFocusOut = true;
  if (question.place) {
    box.step = question.place.number;
    box.totalSteps = question.place.of;
    box.buttons = question.place.number > 1 ? [vscode.QuickInputButtons.Back] : [];
  }
  return new Promise<T>((resolve, reject) => {
    const say = (remark: string | TextRemark | undefined): boolean => {
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
    };
    const accept = async (): Promise<void> => {
      if (box.busy || !say(question.check(box.value))) {
        return;
      }
      box.busy = true;
      box.enabled = false;
      try {
        const outcome = await question.accept(box.value);
        if ('value' in outcome) {
          resolve(outcome.value);
          box.dispose();
          return;
        }
        say(outcome.problem);
      } catch (error) {
        if (isCancellation(error)) {
          reject(error instanceof Error ? error : new CancelledError());
          box.dispose();
          return;
        }
        say(describeReason(error));
      }
      box.busy = false;
      box.enabled = true;
      // Something else that was asked meanwhile, such as to sign in again, may have hidden it.
      box.show();
    };
    if (question.refusal !== undefined) {
      say({ text: `${question.prompt} · ${question.refusal}`, severity: 'warning' });
    }
    box.onDidTriggerButton((button) => {
      if (button === vscode.QuickInputButtons.Back && !box.busy) {
        reject(new BackError());
        box.dispose();
      }
    });
    box.onDidChangeValue((value) => {
      question.onType?.(value);
      // An empty text is not wrong before someone wants to go on with it; and what was taken away must stay explained.
      if (value !== '') {
        say(question.check(value));
      }
    });
    box.onDidAccept(() => void accept());
    box.onDidHide(() => {
      if (!box.busy) {
        reject(new CancelledError());
        box.dispose();
      }
    });
    box.show();
  });
}
