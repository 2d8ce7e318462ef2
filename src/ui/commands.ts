import * as vscode from 'vscode';
import { commandId, type CommandArguments, type CommandHandlers, type CommandName } from '../commandTable.ts';
import { manifestOf } from '../contributions.ts';
import { isAsking } from './asking.ts';
import type { Log } from './log.ts';
import { showFailure } from './notifications.ts';
import { keysOf } from '../util/fields.ts';
import { inBackground } from '../util/inBackground.ts';

/** Marks that the person gave up: commands end silently on it. */
export class CancelledError extends Error {
  override name = 'CancelledError';
}

/** Runs one of our commands. It tells the person of its failures itself. */
export async function runCommand<K extends CommandName>(
  name: K,
  ...args: CommandArguments[K]
): Promise<void> {
  await vscode.commands.executeCommand(commandId(name), ...args);
}

/** Gives the focus to the box or list of ours in which the person is being asked something, if they are. */
export async function focusQuestion(): Promise<void> {
  if (isAsking()) {
    await vscode.commands.executeCommand('workbench.action.focusQuickOpen');
  }
}

/** The titles of the commands in the window's language, as package.json declares them. */
export function commandTitles(extension: vscode.Extension<unknown>): ReadonlyMap<string, string> {
  const { commands } = manifestOf(extension).contributes;
  return new Map(
    commands.map(({ command, title }) => [command, typeof title === 'string' ? title : title.value]),
  );
}

/** The same commands, but one that fails tells the person and never throws. */
export function guardCommands(
  handlers: CommandHandlers,
  titles: ReadonlyMap<string, string>,
  log: Log,
): CommandHandlers {
  const guard = (name: CommandName, handler: (...args: unknown[]) => Promise<void>) => {
    const id = commandId(name);
    const run = async (...args: unknown[]): Promise<void> => {
      try {
        await handler(...args);
      } catch (error) {
        if (isCancellation(error)) {
          return;
        }
        log.debug(`${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        const doing = vscode.l10n.t('complete "{0}"', titles.get(id) ?? name);
        // Not awaited: a command ends when its work ends, not when its message is put away.
        inBackground(showFailure(doing, error, log, () => run(...args)));
      }
    };
    return run;
  };
  return Object.fromEntries(
    keysOf(handlers).map((name) => [
      name,
      guard(name, handlers[name] as (...args: unknown[]) => Promise<void>),
    ]),
  ) as unknown as CommandHandlers;
}

/**
 * Does a piece of work outside of a command, such as what a message offers. When it fails the person is told, and *Retry*
 * does the same again, with all that was chosen for it.
 *
 * @param doing what is being done, as it follows *Couldn't*.
 */
export async function attempt(doing: string, log: Log, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isCancellation(error)) {
      // Not awaited: the work ends here, not when its message is put away.
      inBackground(showFailure(doing, error, log, () => attempt(doing, log, work)));
    }
  }
}

/** True for an error that only says that the person, or the editor on their behalf, gave up. */
export function isCancellation(error: unknown): boolean {
  return (
    error instanceof CancelledError ||
    error instanceof vscode.CancellationError ||
    (error instanceof Error && 'kind' in error && error.kind === 'aborted')
  );
}
