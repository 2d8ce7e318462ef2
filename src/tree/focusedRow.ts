import * as vscode from 'vscode';
import { stacksViewId } from '../contributions.ts';
import type { Disposable } from '../util/disposable.ts';
import { onceKnown } from './knownRow.ts';
import type { Node } from './nodes.ts';

/** No one else's: it is for VS Code to hand the row over to. */
const command = '_patchStacks.takeFocusedRow';

/**
 * Finds the row of the stacks view that has the focus. VS Code tells it to commands alone, and in the moments in which it
 * draws rows again it does not know them: a key that is pressed then comes without its row.
 */
export class FocusedRow implements Disposable {
  #row: Node | undefined;
  readonly #registration = vscode.commands.registerCommand(command, (row: Node | null | undefined) => {
    this.#row = row ?? undefined;
  });
  readonly #redraw: () => void;

  /** @param redraw has VS Code ask for all rows again. */
  constructor(redraw: () => void) {
    this.#redraw = redraw;
  }

  /** Waits until VS Code knows the row; undefined when none has the focus. */
  async find(): Promise<Node | undefined> {
    return onceKnown(() => this.look(), this.#redraw);
  }

  /** The row, if VS Code knows it at the moment. */
  async look(): Promise<Node | undefined> {
    // Through VS Code, which puts the row in the place of these arguments.
    await vscode.commands.executeCommand('runCommands', {
      commands: [{ command, args: { $treeViewId: stacksViewId, $focusedTreeItem: true } }],
    });
    return this.#row;
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
