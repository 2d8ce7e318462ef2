/** Knows while a person is asked something in a box or a list of ours, so that nothing that comes late takes the focus from it. */
import type * as vscode from 'vscode';

let open = 0;

/**
 * Asks, and knows of it until it is answered. Every box and list is shown through this.
 *
 * @param ask gets to know whether it is what the person is asked now: nothing else has been asked since. VS Code shows one box or
 * list at a time, so that one that is hidden then was put away by the person.
 */
export async function asking<T>(ask: (isLast: () => boolean) => PromiseLike<T>): Promise<T> {
  open += 1;
  const place = open;
  try {
    return await ask(() => open <= place);
  } finally {
    open -= 1;
  }
}

/**
 * Puts a box or list away once the one of the next step is there. Between the two VS Code would give the focus back to the view,
 * which keeps it when it is drawn again in that moment.
 */
export function putAwayLater(input: vscode.QuickInput): void {
  setImmediate(() => input.dispose());
}

/** True while a person is being asked something: the focus is theirs then. */
export function isAsking(): boolean {
  return open > 0;
}
