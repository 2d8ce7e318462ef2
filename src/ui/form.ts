import * as vscode from 'vscode';
import { CancelledError } from './commands.ts';

/** The person wants the step before. Where there is none, it ends the command like any giving up. */
export class BackError extends CancelledError {
  override name = 'BackError';
}

/** The place of a step in a form, as its box says: 2/3. */
export interface Place {
  number: number;
  of: number;
}

/** Has a box say which step it is, with a button that leads to the one before. */
export function showPlace(box: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>, place: Place): void {
  box.step = place.number;
  box.totalSteps = place.of;
  box.buttons = place.number > 1 ? [vscode.QuickInputButtons.Back] : [];
}

/**
 * Takes a person through the steps of a form, back as well as on. A step keeps what was typed for itself, and offers it
 * again when it is asked a second time.
 *
 * @param onGivingUp forgets what was typed: a form that was canceled leaves nothing behind.
 * @throws {CancelledError} when the person gives up; what the steps throw.
 */
export async function takeSteps(
  steps: readonly ((place: Place) => Promise<void>)[],
  onGivingUp: () => void,
): Promise<void> {
  let index = 0;
  for (let step = steps[index]; step; step = steps[index]) {
    try {
      await step({ number: index + 1, of: steps.length });
      index += 1;
    } catch (error) {
      if (!(error instanceof BackError) || index === 0) {
        if (error instanceof CancelledError) {
          onGivingUp();
        }
        throw error;
      }
      index -= 1;
    }
  }
}
