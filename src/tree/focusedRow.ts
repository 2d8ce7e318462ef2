import * as vscode from 'vscode';
import { stacksViewId } from '../contributions.ts';
import type { Disposable } from '../util/disposable.ts';
import type { Node } from './nodes.ts';

/** No one else's: it is for VS Code to hand the row over to. */
const command = '_patchStacks.takeFocusedRow';

/** Milliseconds between two questions. Drawing rows again takes VS Code less than all of them. */
const pausesMs = [50, 100, 200, 400, 800];

/**
 * Finds the row of the stacks view that has the focus. VS Code tells it to commands alone, and in the moments in which it
 * draws rows again it does not know them: a key that is pressed then comes without its row.
 */
export class FocusedRow implements Disposable {
  #row: Node | undefined;
  readonly #registration = vscode.commands.registerCommand(command, (row: Node | null | undefined) => {
    this.#row = row ?? undefined;
  });

  /** Waits until VS Code knows the row; undefined when none has the focus. */
  async find(): Promise<Node | undefined> {
    for (const pauseMs of pausesMs) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      // Through VS Code, which puts the row in the place of these arguments.
      await vscode.commands.executeCommand('runCommands', {
        commands: [{ command, args: { $treeViewId: stacksViewId, $focusedTreeItem: true } }],
      });
      if (this.#row) {
        return this.#row;
      }
    }
    return undefined;
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
